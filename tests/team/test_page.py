"""A committed page shows what the notes say, so that every clone of them, and CI, makes the same bytes."""

import json
import os
import shutil

import pytest

from tests.clones import cloned, started
from tests.followups.talks import neutral, orphans, said
from tests.support import TODAY, journal, next_list, wrap

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
SHARED = {".gitattributes": "/ACTIVE-STATUS.md merge=ours\n"}
NOTES = {"projects/web/todos.md": "# web\n\n## Next Session\n\n- [ ] Water the plants\n- [ ] Sort the shelves\n"}


@pytest.fixture
def built(vault):
    return vault(NOTES | SHARED)


def waits(built, tmp_path, *tasks):
    talk = tmp_path / "talk.json"
    talk.write_bytes(neutral(said(*tasks)))
    return [one["id"] for one in orphans(built, talk).json["orphans"]]


def regenerated(built):
    assert wrap("regen", vault=built).code == 0
    return built.page


class TestWhatOnlyYouKnow:
    @pytest.mark.slow
    def test_pending_and_skipped_follow_ups_snoozes_and_keeps_are_not_on_it(self, built, tmp_path):
        alone = regenerated(built)
        first, _ = waits(built, tmp_path, "Ask the neighbours", "Buy the paint")
        answers = tmp_path / "answers.json"
        answers.write_text(json.dumps({"schema": "wrapgen.answers/1", "answers": [{"id": first, "route": "skip"}]}))
        assert wrap("route", "--answers", answers, vault=built).code == 0
        first = wrap("list", "--json", vault=built).json["items"][0]
        assert wrap("snooze", first["handle"], "5", vault=built).code == 0
        assert regenerated(built) == alone
        assert wrap("regen", "--check", vault=built).code == 0
        assert len(wrap("list", "--json", vault=built).json["items"]) < 2
        assert wrap("audit", "--json", vault=built).json["follow_ups"]["pending"] == 1

    def test_a_page_of_your_own_has_them(self, vault, tmp_path):
        built = vault(NOTES)
        waits(built, tmp_path, "Ask the neighbours")
        assert "Pending follow-ups" in regenerated(built)


class TestFreshClone:
    @pytest.fixture
    def first(self, vault):
        ticked = {"projects/web/PROGRESS.md": "# web\n\n- [x] Fix the login form\n- [x] Add the retry\n"}
        later = journal("2026-04-20", next_list("(web) Fix the login form"))
        later |= journal("2026-04-22", next_list("(web) Add the retry"))
        clone = started(vault(NOTES | SHARED | ticked | later), "2026-04-21")
        regenerated(clone)
        clone.commit()
        return clone

    def test_check_is_0_whenever_it_was_checked_out(self, first):
        clone = cloned(first, "ci")
        for path in clone.root.rglob("*.md"):
            os.utime(path, (2_000_000_000, 2_000_000_000))
        assert wrap("regen", "--check", vault=clone).code == 0
        assert "Add the retry" in clone.page
        assert "Fix the login form" not in clone.page

    def test_check_is_3_where_the_notes_went_on_without_the_page(self, first):
        clone = cloned(first, "ci")
        clone.write("projects/web/todos.md", NOTES["projects/web/todos.md"] + "- [ ] Paint the fence\n")
        clone.commit()
        result = wrap("regen", "--check", vault=clone)
        assert (result.code, "wrap regen" in result.out) == (3, True)

    def test_the_page_names_the_day_that_it_is_to_be_checked_for(self, first):
        clone = cloned(first, "ci")
        dated = next(line.removeprefix("date: ") for line in clone.page.splitlines() if line.startswith("date: "))
        assert dated == TODAY
        assert wrap("regen", "--check", vault=clone, today="2026-04-27").code == 3
        assert wrap("regen", "--check", vault=clone, today=dated).code == 0
