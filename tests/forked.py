"""The program as a process of its own, forked from one that has imported it: most of a start is imports."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import signal
import struct
import sys
import tempfile
import termios
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pexpect.fdpexpect import fdspawn

from tests.support import Result
from wrapgen.__main__ import main

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from multiprocessing.connection import Connection

_FORKS = multiprocessing.get_context("forkserver")  # by a process without threads, unlike this one
_FORKS.set_forkserver_preload(["tests.loaded", "wrapgen.__main__"])
_OUTPUTS = {1: "out", 2: "err"}


def program(*words: str) -> None:
    """The program, as somebody starts it."""
    sys.argv = ["wrap", *words]
    main()


def forked(
    *words: str | Path, patience: float, memory: int | None = None, run: Callable[..., None] = program
) -> Result:
    """Run the program in this folder and environment; a hang is a failure.

    Args:
        words: its arguments.
        patience: seconds.
        memory: bytes of address space that it may have.
        run: another function of a module, which is called with the words.
    """
    with tempfile.TemporaryDirectory() as folder:
        given = (run, [str(word) for word in words], dict(os.environ), _umask(), Path(folder), memory)
        child = _FORKS.Process(target=_run, args=given)
        child.start()
        child.join(patience)
        hangs = child.exitcode is None
        if hangs:
            child.kill()
            child.join()
        code = child.exitcode
        child.close()
        assert not hangs, f"still there after {patience} seconds: {words}"
        return Result(code, *((Path(folder) / name).read_bytes().decode("utf-8") for name in _OUTPUTS.values()))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _run(
    run: Callable[..., None], words: list[str], environment: dict[str, str], mask: int, folder: Path,
    memory: int | None,
) -> None:  # fmt: skip
    """What the child does; it has this folder already."""
    import resource

    for descriptor, name in _OUTPUTS.items():
        file = os.open(folder / name, os.O_WRONLY | os.O_CREAT)
        os.dup2(file, descriptor)
        os.close(file)
    os.environ.clear()
    os.environ.update(environment)
    os.umask(mask)
    if memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    run(*words)


class InTerminal(fdspawn):
    """A function in a process and a pseudo-terminal of its own, as `pexpect.spawn` would run a program.

    Args:
        run: what is called there; a function of a module.
        words: its arguments.
        env: all of its environment.
        dimensions: lines and columns.
        cwd: its folder.
        timeout: seconds.

    Attributes:
        exitstatus: once it was waited for.
    """

    def __init__(
        self, run: Callable[..., None], words: Sequence[str], *, env: Mapping[str, str], dimensions: tuple[int, int],
        cwd: str, timeout: float,
    ) -> None:  # fmt: skip
        ours, terminal = os.openpty()
        self.exitstatus: int | None = None
        here, there = _FORKS.Pipe(duplex=False)
        given = (run, list(words), dict(env), cwd, os.ttyname(terminal), there)
        super().__init__(ours, encoding="utf-8", timeout=timeout)
        self.setwinsize(*dimensions)
        self.process = _FORKS.Process(target=_in_terminal, args=given)
        self.process.start()
        there.close()
        here.recv()  # once it holds the terminal, ours may go, or its end would not be seen
        here.close()
        os.close(terminal)
        self.timeout = timeout

    def setwinsize(self, lines: int, columns: int) -> None:
        fcntl.ioctl(self.child_fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def setecho(self, echo: bool) -> None:
        state = termios.tcgetattr(self.child_fd)
        state[3] = state[3] | termios.ECHO if echo else state[3] & ~termios.ECHO
        termios.tcsetattr(self.child_fd, termios.TCSANOW, state)

    def isalive(self) -> bool:
        return self.process.exitcode is None

    def kill(self, number: int) -> None:
        with suppress(ProcessLookupError):  # it has ended since somebody asked whether it is alive
            os.kill(self.process.pid or 0, number)

    def wait(self) -> None:
        """Wait for its end; a hang is a failure."""
        self.process.join(self.timeout)
        assert self.process.exitcode is not None, "still there"
        self.exitstatus = self.process.exitcode


def _in_terminal(
    run: Callable[..., None], words: list[str], environment: dict[str, str], cwd: str, name: str, opened: Connection
) -> None:
    os.setsid()
    terminal = os.open(name, os.O_RDWR)  # the first that the leader of a session opens is the one of the session
    for descriptor in range(3):
        os.dup2(terminal, descriptor)
    os.close(terminal)
    sys.stdin = os.fdopen(0, encoding="utf-8")
    sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8", buffering=1) for number in (1, 2))
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(cwd)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    opened.send(None)
    opened.close()
    run(*words)
