"""What every replacement of a file has in common: where links lead, the file beside, what reaches the disk, errors."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.errors import PublishError, remedy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TEMPORARY = ".wrapgen-tmp"
_BINARY = getattr(os, "O_BINARY", 0)
# Names may hold 255 bytes; what is added to one takes at most this many.
_LONGEST_NAME = 160
_CHUNK = 1 << 20
# As Windows and macOS may spell it too.
_GIT = (".git", "git~1")
_NEW_FILE = 0o666
_PRIVATE_FILE = 0o600


def inside(file: Path, root: Path) -> Path:
    """The file itself, links followed.

    Args:
        file: a path in the vault; neither it nor what it leads to need exist.
        root: the vault.

    Raises:
        PublishError: a link leads out of the vault, or the file is git's own, by which git can be made to run anything.
    """
    target = Path(os.path.realpath(file))
    real_root = os.path.realpath(root)
    if not target.is_relative_to(real_root):
        raise PublishError(
            "is reached through a symbolic link that leads out of the vault, so it is not written",
            where=str(file),
            next_step="Remove the link, or move what it leads to into the vault.",
        )
    if any(part.casefold().rstrip(". ") in _GIT for part in target.relative_to(real_root).parts):
        raise PublishError(
            "lies in git's own folder, so it is not written",
            where=str(file),
            next_step="Remove the link, or give another path in wrapgen.toml.",
        )
    return target


@contextmanager
def opened(file: Path | str, *, follow: bool = True) -> Iterator[int]:
    """A file opened for reading, as a descriptor.

    Args:
        file: the file.
        follow: whether it may be reached through a symbolic link of its name.

    Raises:
        OSError: it cannot be opened, or is no regular file.
    """
    # Opening a pipe without O_NONBLOCK would wait for its writer for ever.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _BINARY
    if not follow:
        if os.path.islink(file):  # noqa: PTH114 - the flag below says ELOOP, and not every system has it
            raise OSError(errno.ELOOP, "is a symbolic link", os.fspath(file))
        flags |= getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(file, flags)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "is not a regular file", os.fspath(file))
        yield descriptor
    finally:
        os.close(descriptor)


def content(descriptor: int, limit: int | None = None) -> bytes:
    """What an open file holds now.

    Args:
        descriptor: the file.
        limit: how many bytes to read at most, None for all.
    """
    os.lseek(descriptor, 0, os.SEEK_SET)
    data = bytearray()
    while limit is None or len(data) < limit:
        chunk = os.read(descriptor, _CHUNK if limit is None else min(_CHUNK, limit - len(data)))
        if not chunk:
            break
        data += chunk
    return bytes(data)


def whole(file: Path | str) -> bytes:
    """What a file holds; a pipe or a device, which may have no end, is refused.

    Raises:
        OSError: it cannot be read, or is no regular file.
    """
    with opened(file) as descriptor:
        return content(descriptor)


def below(folder: Path | str, leave_out: str = "") -> Iterator[os.DirEntry[str]]:
    """Everything in a folder and in those below it, however deep, by name; links are not followed.

    Args:
        folder: the folder; one that cannot be listed holds nothing.
        leave_out: the name of folders that are passed over.
    """
    todo = [os.fspath(folder)]
    while todo:
        try:
            with os.scandir(todo.pop()) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError:
            continue
        yield from entries
        todo += [one.path for one in entries if one.is_dir(follow_symlinks=False) and one.name != leave_out]


def names(file: Path, descriptor: int) -> bool:
    """Whether a path names an open file."""
    try:
        return os.path.samestat(os.fstat(descriptor), file.stat())
    except FileNotFoundError:
        return False


def write(descriptor: int, data: bytes) -> None:
    """Write all of the data; the system may take it in pieces."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def append(descriptor: int, data: bytes, *, durable: bool = True) -> None:
    """Append to an open file.

    Args:
        descriptor: the file, opened for reading and appending.
        data: what to append.
        durable: wait until it is on the disk.

    Raises:
        OSError: it cannot be written; nothing is appended, as far as the disk allows and nobody else has appended more.
    """
    size = os.fstat(descriptor).st_size
    try:
        write(descriptor, data)
        if durable:
            os.fsync(descriptor)
    except OSError:
        with suppress(OSError):
            os.lseek(descriptor, size, os.SEEK_SET)
            if data.startswith(os.read(descriptor, len(data) + 1)):
                os.ftruncate(descriptor, size)
        raise


def digest(data: bytes) -> str:
    """A short name for what a file holds."""
    import hashlib

    return hashlib.sha256(data).hexdigest()[:16]


def stem(target: Path) -> str:
    """How the names of all files begin that wrapgen puts beside one; they are hidden and in the same folder."""
    name = target.name if len(os.fsencode(target.name)) <= _LONGEST_NAME else digest(os.fsencode(target.name))
    return f".{name}."


def write_beside(
    target: Path, data: bytes | Iterable[bytes], like: os.stat_result | None, *, private: bool = False
) -> Path:
    """Write a temporary file beside another one, and make sure that it is on the disk.

    Args:
        target: the file that it is to replace.
        data: what to write, in one piece or in several.
        like: whose mode and owner it gets; None for those of a new file.
        private: a new file is readable by its owner only.

    Raises:
        OSError: it cannot be written; nothing is left of it.
    """
    from secrets import token_hex

    temporary = target.with_name(f"{stem(target)}{os.getpid()}.{token_hex(4)}{TEMPORARY}")
    new_mode = _PRIVATE_FILE if private else _NEW_FILE
    mode = new_mode if like is None else stat.S_IMODE(like.st_mode) & 0o777
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
    try:
        try:
            for piece in [data] if isinstance(data, bytes) else data:
                write(descriptor, piece)
            if like is not None:
                _liken(temporary, like)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    return temporary


def _liken(temporary: Path, like: os.stat_result) -> None:
    """Give a file another one's owner and mode: what root writes in somebody's vault stays theirs."""
    own = temporary.stat()
    if os.name == "posix" and (own.st_uid, own.st_gid) != (like.st_uid, like.st_gid):
        with suppress(PermissionError):
            os.chown(temporary, like.st_uid, like.st_gid)
    temporary.chmod(stat.S_IMODE(like.st_mode))  # last: a change of owner takes bits away


def sync_folder(folder: Path) -> None:
    """Make a rename outlive a power cut; systems that cannot open folders do so by themselves.

    A folder that may be written but not read cannot be opened either; there the rename is all that can be had.

    Raises:
        OSError: the disk does not take it.
    """
    if os.name != "posix":
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EACCES):
            raise


def sync_name(file: Path) -> None:
    """Make the name that a file was given outlive a power cut.

    Raises:
        PublishError: the disk does not take it; the file stands all the same.
    """
    try:
        sync_folder(file.parent)
    except OSError as error:
        raise cannot("is written, but the disk did not confirm that it keeps it", file, error) from error


def remove_leftovers(target: Path) -> None:
    """Remove the temporary files that a killed run left beside a file; call it under the lock."""
    for leftover in beside(target, TEMPORARY):
        with suppress(OSError):
            leftover.unlink()


def sweep(folder: Path) -> None:
    """Remove the temporary files that killed runs left in one of the program's own folders; call it under the lock."""
    with suppress(OSError), os.scandir(folder) as entries:
        for leftover in [entry.path for entry in entries if entry.name.endswith(TEMPORARY)]:
            with suppress(OSError):
                os.unlink(leftover)  # noqa: PTH108 - as os.scandir gives it


def beside(target: Path, ending: str) -> list[Path]:
    """The files beside another one that wrapgen made and named with an ending."""
    import glob

    return sorted(target.parent.glob(f"{glob.escape(stem(target))}*{ending}"))


def cannot(what: str, where: Path, error: OSError) -> PublishError:
    """The error that a user reads when the system refuses to write.

    Args:
        what: what happened, and that nothing was lost.
        where: the file or folder.
        error: what the system said.
    """
    return PublishError(f"{what} ({error.strerror or error})", where=str(where), next_step=remedy(error))
