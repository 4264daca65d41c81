"""Stage 4: what is older than the look-back. PURE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.days import moved
from wrapgen.model import Dropped, Fate, Item, Kind
from wrapgen.pipeline.stage import Context, StageResult

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date


def expire(before: StageResult, context: Context) -> StageResult:
    """Drop journal items whose journal is older than `lookback_days` before the newest journal up to today.

    The newest journal counts, not the calendar, so that a holiday expires nothing.
    """
    journals = (source.day for source in context.sources if source.kind is Kind.JOURNAL_NEXT)
    oldest = horizon(journals, context.today, context.config.lookback_days)
    if oldest is None:
        return StageResult(before.kept, (), before.evidence, before.remarks, before.unread)

    def too_old(item: Item) -> bool:
        return item.kind is Kind.JOURNAL_NEXT and item.raised is not None and item.raised < oldest

    return StageResult(
        kept=tuple(item for item in before.kept if not too_old(item)),
        dropped=tuple(Dropped(item, Fate.EXPIRED) for item in before.kept if too_old(item)),
        evidence=before.evidence,
        remarks=before.remarks,
        unread=before.unread,
    )


def horizon(journals: Iterable[date | None], today: date, lookback_days: int) -> date | None:
    """The oldest day whose journal items are shown.

    Args:
        journals: the days of all journals.
        today: the day of the run.
        lookback_days: how many days to look back from the newest journal that is not after today.

    Returns:
        the day; None where no journal has one.
    """
    newest = max((day for day in journals if day is not None and day <= today), default=None)
    return None if newest is None else moved(newest, -lookback_days)
