"""What git says of the work itself: the last commits, and single ones that somebody names."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wrapgen.vault.git import Git

LAST_COMMITS = 500
"""So many are looked at for hints: with more, old ones crowd out what is about an item."""
_RECORD, _FIELD = "\x1e", "\x1f"
_FORMAT = f"--format={_RECORD}%h{_FIELD}%cs{_FIELD}%s"


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit of the repository that holds the notes."""

    hash: str  # abbreviated
    day: date
    subject: str
    paths: frozenset[str] = frozenset()  # what it touched, relative to the vault

    @property
    def at(self) -> str:
        """How a proof names it."""
        return f"commit:{self.hash}"


def last_commits(git: Git, most: int = LAST_COMMITS) -> list[Commit]:
    """The last commits, newest first; none outside of git.

    Args:
        most: how many.
    """
    said = git.ask(
        "-c", "core.quotePath=off", "log", f"--max-count={most}", "--no-renames", "--relative", "--name-only", _FORMAT
    )
    records = os.fsdecode(said or b"").split(_RECORD)[1:]
    return [one for record in records if (one := _commit(record))]


def commit_named(git: Git, name: str) -> Commit | None:
    """The commit with a hash or its beginning; None where there is none, or several.

    Args:
        name: hexadecimal digits.
    """
    said = git.ask("log", "--max-count=1", _FORMAT, "--end-of-options", f"{name}^{{commit}}", "--")
    return _commit(os.fsdecode(said).partition(_RECORD)[2]) if said else None


def _commit(record: str) -> Commit | None:
    head, *paths = record.split("\n")
    fields = head.split(_FIELD, 2)
    try:
        return Commit(fields[0], date.fromisoformat(fields[1]), fields[2], frozenset(filter(None, paths)))
    except (IndexError, ValueError):  # a year outside of the calendar
        return None
