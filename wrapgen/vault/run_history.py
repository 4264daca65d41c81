"""The numbers of rebuilds, day by day and week by week, and the file that keeps them: one JSON line a day.

Nothing else depends on it. It contains numbers and project names, no text of notes.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

import msgspec

from wrapgen.days import moved
from wrapgen.errors import PublishError
from wrapgen.vault.disk import make_private_folder, publish
from wrapgen.vault.held import inside
from wrapgen.vault.state import read_lines
from wrapgen.word_digests import unpacked

# How old open items are, by the first day (0 for today) that belongs to the next group.
AGES = {"under a week": 7, "under two weeks": 14, "under a month": 30, "under a quarter": 90}
OLDER, UNDATED = "older", "undated"
AGE_GROUPS = (*AGES, OLDER, UNDATED)
NAMED_PROJECTS = 50  # of a day, those with the most open items


class Day(msgspec.Struct, frozen=True):
    """The last rebuild of a day, and what all rebuilds of that day found new and resolved."""

    day: date
    collected: int  # items that are open in their source
    fates: dict[str, int]  # how many of them met each fate, by its name
    sources: dict[str, int]  # how many of them are of each kind of source, by its name
    # how many open items each project has, most first; those without one count as `untagged`. At most `NAMED_PROJECTS`
    # are named.
    projects: dict[str, int]
    open: int  # open items, shown or not
    new: int  # open items that were not there at the rebuild before
    resolved: int  # items that were open at the rebuild before, and are finished or gone; not those that expired
    pending: int  # follow-ups that wait for an answer
    median_age: float | None  # of the open items that have a date, in days; None when there are none
    ages: dict[str, int]  # how many open items are of each of `AGE_GROUPS`
    made: int  # promises: follow-ups from conversations that wrapgen wrote into files; over all time
    kept: int  # those of them that are done
    version: Literal[1] = 1  # of the form of this record


class Standing(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a rebuild found open, by project and words (see `word_digests`): the next one is compared with it."""

    day: date
    open: list[int]  # open items, shown or not, one entry each
    merged: list[int]  # items that were merged into them
    beyond: dict[int, bytes]  # the other open items, by their file's number in the index

    def all_but(self, files: Container[int]) -> list[int]:
        """Return all open items but those of some files."""
        return [*self.open, *unpacked(words for file, words in self.beyond.items() if file not in files)]


@dataclass(frozen=True, slots=True)
class Week:
    """A week from Monday to Sunday: the sums of its days, and how things were on the last of them."""

    monday: date  # its first day
    days: int  # on how many of its days the dashboard was rebuilt
    last: Day | None  # the last of them, None in a week without any
    new: int  # open items that were not there before, all days together
    resolved: int  # items that were finished or taken away, all days together


def age_group(days: int | None) -> str:
    """The group of an item's age in days, None when nobody knows; a day to come counts as today."""
    if days is None:
        return UNDATED
    return next((name for name, limit in AGES.items() if days < limit), OLDER)


def by_day(rebuilds: Iterable[Day]) -> tuple[Day, ...]:
    """One record a day, oldest first, of one a rebuild in the order in which they were made, whatever their days."""
    days: dict[date, Day] = {}
    for one in rebuilds:
        former = days.get(one.day)
        new, resolved = (former.new + one.new, former.resolved + one.resolved) if former else (one.new, one.resolved)
        days[one.day] = msgspec.structs.replace(one, new=new, resolved=resolved)
    return tuple(days[day] for day in sorted(days))


def by_week(days: Sequence[Day], most: int) -> tuple[Week, ...]:
    """The weeks up to that of the last day, oldest first, at most so many; those without a rebuild in between too."""
    if not days:
        return ()
    last = _monday(days[-1].day)
    first = max(_monday(days[0].day), moved(last, -7 * (most - 1)))
    weeks: dict[date, list[Day]] = {moved(first, by): [] for by in range(0, (last - first).days + 1, 7)}
    for one in days:
        if one.day >= first:
            weeks[_monday(one.day)].append(one)
    return tuple(_week(monday, within) for monday, within in weeks.items())


def _monday(day: date) -> date:
    return moved(day, -day.weekday())


def _week(monday: date, days: list[Day]) -> Week:
    new, resolved = sum(one.new for one in days), sum(one.resolved for one in days)
    return Week(monday, len(days), days[-1] if days else None, new, resolved)


FILE = ".wrapgen/history.jsonl"
_DAYS = 3_000  # that are kept, the newest ones


def days(root: Path) -> tuple[Day, ...]:
    """What is known of each day, oldest first; lines that cannot be read are skipped."""
    return by_day(read_lines(root / FILE, Day).records)


def add(root: Path, rebuild: Day) -> None:
    """Add a rebuild to its day, unless it says nothing new; the caller holds the vault's lock.

    Raises WrapgenError when the file cannot be read or written, or is a link, by which lines could get into a note.
    """
    path = Path(os.path.realpath(root), *FILE.split("/"))
    if inside(root / FILE, root) != path:
        raise PublishError(
            "is behind a symbolic link, so no history is kept", where=str(path), next_step="Remove the link."
        )
    stored = read_lines(path, Day)
    last = next((one for one in reversed(stored.records) if one.day == rebuild.day), None)
    if last is None or msgspec.structs.replace(last, new=0, resolved=0) != rebuild:
        make_private_folder(path.parent, root, pattern=path.name)
        kept = map(msgspec.json.encode, by_day((*stored.records, rebuild))[-_DAYS:])
        lines = [*(line for _, line in stored.unreadable), *kept]
        publish(path, b"".join(line + b"\n" for line in lines), root=root, private=True)
