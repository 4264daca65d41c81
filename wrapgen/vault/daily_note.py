"""A daily note that does not exist yet, as Obsidian would make it: from the template that its settings name."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from wrapgen.days import months_on, moved
from wrapgen.regular_files import whole
from wrapgen.text.patterns import written
from wrapgen.vault.detect.proposal import MOMENT, daily_template

if TYPE_CHECKING:
    from datetime import date

    from wrapgen.vault.detect.proposal import DailyTemplate

_LARGEST = 1 << 20  # bytes
_PLACEHOLDER = re.compile(
    r"\{\{\s*(?P<name>title|date|time|yesterday|tomorrow)\s*+(?:(?P<by>[+-]\d{1,4})(?P<unit>[dwMmy])\s*+)?"
    r"(?::(?P<format>[^{}]*))?\}\}",
    re.IGNORECASE,
)
# What of Templater's code says no more than a placeholder does.
_CODE = re.compile(
    r"<%\s*tp\.(?:(?P<name>file\.title)|date\.(?P<day>now|tomorrow|yesterday)\(\s*(?:(?P<quote>[\"'])(?P<format>[^\"']*)"
    r"(?P=quote)\s*(?:,\s*(?P<by>-?\d{1,4})\s*)?)?\))\s*%>"
)
_DAYS = {"now": 0, "date": 0, "time": 0, "tomorrow": 1, "yesterday": -1}


def from_template(root: Path, note: str, now: datetime) -> bytes | None:
    """What a daily note would begin as today; None where no template is named or readable."""
    template = daily_template(root, note)
    if template is None:
        return None
    file = root / template.path
    try:
        if not file.resolve().is_relative_to(root.resolve()):
            return None
        text = whole(file, _LARGEST + 1).decode("utf-8-sig")
    except (OSError, ValueError):
        return None
    return None if len(text) > _LARGEST else _filled(text, template, PurePosixPath(note).stem, now).encode()


def _filled(text: str, template: DailyTemplate, title: str, now: datetime) -> str:
    """The template with its placeholders filled; what is none, or cannot be said, stays as it is."""

    def placeholder(found: re.Match[str]) -> str:
        name = found["name"].casefold()
        if name == "title":
            return title
        said = (found["format"] or "").strip() or (template.times if name == "time" else template.dates)
        unit = (found["unit"] or "d").replace("M", "m")
        return _moment(said, _moved(now, _DAYS[name] + int(found["by"] or 0), unit)) or found[0]

    def code(found: re.Match[str]) -> str:
        if found["name"]:
            return title
        day = _moved(now, _DAYS[found["day"]] + int(found["by"] or 0), "d")
        return _moment(found["format"] or "YYYY-MM-DD", day) or found[0]

    text = _PLACEHOLDER.sub(placeholder, text)
    return _CODE.sub(code, text) if template.templater else text


def _moved(now: datetime, by: int, unit: str) -> datetime:
    day: date = now.date()
    if unit in "dw":
        day = moved(day, by * (7 if unit == "w" else 1))
    else:
        day = months_on(day, by * (12 if unit == "y" else 1))
    return datetime.combine(day, now.timetz())


def _moment(said: str, when: datetime) -> str | None:
    """A moment in one of moment's formats; None when that has what this does not know, such as weeks of a country."""
    year, week, weekday = when.isocalendar()
    hour = when.hour % 12 or 12
    parts = {
        "HH": f"{when:%H}", "H": f"{when.hour}", "hh": f"{hour:02}", "h": f"{hour}", "mm": f"{when:%M}",
        "m": f"{when.minute}", "ss": f"{when:%S}", "s": f"{when.second}", "A": "PM" if when.hour > 11 else "AM",
        "a": "pm" if when.hour > 11 else "am", "WW": f"{week:02}", "W": f"{week}", "GGGG": f"{year}",
        "E": f"{weekday}", "DDDD": f"{when:%j}", "DDD": f"{int(f'{when:%j}')}", "Q": f"{(when.month + 2) // 3}",
        "dd": written("dddd", when)[:2], "X": f"{int(when.timestamp())}",
    }  # fmt: skip
    out, end = "", 0
    for token in MOMENT.tokens.finditer(said):
        part = token["literal"]
        if part is None:
            part = written(MOMENT.means[token[0]], when) if token[0] in MOMENT.means else parts.get(token[0])
        if part is None:
            return None
        out, end = f"{out}{said[end : token.start()]}{part}", token.end()
    return out + said[end:]
