"""Reading sources, and publishing what the program makes by itself.

A file is replaced in one step (temporary file in the same folder, fsync, rename, fsync of the folder), so that a
reader or a crash never meets half of it. Files that people write are changed by `wrapgen.vault.rewrite`.
"""

from __future__ import annotations

import errno
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from wrapgen.errors import PublishError
from wrapgen.vault import disk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DECODED_WITH_ERRORS = "decoded with errors"


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


def make_private_folder(folder: Path, root: Path, *, ignored: Path | None = None) -> None:
    """Make a folder for the program's own files: only its owner may enter, git ignores it.

    Args:
        folder: the folder; folders above it that are missing are made too. One that came with somebody's repository is
            ignored from now on.
        root: the vault.
        ignored: the folder that git is told to ignore when it is new or empty; by default the topmost new one.

    Raises:
        PublishError: it cannot be made, or a link leads out of the vault.
    """
    disk.inside(folder, root)
    try:
        missing = [path for path in (folder, *folder.parents) if not path.exists()]
        for path in reversed(missing):  # `parents=True` would give the mode to the last one only
            path.mkdir(mode=0o700, exist_ok=True)
        if ignored is None and missing:
            ignored = missing[-1]
        if ignored and (missing or not any(ignored.iterdir())):  # empty: a run was killed here
            (ignored / ".gitignore").write_text("*\n", encoding="utf-8")
        elif ignored is None and not any((path / ".gitignore").exists() for path in _own_folders(folder, root)):
            (folder / ".gitignore").write_text("*\n", encoding="utf-8")
    except OSError as error:
        raise disk.cannot("the folder cannot be made", folder, error) from error


def _own_folders(folder: Path, root: Path) -> Iterator[Path]:
    """A folder and those above it, up to the vault."""
    return takewhile(lambda path: path != root, (folder, *folder.parents))


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
        disk.sync_folder(target.parent)
    except OSError as error:
        raise disk.cannot("cannot be written; the former file is untouched", file, error) from error
    return True
