"""A page for which most lists were only counted is the page for which every line was looked at."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from tests.support import TODAY, Vault, examples, wrap
from wrapgen.dashboard.balance import audit_line
from wrapgen.dashboard.standing import standing_of, tally
from wrapgen.pipeline import beyond
from wrapgen.workflows.app import App
from wrapgen.workflows.rebuild import page
from wrapgen.workflows.vault_session import VaultSession

WORDS = (
    "login",
    "retry",
    "queue",
    "deploy",
    "table",
    "docs",
    "rotate",
    "keys",
    "alert",
    "backup",
    "parser",
    "cache",
    *(f"w{number}" for number in range(40)),
)
FORMS = ("- [ ] {}",) * 20 + ("- [x] {}", "- [ ] {} 📅 2026-04-30", "- [ ] {} 🆔 one", "- [ ] {} ⛔ one", "- [ ] {} 🔺")
PLACES = (
    "projects/web/todos.md", "projects/api/todos.md", "projects/web/actives/one/todos.md",
    "projects/api/actives/two/todos.md", "projects/infra/PROGRESS.md", "lists/home.md", "lists/work.md",
    "journals/2026-04-20.md", "projects/web/HANDOFF.md",
)  # fmt: skip
ACTS = (
    ("done",), ("keep",), ("snooze", "2026-05-30"), ("next",), ("regen",),
)  # fmt: skip

lines = st.builds(
    lambda form, words: form.format(" ".join(words)),
    st.sampled_from(FORMS),
    st.lists(st.sampled_from(WORDS), min_size=3, max_size=5),
)
vaults = st.dictionaries(
    st.sampled_from(PLACES), st.tuples(st.integers(0, 9), st.lists(lines, min_size=1, max_size=4)), min_size=4
)
steps = st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 9), st.sampled_from(PLACES), lines), max_size=3)


@pytest.fixture(autouse=True)
def _few_lists_are_asked_about(monkeypatch):
    monkeypatch.setattr(beyond, "MOST_DATED", 0)


def compare(built: Vault) -> None:
    app = App(vault=built.root, today=date.fromisoformat(TODAY))
    session = VaultSession.look(app)
    some = session.page_run
    whole = VaultSession.look(app).run
    event(f"beyond the page: {bool(some.beyond.number)}")
    assert page(session, some) == page(session, whole)
    assert audit_line(some) == audit_line(whole)
    assert some.as_gist() == whole.as_gist()
    assert some.sources == whole.sources
    assert some.outcomes == whole.outcomes, "what was only counted is there when somebody asks"
    nothing = standing_of(whole)
    assert tally(some, None, standing_of(some), WORDS) == tally(whole, None, nothing, WORDS)
    again = tally(some, standing_of(some), standing_of(some), ())
    assert (again.new, again.resolved) == (0, 0)


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(vaults, st.integers(1, 3), steps)
def test_the_page_is_the_same(notes, cap, acts):
    with TemporaryDirectory() as folder:
        built = Vault(Path(folder) / "vault")
        built.write(
            "wrapgen.toml",
            f'cap = {cap}\n[sources]\nlists = ["lists/*.md"]\nhand_overs = ["projects/<project>/HANDOFF.md"]\n',
        )
        for path, (back, each) in notes.items():
            write(built, path, back, each)
        compare(built)
        for act, number, path, more in acts:
            items = wrap("list", "--all", "--json", vault=built).json["items"]
            if act == ("regen",) or not items:
                write(built, path, number, [more])
            else:
                wrap(act[0], items[number % len(items)]["id"], *act[1:], vault=built)
            assert wrap("regen", vault=built).code == 0
            compare(built)


def write(built: Vault, path: str, back: int, each: list[str]) -> None:
    day = date.fromisoformat(TODAY) - timedelta(days=back)
    head = "## Next\n\n" if path.startswith("journals") or path.endswith("HANDOFF.md") else ""
    built.write(path, f"{head}{chr(10).join(each)}\n", day.isoformat())
