"""Finishing an item where it stands, with the next occurrence of repeating work. PURE."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from wrapgen.days import months_on, moved
from wrapgen.late_pattern import late
from wrapgen.vault.markdown.blocks import Blocks, Lines, as_written, encode, others_stand, read_blocks
from wrapgen.vault.markdown.marks.state import OPEN_BALLOTS, OPEN_MARKERS
from wrapgen.vault.markdown.note import COMMENT, KEY, unquoted
from wrapgen.vault.markdown.todo_txt import finished_line, is_todo_txt

if TYPE_CHECKING:
    from wrapgen.notes import Entry

# A box with at most one character in it, of up to four bytes, escaped or not; a ballot box; or a task marker.
_OPEN = late(
    rb"\[(?P<box>[^\[\]\\]{0,4})\\?\]|(?P<ballot>" + "|".join(OPEN_BALLOTS).encode() + rb")|\b(?P<marker>"
    + "|".join(OPEN_MARKERS).encode() + rb")(?![\w-])"
)  # fmt: skip
_TICKED = {"box": b"x", "ballot": "☑".encode(), "marker": b"DONE"}
# How a line says when it was done.
_FINISHED = late(
    r"[✅✔☑✓]\ufe0f?\s*\d{4}-\d{2}-\d{2}|[\[(]completion::\s*\d{4}-\d{2}-\d{2}[\])]|@completed\(\d{4}-\d{2}-\d{2}\)"
)
_LAST_WORDS = late(r"(?<!\s)(?:\s++\^[A-Za-z0-9-]++)?\s*+$")
# Each try costs a parse of the file; an item's box is in front, a table row's in one of its cells.
_MOST_TRIES = 12


@dataclass(frozen=True, slots=True)
class Replacement:
    """A replacement of a few bytes."""

    offset: int  # where the old bytes start
    old: bytes  # what is there
    new: bytes  # what is to be there
    above: bytes = b""  # the line that it puts above the item which it changes: its next occurrence

    def apply(self, data: bytes) -> bytes:
        """Replace in the file that this was made for."""
        return data[: self.offset] + self.new + data[self.offset + len(self.old) :]


def tick(note: Blocks, line: int, day: date | None = None) -> Replacement | None:
    """Tick the open box of the item that starts on a line, with the day, if given, where the file's done lines have it.

    None when no entry with an open box starts there, or when ticking it would make anything else in the file read
    otherwise.
    """
    place = note.open_at(line)
    entry = None if place is None else note.document.entries[place]
    if place is None or entry is None or not entry.box:
        return None
    start = note.lines.start(line - 1)
    for found, _ in zip(_OPEN.finditer(note.lines.text(line - 1)), range(_MOST_TRIES), strict=False):
        group = found.lastgroup or "box"
        ticked = Replacement(start + found.start(group), found[group], _TICKED[group])
        new = note.after(ticked.apply(note.lines.data))
        if others_stand(note.document, new, (place,), (place,)):
            now = new.entries[place]
            if now.done and now.text == entry.text:
                return (day and not now.finished and _with_day(note, ticked, place, day)) or ticked
    return None


def _with_day(note: Blocks, ticked: Replacement, place: int, day: date) -> Replacement | None:
    """A tick with the day on which the item was done, as the nearest done item has it.

    None where most have none, or when it would not read so.
    """
    entry, lines = note.document.entries[place], note.lines
    done = [one for one in note.document.entries if one.done and one.box and not one.row]
    found = [
        (abs(one.line - entry.line), said)
        for one in done
        if one.finished and (said := _FINISHED.search(as_written(lines.text(one.line - 1))))
    ]
    if not found or 2 * len(found) < len(done):
        return None
    text = re.sub(_DAY, day.isoformat(), min(found, key=lambda one: one[0])[1][0])
    end = lines.start(entry.line - 1) + len(lines.text(entry.line - 1))
    rest = as_written(lines.data[ticked.offset + len(ticked.old) : end])
    at = _LAST_WORDS.search(rest)
    assert at is not None  # if with nothing
    kept = f"{rest[: at.start()]} {text}{rest[at.start() :]}"
    dated = Replacement(ticked.offset, ticked.old + encode(rest), ticked.new + encode(kept))
    new = note.after(dated.apply(lines.data))
    now = new.entries[place] if len(new.entries) == len(note.document.entries) else None
    reads_so = now and (now.text, now.done, now.finished) == (entry.text, True, day)
    return dated if reads_so and others_stand(note.document, new, (place,), (place,)) else None


def finish(path: str, data: bytes, line: int, day: date, status: str = "") -> Replacement | None:
    """Finish the item that starts on a line: tick its box, set the status of a note, or mark the line of a todo.txt.

    Args:
        status: of a note that is a task, as its tool writes it; empty for "Done" in the case of what stands there.
    """
    note = read_blocks(data, path)
    if note.document.task and line == 1:
        return _with_value(data, "status", lambda old: status or ("Done" if unquoted(old)[:1].isupper() else "done"))
    if not is_todo_txt(path):
        ticked = tick(note, line, day)
        return ticked and _with_next(note, line, ticked, day)
    place = note.open_at(line)
    text = "" if place is None else as_written(note.lines.text(line - 1))
    new = finished_line(text, day)
    if place is None or new is None:
        return None
    entry = note.document.entries[place]
    then = next_line(text, entry, day, todo_txt=True) if entry.recurrence else None
    return _below(note.lines, line, encode(new), then)


def _below(lines: Lines, line: int, new: bytes, then: str | None) -> Replacement:
    above = b"" if then is None else encode(then)
    put = above + lines.break_near(line - 1) if above else b""
    return Replacement(lines.start(line - 1), lines.text(line - 1), put + new, above)


def _with_next(note: Blocks, line: int, ticked: Replacement, day: date) -> Replacement:
    """The tick of a repeating item with its next occurrence above, if that reads as it should and changes no other."""
    place = next(at for at, one in enumerate(note.document.entries) if one.line == line)
    entry, lines = note.document.entries[place], note.lines
    repeats = entry.recurrence is not None and not entry.row
    then = next_line(as_written(lines.text(line - 1)), entry, day) if repeats else None
    if then is None:
        return ticked
    done = ticked.apply(lines.data)
    row = done[lines.start(line - 1) : lines.start(line - 1) + len(lines.text(line - 1)) + len(done) - len(lines.data)]
    both = _below(lines, line, row, then)
    after = note.after(both.apply(lines.data))
    if not others_stand(note.after(done), after, came=(place,)):
        return ticked
    new = after.entries[place]
    return both if (new.text, new.done, new.recurrence) == (entry.text, False, entry.recurrence) else ticked


def rename_note(data: bytes, title: str) -> Replacement | None:
    """Set the title in the front matter of a note that is a task; None where it has none there."""

    def quoted(old: str) -> str:
        if old.startswith('"'):
            return '"' + title.replace("\\", "\\\\").replace('"', '\\"') + '"'
        plain = re.fullmatch(r"[^\W\d][^:#\[\]{}\"'|>]*", title) and not old.startswith("'")
        return title if plain else "'" + title.replace("'", "''") + "'"

    return _with_value(data, "title", quoted)


def _with_value(data: bytes, key: str, new: Callable[[str], str]) -> Replacement | None:
    lines = Lines(data)
    for number in range(1, len(lines)):
        line = lines.text(number)
        if line.startswith(b"---"):
            return None
        found = KEY.match(as_written(line))
        if found and found["key"].casefold() == key and found["value"]:
            value = found["value"] if found["value"][0] in "'\"" else COMMENT.sub("", found["value"])
            old = encode(value)
            start = lines.start(number) + line.index(old, len(found["key"].encode()))
            return Replacement(start, old, encode(new(value)))
    return None


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
