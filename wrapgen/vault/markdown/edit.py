"""Other words, a due day or a priority for an item where it stands: all else about it stays as it is. PURE."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import msgspec

from wrapgen.days import day_meant, iso_day
from wrapgen.errors import EditError
from wrapgen.late_pattern import late
from wrapgen.notes import PRIORITY_SIGNS, Priority
from wrapgen.text.patterns import written
from wrapgen.vault.markdown.blocks import Lines, decode, encode, others_stand, read_blocks
from wrapgen.vault.markdown.item_writer import NewItem, spellings
from wrapgen.vault.markdown.marks.fields import priority_named
from wrapgen.vault.markdown.marks.item import read_item
from wrapgen.vault.markdown.tick import Replacement, rename_note
from wrapgen.vault.markdown.todo_txt import is_todo_txt, parse_todo_txt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.notes import Entry
    from wrapgen.vault.markdown.blocks import Blocks

_GIVEN = late(r"(?<!\S)(?P<name>due|prio|priority):(?P<value>\S+)", re.IGNORECASE)
_LETTERS = {Priority.HIGH: "A", Priority.MEDIUM: "B", Priority.LOW: "C"}
_PRIORITY = late(
    rf"(?P<sign>[{PRIORITY_SIGNS}])\ufe0f?|(?P<field>(?<=priority::)\s*\w+)|(?P<letter>(?<=^\()[A-Z](?=\) ))"
    r"|(?P<pair>(?<=pri:)[A-Z])"
)
_D = r"\d{4}-\d{2}-\d{2}"
# The forms in which a file may say when something is due.
_DUE = late(
    rf"[📅📆🗓]\ufe0f?\s*{_D}|\[due::\s*{_D}\]|\(due:{{0,2}}\s*{_D}\)|@due\({_D}\)|@\{{{_D}\}}|@\[\[{_D}\]\]"
    rf"|(?<![\w(\[])due::?\s*{_D}|DEADLINE: <{_D}[^<>]*>"
)
_BLOCK_ID = late(r"(?<!\s)\s++\^[A-Za-z0-9-]++\s*$")
_WORD = late(r"\S+")
_MOST_MARKS = 12  # words behind an item's own that may be marks; each try costs a parse of the file
_MARKS = ("due", "priority", "created", "finished", "recurrence", "scheduled", "start", "ident", "depends")


@dataclass(frozen=True, slots=True)
class GivenMarks:
    """What an item is to have."""

    due: date | None = None
    priority: Priority | None = None

    def spelled(self, path: str, like: str = "") -> list[str]:
        """How a line of a file says them, in the manner of the file's text."""
        found = []
        todo = is_todo_txt(path)
        if self.due:
            found.append(f"due:{self.due}" if todo else _due_like(like, self.due))
        if self.priority is not None:
            field = "[priority::" in like
            sign = PRIORITY_SIGNS[self.priority]
            letter = _LETTERS.get(self.priority, "D")
            found.append(f"[priority:: {self.priority.name.lower()}]" if field else f"pri:{letter}" if todo else sign)
        return found


def _due_like(text: str, day: date) -> str:
    """A due day, in the form of the last one that a text has."""
    last = next(iter([*_DUE.finditer(text)][-1:]), None)
    if last is None:
        return f"📅 {day}"
    if last[0].startswith("DEADLINE"):
        return f"DEADLINE: <{day} {written('ddd', day)}>"
    return re.sub(_D, day.isoformat(), last[0])


def given_marks(text: str, today: date) -> tuple[str, GivenMarks, list[str]]:
    """The marks that somebody typed: `due:fri`, `due:2w`, `prio:high`.

    Returns the words beside them, what they mean, and those that mean no day and no priority, which stay words.
    """
    due: date | None = None
    priority: Priority | None = None
    unknown: list[str] = []

    def taken(found: re.Match[str]) -> str:
        nonlocal due, priority
        if found["name"].casefold() == "due":
            word = found["value"]
            day = today if word.casefold() == "today" else iso_day(word) or day_meant(word, today)
            if day is not None:
                due = day
                return " "
        elif (named := priority_named(found["value"])) is not None:
            priority = named
            return " "
        unknown.append(found[0])
        return found[0]

    words = _GIVEN.sub(taken, text)
    return (" ".join(words.split()) if words != text else text), GivenMarks(due, priority), unknown


def mark(path: str, data: bytes, line: int, wanted: GivenMarks) -> Replacement | None:
    """Give the open item that starts on a line, if one does, a due day or a priority, in the manner of its file.

    Raises EditError when nothing that could be written would read so, and all else as before; or the file is UTF-16.
    """
    done = data
    for name, what in (("due", "due day"), ("priority", "priority")):
        note = read_blocks(done, path)
        place = note.open_at(line)
        if place is None:
            return None
        value, entries = getattr(wanted, name), list(note.document.entries)
        if value is None or getattr(entries[place], name) == value:
            continue
        entries[place] = msgspec.structs.replace(entries[place], **{name: value})
        for text in _with_mark(path, note, place, GivenMarks(**{name: value})):
            found = note.after(text)
            if list(found.entries) == entries and found.sections == note.document.sections:
                done = text
                break
        else:
            raise EditError(
                f"its {what} cannot be written there so that it reads as meant",
                where=f"{path}:{line}",
                next_step="Edit the file: `wrap open`.",
            )
    row = Lines(data).start(line - 1)
    tail = next((at for at in range(min(len(data), len(done)) - row) if data[-1 - at] != done[-1 - at]), 0)
    return Replacement(row, data[row : len(data) - tail], done[row : len(done) - tail])


def _with_mark(path: str, note: Blocks, place: int, wanted: GivenMarks) -> Iterator[bytes]:
    """The file with a mark in the place of the one that the item has, or at the end of one of its lines."""
    data, entry = note.lines.data, note.document.entries[place]
    start, region = note.written(place)
    for text in (*_replaced(region, entry, wanted), *_added(path, region, decode(data), wanted)):
        yield data[:start] + encode(text) + data[start + len(encode(region)) :]


def _replaced(region: str, entry: Entry, wanted: GivenMarks) -> Iterator[str]:
    if wanted.due and entry.due:
        for found in re.finditer(re.escape(entry.due.isoformat()), region):
            yield f"{region[: found.start()]}{wanted.due}{region[found.end() :]}"
    if wanted.priority is not None and entry.priority is not None:
        for found in _PRIORITY.finditer(region):
            spelled = {"sign": PRIORITY_SIGNS[wanted.priority], "field": f" {wanted.priority.name.lower()}"}.get(
                found.lastgroup or "", _LETTERS.get(wanted.priority, "D")
            )
            yield f"{region[: found.start()]}{spelled}{region[found.end() :]}"


def _added(path: str, region: str, whole: str, wanted: GivenMarks) -> Iterator[str]:
    if is_todo_txt(path) and wanted.priority is not None:
        yield f"({_LETTERS.get(wanted.priority, 'D')}) {region}"
    mark = " ".join(wanted.spelled(path, whole))
    for found in re.finditer(r"[^\r\n]+", region):
        words = found[0].rstrip()
        named = _BLOCK_ID.search(words)
        at = found.start() + (named.start() if named else len(words))
        yield f"{region[:at]} {mark}{region[at:]}"


def reword(path: str, data: bytes, line: int, old: str, new: str) -> Replacement | None:
    """Replace the words of the item that starts on a line; marks that the new ones bring take the place of the old.

    Raises EditError when nothing that could be written would read as that item, and all others as before; or the file
    is UTF-16.
    """
    note = read_blocks(data, path)
    place = note.open_at(line)
    if place is None:
        return None
    if note.document.task and line == 1:
        return rename_note(data, new) if note.document.entries[place].text == old else None
    start, region = note.written(place)
    candidates = list(_with_words(region, old, new))
    if not candidates:
        return None
    given = next(iter(parse_todo_txt(new).entries), None) if is_todo_txt(path) else _item(NewItem(new).words)
    for first, last, words in candidates:
        before, after = encode(region[:first]), encode(region[first:last])
        found = Replacement(start + len(before), after, words.encode())
        if given and _reads_so(note, found, place, old, given):
            return found
    raise EditError(
        "these words cannot stand there so that they read as this item",
        where=f"{path}:{line}",
        next_step="Reword it, or edit the file: `wrap open`.",
    )


def _with_words(region: str, old: str, new: str) -> Iterator[tuple[int, int, str]]:
    """Parts of an item that hold its words, and what may take their place: with all other marks first, then without."""
    written = list(_WORD.finditer(region))
    at, places = 0, list[int]()
    for word in old.split():
        at = next((place for place in range(at, len(written)) if written[place][0] == word), -1) + 1
        if not at:
            return
        places.append(at - 1)
    first, last = written[places[0]].start(), written[places[-1]].end()
    between = [written[at][0] for at in range(places[0], places[-1]) if at not in places]
    for words in spellings(new):
        yield first, last, " ".join([words, *between])
    # The new words may bring marks of their own, which the old ones behind them would contradict.
    line_end = region.find("\n", last) if "\n" in region[last:] else len(region)
    rest = [one for one in written[places[-1] + 1 :] if one.end() <= line_end][:_MOST_MARKS]
    left = [*between, *(one[0] for one in rest)]
    runs = ((size, start) for size in range(1, len(left) + 1) for start in range(len(left) - size + 1))
    for size, start in runs:
        alone = _item(f"x {' '.join(left[start : start + size])}")
        if alone and alone.text == "x":  # nothing but marks
            yield first, (rest[-1].end() if rest else last), " ".join([new, *left[:start], *left[start + size :]])


def _reads_so(note: Blocks, change: Replacement, place: int, words: str, given: Entry) -> bool:
    new = note.after(change.apply(note.lines.data))
    if not others_stand(note.document, new, (place,), (place,), nested=False):
        return False
    is_, was = new.entries[place], note.document.entries[place]
    rest = Counter(was.text.split())
    rest.subtract(words.split())
    return (
        not is_.done
        and is_.box == was.box
        and (is_.line, is_.conflict) == (was.line, was.conflict)
        and given.text in is_.text
        and Counter(is_.text.split()) == rest + Counter(given.text.split())
        and all(getattr(is_, mark) == (getattr(given, mark) or getattr(was, mark)) for mark in _MARKS)
    )


def _item(words: str) -> Entry | None:
    return read_item(f"[ ] {words}", line=1, section=-1)
