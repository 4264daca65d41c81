"""Days that never leave the calendar, and moments that hosts wrote down."""

from __future__ import annotations

from datetime import date, datetime


def moved(day: date, by: int) -> date:
    """A day some days later or earlier; at the ends of the calendar the last or first day.

    Args:
        day: the day.
        by: how many days, negative for earlier.
    """
    return date.fromordinal(max(date.min.toordinal(), min(date.max.toordinal(), day.toordinal() + by)))


def moment(timestamp: str | None) -> datetime | None:
    """A host's time stamp (ISO 8601) as a moment in local time; None when it is none."""
    if not timestamp:
        return None
    try:
        return datetime.fromisoformat(timestamp).astimezone()
    except (ValueError, OverflowError, OSError):
        return None
