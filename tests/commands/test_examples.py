"""Every example of every command's help does what it says, in the sample vault."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("the examples are written for a POSIX shell", allow_module_level=True)

from tests.commandtree import every_command
from tests.followups import talks
from tests.readme import SAMPLE_DAY
from tests.support import child_environment, finish, spawn, wrap
from tests.test_schedule import CRONTAB
from wrapgen.commands.demo_ import copy_demo

DAY = SAMPLE_DAY.isoformat()
NODES = list(every_command())

ANSWER = "[COMPRESSED] agent_type: worker\nChanged files: parser.py\nResult: Lists are read.\n"
REVIEW = "[COMPRESSED] agent_type: reviewer\nFiles reviewed: parser.py\nVerdict: PASS (0/0)\n"
TALK = talks.claude(talks.said(talks.RETRY, talks.ROTATE))
FILES = {
    "session.jsonl": TALK,
    "review.json": json.dumps({"follow_ups": []}),
    "answers.json": json.dumps({"schema": "wrapgen.answers/1", "answers": []}),
    "verdicts.json": json.dumps({"items": [], "sources": []}),
    "answer.json": json.dumps({"schema": "wrapgen.mapped/1"}),
    "answer.md": ANSWER,
    "parser.py": "",
    "session.json": json.dumps({"task": "Cut the image cache"}),
    "pairs.jsonl": json.dumps({"id": 1, "a": {"text": "Run step 5"}, "b": {"text": "Run step 3"}}),
    "CLAUDE.md": "# Notes\n",
    "event.json": json.dumps({"hook_event_name": "SessionStart", "session_id": "5f0c", "source": "startup"}),
    "status.json": json.dumps({"session_id": "5f0c"}),
}
AT_HOME = {
    "notes/Daily/2026-04-23.md": "# Thursday\n",
    "shop/app.py": "",
    "code/web/app.py": "",
    "shop/.git/HEAD": "ref: refs/heads/main\n",
    ".zfunc/.keep": "",
}
# What stands on the PATH: nobody's timers, editor or clipboard are touched; nor is a browser started.
PROGRAMS = {
    "crontab": CRONTAB,
    "true": "",
    "pbpaste": f"printf '%s' {shlex.quote(REVIEW)}",
    "wrap": f'case "$1" in hook|statusline) ;; *) set -- --today {DAY} "$@";; esac\n'
    f'exec {shlex.quote(sys.executable)} -m wrapgen "$@"\n',
}
# What must have happened before the examples of a command mean anything.
BEFORE = {
    "": ["wrap init ~/notes"],
    "init": ["git init -q"],
    "trust": ["wrap init ~/notes"],
    "undo": ['wrap add "One thing"', 'wrap add "Another"'],
    **{name: ["wrap list"] for name in ("done", "snooze", "keep", "open", "edit", "move", "explain", "next")},
    "stage": [
        f"wrap stage write --task TUNE-0254 --stage {stage} --command /{stage} --recommended-next /go < answer.md"
        for stage in ("plan", "do", "qa")
    ],
    "agent": [
        *['wrap agent task add "Review the parser"'] * 3,
        "wrap agent record --session 5f0c --kind result --agent a81f3c --name worker - < answer.md",
        "wrap agent export > agents.json",
    ],
    "track": [
        *[f"wrap track snapshot --transcript session.jsonl --dir {folder}" for folder in (".", "~/shop")],
        *[f'wrap track tried "approach {number}" --because "it fails"' for number in (1, 2, 3)],
    ],
    "uninstall": ["wrap install claude"],
}
# What an example names and only a run can make: the beginning of the receipt of the first thing that was added.
RECEIPT = "20260424T1802"
# The port of an example, which somebody else may listen on.
PORT = "8123"
# Another end than 0, and why.
ENDS = {
    "wrap audit --strict": (3, "the sample vault has an item without a project"),
    "wrap audit --strict=untagged,expired --json": (3, "it also has expired ones"),
    "wrap orphans --restore 3f2a": (2, "nothing is skipped in the sample vault"),
    "wrap track forget --all --dir ~/shop": (1, "nobody is there to say yes"),
    "wrap triage": (1, "nobody is at a terminal"),
}
# Examples that nothing here can run, and why.
UNTESTED: dict[str, str] = {
    "wrap mcp": "speaks to a client until that hangs up: tests/mcp",
    "claude mcp add wrapgen -- wrap mcp": "Claude Code's own command: tests/e2e",
}


def test_every_command_has_examples_that_name_it():
    for node in NODES:
        assert node.examples, node.name
        assert all(re.search(r"\bwrap\b", line) for line in node.examples), node.name
        assert any(set(node.words) <= set(re.findall(r"[\w-]+", line)) for line in node.examples), node.name
        assert "Examples:\n" in node.command.get_help(node.context)


def test_what_is_said_about_examples_is_said_about_ones_that_exist():
    known = {line for node in NODES for line in node.examples}
    assert set(ENDS) | set(UNTESTED) <= known
    assert set(BEFORE) <= {" ".join(node.words[1:2]) for node in NODES}
    assert all(any(name in line for line in known) for name in (RECEIPT, PORT))


@pytest.fixture
def desk(tmp_path, home, monkeypatch):
    """The sample vault as the working folder, with the files that examples name."""
    copy_demo(tmp_path / "demo", SAMPLE_DAY)
    programs = tmp_path / "programs"
    for folder, files in ((tmp_path / "demo", FILES), (home, AT_HOME), (programs, PROGRAMS)):
        for name, content in files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
    for name, script in PROGRAMS.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("FAKE", str(tmp_path))
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.setenv("BROWSER", "true")
    monkeypatch.setattr("webbrowser.open", lambda url: url.startswith("file:"))
    monkeypatch.setenv("SHELL", "/bin/bash")
    monkeypatch.chdir(tmp_path / "demo")
    return tmp_path / "demo"


def served(line):
    """The same of what goes on until somebody ends it."""
    child = spawn("--today", DAY, *shlex.split(line.replace(PORT, "0"))[1:])
    first = child.stdout.readline()  # comes when it listens; nothing, when it has ended
    child.send_signal(signal.SIGINT)
    result = finish(child)
    said = first.decode() + result.out + result.err
    return 0 if "http://127.0.0.1:" in said and result.code in (0, 130) else result.code or 1, said


def typed(line, monkeypatch):
    """What a line gives: its exit code, and all that it prints."""
    if line.startswith("wrap serve"):
        return served(line)
    line, _, given = line.partition("<")
    if re.search(r"[|>&$]|^git ", line):
        done = subprocess.run(
            ["bash", "-ec", line], stdin=subprocess.DEVNULL, env=child_environment(), capture_output=True, text=True,
            timeout=100, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr
    data = Path(given.strip()).read_bytes() if given else b""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    program, *words = (str(Path(word).expanduser()) if word.startswith("~") else word for word in shlex.split(line))
    assert program == "wrap"
    result = wrap(*words, today=DAY)
    return result.code, result.out + result.err


def first_receipt(vault):
    [receipts] = (vault / ".wrapgen" / "state").glob("receipts*")
    return json.loads(receipts.read_text(encoding="utf-8").splitlines()[0])["id"]


@pytest.mark.sampled(12)
@pytest.mark.parametrize("node", NODES, ids=lambda node: node.name)
def test_every_example_does_what_it_says(desk, monkeypatch, node):
    for line in BEFORE.get(" ".join(node.words[1:2]), ()):
        code, said = typed(line, monkeypatch)
        assert code == 0, f"{line}\n{said}"
    for line in node.examples:
        if line in UNTESTED:
            continue
        code, said = typed(line.replace(RECEIPT, first_receipt(desk)) if RECEIPT in line else line, monkeypatch)
        assert code == ENDS.get(line, (0,))[0], f"{line}\n{said}"
        assert "Traceback" not in said
