"""When a line was last changed, by git: for vaults whose files all bear the day of a checkout."""

from __future__ import annotations

import os
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import msgspec

from wrapgen.headings import roles
from wrapgen.model import Kind
from wrapgen.vault.stamps import Stamp

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from wrapgen.config import Sections
    from wrapgen.model import Source
    from wrapgen.vault.cache import CacheFile
    from wrapgen.vault.git import Git

_HEADER = re.compile(rb"([0-9a-f]{40,64}) \d+ (\d+)")
_UNCOMMITTED = b"0" * 40


class Blamed(msgspec.Struct, frozen=True, array_like=True):
    """What git said about files.

    Attributes:
        head: the commit that was checked out.
        files: the stamp of each, and the days of its lines as ordinals.
    """

    head: bytes
    files: dict[str, tuple[Stamp, dict[int, int]]]


class History:
    """The days of lines, remembered until the file changes or a commit touches it.

    Args:
        git: the repository of the vault, if there is one.
        cache: where that is remembered.
    """

    def __init__(self, git: Git, cache: CacheFile[Blamed]) -> None:
        self._git = git
        self._cache = cache

    def days(self, files: Mapping[str, Stamp], settled: Collection[str]) -> dict[str, dict[int, date]]:
        """The commit day of every committed line: git is asked once for each file that it is not known of.

        Args:
            files: the stamps of the files by their paths.
            settled: those that may be remembered.
        """
        head = self._git.ask("rev-parse", "HEAD") if files else None
        if head is None:
            return {}
        known = {path: one for path, one in self._known(head).items() if files.get(path) == one[0]}
        unknown = [path for path in files if path not in known]
        # Each answer is another process: as many at once as there are cores.
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = dict(zip(unknown, pool.map(lambda path: line_days(self._git, path), unknown), strict=True))
        days = {path: {line: date.fromordinal(day) for line, day in one[1].items()} for path, one in known.items()}
        days |= found
        if unknown and settled:
            ordinals = {path: {line: day.toordinal() for line, day in lines.items()} for path, lines in days.items()}
            self._cache.save(Blamed(head, {path: (files[path], ordinals[path]) for path in files if path in settled}))
        return days

    def _known(self, head: bytes) -> dict[str, tuple[Stamp, dict[int, int]]]:
        """What was remembered and is still so."""
        last = self._cache.load()
        if last is None:
            return {}
        return last.files if last.head == head else self._untouched(last, head)

    def _untouched(self, last: Blamed, head: bytes) -> dict[str, tuple[Stamp, dict[int, int]]]:
        """The files that no commit since has touched; after a merge any line may have come another way."""
        old, new = (one.decode("ascii", "replace").strip() for one in (last.head, head))
        if self._git.ask("merge-base", "--is-ancestor", old, new) is None:
            return {}
        if self._git.ask("rev-list", "--merges", "--max-count=1", f"{old}..{new}"):
            return {}
        said = self._git.ask("log", "--format=", "--name-only", "--no-renames", "--relative", "-z", f"{old}..{new}")
        if said is None:
            return {}
        touched = {os.fsdecode(path.strip(b"\n")) for path in said.split(b"\0")}
        return {path: one for path, one in last.files.items() if path not in touched}


def has_undated_ticks(source: Source, sections: Sections) -> bool:
    """Whether a finished item has no day of its own: everything else that is finished bears one, or its journal's.

    Args:
        source: the parsed file.
        sections: the names of headings.
    """
    ticks = [entry for entry in source.document.entries if entry.done and entry.finished is None]
    if source.kind is not Kind.JOURNAL_NEXT:
        return bool(ticks)
    headings = ((section.title, section.parent) for section in source.document.sections)
    role = roles(headings, sections.next, sections.done) if ticks else []
    return any(entry.section >= 0 and role[entry.section] == "next" for entry in ticks)


def line_days(git: Git, path: str) -> dict[int, date]:
    """The commit day of every committed line of a file.

    Args:
        git: the repository of the vault, if there is one.
        path: the file, relative to the vault.

    Returns:
        1-based line to day, in the committer's time zone; empty where git does not know the file.
    """
    # A list of revisions that one clone passes over would give other days than in the next.
    blamed = git.ask("blame", "--no-textconv", "--ignore-revs-file=", "--porcelain", "--", path)
    return dict(_days(blamed)) if blamed else {}


def _days(blamed: bytes) -> Iterator[tuple[int, date]]:
    """What `--porcelain` says: facts of a commit stand below the first of its lines alone."""
    commits: dict[bytes, date] = {}
    lines: list[tuple[int, bytes]] = []
    commit, seconds = b"", 0
    for row in blamed.split(b"\n"):
        if header := _HEADER.match(row):
            commit = header[1]
            lines.append((int(header[2]), commit))
        elif row.startswith(b"committer-time "):
            seconds = int(row.split()[1])
        elif row.startswith(b"committer-tz ") and not commit.startswith(_UNCOMMITTED):
            with suppress(ValueError, OverflowError, OSError):  # a commit may bear a year that no calendar has
                commits[commit] = datetime.fromtimestamp(seconds, _zone(row.split()[1])).date()
    return ((line, commits[commit]) for line, commit in lines if commit in commits)


def _zone(offset: bytes) -> timezone:
    """The zone that an offset names; that of Greenwich for what tools that import histories have made up."""
    sign = -1 if offset.startswith(b"-") else 1
    digits = offset.lstrip(b"+-")
    if len(digits) != 4 or not digits.isdigit():
        return UTC
    east = sign * timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(east) if abs(east) < timedelta(days=1) else UTC
