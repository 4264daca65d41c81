"""Opens, makes, replaces and claims files beside which others may put what they like. Loads nothing large, for hooks.

A pipe by the name of a file would keep its reader waiting for a writer, and its writer for a reader, forever; a device
may have no end. So everything that comes from outside, and everything that the program keeps where others can write, is
opened here. What is to replace a file is written whole beside it first.
"""

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

_CHUNK = 1 << 20
_LARGEST_DOCUMENT = 4 << 20  # bytes
_ALWAYS = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_PRIVATE_FILE = 0o600
NO_LINKS = getattr(os, "O_NOFOLLOW", 0)


def as_named(path: str) -> str:
    r"""The path of what is listed under another one: bytes that are no UTF-8 are shown as `\udce9` there."""
    if "\\udc" not in path:
        return path
    named = ""
    for part in path.split(os.sep):
        here, *bytes_of = part.split("\\udc")
        raw = here + "".join(
            chr(0xDC00 + int(one[:2], 16)) + one[2:] if _is_byte(one[:2]) else f"\\udc{one}" for one in bytes_of
        )
        named += raw if not os.path.lexists(named + part) and os.path.lexists(named + raw) else part
        named += os.sep
    return named.removesuffix(os.sep)


def _is_byte(digits: str) -> bool:
    return len(digits) == 2 and digits[0] in "89abcdef" and digits[1] in "0123456789abcdef"


@contextmanager
def opened(
    file: os.PathLike[str] | str, flags: int = os.O_RDONLY, *, follow: bool = True, folder: int | None = None
) -> Iterator[int]:
    """A file opened, for reading unless `flags` (those of `os.open`) say else, as a descriptor; a new file is private.

    `folder` is the descriptor of its folder, where it is given by its name there. Raises `OSError` when it cannot be
    opened, or is not a regular file.
    """
    if not follow:
        if folder is None and os.path.islink(file):  # the flag below says ELOOP, and not every system has it
            raise OSError(errno.ELOOP, "is a symbolic link", os.fspath(file))
        flags |= NO_LINKS
    flags |= _ALWAYS
    file = as_named(os.fspath(file)) if folder is None else file
    new = flags & os.O_CREAT
    descriptor = make(os.fspath(file), flags, folder=folder) if new else os.open(file, flags, dir_fd=folder)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "is not a regular file", os.fspath(file))
        yield descriptor
    finally:
        os.close(descriptor)


def make(file: str, flags: int, mode: int = _PRIVATE_FILE, folder: int | None = None) -> int:
    """Open a file by its path, or its name in an open `folder`, that may be new; raises `OSError`.

    What root makes in somebody's folder is given to them.
    """
    try:
        descriptor = os.open(file, flags | os.O_EXCL, mode, dir_fd=folder)
    except FileExistsError:
        if flags & os.O_EXCL:
            raise
        return os.open(file, flags, mode, dir_fd=folder)
    try:
        give_to_owner(descriptor, os.path.dirname(file) or "." if folder is None else folder)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def give_to_owner(new: int | str, folder: int | str) -> None:
    """Give what root has just made to whom its folder belongs, or they could not read it, nor could their own runs.

    `new` is the descriptor of a file, the name of a folder in an open `folder`, or the path of one.
    """
    if getattr(os, "geteuid", lambda: -1)() != 0:
        return
    above = os.stat(folder)
    if above.st_uid == 0:
        return
    try:
        if isinstance(new, int):
            os.fchown(new, above.st_uid, above.st_gid)
        else:
            where = folder if isinstance(folder, int) else None
            os.chown(new, above.st_uid, above.st_gid, dir_fd=where, follow_symlinks=False)
    except PermissionError:  # root of another computer, to the one that has the disk
        return


def content(descriptor: int, limit: int | None = None) -> bytes:
    """What an open file holds now, so many bytes at most."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    data = bytearray()
    while limit is None or len(data) < limit:
        chunk = os.read(descriptor, _CHUNK if limit is None else min(_CHUNK, limit - len(data)))
        if not chunk:
            break
        data += chunk
    return bytes(data)


def whole(file: os.PathLike[str] | str, limit: int | None = None) -> bytes:
    """What a file holds, so many bytes at most; raises `OSError`, also for a pipe or a device."""
    with opened(file) as descriptor:
        return content(descriptor, limit)


def text_of(file: os.PathLike[str] | str, limit: int | None = None) -> str:
    """What a file says, without byte order mark, what is not UTF-8 replaced; "" where it cannot be read."""
    try:
        return whole(file, limit).decode("utf-8-sig", "replace")
    except (OSError, ValueError):  # no path has a NUL
        return ""


def json_of(file: os.PathLike[str] | str, limit: int | None = _LARGEST_DOCUMENT) -> Any:  # noqa: ANN401 - whatever is there
    """What a program keeps in a file; None where there is nothing that can be read."""
    import json

    try:
        return json.loads(whole(file, limit).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None


def object_of(file: os.PathLike[str] | str, limit: int | None = _LARGEST_DOCUMENT) -> dict[str, Any]:
    """As `json_of`, of a file that holds an object; empty where it holds none."""
    found = json_of(file, limit)
    return found if isinstance(found, dict) else {}


ENDING = ".wrapgen-tmp"
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


def take(name: str) -> int | None:
    """Take the claim of a path, without waiting, by a lock file beside it; raises OSError when that cannot be made.

    Returns the descriptor by which it is held, None when somebody else has it. Where there are no locks, everybody gets
    it.
    """
    descriptor = make(f"{name}.lock", os.O_RDWR | os.O_CREAT | NO_LINKS | getattr(os, "O_NONBLOCK", 0))
    try:
        is_ours = lock(descriptor)
    except OSError:  # a network folder without locks
        return descriptor
    if is_ours:
        return descriptor
    os.close(descriptor)
    return None


def lock(descriptor: int) -> bool:
    """Take the kernel's lock of an open file, without waiting; whether nobody else has it. Raises `OSError`."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            return False
        raise
    return True
