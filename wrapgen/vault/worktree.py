"""What git says about a working folder (the branch, the changed files), and which worktrees were once seen."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from wrapgen.vault.git import Git
from wrapgen.vault.temporary import put
from wrapgen.whereabouts import repository, seen_worktrees, worktrees, worktrees_file

_TIMEOUT = 5.0  # seconds; the caller waits for the answer
_MOST_SEEN = 2_000  # worktrees that are remembered
_HEAD = b"# branch.head "
_DETACHED = "(detached)"
# Fields before the path, by the kind of entry: see "Porcelain Format Version 2" in git-status(1).
_FIELDS = {b"1": 8, b"2": 9, b"u": 10, b"?": 1}
_CHANGES = {"A": "created", "C": "created", "?": "created", "D": "deleted", "R": "renamed", "U": "conflicted"}


@dataclass(frozen=True, slots=True)
class Worktree:
    """The state of a working folder."""

    branch: str = ""  # the branch that is checked out, nothing when there is none
    # path relative to the folder, and what became of the file, the oldest change first
    changes: tuple[tuple[str, str], ...] = ()


def worktree(folder: Path) -> Worktree:
    """The state of a folder; nothing where there is no git, no repository or no answer in time."""
    # For files in a submodule git would start itself again there, running what the submodule configures.
    words = ("status", "--porcelain=v2", "--branch", "--ignore-submodules=dirty", "-z")
    status = Git(folder, timeout=_TIMEOUT).ask(*words)
    if status is None:
        return Worktree()
    rows = status.split(b"\0")
    head = next((os.fsdecode(row.removeprefix(_HEAD)) for row in rows if row.startswith(_HEAD)), "")
    # With -z the paths are those from the top of the repository.
    top = next((one for one in (folder, *folder.parents) if (one / ".git").exists()), folder)
    changed = sorted((_changed_at(top / path), path, change) for path, change in _entries(rows))
    return Worktree(
        "" if head == _DETACHED else head,
        tuple((os.path.relpath(top / path, folder).replace(os.sep, "/"), change) for _, path, change in changed),
    )


def _entries(rows: list[bytes]) -> Iterator[tuple[str, str]]:
    """Path and change of each entry; a renamed file's former path is in a row of its own."""
    each = iter(rows)
    for row in each:
        kind = row[:1]
        parts = row.split(b" ", _FIELDS.get(kind, 0))
        if kind not in _FIELDS or len(parts) <= _FIELDS[kind]:
            continue
        if kind == b"2":
            next(each, None)
        states = {b"u": "U", b"?": "?"}.get(kind) or parts[1].decode("ascii", "replace")
        change = next((_CHANGES[state] for state in states if state in _CHANGES), "modified")
        yield os.fsdecode(parts[-1]), change


def _changed_at(file: Path) -> int:
    """When a file changed, in nanoseconds; 0 for one that is gone."""
    try:
        return file.lstat().st_mtime_ns
    except OSError:
        return 0


def note_worktrees(folders: Iterable[str]) -> None:
    """Remember the worktrees of the repositories of some folders, so that they are known when they are gone.

    Nothing depends on it but that: where it cannot be written, a conversation of a worktree that is gone has no place.
    """
    known = seen_worktrees()
    homes = {home.git for one in folders if (home := repository(os.path.realpath(one)))}
    new = {top: git for git in homes for top, _ in worktrees(git) if known.get(top) != git}
    if new:
        file = worktrees_file()
        with suppress(OSError):
            os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)  # noqa: PTH103, PTH120
            put(file, json.dumps(dict([*known.items(), *new.items()][-_MOST_SEEN:])).encode())
