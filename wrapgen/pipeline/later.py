"""Whether work that was finished at one place can be the work that was still open at another. PURE."""

from collections.abc import Mapping
from datetime import date

from wrapgen.model import Evidence, Item


def too_early(evidence: Evidence, item: Item) -> str | None:
    """Why evidence cannot be later than the item; None when it can."""
    latest = evidence.latest
    if item.recurrence is not None:
        own = item.due or item.raised
        if own is None or latest is None or latest < own:
            return _early(latest)
    if evidence.path == item.path and not evidence.listed:
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
