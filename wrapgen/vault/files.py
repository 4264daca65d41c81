"""Reading, locking and replacing files: the only room that opens them for writing.

A file is replaced in one step (temporary file in the same folder, flush, fsync, rename, fsync of the folder), so
that a reader or a crash never meets half of it.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from wrapgen.errors import PublishError

DECODED_WITH_ERRORS = "decoded with errors"
_TEMPORARY = ".wrapgen-tmp"


@dataclass(frozen=True, slots=True)
class Text:
    """What a file holds.

    Attributes:
        text: without byte order mark, line endings as they are.
        changed: day of the last change, in local time.
        trouble: what was wrong with it although it was read.
    """

    text: str
    changed: date
    trouble: str | None = None


def read(file: Path, max_bytes: int) -> Text:
    """Read a file whole.

    Args:
        file: the path.
        max_bytes: size from which it is refused.

    Raises:
        OSError: it cannot be read, is no regular file, or is larger than `max_bytes` (`EFBIG`).
    """
    # Opening a pipe without O_NONBLOCK would wait for its writer for ever.
    descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(descriptor, "rb") as handle:  # noqa: PTH123 - a descriptor, not a path
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "is not a regular file")
        data = handle.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise OSError(errno.EFBIG, f"is larger than {max_bytes} bytes")
    changed = datetime.fromtimestamp(status.st_mtime).astimezone().date()
    try:
        return Text(data.decode("utf-8-sig"), changed)
    except UnicodeDecodeError:
        return Text(data.decode("utf-8-sig", "replace"), changed, DECODED_WITH_ERRORS)


def make_private_folder(folder: Path) -> None:
    """Make a folder for the program's own files: only its owner may enter, git ignores it.

    Args:
        folder: the folder; folders above it that are missing are made too, and the topmost new one is ignored by git.

    Raises:
        PublishError: it cannot be made.
    """
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if missing:
            (missing[-1] / ".gitignore").write_text("*\n", encoding="utf-8")
    except OSError as error:
        raise cannot("the folder cannot be made", folder, error) from error


def publish(file: Path, data: bytes, *, root: Path, private: bool = False) -> bool:
    """Replace a file in one step, or leave it alone when it already holds the text.

    Args:
        file: the file; a symbolic link is followed when its target lies in the vault.
        data: its new content.
        root: the vault.
        private: a new file is readable by its owner only.

    Returns:
        whether the file was replaced.

    Raises:
        PublishError: it cannot be written; the former file is untouched.
    """
    target = _target(file, root)
    try:
        if target.is_dir():
            raise PublishError("is a folder, so the dashboard cannot be written there", where=str(file))
        remove_leftovers(target)
        with suppress(FileNotFoundError):
            if target.read_bytes() == data:
                return False
        _replace(target, data, 0o600 if private else 0o666)
    except OSError as error:
        raise cannot("cannot be written; the former file is untouched", file, error) from error
    return True


def _target(file: Path, root: Path) -> Path:
    if not file.is_symlink():
        return file
    target = Path(os.path.realpath(file))
    if not target.is_relative_to(os.path.realpath(root)):
        raise PublishError(
            "is a symbolic link that leads out of the vault", where=str(file), next_step="Remove the link, or move it."
        )
    return target


def _replace(target: Path, data: bytes, new_mode: int) -> None:
    temporary = target.with_name(f".{target.name}.{os.getpid()}.{secrets.token_hex(4)}{_TEMPORARY}")
    try:
        mode = stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        mode = None
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), new_mode)
    try:
        with open(descriptor, "wb") as handle:  # noqa: PTH123 - a descriptor, not a path
            handle.write(data)
            handle.flush()
            if mode is not None:
                temporary.chmod(mode)
            os.fsync(descriptor)
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make a rename outlive a power cut; systems that cannot open folders do so by themselves."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def remove_leftovers(target: Path) -> None:
    """Remove the temporary files that a killed run left beside a file; call it under the lock."""
    for leftover in target.parent.glob(f".{_escaped(target.name)}.*{_TEMPORARY}"):
        with suppress(OSError):
            leftover.unlink()


def _escaped(name: str) -> str:
    import glob

    return glob.escape(name)


def cannot(what: str, where: Path, error: OSError) -> PublishError:
    """The error for a write that the system refused, with what to do about it.

    Args:
        what: what failed, without a full stop.
        where: the file.
        error: what the system said.
    """
    steps = {
        errno.ENOSPC: "Free some space on the disk and run again.",
        errno.EDQUOT: "Free some of your disk quota and run again.",
        errno.EACCES: "Change the permissions of the file or its folder and run again.",
        errno.EPERM: "Change the permissions of the file or its folder and run again.",
        errno.EROFS: "The file system is read-only: make it writable, or use `wrap audit`, which writes nothing.",
    }
    step = steps.get(error.errno or 0, "Run again when the cause is removed.")
    return PublishError(f"{what} ({error.strerror or error})", where=str(where), next_step=step)
