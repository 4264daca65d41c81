"""Rows of hand-overs and journals: of a row only the newest word counts. PURE."""

import re
from collections.abc import Collection, Container, Iterable, Sequence
from datetime import date
from functools import lru_cache

import msgspec

from wrapgen.days import moved
from wrapgen.late_pattern import late
from wrapgen.model import Evidence, HandOver, Item
from wrapgen.notes import Kind
from wrapgen.text.headings import EntryHead, day_named

_OF_A_DATE = late(r"\d{1,4}(?:[-_. ].*)?")
_DATED = late(r"(?<!\d)(\d{4})[-_.]?(\d\d)[-_.]?(\d\d)(?!\d)")

Order = tuple[int, int, int, int]
FiledLines = Container[tuple[str, str]]
"""The lines that wrapgen wrote, by path and folded words."""


@lru_cache(maxsize=10_000)
def journal_row(path: str) -> str:
    """Return the folder of a journal without the folders of its year and month."""
    folders = path.split("/")[:-1]
    while folders and _OF_A_DATE.fullmatch(folders[-1]):
        folders.pop()
    return "/".join(folders)


@lru_cache(maxsize=10_000)
def day_of_path(path: str) -> date | None:
    """Return the day that a file's name says, else the path: `2026-11-20/next.md`, `HANDOFF_20261120.md`."""
    for part in reversed(path.split("/")):
        if found := _DATED.search(part):
            return day_named("-".join(found.groups()))
    return None


def entry_of(one: Item | Evidence) -> HandOver | None:
    """Return the entry of its row that an item or evidence stands in; None for what is in none."""
    if one.entry is not None or one.kind is not Kind.JOURNAL_NEXT:
        return one.entry
    day = one.written if isinstance(one, Evidence) else one.raised
    return HandOver(journal_row(one.path), day, _session_of(one.path), one.block[1] if one.block else 0)


@lru_cache(maxsize=10_000)
def _session_of(path: str) -> int:
    """The last number behind the date in a journal's name: `2026-08-12-session5.md`."""
    numbers = re.findall(r"\d{1,9}", _DATED.sub("", path.rpartition("/")[2], count=1))
    return int(numbers[-1]) if numbers else 0


def newest_head(heads: Collection[EntryHead]) -> EntryHead | None:
    """Return the newest of the entries of one file; those that say neither day nor number follow its direction."""
    written = sorted(heads, key=lambda one: one.section)
    days = [one.day for one in written if one.day]
    numbers = [one.number for one in written if one.number]
    falls = days[:1] > days[-1:] or (days[:1] == days[-1:] and numbers[:1] > numbers[-1:])
    return max(
        written, key=lambda one: (one.day or date.min, one.number, -one.section if falls else one.section), default=None
    )


def row_of(item: Item) -> str:
    """Return the row of dated files that an item stands in, "" for none.

    That of its journals or hand-overs, else the files whose names differ by a day.
    """
    if entry := entry_of(item):
        return f"row {entry.row}"
    family = _DATED.sub("*", item.path)
    return family if family != item.path else ""


def order(entry: HandOver) -> Order:
    """Sort key, the oldest first: by date, then by session number or time, then by place."""
    return (1 if entry.day else 0, entry.day.toordinal() if entry.day else 0, entry.number, entry.place)


def newest_entries(entries: Iterable[Item | Evidence], filed: FiledLines, today: date) -> dict[str, Order]:
    """Return the newest entry of each row of hand-overs; items of older ones are history.

    A list all of whose lines wrapgen filed makes nothing old, nor does one of a day to come.
    """
    tomorrow = moved(today, 1)  # a note's day may be that of a clock further east
    newest: dict[str, Order] = {}
    for one in entries:
        if one.entry is None or not one.handed or (one.path, one.folded.text) in filed:
            continue
        if one.entry.day is None or one.entry.day <= tomorrow:
            key = order(one.entry)
            newest[one.entry.row] = max(key, newest.get(one.entry.row, key))
    return newest


def newest_next_day(entries: Sequence[Item | Evidence], filed: FiledLines, today: date) -> date | None:
    """Return the newest day of journals that has a *Next* list which is not all wrapgen's own."""
    tomorrow = moved(today, 1)
    days = (
        one.written if isinstance(one, Evidence) else one.raised
        for one in entries
        if one.kind is Kind.JOURNAL_NEXT and one.handed and (one.path, one.folded.text) not in filed
    )
    return max((day for day in days if day is not None and day <= tomorrow), default=None)


def carried_by(item: Item) -> tuple[tuple[HandOver, str, int], ...]:
    """Return the lists that an item and what was merged into it stand in, each with path and line."""
    if item.carried or not item.handed:
        return item.carried
    entry = entry_of(item)
    return ((entry, item.path, item.line),) if entry else ()


def in_one_row(one: Item | Evidence, other: Item | Evidence) -> bool:
    """Tell whether two stand in entries of one row."""
    mine, theirs = entry_of(one), entry_of(other)
    return mine is not None and theirs is not None and mine.row == theirs.row


def is_newer_word(done: Evidence, item: Item) -> bool:
    """Tell whether the same words were carried on from entry to entry of a row, and are done in a newer one."""
    if (done.folded.text, done.folded.label) != (item.folded.text, item.folded.label) or not in_one_row(done, item):
        return False
    mine, theirs = entry_of(item), entry_of(done)
    return mine is not None and theirs is not None and order(theirs) > order(mine)


def up_to(today: date, entry: HandOver) -> HandOver:
    """Return an entry that is no later than today: a file that was changed since then is as it was."""
    late = entry.day is not None and entry.day > today
    return msgspec.structs.replace(entry, day=today) if late else entry
