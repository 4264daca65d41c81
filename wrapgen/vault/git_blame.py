"""When a line was last changed, by git: for vaults whose files all have the date of a checkout."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, date, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from wrapgen.late_pattern import late
from wrapgen.vault.cache import Stamp
from wrapgen.vault.git import Git, is_below_git

if TYPE_CHECKING:
    from wrapgen.vault.entry_index import Kept

_HEADER = late(rb"([0-9a-f]{40,64}) \d+ (\d+)")
_UNCOMMITTED = b"0" * 40
_BOUNDARY = b"\nboundary\n"
_PATIENCE = 5.0  # seconds that the first run after a clone waits for git; the next one asks about the rest
LineDays = dict[int, date | None]
"""The days of lines by number; None where none is known."""


class Blamed(msgspec.Struct, frozen=True, array_like=True):
    """What git said about files."""

    head: bytes  # the commit that was checked out
    files: dict[str, tuple[Stamp, dict[int, int]]]  # the stamp of each, and the days of its lines as ordinals


def commit_days(
    folder: Path,
    cache: Kept[Blamed],
    wanted: Collection[str],
    stamps: Mapping[str, Stamp],
    settled: Collection[str],
) -> dict[str, LineDays]:
    """The commit day of every committed line of files; of those about which git gave no answer in time, nothing.

    Git is called once for each file until it changes or a commit touches it; what is `settled` may be remembered.
    """
    git = Git(folder, timeout=_PATIENCE)
    head = git.head if wanted else None
    if head is None:
        return {} if wanted and _is_unanswered(folder, git) else {path: {} for path in wanted}
    last = cache.load()
    before = _untouched(git, last, head) if last else {}
    known = {path: one for path, one in before.items() if stamps.get(path) == one[0]}
    found = _asked(git, [path for path in wanted if path not in known])
    if settled and (found or last is None or last.head != head):
        kept = known | {
            path: (stamps[path], {line: day.toordinal() for line, day in lines.items() if day})
            for path, lines in found.items()
            if path in settled
        }
        # What a shallow clone lacks may be fetched later.
        whole = {path: one for path, one in kept.items() if path not in found or None not in found[path].values()}
        cache.save(Blamed(head, whole))
    dated: dict[str, LineDays] = {
        path: {line: date.fromordinal(day) for line, day in lines.items()}
        for path, (_, lines) in known.items()
        if path in wanted
    }
    return dated | found


def _is_unanswered(folder: Path, git: Git) -> bool:
    """Whether there is a work tree of which git says nothing: another user's, or there is no git."""
    return is_below_git(folder.resolve()) and git.ask("rev-parse", "--git-dir") is None


def _asked(git: Git, paths: Sequence[str]) -> dict[str, LineDays]:
    """Ask git; each call is a process, so as many run at once as there are cores."""
    deadline = time.monotonic() + _PATIENCE

    def ask(path: str) -> LineDays | None:
        return line_days(git, path) if time.monotonic() < deadline else None

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = zip(paths, pool.map(ask, paths), strict=True)
        return {path: days for path, days in answers if days is not None}


def _untouched(git: Git, last: Blamed, head: bytes) -> dict[str, tuple[Stamp, dict[int, int]]]:
    """The files that no commit since has touched; after a merge any line may have come another way."""
    if last.head == head:
        return last.files
    old, new = (one.decode("ascii", "replace").strip() for one in (last.head, head))
    if git.ask("merge-base", "--is-ancestor", old, new) is None:
        return {}
    if git.ask("rev-list", "--merges", "--max-count=1", f"{old}..{new}"):
        return {}
    said = git.ask("log", "--format=", "--name-only", "--no-renames", "--relative", "-z", f"{old}..{new}")
    if said is None:
        return {}
    touched = {os.fsdecode(path.strip(b"\n")) for path in said.split(b"\0")}
    return {path: one for path, one in last.files.items() if path not in touched}


def line_days(git: Git, path: str) -> LineDays | None:
    """The commit day of every committed line of a file, by 1-based line, in the committer's time zone.

    None where a shallow clone does not tell; empty where git does not know the file. None when git did not answer.
    """
    # A list of revisions ignored in one clone only would give different days there.
    blamed = git.ask("blame", "--no-textconv", "--ignore-revs-file=", "--porcelain", "--", path)
    if blamed is None:
        return {} if git.ask("ls-tree", "--name-only", "-z", "HEAD", "--", path) == b"" else None
    return dict(_days(blamed, cut_off=_BOUNDARY in blamed and git.is_shallow))


def _days(blamed: bytes, *, cut_off: bool) -> Iterator[tuple[int, date | None]]:
    """Parse `--porcelain` output: a commit's fields follow only its first line.

    `cut_off`: whether the first commits stand for all that were before them.
    """
    commits: dict[bytes, date | None] = {}
    lines: list[tuple[int, bytes]] = []
    commit, seconds = b"", 0
    for row in blamed.split(b"\n"):
        if header := _HEADER.match(row):
            commit = header[1]
            lines.append((int(header[2]), commit))
        elif row.startswith(b"committer-time "):
            seconds = int(row.split()[1])
        elif row.startswith(b"committer-tz ") and not commit.startswith(_UNCOMMITTED):
            with suppress(ValueError, OverflowError, OSError):  # a commit may have a year outside the calendar
                commits[commit] = datetime.fromtimestamp(seconds, _zone(row.split()[1])).date()
        elif cut_off and row == b"boundary":
            commits[commit] = None
    return ((line, commits[commit]) for line, commit in lines if commit in commits)


def _zone(offset: bytes) -> tzinfo:
    """The zone of an offset; UTC for invalid ones, as written by some import tools."""
    with suppress(ValueError):
        return datetime.strptime(offset.decode("ascii", "replace"), "%z").tzinfo or UTC
    return UTC
