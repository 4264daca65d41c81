"""When repeating work is due again, and the line that says so. PURE."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

from wrapgen.days import months_on, moved
from wrapgen.late_pattern import late

if TYPE_CHECKING:
    from wrapgen.notes import Entry

_WEEKDAYS = [name.casefold() for name in calendar.day_name]
_MONTHS = [name.casefold() for name in calendar.month_name]
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1}
_FARTHEST = 4000  # days that are looked through for one that a rule names
_RULE = late(r"every (?:(?P<number>\d{1,3}|other) )?(?P<unit>.+?)(?: on (?P<on>.+))?")
_UNITS = {"d": "day", "w": "week", "m": "month", "y": "year"}
_PLACE = late(
    r"(?:the\s+)?(?P<which>\d{1,2}(?:st|nd|rd|th)?|first|second|third|fourth|fifth|last)(?:\s+(?P<weekday>[a-z]+))?"
)
_REC = late(r"(?P<strict>\+?)(?P<number>\d{1,3})(?P<unit>[dbwmy])")
_WHEN_DONE = late(r"(?<!\s)\s++when\s+done$")

_DAY = r"\d{4}-\d{2}-\d{2}"
_MOVED = late(rf"(?P<sign>[📅📆🗓⏳⌛🛫]\ufe0f?\s*|\b(?:due|scheduled|start|t)::?\s*)(?P<day>{_DAY})(?!\d)")
_CREATED = late(rf"(?P<sign>➕\ufe0f?\s*|\bcreated::\s*){_DAY}(?!\d)")
# Names of its own that no two lines may have.
_OWN = late(
    r"(?:(?<!\s)\s++)?(?:🆔\ufe0f?\s*[\w-]++|⛔\ufe0f?\s*[\w-]++(?:\s*,\s*[\w-]++)*+"
    r"|[\[(](?:id|dependsOn)::[^\[\]()]{0,200}[\])]|\^[A-Za-z0-9-]++\s*$)"
)
_BOX = late(r"(?P<before>^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+\[)[^\[\]](?=\])")
_TODO = late(rf"(?P<priority>\([A-Z]\) )?(?P<created>{_DAY} )?")


def next_line(line: str, entry: Entry, today: date, *, todo_txt: bool = False) -> str | None:
    """The line of the next occurrence of an item that is done today; None when its rule is not understood.

    Its due, scheduled and start day move together; the first of them that it has says from where its rule counts,
    unless the rule counts from the day it was done.
    """
    own = entry.due or entry.scheduled or entry.start
    rule = entry.recurrence or ""
    if todo_txt:
        then = _by_rec(rule, own, today)
    else:
        words = _WHEN_DONE.sub("", " ".join(rule.casefold().split()))
        counts_from = today if own is None or words != " ".join(rule.casefold().split()) else own
        then = next_day(words, counts_from)
    if then is None:
        return None
    by = (then - own).days if own else 0

    def shifted(found: re.Match[str]) -> str:
        try:
            return f"{found['sign']}{moved(date.fromisoformat(found['day']), by)}"
        except ValueError:
            return found[0]

    text = _MOVED.sub(shifted, line)
    if todo_txt:
        head = _TODO.match(text)
        assert head is not None  # every line begins so, if with nothing
        created = f"{today} " if head["created"] else ""
        return f"{head['priority'] or ''}{created}{text[head.end() :]}"
    text = _OWN.sub("", _CREATED.sub(lambda found: f"{found['sign']}{today}", text))
    return _BOX.sub(lambda found: f"{found['before']} ", text)


def _by_rec(rule: str, own: date | None, today: date) -> date | None:
    """The day that `rec:` means: with a plus it counts from the due day, else from the day it was done."""
    found = _REC.fullmatch(rule)
    if found is None:
        return None
    day = own if own and found["strict"] else today
    number = int(found["number"])
    if found["unit"] != "b":
        return _on(day, number, _UNITS[found["unit"]])
    while number > 0:
        day = moved(day, 1)
        number -= day.weekday() < 5
    return day


def next_day(rule: str, day: date) -> date | None:
    """The first day after another one that a rule in English names; None when it is not understood.

    In lower case with single blanks, such as `every 2 weeks on monday, thursday`, `every month on the last friday`.
    """
    found = _RULE.fullmatch(rule)
    if found is None or found["number"] in ("0", "00", "000"):
        return None
    number = {None: 1, "other": 2}.get(found["number"]) or int(found["number"])
    unit, on = found["unit"].removesuffix("s"), found["on"]
    if not on and unit in _UNITS.values():
        return _on(day, number, unit)
    fits = _in_months(day, number, unit, on) if on and unit != "week" else _in_weeks(day, number, unit, on)
    return fits and next((one for ahead in range(1, _FARTHEST) if fits(one := moved(day, ahead))), None)


def _on(day: date, number: int, unit: str) -> date:
    if unit in ("day", "week"):
        return moved(day, number * (7 if unit == "week" else 1))
    return months_on(day, number * (12 if unit == "year" else 1))


def _in_weeks(day: date, number: int, unit: str, on: str | None) -> Callable[[date], bool] | None:
    """Whether a day is one of some weekdays in every so manieth week from another's own (weeks begin on Monday)."""
    weekdays = set(range(5)) if unit == "weekday" else _named(on or unit, _WEEKDAYS)
    monday = moved(day, -day.weekday())
    if not weekdays or (number > 1 and not on):
        return None
    return lambda one: one.weekday() in weekdays and (one - monday).days // 7 % number == 0


def _in_months(day: date, number: int, unit: str, on: str) -> Callable[[date], bool] | None:
    """Whether a day is at some places of the months that fit: `the 1st and 15th`, `the last friday`."""
    months = set(range(1, 13)) if unit == "month" else _named(unit, _MONTHS)
    if not months or (number > 1 and unit != "month"):
        return None
    places: list[tuple[int, int | None]] = []
    for one in re.split(r" ?, ?(?:and )?| and ", on.strip()):
        found = _PLACE.fullmatch(one)
        weekday = _named(found["weekday"], _WEEKDAYS) if found and found["weekday"] else {None}
        if found is None or not weekday:
            return None
        places.append((_ORDINALS.get(found["which"]) or int(re.sub(r"\D", "", found["which"])), *weekday))
    since = day.year * 12 + day.month

    def fits(one: date) -> bool:
        turn = one.month in months and (one.year * 12 + one.month - since) % number == 0
        return turn and any(_is_at(one, which, weekday) for which, weekday in places)

    return fits


def _named(listed: str, names: list[str]) -> set[int]:
    """The places of names, which may be shortened, in a list; nothing when one is none of them."""
    words = [one for one in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s+", listed.strip()) if one]
    found = [next((at for at, one in enumerate(names) if len(word) > 2 and one.startswith(word)), -1) for word in words]
    return set() if -1 in found else set(found)


def _is_at(day: date, which: int, weekday: int | None) -> bool:
    last = calendar.monthrange(day.year, day.month)[1]
    if weekday is None:
        return day.day == (last if which < 0 else which)
    if day.weekday() != weekday:
        return False
    return day.day + 7 > last if which < 0 else (day.day - 1) // 7 + 1 == which
