"""When a line was last changed, by git: for vaults whose files all bear the day of a checkout."""

from __future__ import annotations

import os
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import TYPE_CHECKING

from wrapgen.headings import roles
from wrapgen.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wrapgen.config import Sections
    from wrapgen.model import Source
    from wrapgen.vault.git import Git

_HEADER = re.compile(rb"([0-9a-f]{40,64}) \d+ (\d+)")
_UNCOMMITTED = b"0" * 40


def dated(sources: Sequence[Source], git: Git, sections: Sections) -> list[Source]:
    """Sources with the days of their lines, where a day counts: git is asked once for each file with such a tick.

    Args:
        sources: the parsed files.
        git: the repository of the vault, if there is one.
        sections: the names of headings.
    """
    asked = [at for at, source in enumerate(sources) if _has_undated_ticks(source, sections)]
    if not asked or git.ask("rev-parse", "HEAD") is None:
        return list(sources)
    # Each answer is another process: as many at once as there are cores.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        days = pool.map(lambda at: line_days(git, sources[at].path), asked)
        found = dict(zip(asked, days, strict=True))
    return [replace(source, line_days=found.get(at, {})) for at, source in enumerate(sources)]


def _has_undated_ticks(source: Source, sections: Sections) -> bool:
    """Whether a finished item has no day of its own: everything else that is finished bears one, or its journal's."""
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
