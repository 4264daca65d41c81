"""A day's work in a terminal: what is read is what is done, and `wrap undo` takes all of it back."""

from __future__ import annotations

import json
import os
import re
import sys

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals as pexpect drives them exist on POSIX only", allow_module_level=True)

from tests import forked
from tests.readme import SAMPLE_DAY
from tests.support import THOROUGH, child_environment, wrap
from tests.terminal import Terminal
from wrapgen.commands.demo_ import copy_demo

DAY = SAMPLE_DAY.isoformat()
ROW = re.compile(r"^ *(?P<number>\d+)  (?P<handle>[0-9a-f]{4,12}) +\((?P<project>\S+)\) (?P<words>.*?)(?:  .*)?$")


def window() -> None:
    """What stays while one command after another runs in a process of its own: each is asked for by a line of JSON."""
    for line in sys.stdin:
        child = os.fork()
        if not child:
            forked.program(*json.loads(line))
        print("exit code", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


class Window(Terminal):
    """One window in which one command after another is typed: numbers mean what was printed there."""

    def __init__(self, columns=80, lines=60):
        env = {**child_environment(), "TERM": "xterm-256color"}
        super().__init__([], program=window, env=env, columns=columns, lines=lines)
        self.child.setecho(False)

    def typed(self, root, *words, code=0):
        """The lines that a command prints."""
        self.screen.reset()
        self.press(json.dumps(["--vault", str(root), "--today", DAY, *words]), "\n").see("exit code ")
        assert f"exit code {code}" in self.lines, self.text
        return [line for line in self.lines if line and not line.startswith("exit code ")]


def said(root, *words):
    """What is said of words that mean the same without a terminal: no process is needed for it."""
    result = wrap(*words, vault=root, today=DAY)
    assert result.code == 0, result.err
    return [line for line in result.out.splitlines() if line]


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 120] if THOROUGH else [80])
def test_a_day(tmp_path, columns):
    copy_demo(tmp_path / "demo", SAMPLE_DAY)
    with Window(columns) as window:
        spend_a_day(tmp_path / "demo", window.typed)


def spend_a_day(root, typed):
    notes = {path: path.read_bytes() for path in root.rglob("*.md")}
    read = {int(row["number"]): row for line in typed(root, "list") if (row := ROW.match(line))}
    assert list(read) == list(range(1, 16))

    for number in (1, 3):  # the third line that was read, although it is the second of the list as it is by now
        assert read[number]["words"] in "\n".join(typed(root, "done", str(number)))
    assert said(root, "add", "Buy", "milk")[0].endswith("- [ ] Buy milk")
    assert "hidden until Fri" in typed(root, "snooze", "4", "fri")[0]
    assert said(root, "edit", read[8]["handle"], "Balance the books")[0].startswith("now ")
    assert said(root, "move", "slow phone", "infra")[0].startswith("moved ")
    assert read[7]["words"][:20] in "\n".join(typed(root, "done", "7"))

    now = "\n".join(typed(root, "list", "--all"))
    assert "Buy milk" in now
    assert "Balance the books" in now
    assert not any(read[number]["words"] in now for number in (1, 7, 8))
    again = next(line for line in now.splitlines() if read[3]["words"] in line)
    assert "🔁 due in 10 days" in again  # it repeats: its next week took its place
    assert "from " in "\n".join(said(root, "list", "--snoozed"))

    for command in ("done", "move", "edit", "snooze", "add", "done"):
        assert f"undone: {command} " in said(root, "undo")[-1]
    assert "undone: done " in typed(root, "undo")[-1]
    assert {path: path.read_bytes() for path in notes} == notes
    again = [row["words"] for line in typed(root, "list") if (row := ROW.match(line))]
    assert again == [row["words"] for row in read.values()]


@pytest.mark.slow
def test_numbers_of_the_screen_mean_its_lines(tmp_path):
    copy_demo(tmp_path / "demo", SAMPLE_DAY)
    with Window() as window:
        second = next(line for line in window.typed(tmp_path / "demo", "--no-prompt") if line.startswith(" 2  "))
        window.typed(tmp_path / "demo", "done", "1")
        done = window.typed(tmp_path / "demo", "done", "2", "--json")
    assert f'"handle": "{second.split()[1]}",' in "".join(done)


@pytest.mark.slow
def test_a_number_that_means_nothing_is_answered_with_the_list(tmp_path):
    copy_demo(tmp_path / "demo", SAMPLE_DAY)
    before = {path: path.read_bytes() for path in (tmp_path / "demo").rglob("*.md")}
    with Window() as window:
        lines = window.typed(tmp_path / "demo", "done", "3", code=2)
    assert len([line for line in lines if ROW.match(line)]) == 15
    assert "no list has been printed" in " ".join(lines)
    assert {path: path.read_bytes() for path in before} == before
