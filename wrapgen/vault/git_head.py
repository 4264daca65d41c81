"""Which commit is checked out, by git's own files: a rebuild of unchanged notes starts no process to ask."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from wrapgen.vault import disk

if TYPE_CHECKING:
    from pathlib import Path

_COMMIT = re.compile(rb"[0-9a-f]{40,64}")
_LARGEST = 16 << 20  # bytes of a file; a list of packed refs is the largest


def head_of(folder: Path) -> bytes | None:
    """The commit that is checked out around a folder; None outside of a work tree, or if only git itself can tell."""
    git = mark_of(folder)
    if git is None:
        return None
    if git.is_file():  # a linked work tree, or a submodule
        git = git.parent / os.fsdecode(_content(git).partition(b"gitdir:")[2].strip()).replace("\0", "")
    head = _content(git / "HEAD").strip()
    if not head.startswith(b"ref: "):
        return _commit(head)
    name = os.fsdecode(head[5:]).replace("\0", "")
    common = git / os.fsdecode(_content(git / "commondir").strip()).replace("\0", "")
    return _commit(_content(common / name)) or _packed(_content(common / "packed-refs"), name)


def mark_of(folder: Path) -> Path | None:
    """What makes a folder or one above it a work tree, whether git can read it or not."""
    above = (one / ".git" for one in (folder, *folder.parents))
    return next((one for one in above if os.path.lexists(one)), None)


def _packed(refs: bytes, name: str) -> bytes | None:
    rows = (row for row in refs.splitlines() if row.endswith(b" " + os.fsencode(name)))
    return next((_commit(row.partition(b" ")[0]) for row in rows), None)


def _commit(words: bytes) -> bytes | None:
    return found[0] if (found := _COMMIT.fullmatch(words.strip())) else None


def _content(file: Path) -> bytes:
    try:
        with disk.opened(file) as descriptor:
            return disk.content(descriptor, _LARGEST)
    except OSError:
        return b""
