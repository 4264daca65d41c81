"""`[sections] ignore`: headings whose lists are no work, everywhere or in one file."""

import pytest

from tests.support import audit

PLAN = """# Plan

- [ ] Rotate the keys

## 1. Acceptance criteria

- [ ] Loads fast

### Later

- [ ] Looks good
"""


@pytest.mark.parametrize("name", ["Acceptance criteria", "docs/plan.md#Acceptance criteria", "acceptance CRITERIA:"])
def test_what_stands_below_is_ignored_and_counted(vault, name):
    notes = vault({"docs/plan.md": PLAN}, config=f'[sources]\nlists = ["docs/*.md"]\n[sections]\nignore = ["{name}"]\n')
    found = audit(notes)
    assert list(found.items) == ["Rotate the keys"]
    assert found.json["ignored"] == 2


@pytest.mark.parametrize("name", ["docs/other.md#Acceptance criteria", "Criteria"])
def test_what_is_named_otherwise_is_collected(vault, name):
    notes = vault({"docs/plan.md": PLAN}, config=f'[sources]\nlists = ["docs/*.md"]\n[sections]\nignore = ["{name}"]\n')
    assert list(audit(notes).items) == ["Rotate the keys", "Loads fast", "Looks good"]
