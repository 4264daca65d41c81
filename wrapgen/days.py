"""Days that never leave the calendar."""

from __future__ import annotations

from datetime import date


def moved(day: date, by: int) -> date:
    """A day some days later or earlier; at the ends of the calendar the last or first day.

    Args:
        day: the day.
        by: how many days, negative for earlier.
    """
    return date.fromordinal(max(date.min.toordinal(), min(date.max.toordinal(), day.toordinal() + by)))
