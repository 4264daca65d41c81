"""Runs the reader: no shell, an empty folder, limits on time and output."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress

from wrapgen.errors import WrapgenError
from wrapgen.session.reading import DROPPED, FOLDER_PREFIX
from wrapgen.text.display import one_line, shorten

DISABLE = "WRAPGEN_DISABLE"
_MOST = 4_000_000  # bytes of an answer
_TAIL = 300  # characters of what it complained


class ReaderError(WrapgenError):
    """The reader is missing, failed, took too long, or gave an invalid answer."""


def run(command: Sequence[str], prompt: str, timeout: float) -> str:
    """What the reader printed; after `timeout` seconds it and its children are ended. Raises `ReaderError`."""
    program = shutil.which(command[0])
    if program is None:
        raise ReaderError(f"the reader `{command[0]}` is not found", next_step="Install it, or name another one.")
    with tempfile.TemporaryDirectory(prefix=FOLDER_PREFIX, ignore_cleanup_errors=True) as folder:
        return _answer([program, *command[1:]], prompt, timeout, folder)


def _answer(command: list[str], prompt: str, timeout: float, folder: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in DROPPED} | {DISABLE: "1"}
    try:
        child = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=sys.platform != "win32",
        )
    except OSError as error:
        raise ReaderError(f"the reader `{command[0]}` cannot be started ({error.strerror})") from error
    try:
        out, err = child.communicate(prompt.encode("utf-8", "replace"), timeout)
    except subprocess.TimeoutExpired:
        raise ReaderError(f"the reader did not answer within {timeout:g} seconds") from None
    finally:
        _end(child)
    if child.returncode != 0:
        said = shorten(one_line((err or out).decode("utf-8", "replace"))[-_TAIL:], _TAIL)
        raise ReaderError(f"the reader ended with code {child.returncode}: {said or 'it said nothing'}")
    if len(out) > _MOST:
        raise ReaderError(f"the reader answered {len(out)} bytes; at most {_MOST} are read")
    return out.decode("utf-8", "replace")


def _end(child: subprocess.Popen[bytes]) -> None:
    """Kill what is left of it, including child processes."""
    if sys.platform != "win32":
        with suppress(OSError):
            os.killpg(child.pid, signal.SIGKILL)
    elif child.poll() is None:
        child.kill()
    with suppress(subprocess.TimeoutExpired):
        child.communicate(timeout=5)
