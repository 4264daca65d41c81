"""Reading sources, and publishing what the program makes by itself.

A file is replaced in one step (temporary file in the same folder, fsync, rename, fsync of the folder), so that a
reader or a crash never meets half of it. Files that people write are changed by `wrapgen.vault.rewrite`.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.errors import PublishError
from wrapgen.vault import disk

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

DECODED_WITH_ERRORS = "decoded with errors"
_PRIVATE_FILE = 0o600
_IGNORE = ".gitignore"


@dataclass(frozen=True, slots=True)
class Text:
    """What a file holds.

    Attributes:
        text: without byte order mark, line endings as they are.
        trouble: what was wrong with it although it was read.
    """

    text: str
    trouble: str | None = None


def read(file: Path | str, max_bytes: int) -> Text:
    """Read a file whole.

    Args:
        file: the path.
        max_bytes: size from which it is refused.

    Raises:
        OSError: it cannot be read, is no regular file, or is larger than `max_bytes` (`EFBIG`).
    """
    with disk.opened(file) as descriptor:
        data = disk.content(descriptor, max_bytes + 1)
    if len(data) > max_bytes:
        raise OSError(errno.EFBIG, f"is larger than {max_bytes} bytes")
    try:
        return Text(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return Text(data.decode("utf-8-sig", "replace"), DECODED_WITH_ERRORS)


def make_private_folder(folder: Path, root: Path, *, ignored: Path | None = None, pattern: str = "*") -> None:
    """Make a folder for the program's own files: only its owner may enter, git ignores it.

    Args:
        folder: the folder; folders above it that are missing are made too. One that came with somebody's repository is
            ignored from now on.
        root: the vault.
        ignored: the folder that git is told to ignore when it is new or empty; by default the topmost new one, or the
            folder itself where a run that was killed has made it and did not get so far.
        pattern: what git is told to ignore in a folder that is not new; there may be somebody's files in it.

    Raises:
        PublishError: it cannot be made, or a link leads out of the vault.
    """
    disk.inside(folder, root)
    try:
        missing = [path for path in (folder, *folder.parents) if not path.exists()]
        for path in reversed(missing):  # `parents=True` would give the mode to the last one only
            path.mkdir(mode=0o700, exist_ok=True)
        own = [path for path in (folder, *folder.parents) if path.is_relative_to(root) and path != root]
        if ignored:
            due = bool(missing) or all(one.name == _IGNORE for one in ignored.iterdir())  # else it is somebody's own
        else:
            ignored = missing[-1] if missing else folder
            due = not any(_ignores(one, b"*", pattern.encode()) for one in own)
        if due and not _says_something(ignored / _IGNORE):
            _tell_git(ignored / _IGNORE, "*" if missing else pattern)
    except OSError as error:
        raise disk.cannot("the folder cannot be made", folder, error) from error


def _tell_git(file: Path, pattern: str) -> None:
    """Name what git is to leave out, wholly or not at all: half a name would stand there for good."""
    descriptor = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), _PRIVATE_FILE)
    try:
        disk.append(descriptor, f"{pattern}\n".encode(), durable=False)
    finally:
        os.close(descriptor)


def _ignores(folder: Path, *patterns: bytes) -> bool:
    """Whether git is told to leave out what one of some patterns names in a folder."""
    with suppress(FileNotFoundError):
        return not set(patterns).isdisjoint((folder / _IGNORE).read_bytes().split())
    return False


def _says_something(file: Path) -> bool:
    """Whether a file is there and not empty, as one is that a run was killed over."""
    return file.exists() and file.stat().st_size > 0


def make_new(root: Path, files: Mapping[str, str]) -> list[str]:
    """Write files that do not exist yet, each in one step, with the folders above them.

    Args:
        root: the folder that they lie in.
        files: texts by path relative to it.

    Returns:
        the paths that were written; what stands there already stays as it is, be it a link that leads nowhere.

    Raises:
        OSError: a folder cannot be made.
        PublishError: a file cannot be written, or a link leads out of the folder; those before it are written.
    """
    written: list[str] = []
    for path, text in files.items():
        target = root / path
        if not os.path.lexists(target):
            disk.inside(target, root).parent.mkdir(parents=True, exist_ok=True)
            publish(target, text.encode("utf-8"), root=root)
            written.append(path)
    return written


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
    target = disk.inside(file, root)
    try:
        if target.is_dir():
            raise PublishError("is a folder, so nothing can be written there", where=str(file))
        disk.remove_leftovers(target)
        status = None
        with suppress(FileNotFoundError):
            if disk.whole(target) == data:
                return False
            status = target.stat()
        temporary = disk.write_beside(target, data, status, private=private)
        try:
            temporary.replace(target)
        except BaseException:
            disk.remove_leftovers(target)
            raise
    except OSError as error:
        raise disk.cannot("cannot be written; the former file is untouched", file, error) from error
    disk.sync_name(target)
    return True
