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
from tests.support import CHECKOUT
from tests.terminal import CTRL_C, CTRL_U, ENTER, ESC, LEFT, RIGHT

CHILD = Path(__file__).with_name("ask_child.py")

OVERVIEW = "Where should they go?"
FORM = "Where should it go?"
WORDS = "Words:"
ELSEWHERE = "Which project or task?"

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
        path = os.pathsep.join(filter(None, [str(CHECKOUT), os.environ.get("PYTHONPATH")]))
        env = inherited | {"TERM": "xterm-256color", "PYTHONPATH": path} | environment
        super().__init__([CHILD, json.dumps(case)], env=env, columns=columns, lines=lines)

    def answers(self):
        """Read to the end, and give what the child printed."""
        while self._read():
            pass
        found = [line for line in self.raw.splitlines() if "answers: " in line]
        assert found, self.text
        return json.loads(found[-1].partition("answers: ")[2])


def into_the_form(terminal):
    return terminal.see(OVERVIEW).point("Decide one by one").press(ENTER).see("Follow-up 1 of 3", FORM)


def test_everything_stands_on_one_screen_under_the_file_that_would_get_it():
    with Terminal(THREE) as terminal:
        terminal.see(OVERVIEW, "all stay pending")
        assert [line for line in terminal.lines if line] == [
            "asking",
            " 3 follow-ups were only said. No file holds them yet.",
            " → projects/web/todos.md  (section Next Session)",
            "   1  add retry to the uploader",
            " → journals/2026/04/2026-04-24.md  (today's journal, section Next)",
            "   2  rotate the staging keys",
            " → projects/infra/todos.md  (section Next Session)",
            "   3  빌드 스크립트를 정리하기",
            "? Where should they go?",
            " » Route all as suggested  adds 3 lines to 3 files, as shown",
            "   Decide one by one       choose each place, change the words",
            "   Skip all                writes nothing, does not ask again",
            "   Not now                 writes nothing, asks again next time",
            " ↑ ↓ choose · Enter take · Esc all stay pending",
        ]


def test_all_as_suggested():
    with Terminal(THREE) as terminal:
        terminal.see(OVERVIEW).press(ENTER)
        assert terminal.answers() == [
            ["001", "project", "web", None, None],
            ["002", "journal", None, None, None],
            ["003", "project", "infra", None, None],
        ]
        assert not any("Where" in line for line in terminal.lines)


def test_skip_all():
    with Terminal(THREE) as terminal:
        terminal.see(OVERVIEW).point("Skip all").press(ENTER)
        assert [answer[:2] for answer in terminal.answers()] == [["001", "skip"], ["002", "skip"], ["003", "skip"]]


def test_not_now():
    with Terminal(THREE) as terminal:
        terminal.see(OVERVIEW).point("Not now").press(ENTER)
        assert terminal.answers() == []


def test_one_by_one():
    with Terminal(THREE) as terminal:
        into_the_form(terminal).see("» project  projects/web/todos.md (suggested)")
        terminal.point("journal").press(ENTER)
        terminal.see("Follow-up 2 of 3", "add retry to the uploader → journals/2026/04/2026-04-24.md", FORM)
        terminal.point("skip").press(ENTER)
        terminal.see("Follow-up 3 of 3", "rotate the staging keys → skipped", FORM).press(ENTER)
        assert terminal.answers() == [
            ["001", "journal", None, None, None],
            ["002", "skip", None, None, None],
            ["003", "project", "infra", None, None],
        ]


def test_the_words_can_be_changed():
    with Terminal(THREE) as terminal:
        into_the_form(terminal).point("words").press(ENTER)
        terminal.see(f"{WORDS} add retry to the uploader").press(" 세 번, twice", ENTER)
        terminal.see("   add retry to the uploader 세", FORM).press(ENTER)
        terminal.see("Follow-up 2 of 3").point("words").press(ENTER).see(WORDS)
        terminal.press(CTRL_U, ENTER).see("the wording is empty").press("other words", ENTER)
        terminal.see("   other words", FORM).press(ENTER)
        terminal.see("Follow-up 3 of 3").point("words").press(ENTER).see(WORDS).press(ENTER)
        terminal.see(FORM).press(ENTER)
        assert terminal.answers() == [
            ["001", "project", "web", None, "add retry to the uploader 세 번, twice"],
            ["002", "journal", None, None, "other words"],
            ["003", "project", "infra", None, None],
        ]


def test_another_project_is_found_by_typing():
    with Terminal(THREE) as terminal:
        into_the_form(terminal).point("other").press(ENTER).see(ELSEWHERE, "projects/infra/todos.md")
        terminal.press("docs").see("/ docs").press(ENTER).see("Follow-up 2 of 3", "→ projects/docs/todos.md")
        terminal.point("other").press(ENTER).see(ELSEWHERE, "web / login-page").press(LEFT).see(FORM)
        terminal.point("other").press(ENTER).see(ELSEWHERE).point("web / login-page").press(ENTER)
        terminal.see("Follow-up 3 of 3", FORM).point("later").press(ENTER)
        assert terminal.answers() == [
            ["001", "project", "docs", None, None],
            ["002", "active", "web", "login-page", None],
        ]


def test_going_back_shows_what_was_decided_and_stopping_keeps_it():
    with Terminal(THREE) as terminal:
        into_the_form(terminal).point("active").press(ENTER).see("Follow-up 2 of 3", FORM)
        terminal.point("words").press(ENTER).see(f"{WORDS} rotate").press(" now", ENTER).see("staging keys now", FORM)
        terminal.press(LEFT).see("Follow-up 1 of 3", "» active").press(ENTER)
        terminal.see("Follow-up 2 of 3", "rotate the staging keys now", FORM).point("stop").press(ENTER)
        assert terminal.answers() == [["001", "active", "web", "login-page", None]]


@pytest.mark.parametrize("key", [ESC, CTRL_C], ids=["Esc", "Ctrl-C"])
@pytest.mark.parametrize("step", ["overview", "form", "second", "words", "elsewhere"])
def test_leaving_at_any_point_decides_nothing(step, key):
    with Terminal(THREE) as terminal:
        terminal.see(OVERVIEW)
        if step != "overview":
            into_the_form(terminal)
        if step == "second":
            terminal.press(ENTER).see("Follow-up 2 of 3", FORM)
        if step == "words":
            terminal.point("words").press(ENTER).see(WORDS)
        if step == "elsewhere":
            terminal.point("other").press(ENTER).see(ELSEWHERE)
        terminal.press(key)
        assert terminal.answers() is None


def test_more_than_a_screen_is_paged():
    with Terminal(THREE | {"copies": 12}) as terminal:
        terminal.see(OVERVIEW, "36 follow-ups", "page 1 of", "    1  add retry to the uploader 1")
        terminal.press(RIGHT).see("page 2 of")
        assert "add retry to the uploader 1\n" not in terminal.text
        terminal.press("\x1b[6~").see("page 3 of").press("\x1b[5~").see("page 2 of").press(LEFT).see("page 1 of")
        for _ in range(12):
            terminal.press(RIGHT)
        terminal.see("   36  ").press(ENTER)
        assert len(terminal.answers()) == 36


def test_forty_columns():
    long = {"text": "긴 작업을 나누어 " * 30, "project": "web"}
    with Terminal(THREE | {"orphans": [long, long, *THREE["orphans"]]}, columns=40) as terminal:
        terminal.see(OVERVIEW, "긴 작업을 나누어 긴", "…", "page 1 of 2", "» Route all as suggested")
        terminal.press(RIGHT).see("page 2 of 2", "→ projects/infra/todos.md", "빌드 스크립트를 정리하기")
        terminal.point("Decide one by one").press(ENTER)
        terminal.see("Follow-up 1 of 5", FORM, "» project  projects/web/todos.md").press(ENTER)
        terminal.see("Follow-up 2 of 5", "긴 작업을 나누어 긴…", FORM, "stop     the rest stays pending").press(CTRL_C)
        assert terminal.answers() is None


def test_a_screen_that_changes_its_size():
    with Terminal(THREE) as terminal:
        terminal.see(OVERVIEW, "all stay pending", "as shown")
        terminal.screen.resize(12, 40)
        terminal.child.setwinsize(12, 40)
        terminal.see("page 1 of 3", OVERVIEW).press(RIGHT).see("page 2 of 3").press(ENTER)
        assert len(terminal.answers()) == 3


def test_a_short_screen_still_shows_the_question():
    with Terminal(THREE, lines=10) as terminal:
        terminal.see(OVERVIEW, "1  add retry to the uploader", "» Route all as suggested").press(RIGHT)
        terminal.see("2  rotate the staging keys").press(ENTER)
        assert len(terminal.answers()) == 3


def test_what_a_screen_would_obey_is_shown_not_sent():
    hostile = {"text": "clear \x1b[2J the\u202e cache\x07", "project": "web", "reason": "line vanished after routing"}
    with Terminal(THREE | {"orphans": [hostile]}) as terminal:
        terminal.see(
            r"1  clear \x1b[2J the\u202e cache\x07", "(line vanished after routing)", "1 follow-up was only said"
        )
        assert "\x07" not in terminal.raw
        terminal.point("Decide one by one").press(ENTER).see(FORM).point("words").press(ENTER)
        terminal.see(r"Words: clear \x1b[2J").press(ENTER).see(FORM).press(ENTER)
        assert terminal.answers() == [["001", "project", "web", None, None]]


@pytest.mark.parametrize(
    ("environment", "colored"), [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, False)]
)
def test_no_color(environment, colored):
    with Terminal(THREE, **environment) as terminal:
        terminal.see(OVERVIEW, "all stay pending")
        assert ("\x1b[0;36" in terminal.raw) is colored


def test_a_thousand_are_asked_about_at_once():
    """How long that takes: `tests/benchmarks/prompt.py`."""
    one = {"text": "긴 작업을 나누어 하나씩 정리하고 보고서를 쓰기", "project": "web"}
    with Terminal({"orphans": [one], "projects": ["web"], "copies": 1000}, lines=40) as terminal:
        terminal.see(OVERVIEW, "1000 follow-ups", "page 1 of", "all stay pending").press(ENTER)
        assert len(terminal.answers()) == 1000


@pytest.mark.parametrize("case", [{"orphans": []}], ids=["nothing"])
def test_nothing_is_asked_when_there_is_nothing_to_ask(case):
    with Terminal(case) as terminal:
        assert terminal.answers() == []
        assert "Where" not in terminal.raw


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


def test_no_terminal_is_named():
    result = run_without_terminal(THREE)
    assert result.stdout.startswith(
        "asking\nNoTerminalError: nobody can be asked: standard input and output is no terminal. "
    )
    assert "stay pending" in result.stdout
    assert result.stderr == ""


def test_without_terminal_nothing_to_ask_is_no_error():
    assert run_without_terminal({"orphans": []}).stdout == "asking\nanswers: []\n"


def test_a_terminal_that_cannot_draw_is_named():
    with Terminal(THREE, TERM="dumb") as terminal:
        terminal.see("NoTerminalError", "cannot draw a form")


def test_what_nobody_is_sure_of_is_marked_and_not_routed_with_the_rest():
    case = THREE | {"orphans": [{**one, "sure": at != 1} for at, one in enumerate(THREE["orphans"])]}
    with Terminal(case) as terminal:
        terminal.see(OVERVIEW, "Route those without ?", "adds 2 lines to 2 files; the others wait")
        terminal.press(ENTER)
        assert [one[1] for one in terminal.answers()] == ["project", "project"]


def test_where_nobody_is_sure_of_anything_each_is_decided_by_itself():
    case = THREE | {"orphans": [{**one, "sure": False} for one in THREE["orphans"]]}
    with Terminal(case) as terminal:
        terminal.see(OVERVIEW, "Decide one by one")
        assert "Route" not in terminal.text
