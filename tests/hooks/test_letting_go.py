"""A background run is out of its host's reach before the hook has ended."""

import subprocess
import sys

import pytest

from tests.hooks import kit
from tests.support import child_environment
from wrapgen.hooks import detach

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="parents are those of POSIX")

LINGERS = """
import os, sys
from wrapgen.hooks.detach import Request, hand_over

hand_over(sys.argv[1], Request(search=False))
try:
    print(os.waitpid(-1, os.WNOHANG))
except ChildProcessError:
    print("no child")
"""


@pytest.mark.slow
@POSIX
def test_a_hook_that_lingers_has_no_child(notes):
    """Claude Code ends a plugin's hook at a session's end after 1.5 seconds, and all that is below it."""
    words = [sys.executable, "-c", LINGERS, str(notes.root)]
    said = subprocess.check_output(words, env=child_environment(), text=True, timeout=kit.PATIENCE)
    assert said == "no child\n"
    kit.settle(notes)


@POSIX
def test_no_process_is_to_be_had(notes, monkeypatch):
    monkeypatch.setattr(subprocess, "call", lambda *_, **__: 2)
    with pytest.raises(ChildProcessError):
        detach.hand_over(str(notes.root), detach.Request())
    assert len(list(notes.path(".wrapgen/state/hooks/requests").iterdir())) == 1  # it waits for the next run
