"""What a file needs that others write, too: who has it open, and the exchange of two files in one step.

Linux can tell by leases, and exchange. Elsewhere a file is read until it stands still, and callers do without the
exchange.
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
_RENAME_EXCHANGE = 2
# How long to wait for writers to finish.
_PATIENCE = 0.4
_POLL = 0.001
_SETTLE = 0.002
_LOOKS = 10


class Writers(Enum):
    """Whether a program has a file open for writing."""

    NONE = "none"
    SOME = "some"
    UNKNOWN = "unknown"


def settled(descriptor: int, *, alone: bool = False) -> tuple[bytes, Writers]:
    """What an open file holds when nobody writes to it, and whether anybody may; waits for well under a second.

    A read lease is granted only while nobody has the file open for writing, and whoever opens it for writing then waits
    until the lease is given up or the descriptor is closed; it stands when nobody writes. `alone`: nobody may have it
    open for reading either; it is opened for writing then.
    """
    deadline = time.monotonic() + _PATIENCE
    while (granted := _lease(descriptor, alone=alone)) is not None:
        if granted:
            return content(descriptor), Writers.NONE
        if time.monotonic() >= deadline:
            return content(descriptor), Writers.SOME
        time.sleep(_POLL)
    data = content(descriptor)
    for _ in range(_LOOKS):
        time.sleep(_SETTLE)
        before, data = data, content(descriptor)
        if data == before:
            break
    return data, Writers.UNKNOWN


def last_words(descriptor: int) -> bytes:
    """What a file holds that has just lost its name, once all who had opened it before have closed it."""
    give_up(descriptor)
    time.sleep(_SETTLE)  # who has just looked the name up is not counted yet
    data, _ = settled(descriptor)
    return data


def exchange(one: HeldFile, other: HeldFile) -> bool:
    """Exchange two files; False where the system or file system cannot."""
    call = _system_call()
    if call is None:
        return False
    folders = [_AT_FDCWD if file.folder is None else file.folder for file in (one, other)]
    if call(folders[0], os.fsencode(one.at), folders[1], os.fsencode(other.at), _RENAME_EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM):
        return False
    raise OSError(number, os.strerror(number), str(other.path))


@lru_cache(maxsize=1)
def _system_call() -> Any:  # noqa: ANN401 - a foreign function has no type of its own
    if not sys.platform.startswith("linux"):
        return None
    return getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)


def _lease(descriptor: int, *, alone: bool = False) -> bool | None:
    """Take a lease, against writers or against all others: whether it is granted, None where there are none."""
    if sys.platform.startswith("linux"):
        try:
            # The signal that tells the holder of a writer ends the process by default; this one is ignored.
            fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_WRLCK if alone else fcntl.F_RDLCK)
        except OSError as error:
            return False if error.errno == errno.EAGAIN else None
        return True
    return None


def waits(descriptor: int) -> bool:
    """Whether somebody waits for the lease that stands."""
    return sys.platform.startswith("linux") and fcntl.fcntl(descriptor, fcntl.F_GETLEASE) != fcntl.F_RDLCK


def give_up(descriptor: int) -> None:
    """Let whoever waits for the lease write."""
    if sys.platform.startswith("linux"):
        try:
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EINVAL, errno.EACCES, errno.ENOLCK):
                raise
