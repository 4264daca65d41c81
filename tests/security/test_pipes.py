"""A pipe in the place of any file that the program keeps or is told of: whatever is asked, an answer comes."""

import os
import shutil
import signal
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.conftest import HOME_VARIABLES
from tests.followups import talks
from tests.followups.conftest import PROJECTS, no_hosts
from tests.hooks import kit
from tests.support import Vault, wrap
from wrapgen.hooks import detach, entry, statusline, worker
from wrapgen.vault.git import head_of
from wrapgen.whereabouts import user_config_file

__all__ = ["no_hosts"]

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are those of POSIX")

PATIENCE = 30  # seconds; nothing here takes one
MAIN = "2e551011-main"
EVENTS = {
    "SessionStart": {"source": "compact"},
    "UserPromptSubmit": {"prompt": "Go on."},
    "Stop": {"last_assistant_message": "Next session: water the garden."},
    "SessionEnd": {"reason": "other"},
    "PreCompact": {"trigger": "manual"},
    "PostCompact": {"compact_summary": "All is done."},
    "SubagentStart": {"agent_id": "a1", "agent_type": "worker"},
    "SubagentStop": {"agent_id": "a1", "agent_type": "worker", "last_assistant_message": "Done."},
    "PostToolUse": {"tool_name": "Write", "tool_input": {"file_path": "a.py"}, "tool_use_id": "t"},
}
COMMANDS = {
    "wrap": ("--no-prompt",),
    "regen": ("regen",),
    "list": ("list",),
    "doctor": ("doctor",),
    "doctor --fix": ("doctor", "--fix"),
    "orphans": ("orphans",),
    "undo": ("undo", "--list"),
    "trend": ("trend",),
    "track tail": ("track", "log"),
    "agent list": ("agent", "list", "outputs"),
}


class HangError(BaseException):
    """Nothing came in time; no handler of errors takes it."""


@contextmanager
def patience(what):
    def give_up(*_):
        raise HangError(what)

    former = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, former)


@pytest.fixture
def started(monkeypatch):
    monkeypatch.setattr(detach, "_start", lambda *_: None)
    for name in ("WRAPGEN_DISABLE", "WRAPGEN_HOOK", "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Where it all stands in each test, as its files name each other, and how it was before the first."""
    base = tmp_path_factory.mktemp("pipes")
    return base / "now", base / "before"


@pytest.fixture
def ask(place, monkeypatch, started):
    """A vault in which everything was used once, and how it is asked."""
    now, before = place
    for variable in HOME_VARIABLES:
        if variable in os.environ:
            monkeypatch.setenv(variable, str(now / "home"))
    shutil.rmtree(now, ignore_errors=True)
    if before.exists():
        shutil.copytree(before, now)
    else:
        (now / "home").mkdir(parents=True)
    notes = Vault(now / "vault")
    notes.transcript = now / "talks" / f"{MAIN}.jsonl"

    def ask(name, number):
        if name in COMMANDS:
            wrap(*COMMANDS[name], vault=notes, today=None)
        elif name == "statusline":
            statusline.line_for(str(notes.root), 0)
        elif name == "background run":
            assert worker.main([str(notes.root)]) == 0
        else:
            common = {"session_id": MAIN, "prompt_id": f"{number}", "cwd": str(notes.root)}
            fields = {**common, "transcript_path": str(notes.transcript), **EVENTS[name]}
            monkeypatch.setattr(entry, "read_object", lambda *_, **__: fields)
            assert entry.main([name]) in (0, 2)

    if not before.exists():
        use(notes, ask)
        shutil.copytree(now, before)
    return notes, ask


def use(notes, ask):
    """Have every file of the program made."""
    for path, text in PROJECTS.items():
        notes.write(path, text)
    kit.trusted(notes)
    notes.transcript.parent.mkdir()
    notes.transcript.write_bytes(talks.claude(talks.said(*talks.THREE), cwd=str(notes.root)))
    wrap("--transcript", notes.transcript, "--no-prompt", vault=notes, today=None)
    for number, name in enumerate([*EVENTS, "background run", *COMMANDS]):
        ask(name, number)


def state_files(notes):
    """Every file that the program made, or that is named to it; not the folders that git is told of."""
    own = [path for top in (".wrapgen", ".agents") for path in notes.path(top).rglob("*") if path.is_file()]
    named = [notes.transcript, notes.dashboard, notes.path("projects/web/todos.md"), notes.path("wrapgen.toml")]
    return [*sorted(set(own) | set(named)), Path(user_config_file())]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("name", ["statusline", *EVENTS, "background run", *COMMANDS])
@pytest.mark.slow
def test_nothing_waits_for_a_pipe(ask, name):
    notes, answer = ask
    files = state_files(notes)
    assert len(files) > 20
    for number, file in enumerate(files):
        kept = notes.root.with_name("kept-aside")  # where no run clears up
        if not file.exists():
            continue  # a run before has used it up
        file.rename(kept)
        os.mkfifo(file)
        try:
            with patience(f"{name}: {file}"):
                answer(name, 100 + number)
        finally:
            if file.is_dir():
                shutil.rmtree(file)
            with suppress(FileNotFoundError):
                file.unlink()
            kept.rename(file)


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize("name", ["regen"])
def test_nor_for_one_that_git_waits_for(ask, name, monkeypatch):
    notes, answer = ask
    monkeypatch.setattr(head_of, "__defaults__", (0.3,))
    subprocess.run(["git", "init", "-q", str(notes.root)], check=True)
    head = notes.path(".git/HEAD")
    head.unlink()
    os.mkfifo(head)
    with patience(f"{name}: {head}"):
        answer(name, 0)
