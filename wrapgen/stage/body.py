"""The text of a stage, from a file or from another program; never more in memory than a snapshot can hold."""

import os
import stat
from pathlib import Path
from typing import BinaryIO

from wrapgen.errors import SnapshotError
from wrapgen.stage.record import CAP, Body
from wrapgen.vault import disk

_CHUNK = 1 << 20
PATIENCE_SECONDS = 60.0  # a program that writes a body may pause for a while; one that pauses longer never ends


def read_file(file: Path) -> Body:
    """Read the text from a regular file; raises `SnapshotError`.

    A symbolic link is not followed: in a folder that others may write to it could name any file of the caller's.
    """
    try:
        with disk.opened(file, follow=False) as descriptor, open(descriptor, "rb", closefd=False) as stream:
            return read_stream(stream)
    except OSError as error:
        raise SnapshotError(
            f"the body cannot be read ({error.strerror or error})",
            where=str(file),
            next_step="Pass a regular file with --body-file, or - for stdin.",
        ) from error


def read_stream(stream: BinaryIO, patience: float = PATIENCE_SECONDS) -> Body:
    """Read a pipe to its end, keeping only its ends; `patience` are seconds to wait for its first bytes.

    Raises `SnapshotError` when nothing comes for a minute.
    """
    head, tail, size = b"", b"", 0
    while chunk := _next(stream, PATIENCE_SECONDS if size else patience):
        if size < CAP:
            head += chunk[: CAP - size]
        size += len(chunk)
        tail = (tail + chunk)[-CAP:] if len(chunk) < CAP else chunk[-CAP:]
    return Body(head, tail, size)


def _next(stream: BinaryIO, patience: float) -> bytes:
    try:
        descriptor = stream.fileno()
    except OSError:  # no file of the system's
        return stream.read(_CHUNK)
    if os.name == "posix" and not _ready(descriptor, patience):
        raise SnapshotError(
            f"stdin does not end and has sent nothing for {patience:g} seconds; nothing was written",
            next_step="Pass a file with --body-file, or close stdin: `</dev/null` for no body.",
        )
    return os.read(descriptor, _CHUNK)


def _ready(descriptor: int, patience: float) -> bool:
    import select

    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return True
    poll = select.poll()  # select() knows only the first 1,024 descriptors
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(patience * 1000))
