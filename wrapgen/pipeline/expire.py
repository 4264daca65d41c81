"""Stage 4: what is older than the look-back. PURE."""

from __future__ import annotations

from wrapgen.days import moved
from wrapgen.model import Dropped, Fate, Item, Kind
from wrapgen.pipeline.stage import Context, StageResult


def expire(before: StageResult, context: Context) -> StageResult:
    """Drop journal items whose journal is older than `lookback_days` before the newest journal up to today.

    The newest journal counts, not the calendar, so that a holiday expires nothing.
    """
    days = [
        source.day
        for source in context.sources
        if source.kind is Kind.JOURNAL_NEXT and source.day is not None and source.day <= context.today
    ]
    if not days:
        return StageResult(before.kept, (), before.evidence, before.remarks, before.unread)
    horizon = moved(max(days), -context.config.lookback_days)

    def too_old(item: Item) -> bool:
        return item.kind is Kind.JOURNAL_NEXT and item.raised is not None and item.raised < horizon

    return StageResult(
        kept=tuple(item for item in before.kept if not too_old(item)),
        dropped=tuple(Dropped(item, Fate.EXPIRED) for item in before.kept if too_old(item)),
        evidence=before.evidence,
        remarks=before.remarks,
        unread=before.unread,
    )
