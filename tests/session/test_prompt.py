"""The prompt as somebody sees it: a child process in a pseudo-terminal, its screen read by a terminal emulator."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals as pexpect drives them exist on POSIX only", allow_module_level=True)

from tests import terminal
from tests.session import ask_child
from tests.support import CHECKOUT
from tests.terminal import CTRL_C, CTRL_U, DOWN, ENTER, ESC, LEFT, RIGHT

CHILD = Path(__file__).with_name("ask_child.py")

TITLE = "mentioned in chat but never written down"
WORDS = "Words:"
ELSEWHERE = "Which file?"

THREE = {
    "orphans": [
        {"text": "add retry to the uploader", "project": "web"},
        {"text": "rotate the staging keys"},
        {"text": "빌드 스크립트를 정리하기", "project": "infra"},
    ],
    "projects": ["web", "infra", "docs"],
    "tasks": {"web": ["login-page"]},
}


class Terminal(terminal.Terminal):
    """The child that asks about a case and prints the answers."""

    def __init__(self, case, columns=80, lines=24, **environment):
        inherited = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        env = inherited | {"TERM": "xterm-256color"} | environment
        super().__init__([json.dumps(case)], program=ask_child.main, env=env, columns=columns, lines=lines)

    def answers(self):
        """Read to the end, and give what the child printed."""
        while self._read():
            pass
        found = [line for line in self.raw.splitlines() if "answers: " in line]
        assert found, self.text
        return json.loads(found[-1].partition("answers: ")[2])


def start(terminal, *seen):
    return terminal.see(TITLE, "leave all pending", *seen)


@pytest.mark.slow
def test_everything_stands_on_one_screen_with_a_box_and_its_place():
    with Terminal(THREE) as terminal:
        start(terminal)
        assert [line for line in terminal.lines if line] == [
            "asking",
            " 3 follow-ups mentioned in chat but never written down.",
            " » [x] 1  add retry to the uploader",
            "          → projects/web/todos.md  (Next Session) · assistant, 2026-04-24",
            "   [x] 2  rotate the staging keys                                     → journal",
            "   [x] 3  빌드 스크립트를 정리하기                                    → infra",
            " 3 to file",
            " Enter write · Esc leave all pending · Space take or leave · ← → place ·",
            " e words · p other file · s skip for good · a all as suggested · n none",
        ]


@pytest.mark.slow
def test_enter_takes_what_is_ticked():
    with Terminal(THREE) as terminal:
        start(terminal).press(ENTER)
        assert terminal.answers() == [
            ["001", "project", "web", None, None],
            ["002", "journal", None, None, None],
            ["003", "project", "infra", None, None],
        ]
        assert not any(TITLE in line for line in terminal.lines)


def test_space_leaves_and_takes_and_s_skips_for_good():
    with Terminal(THREE) as terminal:
        start(terminal).press(" ").see(" » [ ] 1  add", "2 to file, 1 stays pending")
        terminal.press(DOWN, "s").see(" » [-] 2  rotate", "not filed, never asked again", "1 to skip for good")
        terminal.press(DOWN, "s").see(" » [-] 3").press(" ").see(" » [x] 3", "1 to file, 1 to skip for good, 1 stays")
        terminal.press(ENTER)
        assert terminal.answers() == [["002", "skip", None, None, None], ["003", "project", "infra", None, None]]


@pytest.mark.slow
def test_nothing_ticked_writes_nothing_and_skips_nothing():
    with Terminal(THREE) as terminal:
        start(terminal).press(" ", DOWN, " ", DOWN, " ").see("0 to file, 3 stay pending").press(ENTER)
        assert terminal.answers() == []


@pytest.mark.slow
def test_arrows_choose_the_place_and_what_is_placed_is_ticked():
    with Terminal(THREE) as terminal:
        start(terminal).press(" ").see("[ ] 1").press(RIGHT).see("[x] 1", "→ projects/web/actives/login-page/todos.md")
        terminal.press(RIGHT).see("→ journals/2026/04/2026-04-24.md  (today's Next)")
        terminal.press(RIGHT).see("→ projects/web/todos.md  (Next Session)").press(LEFT, LEFT)
        terminal.see("→ projects/web/actives/login-page/todos.md").press(ENTER)
        assert terminal.answers()[0] == ["001", "active", "web", "login-page", None]


@pytest.mark.slow
def test_a_takes_all_as_suggested():
    case = THREE | {"orphans": [{**one, "sure": False} for one in THREE["orphans"]]}
    with Terminal(case) as terminal:
        start(terminal, "[ ] 1? add retry", "[ ] 3? ", "0 to file, 3 unsure left out").press("s", DOWN, RIGHT, "a")
        terminal.see("3 to file").press(ENTER)
        assert [answer[1:3] for answer in terminal.answers()] == [
            ["project", "web"],
            ["journal", None],
            ["project", "infra"],
        ]


@pytest.mark.slow
def test_the_words_can_be_changed():
    with Terminal(THREE) as terminal:
        start(terminal).press("e").see(f"{WORDS} add retry to the uploader").press(" 세 번, twice", ENTER)
        start(terminal, "[x] 1  add retry to the uploader 세 번, twice").press(DOWN, "e").see(f"{WORDS} rotate")
        terminal.press(CTRL_U, ENTER).see("the wording is empty").press("other words", ENTER)
        start(terminal, "[x] 2  other words").press(DOWN, "e").see(WORDS).press(ENTER)
        start(terminal, " » [x] 3").press(ENTER)
        assert terminal.answers() == [
            ["001", "project", "web", None, "add retry to the uploader 세 번, twice"],
            ["002", "journal", None, None, "other words"],
            ["003", "project", "infra", None, None],
        ]


@pytest.mark.slow
def test_another_file_is_found_by_typing():
    with Terminal(THREE) as terminal:
        start(terminal).press("p").see(ELSEWHERE, "projects/infra/todos.md")
        terminal.press("docs").see("/ docs").press(ENTER)
        start(terminal, "→ projects/docs/todos.md").press(DOWN, "p").see(ELSEWHERE, "web / login-page").press(LEFT)
        start(terminal, " » [x] 2", "→ journals").press("p").see(ELSEWHERE).point("web / login-page").press(ENTER)
        start(terminal, "→ projects/web/actives/login-page/todos.md").press(ENTER)
        assert terminal.answers() == [
            ["001", "project", "docs", None, None],
            ["002", "active", "web", "login-page", None],
            ["003", "project", "infra", None, None],
        ]


@pytest.mark.slow
@pytest.mark.sampled(6)
@pytest.mark.parametrize("key", [ESC, CTRL_C], ids=["Esc", "Ctrl-C"])
@pytest.mark.parametrize("step", ["form", "words", "elsewhere"])
def test_leaving_at_any_point_decides_nothing(step, key):
    with Terminal(THREE) as terminal:
        start(terminal).press("s")
        if step == "words":
            terminal.press("e").see(WORDS)
        if step == "elsewhere":
            terminal.press("p").see(ELSEWHERE)
        terminal.press(key)
        if key == ESC and step != "form":
            start(terminal).press(key)  # Esc leaves the field first, then the question
        assert terminal.answers() == (None if key == ESC else "interrupted")


@pytest.mark.slow
def test_more_than_a_screen_scrolls():
    with Terminal(THREE | {"copies": 12}) as terminal:
        start(terminal, "36 follow-ups", "[x]  1  add retry to the uploader 1", "↓ ").press(DOWN * 20)
        terminal.see(" » [x] 21", "↑ ", "↓ ")
        assert "[x]  1  " not in terminal.text
        terminal.press("\x1b[6~", "\x1b[6~").see(" » [x] 36")
        assert "↓ " not in terminal.text
        terminal.press("\x1b[5~").see(" » [x] 26").press(ENTER)
        assert len(terminal.answers()) == 36


@pytest.mark.slow
def test_above_twenty_it_begins_with_the_newest_conversation():
    new = [{"text": f"new task {number}", "project": "web"} for number in range(3)]
    old = [{"text": f"old task {number}", "transcript": "old.jsonl"} for number in range(21)]
    with Terminal(THREE | {"orphans": [*new, *old]}) as terminal:
        start(terminal, "3 follow-ups", "21 older ones: o.", "o older ones", "new task 2")
        assert "old task" not in terminal.text
        terminal.press(ENTER)
        assert [answer[0] for answer in terminal.answers()] == ["001", "002", "003"]
    with Terminal(THREE | {"orphans": [*new, *old]}) as terminal:
        start(terminal).press("o").see("24 follow-ups", "24 to file", "old task 0").press(ENTER)
        assert len(terminal.answers()) == 24


@pytest.mark.slow
def test_forty_columns():
    long = {"text": "긴 작업을 나누어 " * 30, "project": "web"}
    with Terminal(THREE | {"orphans": [long, long, *THREE["orphans"]]}, columns=40) as terminal:
        terminal.see(
            "5 follow-ups", "» [x] 1", "→ projects/web/todos.md", "[x] 2  긴", "…", "[x] 5", "leave all pending"
        )
        assert all(len(line) <= 40 for line in terminal.lines)
        terminal.press(CTRL_C)
        assert terminal.answers() == "interrupted"


@pytest.mark.slow
def test_a_screen_that_changes_its_size():
    with Terminal(THREE) as terminal:
        start(terminal, "→ journal")
        terminal.screen.resize(12, 40)
        terminal.child.setwinsize(12, 40)
        terminal.see("[x] 3  빌드 스크립트를 정리하기\n").press(ENTER)
        assert len(terminal.answers()) == 3


@pytest.mark.slow
def test_a_short_screen_still_shows_the_row_that_is_pointed_to():
    with Terminal(THREE | {"copies": 12}, lines=8) as terminal:
        start(terminal, " » [x]  1  add retry to the uploader 1", "↓ 34 more").press(DOWN * 8)
        terminal.see(" » [x]  9", "→ projects/infra/todos.md", "36 to file").press(ENTER)
        assert len(terminal.answers()) == 36


@pytest.mark.slow
def test_what_a_screen_would_obey_is_shown_not_sent():
    hostile = {"text": "clear \x1b[2J the\u202e cache\x07", "project": "web", "reason": "line vanished after routing"}
    with Terminal(THREE | {"orphans": [hostile]}) as terminal:
        start(
            terminal,
            r"[x] 1  clear \x1b[2J the\u202e cache\x07",
            "(line vanished after routing)",
            "1 follow-up mentioned",
        )
        assert "\x07" not in terminal.raw
        terminal.press("e").see(r"Words: clear \x1b[2J").press(ENTER)
        start(terminal).press(ENTER)
        assert terminal.answers() == [["001", "project", "web", None, None]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("environment", "colored"), [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, False)]
)
def test_no_color(environment, colored):
    with Terminal(THREE, **environment) as terminal:
        start(terminal)
        assert ("\x1b[0;36" in terminal.raw) is colored


@pytest.mark.slow
def test_a_thousand_are_asked_about_at_once():
    """How long that takes: `tests/benchmarks/prompt.py`."""
    one = {"text": "긴 작업을 나누어 하나씩 정리하고 보고서를 쓰기", "project": "web"}
    with Terminal({"orphans": [one], "projects": ["web"], "copies": 1000}, lines=40) as terminal:
        start(terminal, "1000 follow-ups", "1000 to file", "↓ ").press(ENTER)
        assert len(terminal.answers()) == 1000


@pytest.mark.slow
@pytest.mark.parametrize("case", [{"orphans": []}], ids=["nothing"])
def test_nothing_is_asked_when_there_is_nothing_to_ask(case):
    with Terminal(case) as terminal:
        assert terminal.answers() == []
        assert TITLE not in terminal.raw


def run_without_terminal(case, **options):
    path = os.pathsep.join(filter(None, [str(CHECKOUT), os.environ.get("PYTHONPATH")]))
    return subprocess.run(
        [sys.executable, str(CHILD), json.dumps(case)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
        check=True,
        timeout=terminal.PATIENCE,
        **options,
    )


@pytest.mark.slow
def test_no_terminal_is_named():
    result = run_without_terminal(THREE)
    assert result.stdout.startswith(
        "asking\nNoTerminalError: cannot ask: standard input and output are not a terminal. "
    )
    assert "stay pending" in result.stdout
    assert result.stderr == ""


def test_without_terminal_nothing_to_ask_is_no_error():
    assert run_without_terminal({"orphans": []}).stdout == "asking\nanswers: []\n"


@pytest.mark.slow
def test_a_terminal_that_cannot_draw_is_named():
    with Terminal(THREE, TERM="dumb") as terminal:
        terminal.see("NoTerminalError", "cannot show a form")


@pytest.mark.slow
def test_what_nobody_is_sure_of_starts_unticked():
    case = THREE | {"orphans": [{**one, "sure": at != 1} for at, one in enumerate(THREE["orphans"])]}
    with Terminal(case) as terminal:
        start(terminal, "[ ] 2? rotate", "2 to file, 1 unsure left out, not asked again").press(ENTER)
        assert [one[1] for one in terminal.answers()] == ["project", "project"]


UNSURE = [{"text": f"maybe task {number}", "sure": False, "transcript": "t.jsonl"} for number in range(13)]


def test_what_rules_are_not_sure_of_stands_below_unticked_ten_at_a_time():
    with Terminal(THREE | {"unsure": UNSURE}, lines=30) as terminal:
        start(terminal, "3 follow-ups", "10 unsure. 3 more", "unsure: u.", "3 to file, 10 unsure left out")
        assert "maybe task 9" in terminal.text
        assert "maybe task 10" not in terminal.text
        terminal.press("u").see("13 unsure.", "13 unsure left out")
        terminal.press("n").see("0 to file, 3 stay pending, 13 unsure left out")
        terminal.press(DOWN * 3, " ").see("» [x]  4? maybe task 0").press(ENTER)
        assert terminal.answers() == [["065", "journal", None, None, None]]


@pytest.mark.slow
def test_unsure_ones_alone_are_asked_about():
    with Terminal({"orphans": [], "unsure": UNSURE[:2]}) as terminal:
        terminal.see("2 unsure follow-ups mentioned in chat but never written down.").press(ENTER)
        assert terminal.answers() == []


def test_the_picker_narrows_and_where_nothing_matches_nothing_is_chosen():
    with Terminal(THREE) as terminal:
        start(terminal).press("p").see(ELSEWHERE, "docs").press("zzz").see("nothing by this name").press(ENTER)
        terminal.press("\x7f\x7f\x7f", "docs").see(f"{ELSEWHERE} / docs").press(ENTER)
        start(terminal, "→ projects/docs/todos.md").press(ENTER)
        assert terminal.answers()[0] == ["001", "project", "docs", None, None]
