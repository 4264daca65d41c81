"""Two Linux features that make a replacement lossless: exchanging two files, and detecting writers.

Elsewhere, callers do without.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import sys
import time
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from wrapgen.regular_files import content

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from wrapgen.vault.held import HeldFile

_AT_FDCWD = -100
_RENAME_NOREPLACE, _RENAME_EXCHANGE = 1, 2
_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM)
# How long to wait for writers to finish; and how long a writer may take from looking a path up to being counted: it may
# lose the processor in between, and gets it back after about two slices of 4 ms for each process in its core's queue.
_PATIENCE = 0.4
_SETTLE = 0.002
_QUEUED = 0.008
_LONGEST_SETTLE = 0.25
_POLL = 0.001
_LOOKS = 10


class Writers(Enum):
    """Whether a program has a file open for writing."""

    NONE = "none"
    SOME = "some"
    UNKNOWN = "unknown"


def exchange(one: HeldFile, other: HeldFile) -> bool:
    """Exchange two files in one step; False where the system or file system cannot."""
    return _renameat2(one, other, _RENAME_EXCHANGE)


def place(temporary: HeldFile, target: HeldFile) -> None:
    """Give a file the name of one that does not exist yet; FileExistsError where it does, and neither is touched."""
    if os.name != "posix":
        temporary.rename(target)  # refuses by itself to replace a file
    elif not _renameat2(temporary, target, _RENAME_NOREPLACE):
        try:
            temporary.link(target)
        except OSError as error:
            if error.errno not in _UNSUPPORTED or target.exists():
                raise
            temporary.replace(target)  # no links on this file system: the best that is possible there
        else:
            temporary.unlink()


def _renameat2(one: HeldFile, other: HeldFile, flags: int) -> bool:
    call = _system_call()
    if call is None:
        return False
    folders = (_AT_FDCWD if file.folder is None else file.folder for file in (one, other))
    if call(next(folders), os.fsencode(one.at), next(folders), os.fsencode(other.at), flags) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), str(other.path))


@lru_cache(maxsize=1)
def _system_call() -> Any:  # noqa: ANN401 - a foreign function has no type of its own
    if not sys.platform.startswith("linux"):
        return None
    return getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)


def settled(descriptor: int, *, displaced: bool = False, alone: bool = False) -> tuple[bytes, Writers]:
    """What an open file holds when nobody writes to it; waits for well under a second.

    A read lease is granted only while nobody has the file open for writing, and whoever opens it for writing then
    waits until the lease is given up or the descriptor is closed.

    Args:
        descriptor: the file, opened for reading only.
        displaced: whether it has lost its name. New writers cannot come any more then, but one that has just looked
            the name up may not be counted yet: wait for it.
        alone: whether nobody may have it open for reading either; it is opened for writing then.

    Returns:
        its content, and whether anybody may still write to it. If nobody does, the lease stands.
    """
    deadline = time.monotonic() + _PATIENCE
    while (granted := _lease(descriptor, alone=alone)) is not None:
        if granted:
            if displaced:
                time.sleep(_until_counted())
            data = content(descriptor)
            if not displaced or _stands(descriptor):
                return data, Writers.NONE
            give_up(descriptor)
        if time.monotonic() >= deadline:
            return content(descriptor), Writers.SOME
        time.sleep(_POLL)
    return _unmoving(descriptor), Writers.UNKNOWN


def undisturbed(descriptor: int) -> bool:
    """Whether nobody has opened a displaced file for writing since a lease was taken on it; whoever did, waits."""
    time.sleep(_until_counted())
    return _stands(descriptor)


def _until_counted() -> float:
    try:
        queued = os.getloadavg()[0] / (os.cpu_count() or 1)
    except OSError:  # no /proc
        queued = 1
    return min(_LONGEST_SETTLE, _SETTLE + _QUEUED * queued)


def _unmoving(descriptor: int) -> bytes:
    """Without leases: what an open file holds when it stays the same from one look to the next."""
    data = content(descriptor)
    for _ in range(_LOOKS):
        time.sleep(_SETTLE)
        before, data = data, content(descriptor)
        if data == before:
            break
    return data


if sys.platform.startswith("linux"):

    def _lease(descriptor: int, *, alone: bool = False) -> bool | None:
        """Take a lease, against writers or against all others: whether it is granted, None where there are none."""
        try:
            # The signal that tells the holder of a writer ends the process by default; this one is ignored.
            fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_WRLCK if alone else fcntl.F_RDLCK)
        except OSError as error:
            return False if error.errno == errno.EAGAIN else None
        return True

    def _stands(descriptor: int) -> bool:
        """Whether no writer waits for the lease."""
        return fcntl.fcntl(descriptor, fcntl.F_GETLEASE) == fcntl.F_RDLCK

    def give_up(descriptor: int) -> None:
        """Let whoever waits for the lease write."""
        try:
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EINVAL, errno.EACCES, errno.ENOLCK):
                raise

else:

    def _lease(descriptor: int, *, alone: bool = False) -> bool | None:
        return None

    def _stands(descriptor: int) -> bool:
        return True

    def give_up(descriptor: int) -> None:
        """Nothing to give up here."""
