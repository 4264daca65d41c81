"""Ends a process, or lets the system refuse, at the n-th call that the program makes below a folder.

What Python tells of system calls are audit events (open, rename, mkdir, ...); writes, fsyncs and the exchange of two
files are told by none, so those functions are wrapped. An audit hook can never be taken away again: a fault is
installed in a forked child that ends with the run.
"""

import builtins
import errno
import fcntl
import io
import json
import os
import signal
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from wrapgen.vault import writers

_READ, _WRITE, _NAME, _DATA, _LIST, _LOCK = "read", "write", "name", "data", "list", "lock"
_EVENTS = {
    "os.rename": _NAME, "os.remove": _NAME, "os.mkdir": _NAME, "os.rmdir": _NAME, "os.link": _NAME,
    "os.symlink": _NAME, "os.chmod": _NAME, "os.chown": _NAME, "os.truncate": _NAME, "os.utime": _NAME,
    "os.scandir": _LIST, "os.listdir": _LIST, "fcntl.flock": _LOCK,
}  # fmt: skip
# Which of an event's arguments is relative to which: path and the descriptor of its folder, -1 for none.
_RELATIVE = {
    "os.rename": ((0, 2), (1, 3)), "os.link": ((0, 2), (1, 3)), "os.remove": ((0, 1),), "os.mkdir": ((0, 2),),
    "os.rmdir": ((0, 1),), "os.symlink": ((1, 2),), "os.chmod": ((0, 2),), "os.chown": ((0, 3),), "os.utime": ((0, 3),),
}  # fmt: skip
_CALLS = ("write", "fsync", "fdatasync", "close")
_FREES = ("remove", "rmdir", "truncate")
_CHANGES = os.O_WRONLY | os.O_RDWR | os.O_CREAT

# Which errors a kind of call can meet: a full disk reads, a read-only one syncs, only an open needs a descriptor.
_MEETS = {
    errno.ENOSPC: {_WRITE, _NAME, _DATA},
    errno.EIO: {_READ, _WRITE, _NAME, _DATA, _LIST, _LOCK},
    errno.EACCES: {_READ, _WRITE, _NAME, _LIST},
    errno.EROFS: {_WRITE, _NAME},
    errno.EMFILE: {_READ, _WRITE, _LIST},
}
ERRORS = tuple(_MEETS)
KILL = 0


class Manner(StrEnum):
    """How long the system refuses."""

    ONCE = "once"
    ON = "from then on"


@dataclass(frozen=True)
class Fault:
    """What is to happen.

    Attributes:
        at: the number of the call, from 1; only calls count that can meet the error.
        error: the error's number, or KILL.
    """

    at: int
    error: int = KILL
    manner: Manner = Manner.ONCE

    def meets(self, call, kind):
        """Whether a call of this kind counts; a kill before a close is one after the call before it."""
        if self.error == KILL:
            return call != "close" and kind in {_WRITE, _NAME, _DATA, _LOCK}
        return kind in _MEETS[self.error]


class Injector:
    """Counts the calls below a folder, and lets the fault happen at one of them.

    Args:
        tell: told the call and its path at the moment of the fault.
    """

    def __init__(self, folder, fault, tell):
        self._folder = os.path.realpath(folder)
        self._fault = fault
        self._tell = tell
        self._count = 0
        self._busy = False
        self._opening = -1

    def install(self):
        """Watch from here on; never to be taken back."""
        import sys

        for name in _CALLS:
            if hasattr(os, name):
                setattr(os, name, self._wrapped(name))
        os.open = self._open_in(os.open)
        writers.exchange = self._exchange(writers.exchange)
        builtins.open = io.open = self._opened
        sys.addaudithook(self._audit)

    def _audit(self, event, arguments):
        if event == "open":
            path, _, flags = arguments
            self._step("open", _WRITE if flags & _CHANGES else _READ, self._in(path, self._opening))
        elif event in _RELATIVE:
            paths = [self._in(arguments[path], arguments[folder]) for path, folder in _RELATIVE[event]]
            self._step(event.removeprefix("os."), _EVENTS[event], *paths)
        elif event in _EVENTS:
            self._step(event.removeprefix("os."), _EVENTS[event], arguments[0])

    def _step(self, call, kind, *paths, half=None):
        """Look at a call; `half` is what a refused write does before it is refused."""
        if self._busy or not self._counts(call, kind):
            return
        self._busy = True
        try:
            inside = [path for one in paths if (path := self._path(one)).startswith(self._folder)]
        finally:
            self._busy = False
        if inside:
            self._meet(call, kind, inside[-1], half)

    def _counts(self, call, kind):
        return self._fault.meets(call, kind)

    def _meet(self, call, kind, path, half):
        """Count a call below the folder, and let the fault happen if it is its turn."""
        self._count += 1
        if self._count == self._fault.at:
            self._busy = True
            self._tell(call, path, kind)
            if half:
                half()
            if self._fault.error == KILL:
                os.kill(os.getpid(), signal.SIGKILL)
            self._busy = False
        if self._count == self._fault.at or (self._count > self._fault.at and self._fault.manner is Manner.ON):
            self._refuse(call, path)

    def _refuse(self, call, path):
        # Nothing is freed and no descriptor given back by waiting: but what only takes away works on a full disk.
        frees = call == "close" or (call in _FREES and self._fault.error == errno.ENOSPC)
        if frees and self._count > self._fault.at:
            return
        raise OSError(self._fault.error, os.strerror(self._fault.error), path)

    def _open_in(self, real):
        """`os.open`, of which no event tells the folder that a name is relative to."""

        def call(path, flags, mode=0o777, *, dir_fd=None):
            self._opening = -1 if dir_fd is None else dir_fd
            try:
                return real(path, flags, mode, dir_fd=dir_fd)
            finally:
                self._opening = -1

        return call

    def _in(self, path, folder):
        """A path that is relative to a folder's descriptor, in full."""
        if folder < 0 or isinstance(path, int):
            return path
        return os.path.join(self._path(folder), os.fsdecode(path))  # noqa: PTH118

    @staticmethod
    def _path(one):
        if isinstance(one, int):
            try:
                return os.readlink(f"/proc/self/fd/{one}")  # noqa: PTH115 - names of pipes are no paths
            except OSError:
                return ""
        try:
            return os.path.abspath(os.fsdecode(one))
        except TypeError:
            return ""

    def _wrapped(self, name):
        real = getattr(os, name)

        def call(descriptor, *rest):
            if name == "close":
                return self._close(real, descriptor)
            half = (lambda: real(descriptor, bytes(rest[0])[: len(rest[0]) // 2])) if name == "write" else None
            self._step(name, _DATA, descriptor, half=half)
            return real(descriptor, *rest)

        return call

    def _close(self, real, descriptor):
        """A file that was written may be refused when it is closed; it is closed all the same."""
        if self._busy or fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == 0:
            return real(descriptor)
        try:
            self._step("close", _DATA, descriptor)
        finally:
            real(descriptor)
        return None

    def _exchange(self, real):
        """Exchanging two files is a call of the C library, which no audit hook tells."""

        def call(one, other):
            self._step("renameat2", _NAME, one.path, other.path)
            return real(one, other)

        return call

    def _opened(self, file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, **rest):
        """`open`, whose writes are counted: files that Python itself writes do not pass by `os.write`."""
        if isinstance(file, int) or not set(mode) & set("wxa+") or buffering == 0 or rest:
            return _open(file, mode, buffering, encoding, errors, newline, **rest)
        raw = _Raw(file, mode.replace("b", "").replace("t", ""))
        raw.step = self._step
        buffered = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
        return buffered if "b" in mode else io.TextIOWrapper(buffered, encoding, errors, newline)


_open = open


class _Raw(io.FileIO):
    step = None

    def write(self, data):
        half = bytes(data)[: len(data) // 2]
        self.step("write", _DATA, self.fileno(), half=lambda: io.FileIO.write(self, half))
        return super().write(data)


def child(folder, fault, run):
    """Run something in a forked process, with a fault below a folder.

    Args:
        fault: what is to happen there, None for nothing.
        run: gives what is to be told: bytes.

    Returns:
        the call, path and kind at which the fault happened (None when it was never reached), and what `run` gave (None
        when it was killed).
    """
    read, write = os.pipe()
    told_read, told_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        told = b""
        try:
            if fault is not None:
                Injector(folder, fault, lambda *what: os.write(told_write, "\0".join(what).encode())).install()
            told = run()
        finally:
            _whole(write, told)
            os._exit(0)
    os.close(write)
    os.close(told_write)
    with os.fdopen(read, "rb") as pipe, os.fdopen(told_read, "rb") as events:
        answer, event = pipe.read(), events.read().decode()
    _, status = os.waitpid(pid, 0)
    return tuple(event.split("\0")) if event else None, None if os.WIFSIGNALED(status) else answer


class _Tally(Injector):
    """Counts the calls by their kind, and lets nothing happen."""

    def __init__(self, folder):
        super().__init__(folder, None, None)
        self.calls = Counter()

    def _counts(self, call, kind):
        del call, kind
        return True

    def _meet(self, call, kind, path, half):
        del path, half
        self.calls[call, kind] += 1


def calls(folder, run):
    """What something calls below a folder, run in a forked process: (call, kind, how often)."""
    tally = _Tally(folder)

    def counted():
        tally.install()
        run()
        return json.dumps([[*what, times] for what, times in tally.calls.items()]).encode()

    return json.loads(child(folder, None, counted)[1])


def met(told, error):
    """How many of the calls that `calls` gave can meet an error."""
    return sum(times for call, kind, times in told if Fault(1, error).meets(call, kind))


def _whole(descriptor, data):
    while data:
        data = data[os.write(descriptor, data) :]
