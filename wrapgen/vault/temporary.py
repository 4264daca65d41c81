"""Temporary files: what is to replace a file is written whole beside it first. Loads nothing large, for hooks."""

import os
from collections.abc import Callable, Iterable

from wrapgen.regular_files import make

ENDING = ".wrapgen-tmp"
_PRIVATE_FILE = 0o600
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of the data; the system may take it in pieces."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def write_temporary(
    start: str,
    pieces: Iterable[bytes],
    *,
    mode: int = _PRIVATE_FILE,
    folder: int | None = None,
    durable: bool = False,
    finish: Callable[[int], None] | None = None,
) -> str:
    """Write a temporary file; nothing is left of one that cannot be written.

    Its path, or its name in `folder` (a descriptor), begins with `start`; `finish` is given its descriptor at last.
    """
    temporary = f"{start}{os.getpid()}.{os.urandom(4).hex()}{ENDING}"
    descriptor = make(temporary, _NEW, mode, folder)
    try:
        try:
            for piece in pieces:
                write_all(descriptor, piece)
            if finish is not None:
                finish(descriptor)
            if durable:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException:
        discard(temporary, folder)
        raise
    return temporary


def discard(temporary: str, folder: int | None = None) -> None:
    """Remove a temporary file that is not needed; one that stays is found by its ending."""
    try:
        os.unlink(temporary, dir_fd=folder)
    except OSError:
        return


def put(file: str, *pieces: bytes, folder: int | None = None) -> None:
    """Replace a file (or its name in a folder's descriptor) in one step, private, without waiting for the disk."""
    temporary = write_temporary(f"{file}.", pieces, folder=folder)
    try:
        os.replace(temporary, file, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        discard(temporary, folder)
        raise
