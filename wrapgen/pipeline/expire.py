"""Stage 4: what is older than the look-back. PURE."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date

from wrapgen.days import moved
from wrapgen.ledger import expired
from wrapgen.model import Item
from wrapgen.notes import Kind, Priority
from wrapgen.pipeline.stage import Context, StageResult


def expire(before: StageResult, context: Context) -> StageResult:
    """Drop journal items whose journal is older than `lookback_days` before the newest journal up to today.

    The newest journal counts, not the calendar, so that a holiday expires nothing. What has a due, scheduled or start
    day, repeats or is urgent never expires.
    """
    is_old = expiring(context)
    over = {item.id for item in before.kept if item.id not in before.said and is_old(item)}
    return replace(
        before,
        kept=tuple(item for item in before.kept if item.id not in over),
        dropped=tuple(expired(item) for item in before.kept if item.id in over),
    )


def is_over(item: Item, oldest: date) -> bool:
    """Whether an item's own journal is older than the look-back, and nothing keeps the item."""
    return item.kind is Kind.JOURNAL_NEXT and item.raised is not None and item.raised < oldest and not lasts(item)


def expiring(context: Context) -> Callable[[Item], bool]:
    """Return a test whether an item will expire."""
    if context.newest_journal is None:
        return lambda _: False
    oldest = horizon(context.newest_journal, context.config.lookback_days)
    return lambda item: is_over(item, oldest)


def lasts(item: Item) -> bool:
    """Whether an item is not forgotten with its journal: it has a day of its own, repeats, or is urgent."""
    urgent = item.priority is not None and item.priority <= Priority.HIGH
    return urgent or any(one is not None for one in (item.due, item.not_before, item.recurrence))


def newest_journal(files: Iterable[tuple[Kind, date | None]], today: date) -> date | None:
    """The day of the newest journal that is not after today, if there is any."""
    days = (day for kind, day in files if kind is Kind.JOURNAL_NEXT and day is not None and day <= today)
    return max(days, default=None)


def horizon(newest: date, lookback_days: int) -> date:
    """The oldest day whose journal items are shown.

    Args:
        lookback_days: how many days to look back from it.
    """
    return moved(newest, -lookback_days)
