"""`todo.txt`: one task a line, without Markdown. PURE.

The format is that of todotxt.org: `x` and the day it was done, the priority in brackets, the day it was written down,
words with `+project` and `@context` in them, and `key:value` pairs.
"""

from __future__ import annotations

import re
from datetime import date

from wrapgen.days import iso_day
from wrapgen.late_pattern import late
from wrapgen.notes import Document, Entry, Priority
from wrapgen.text.display import one_line

_DAY = r"\d{4}-\d{2}-\d{2}"
_LINE = late(
    rf"(?:(?P<done>x)[ ]+(?:(?P<finished>{_DAY})[ ]+)?)?"
    rf"(?:\((?P<letter>[A-Z])\)[ ]+)?(?:(?P<created>{_DAY})[ ]+)?(?P<words>.*)$"
)
_LINE_BREAK = late("\r\n|\r|\n")
# An hour may follow a day, as QTodoTxt has it; only the day counts.
_PAIR = late(r"(?<!\S)(?P<key>due|t|rec|pri|h):(?P<value>[^\s:/]+?)(?P<hour>T\d{1,2}:\d{2}(?::\d{2})?)?(?!\S)")
# A line that only makes a project or a context known.
_HIDDEN = late(r"(?<!\S)h:1(?!\S)")
_PRIORITIES = {"A": Priority.HIGH, "B": Priority.MEDIUM, "C": Priority.LOW}
# What tells the format from any other list of lines: plain words are a line of it too.
_TELLING = late(r"x \d{4}-\d{2}-\d{2} |\([A-Z]\) |\d{4}-\d{2}-\d{2} |.*(?<!\S)[+@][^\W\d_]")


def is_todo_txt(path: str) -> bool:
    """Whether a file is in this format, by its name."""
    name = path.rsplit("/", 1)[-1].casefold()
    return name == "todo.txt" or name.endswith(".todo.txt")


def looks_like_todo_txt(text: str) -> bool:
    """Whether a file is written in this format: many a program has a `todo.txt` of prose."""
    return any(_TELLING.match(line) for line in text.splitlines())


def parse_todo_txt(text: str) -> Document:
    """Parse a file."""
    lines = _LINE_BREAK.split(text)
    hidden = [_HIDDEN.search(line) is not None for line in lines]
    entries = (_entry(line.strip(), number) for number, line in enumerate(lines, 1) if not hidden[number - 1])
    return Document(entries=tuple(entry for entry in entries if entry), ignored=sum(hidden))


def finished_line(text: str, day: date) -> str | None:
    """An open line as a finished one: `x`, the day, and all its words; a priority in front becomes `pri:A` behind."""
    entry = _entry(text.strip(), 1)
    found = _LINE.match(text.strip())
    if entry is None or entry.done or found is None:
        return None
    created = f"{found['created']} " if found["created"] else ""
    priority = f" pri:{found['letter']}" if found["letter"] else ""
    return f"x {day} {created}{found['words']}{priority}"


def in_markdown(text: str) -> str:
    """The words of a line with its marks as a Markdown list knows them."""
    found = _LINE.match(text.strip())
    assert found is not None  # every line is one, if only of words
    priority = f"({found['letter']}) " if found["letter"] else ""
    created = f" ➕ {found['created']}" if iso_day(found["created"]) else ""
    return f"{priority}{' '.join([*_impossible_days(found), found['words']])}{created}"


def _entry(text: str, line: int) -> Entry | None:
    found = _LINE.match(text)
    if found is None:
        return None
    pairs: dict[str, str] = {}
    unreadable = _impossible_days(found)
    written = " ".join([*unreadable, found["words"]])

    def paired(match: re.Match[str]) -> str:
        key, value = match["key"], match["value"]
        if key in ("due", "t") and iso_day(value) is None:
            if re.fullmatch(_DAY, value):
                unreadable.append(match[0])
            return match[0]
        pairs[key] = value
        return " "

    words = one_line(_PAIR.sub(paired, written))
    if not any(char.isalpha() for char in words):
        return None
    return Entry(
        text=words,
        line=line,
        section=-1,
        done=found["done"] is not None,
        box=True,
        due=iso_day(pairs.get("due")),
        priority=_PRIORITIES.get(found["letter"] or pairs.get("pri", "")),
        created=iso_day(found["created"]),
        finished=iso_day(found["finished"]),
        recurrence=pairs.get("rec"),
        start=iso_day(pairs.get("t")),
        unreadable=tuple(unreadable),
    )


def _impossible_days(found: re.Match[str]) -> list[str]:
    """The days in front of the words that no calendar has: they are words, too."""
    return [day for day in found.group("finished", "created") if day and iso_day(day) is None]
