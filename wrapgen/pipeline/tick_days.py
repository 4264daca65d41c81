"""When work was finished, and whether it can be the work that was still open at another place. PURE.

Of a tick that nobody has dated the last change of its file says little: a clone or a `touch` makes it today.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import date

import msgspec

from wrapgen.model import Evidence, Item
from wrapgen.notes import Kind

TickDays = Callable[[Collection[str]], Mapping[str, Mapping[int, date | None]]]
"""Gives the days of lines by file. A line that is missing has its file's day; of a missing file no day is known."""


def of_files(paths: Collection[str]) -> Mapping[str, Mapping[int, date | None]]:
    """No commit days: each tick has its file's day."""
    return {path: {} for path in paths}


def dated(evidence: Evidence, days: Mapping[str, Mapping[int, date | None]]) -> Evidence:
    """An undated tick with the day of its line.

    Args:
        days: of the lines of its file; without them it proves nothing.
    """
    lines = days.get(evidence.path)
    latest = lines.get(evidence.line, evidence.latest) if lines is not None else None
    return evidence if latest == evidence.latest else msgspec.structs.replace(evidence, latest=latest)


def too_early(evidence: Evidence, item: Item) -> str | None:
    """Why evidence cannot be later than the item; None when it can."""
    latest = evidence.latest
    if item.recurrence is not None:
        own = item.due or item.raised
        if own is None or latest is None or latest < own:
            return _early(latest)
    if evidence.path == item.path and not (evidence.listed and evidence.kind is Kind.JOURNAL_NEXT):
        return "same file: added again beside its tick"
    if item.raised is None:
        return None
    if latest is None or item.raised > latest:
        return _early(latest)
    return _too_early_on_its_day(evidence, item) if item.raised == evidence.day else None


def _too_early_on_its_day(evidence: Evidence, item: Item) -> str | None:
    if item.block is None:  # a box written down on the day that the journal says it was done
        return None if evidence.listed else "same day: its tick may be older"
    if evidence.block == item.block:
        return "same session block" if item.block[1] % 2 else "same journal: finished and raised side by side"
    later = evidence.block is not None and item.block < evidence.block
    return None if later else "same day: finished in no later session block"


def _early(latest: date | None) -> str:
    return f"finished too early: {latest or 'no date'}"


def added_later(evidence: Evidence, item: Item, days: Mapping[str, Mapping[int, date | None]]) -> str | None:
    """Why an item that says no day is younger than evidence by its commit; None when nothing shows that.

    Args:
        days: of the lines of both files, by git; the item's file is missing when git gave no answer in time.
    """
    if item.raised is not None or evidence.latest is None:
        return None
    if item.path not in days:
        return "nobody knows yet when it was added"
    added = days[item.path].get(item.line)
    written = days.get(evidence.path, {}).get(evidence.line)
    if added is None or added <= evidence.latest or (written is not None and added <= written):
        return None  # one commit may bring notes of many days, such as the first one
    return f"added later: {added}, finished {evidence.latest}"
