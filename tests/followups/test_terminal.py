"""The session's end as somebody sees it in a terminal."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals as pexpect drives them exist on POSIX only", allow_module_level=True)

from tests.followups import talks
from tests.followups.talks import GUIDE, RETRY, ROTATE, THREE
from tests.support import THOROUGH, TODAY
from tests.terminal import CTRL_C, DOWN, ENTER, ESC, Wrap

JOURNAL = f"journals/{TODAY[:4]}/{TODAY[5:7]}/{TODAY}.md"
WEB = "projects/web/todos.md"
FORM = "mentioned in chat but never written down"
THINGS = ("windows", "lamps", "chairs", "doors", "mirrors", "spoons")
WIDE = 140  # for the whole of the last line
LAST = "follow-ups 3: durable 0, routed 2, skipped 1, pending 0"


@pytest.fixture
def path(talk):
    return talk(RETRY, f"(web) {ROTATE}", GUIDE)


def start(vault, *words):
    return Wrap("--vault", vault.root, "--today", TODAY, *words, columns=WIDE)


@pytest.mark.slow
def test_one_to_the_journal_one_to_a_project_one_skipped(projects, path):
    before = talks.notes(projects)
    with start(projects, "--transcript", path) as terminal:
        terminal.see(FORM, *THREE)
        rows = [next(task for task in THREE if task in line) for line in terminal.lines if line[3:6] == "[x]"]
        for task in rows:
            terminal.see(f" » [x] {rows.index(task) + 1}").press(*(["s"] if task == GUIDE else []), DOWN)
        terminal.see("2 to file, 1 to skip for good").press(ENTER).see(LAST)
        assert terminal.finish() == 0
        assert terminal.lines[max(index for index, line in enumerate(terminal.lines) if line)].endswith(LAST)
    added = {path: data for path, data in talks.notes(projects).items() if before.get(path) != data}
    assert added == {
        JOURNAL: f"# {TODAY}\n\n## Session: follow-ups\n\n### Next\n\n- [ ] {RETRY}\n".encode(),
        WEB: before[WEB] + f"- [ ] {ROTATE}\n".encode(),
    }
    assert talks.pending(projects) == []
    with start(projects, "--transcript", path) as again:
        assert again.finish() == 0
        assert FORM not in again.raw


# Each key, and each place; where one may leave the whole form, both.
LEAVING = [(where, key) for where in ("form", "words", "file") for key in (ESC, CTRL_C)]
if not THOROUGH:
    LEAVING = [one for one in LEAVING if one not in (("words", CTRL_C), ("file", ESC))]


@pytest.mark.slow
@pytest.mark.sampled(6)
@pytest.mark.parametrize(("where", "key"), LEAVING)
def test_leaving_at_any_point_writes_nothing_and_leaves_everything_pending(projects, path, key, where):
    before = talks.notes(projects)
    with start(projects, "--transcript", path) as terminal:
        terminal.see(FORM).press("s")
        if where == "words":
            terminal.press("e").see("Words:")
        if where == "file":
            terminal.press("p").see("Which file?")
        if where != "form" and key == ESC:  # which leaves the field first
            terminal.press(ESC).see("[x]")
        terminal.press(key)
        assert terminal.finish() == (0 if key == ESC else 130)
        assert "Traceback" not in terminal.raw
    assert talks.notes(projects) == before
    assert sorted(talks.pending(projects)) == sorted(THREE)
    if projects.dashboard.exists():
        assert "## Audit" in projects.page
        assert not list(projects.root.glob(".*tmp"))


@pytest.mark.slow
@pytest.mark.parametrize(("key", "code"), [(ESC, 0), (CTRL_C, 130)], ids=["Esc", "Ctrl-C"])
def test_leaving_route(projects, path, key, code):
    talks.orphans(projects, path)
    with start(projects, "route") as terminal:
        terminal.see(FORM).press(key)
        assert terminal.finish() == code
    assert sorted(talks.pending(projects)) == sorted(THREE)


@pytest.mark.slow
def test_what_is_ticked_in_route(projects, path, waiting):
    talks.orphans(projects, path)
    path.unlink()
    with start(projects, "route") as terminal:
        terminal.see(FORM, *THREE, "3 to file").press(ENTER)
        assert terminal.finish() == 0
    assert talks.pending(projects) == []
    assert projects.path(JOURNAL).read_text("utf-8").count("- [ ] ") == 2
    assert ROTATE in projects.path(WEB).read_text("utf-8")


@pytest.mark.slow
def test_a_batch_of_24_begins_with_the_session_that_just_ended(projects, talk):
    old = [f"{verb} the {thing}" for verb in ("polish", "mend", "count", "paint") for thing in THINGS]
    paths = [
        talk(talks.neutral(talks.said(*tasks), f"{day}T09:00:00Z"), name=f"{day}.json")
        for day, tasks in (("2026-04-24", THREE[:2]), ("2026-04-20", old))
    ]
    talks.orphans(projects, *paths)
    waiting = len(talks.pending(projects))
    assert waiting > 20
    with start(projects, "route") as terminal:
        terminal.see(FORM, "2 follow-ups", f"{waiting - 2} older ones: o.", *THREE[:2]).press(DOWN, " ").see(
            "1 to file"
        )
        terminal.press(ENTER)
        assert terminal.finish() == 0
    assert len(talks.pending(projects)) == waiting - 1
    with start(projects, "route") as terminal:
        terminal.see(FORM, "1 follow-up mentioned").press("o").see(f"{waiting - 1} to file").press("s", ENTER)
        assert terminal.finish() == 0
    assert talks.pending(projects) == []
    assert len(talks.state(projects, "skipped.jsonl")) == 1


@pytest.mark.slow
def test_two_terminals_that_ask_at_once_write_nothing_twice_and_skip_nothing_of_the_other(projects, path):
    talks.orphans(projects, path)
    with start(projects, "route") as one, start(projects, "route") as other:
        one.see(FORM, *THREE)
        other.see(FORM, *THREE).press("s")
        first = next(task for task in THREE if task in next(line for line in other.lines if line.startswith(" » ")))
        other.see("[-] 1", "2 to file, 1 to skip for good")
        one.press(DOWN, " ", DOWN, " ").see("1 to file, 2 stay pending").press(ENTER)
        assert one.finish() == 0
        other.press(ENTER).see("already routed")
        assert other.finish() == 0
    text = projects.path(JOURNAL).read_text("utf-8") + projects.path(WEB).read_text("utf-8")
    assert all(text.count(task) == 1 for task in THREE), text
    assert talks.pending(projects) == talks.state(projects, "skipped.jsonl") == []
    assert first in text


@pytest.mark.slow
def test_a_line_that_vanished_is_asked_about_with_its_reason(projects, waiting, answered):
    before = projects.path(WEB).read_bytes()
    ids = waiting(projects, RETRY)
    talks.route(projects, answered, talks.answer(ids[RETRY], "project", project="web"))
    projects.write(WEB, before)
    with start(projects, "route") as terminal:
        terminal.see(FORM, RETRY, "line vanished after routing").press(" ").see("[ ] 1").press(ENTER)
        assert terminal.finish() == 0
    assert talks.pending(projects) == [RETRY]


@pytest.mark.slow
def test_what_is_not_ticked_waits_and_is_not_skipped(projects, path):
    with start(projects, "--transcript", path) as terminal:
        terminal.see(FORM).press(" ", DOWN, " ", DOWN, " ").see("0 to file, 3 stay pending").press(ENTER)
        assert terminal.finish() == 0
    assert len(talks.pending(projects)) == 3
    assert talks.state(projects, "skipped.jsonl") == []


@pytest.mark.slow
def test_a_terminal_that_cannot_draw_asks_nothing(projects, path):
    with Wrap("--vault", projects.root, "--today", TODAY, "--transcript", path, term="dumb") as terminal:
        assert terminal.finish() == 0
        assert "Traceback" not in terminal.raw
    assert len(talks.pending(projects)) == 3


@pytest.mark.slow
def test_no_prompt_asks_nothing_in_a_terminal_either(projects, path):
    with start(projects, "--no-prompt", "--transcript", path) as terminal:
        assert terminal.finish() == 0
        assert FORM not in terminal.raw
    assert len(talks.pending(projects)) == 3
