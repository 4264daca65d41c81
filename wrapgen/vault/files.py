"""Reading sources, and publishing what the program makes by itself.

A file is replaced in one step (temporary file in the same folder, fsync, rename, fsync of the folder), so that neither
a reader nor a crash leaves half a file. Files that people write are changed by `wrapgen.vault.rewrite`.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from wrapgen.errors import PublishError
from wrapgen.vault import disk
from wrapgen.vault.held import held, inside, make_folder

DECODED_WITH_ERRORS = "decoded with errors"
LARGEST_FILE = 5_000_000
"""Bytes; larger files are listed as unreadable instead of read."""
_PRIVATE_FOLDER = 0o700
_IGNORE = ".gitignore"


@dataclass(frozen=True, slots=True)
class Text:
    """What a file holds."""

    text: str  # without byte order mark, line endings as they are
    trouble: str | None = None  # what was wrong with it although it was read


def read(file: Path | str, max_bytes: int) -> Text:
    """Read a file whole; OSError when it is not a regular file, or is larger than `max_bytes` (`EFBIG`)."""
    with disk.opened(file) as descriptor:
        data = disk.content(descriptor, max_bytes + 1)
    if len(data) > max_bytes:
        raise OSError(errno.EFBIG, f"is larger than {max_bytes} bytes")
    try:
        return Text(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return Text(data.decode("utf-8-sig", "replace"), DECODED_WITH_ERRORS)


def make_private_folder(folder: Path, root: Path, *, ignored: Path | None = None, pattern: str = "*") -> None:
    """Create a folder for the program's own files: private to the user, ignored by git; PublishError when it cannot be.

    Args:
        ignored: the folder that git is told to ignore when it is new or empty; by default the topmost new one, or the
            folder itself where it came with somebody's repository, or from a run that was killed.
        pattern: what git is told to ignore in a folder that is not new; there may be somebody's files in it.
    """
    inside(folder, root)
    with disk.refused("the folder cannot be made", folder):
        missing = list(takewhile(lambda path: not path.exists(), (folder, *folder.parents)))
        if missing:
            make_folder(folder, root, _PRIVATE_FOLDER)
        own = [path for path in (folder, *folder.parents) if path.is_relative_to(root) and path != root]
        if ignored:
            due = bool(missing) or all(one.name == _IGNORE for one in ignored.iterdir())  # else it is the user's own
        else:
            ignored = missing[-1] if missing else folder
            due = not any(_ignores(one, b"*", pattern.encode()) for one in own)
        if due and not _says_something(ignored / _IGNORE):
            _tell_git(ignored / _IGNORE, root, "*" if missing else pattern)


def _tell_git(file: Path, root: Path, pattern: str) -> None:
    """Write a git ignore entry, all or nothing: half an entry would stay forever."""
    with held(file, root) as ignore, ignore.opened(os.O_RDWR | os.O_APPEND | os.O_CREAT) as descriptor:
        disk.append(descriptor, f"{pattern}\n".encode(), durable=False)


def _ignores(folder: Path, *patterns: bytes) -> bool:
    with suppress(FileNotFoundError):
        return not set(patterns).isdisjoint(disk.whole(folder / _IGNORE).split())
    return False


def _says_something(file: Path) -> bool:
    return file.exists() and file.stat().st_size > 0


def make_new(root: Path, files: Mapping[str, str]) -> list[str]:
    """Write files (texts by path) that do not exist yet, with the folders above them; the paths that were written."""
    written: list[str] = []
    for path, text in files.items():
        target = root / path
        if not os.path.lexists(target):
            make_folder(inside(target, root).parent, root)
            publish(target, text.encode("utf-8"), root=root, private=path.startswith(".wrapgen/"))
            written.append(path)
    return written


def publish(file: Path, data: bytes, *, root: Path, private: bool = False) -> bool:
    """Replace a file in one step, or leave it alone when it already holds the text; whether it was replaced.

    Raises PublishError when it cannot be written, or is a link out of the vault; the existing file is unchanged.
    """
    with disk.refused("cannot be written; the existing file is unchanged", file), held(file, root) as target:
        if target.path.is_dir():
            raise PublishError("is a folder, so nothing can be written there", where=str(target.path))
        disk.remove_leftovers(target)
        with ExitStack() as stack:
            former = None
            with suppress(FileNotFoundError):
                former = stack.enter_context(target.opened())
                if disk.content(former) == data:
                    return False
            with disk.replacing(target, data, former, private=private):
                if os.name != "posix":
                    stack.close()  # other systems do not replace a file that is open
        disk.sync_name(target)
    return True
