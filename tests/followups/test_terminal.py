"""The session's end as somebody sees it in a terminal."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals as pexpect drives them exist on POSIX only", allow_module_level=True)

from tests.followups import talks
from tests.followups.talks import GUIDE, RETRY, ROTATE, THREE
from tests.support import TODAY
from tests.terminal import CTRL_C, ENTER, ESC, Wrap

JOURNAL = f"journals/{TODAY[:4]}/{TODAY[5:7]}/{TODAY}.md"
WEB = "projects/web/todos.md"
OVERVIEW, FORM = "Where should they go?", "Where should it go?"
WIDE = 140  # for the whole of the last line
LAST = "follow-ups 3: durable 0, routed 2, skipped 1, pending 0"


@pytest.fixture
def path(talk):
    return talk(RETRY, f"(web) {ROTATE}", GUIDE)


def start(vault, *words):
    return Wrap("--vault", vault.root, "--today", TODAY, *words, columns=WIDE)


def test_one_by_one_one_to_the_journal_one_to_a_project_one_skipped(projects, path):
    before = talks.notes(projects)
    with start(projects, "--transcript", path) as terminal:
        terminal.see(OVERVIEW, *THREE).choose("Decide one by one")
        for number in (1, 2, 3):
            terminal.see(f"Follow-up {number} of 3", FORM)
            current = next(task for task in THREE if f"   {task}" in terminal.lines)
            terminal.choose({RETRY: "journal", ROTATE: "project", GUIDE: "skip"}[current])
        terminal.see(LAST)
        assert terminal.finish() == 0
        assert terminal.lines[max(index for index, line in enumerate(terminal.lines) if line)].endswith(LAST)
    added = {path: data for path, data in talks.notes(projects).items() if before.get(path) != data}
    assert added == {
        JOURNAL: f"# {TODAY}\n\n## Session: follow-ups\n\n### Next\n\n- [ ] {RETRY}\n".encode(),
        WEB: before[WEB] + f"- [ ] (web) {ROTATE}\n".encode(),
    }
    assert talks.pending(projects) == []
    with start(projects, "--transcript", path) as again:
        assert again.finish() == 0
        assert OVERVIEW not in again.raw
        assert FORM not in again.raw


@pytest.mark.parametrize("key", [ESC, CTRL_C])
@pytest.mark.parametrize("where", ["overview", "form", "last question"])
def test_leaving_at_any_point_writes_nothing_and_leaves_everything_pending(projects, path, key, where):
    before = talks.notes(projects)
    with start(projects, "--transcript", path) as terminal:
        terminal.see(OVERVIEW)
        if where != "overview":
            terminal.choose("Decide one by one").see("Follow-up 1 of 3", FORM)
        if where == "last question":
            terminal.press(ENTER).see("Follow-up 2 of 3", FORM).press(ENTER).see("Follow-up 3 of 3", FORM)
        terminal.press(key)
        assert terminal.finish() in (0, 130)
        assert "Traceback" not in terminal.raw
    assert talks.notes(projects) == before
    assert sorted(talks.pending(projects)) == sorted(THREE)
    if projects.dashboard.exists():
        assert "## Audit" in projects.page
        assert not list(projects.root.glob(".*tmp"))


def test_all_as_suggested_in_route(projects, path, waiting):
    talks.orphans(projects, path)
    path.unlink()
    with start(projects, "route") as terminal:
        terminal.see(OVERVIEW, *THREE).choose("Route all as suggested")
        assert terminal.finish() == 0
    assert talks.pending(projects) == []
    assert projects.path(JOURNAL).read_text("utf-8").count("- [ ] ") == 2
    assert ROTATE in projects.path(WEB).read_text("utf-8")


def test_a_line_that_vanished_is_asked_about_with_its_reason(projects, waiting, answered):
    before = projects.path(WEB).read_bytes()
    ids = waiting(projects, RETRY)
    talks.route(projects, answered, talks.answer(ids[RETRY], "project", project="web"))
    projects.write(WEB, before)
    with start(projects, "route") as terminal:
        terminal.see(OVERVIEW, RETRY, "line vanished after routing").choose("Not now")
        assert terminal.finish() == 0
    assert talks.pending(projects) == [RETRY]


def test_not_now_skips_nothing(projects, path):
    with start(projects, "--transcript", path) as terminal:
        terminal.see(OVERVIEW).choose("Not now")
        assert terminal.finish() == 0
    assert len(talks.pending(projects)) == 3
    assert talks.state(projects, "skipped.jsonl") == []


def test_a_terminal_that_cannot_draw_asks_nothing(projects, path):
    with Wrap("--vault", projects.root, "--today", TODAY, "--transcript", path, term="dumb") as terminal:
        assert terminal.finish() == 0
        assert "Traceback" not in terminal.raw
    assert len(talks.pending(projects)) == 3


def test_no_prompt_asks_nothing_in_a_terminal_either(projects, path):
    with start(projects, "--no-prompt", "--transcript", path) as terminal:
        assert terminal.finish() == 0
        assert OVERVIEW not in terminal.raw
    assert len(talks.pending(projects)) == 3
