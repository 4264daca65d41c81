"""Days that never leave the calendar, and moments that hosts wrote down."""

import calendar
from contextlib import suppress
from datetime import date, datetime

from wrapgen.late_pattern import late

_WEEKDAYS = [name.casefold() for name in calendar.day_name]
_AHEAD = late(r"(?P<number>[1-9]\d{0,3})(?P<unit>[dwm]?)")
_FARTHEST = 3650  # days


def moved(day: date, by: int) -> date:
    """A day so many days later, or earlier; at the ends of the calendar the last or first day."""
    return date.fromordinal(max(date.min.toordinal(), min(date.max.toordinal(), day.toordinal() + by)))


def iso_day(written: str | None) -> date | None:
    """The day that a text is (ISO 8601); None for any other."""
    with suppress(ValueError):
        return date.fromisoformat(written or "")
    return None


def day_meant(words: str, today: date) -> date | None:
    """The day to come that somebody means by a word: `3`, `2w`, `1m`, `tomorrow`, `fri`, `2026-05-01`.

    A weekday is the next one after today. None for no day, one that is over, or one farther away than ten years.
    """
    word = words.strip().casefold()
    day = None
    if ahead := _AHEAD.fullmatch(word):
        number, weeks = int(ahead["number"]), ahead["unit"] == "w"
        day = months_on(today, number) if ahead["unit"] == "m" else moved(today, number * (7 if weeks else 1))
    elif word in ("tomorrow", "tom"):
        day = moved(today, 1)
    elif len(word) >= 3 and (named := [at for at, name in enumerate(_WEEKDAYS) if name.startswith(word)]):
        day = moved(today, (named[0] - today.weekday() - 1) % 7 + 1)
    else:
        day = iso_day(word)
    return day if day is not None and 0 < (day - today).days <= _FARTHEST else None


def months_on(day: date, months: int) -> date:
    """The same day of a later month, or that month's last."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if year > date.max.year:
        return date.max
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def moment(timestamp: str | None) -> datetime | None:
    """A host's timestamp (ISO 8601) in local time; None when it is invalid."""
    if not timestamp:
        return None
    try:
        return datetime.fromisoformat(timestamp).astimezone()
    except (ValueError, OverflowError, OSError):
        return None
