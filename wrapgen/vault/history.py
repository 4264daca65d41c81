"""When a line was last changed, by git: for vaults whose files all bear the day of a checkout."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta, timezone
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wrapgen.vault.git import Git

_HEADER = re.compile(rb"([0-9a-f]{40,64}) \d+ (\d+)")
_UNCOMMITTED = b"0" * 40


def line_days(git: Git, path: str) -> dict[int, date]:
    """The commit day of every committed line of a file.

    Args:
        git: the repository of the vault, if there is one.
        path: the file, relative to the vault.

    Returns:
        1-based line to day, in the committer's time zone; empty where git does not know the file.
    """
    blamed = git.ask("blame", "--no-textconv", "--line-porcelain", "--", path)
    if blamed is None:
        return {}
    days: dict[int, date] = {}
    line, commit, seconds = 0, b"", 0
    for row in blamed.split(b"\n"):
        if header := _HEADER.match(row):
            commit, line = header[1], int(header[2])
        elif row.startswith(b"committer-time "):
            seconds = int(row.split()[1])
        elif row.startswith(b"committer-tz ") and not commit.startswith(_UNCOMMITTED):
            with suppress(ValueError, OverflowError, OSError):  # a year that no calendar has is no day
                days[line] = datetime.fromtimestamp(seconds, _zone(row.split()[1])).date()
    return days


def _zone(offset: bytes) -> timezone:
    """The zone that an offset names; that of Greenwich for what tools that import histories have made up."""
    sign = -1 if offset.startswith(b"-") else 1
    digits = offset.lstrip(b"+-")
    if len(digits) != 4 or not digits.isdigit():
        return UTC
    east = sign * timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(east) if abs(east) < timedelta(days=1) else UTC
