"""The text of a stage, from a file or from another program; never more in memory than a snapshot can hold."""

import os
import stat
import time
from pathlib import Path
from typing import BinaryIO

from wrapgen.errors import SnapshotError
from wrapgen.stage.record import CAP, Body
from wrapgen.vault import disk

_CHUNK = 1 << 20
# A program that writes a body may pause for a while; one that exceeds these limits never ends.
PATIENCE_SECONDS = 60.0
_LONGEST_SECONDS = 600.0
_MOST_BYTES = 16 << 30


def read_file(file: Path) -> Body:
    """Read the text from a regular file, of a large one only its ends; raises `SnapshotError`.

    A symbolic link is not followed: in a folder that others may write to it could name any file of the caller's.
    """
    try:
        with disk.opened(file, follow=False) as descriptor:
            head = disk.content(descriptor, CAP + 1)
            if len(head) <= CAP:
                return Body.of(head)
            size = os.lseek(descriptor, 0, os.SEEK_END)
            os.lseek(descriptor, -CAP, os.SEEK_END)
            return Body(head[:CAP], os.read(descriptor, CAP), size)
    except OSError as error:
        raise SnapshotError(
            f"the body cannot be read ({error.strerror or error})",
            where=str(file),
            next_step="Pass a regular file with --body-file, or - for stdin.",
        ) from error


def read_stream(stream: BinaryIO, patience: float = PATIENCE_SECONDS) -> Body:
    """Read a pipe to its end, keeping only its ends; `patience` are seconds to wait for its first bytes.

    Raises `SnapshotError` when it does not end: nothing comes for a minute, or it goes on for ten or 16 GiB.
    """
    head, tail, size = b"", b"", 0
    started = time.monotonic()
    while chunk := _next(stream, PATIENCE_SECONDS if size else patience):
        if size < CAP:
            head += chunk[: CAP - size]
        size += len(chunk)
        tail = (tail + chunk)[-CAP:] if len(chunk) < CAP else chunk[-CAP:]
        if size > _MOST_BYTES or time.monotonic() - started > _LONGEST_SECONDS:
            raise _endless(f"after {size} bytes")
    return Body(head, tail, size)


def _next(stream: BinaryIO, patience: float) -> bytes:
    descriptor = _descriptor(stream)
    if descriptor is None:
        return stream.read(_CHUNK)
    if os.name == "posix" and not _ready(descriptor, patience):
        raise _endless(f"and has sent nothing for {patience:g} seconds")
    return os.read(descriptor, _CHUNK)


def _descriptor(stream: BinaryIO) -> int | None:
    try:
        return stream.fileno()
    except OSError:
        return None


def _ready(descriptor: int, patience: float) -> bool:
    import select

    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return True
    poll = select.poll()  # select() knows only the first 1,024 descriptors
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(patience * 1000))


def _endless(how: str) -> SnapshotError:
    return SnapshotError(
        f"stdin does not end {how}; nothing was written",
        next_step="Pass a file with --body-file, or close stdin: `</dev/null` for no body.",
    )
