"""A due day and a priority for an item where it stands: its words, and all other marks, stay as they are. PURE."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import msgspec

from wrapgen.days import day_meant
from wrapgen.errors import EditError
from wrapgen.notes import Priority
from wrapgen.vault.markdown.blocks import Lines, decode, read_blocks
from wrapgen.vault.markdown.marks.priority import PRIORITY_SIGNS, priority_named
from wrapgen.vault.markdown.tick import Replacement
from wrapgen.vault.markdown.todo_txt import is_todo_txt, parse_todo_txt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.notes import Document, Entry

_GIVEN = re.compile(r"(?<!\S)(?P<name>due|prio|priority):(?P<value>\S+)", re.IGNORECASE)
_LETTERS = {Priority.HIGH: "A", Priority.MEDIUM: "B", Priority.LOW: "C"}
_PRIORITY = re.compile(
    rf"(?P<sign>[{PRIORITY_SIGNS}])\ufe0f?|(?P<field>(?<=priority::)\s*\w+)|(?P<letter>(?<=^\()[A-Z](?=\) ))"
    r"|(?P<pair>(?<=pri:)[A-Z])"
)
_BLOCK_ID = re.compile(r"(?<!\s)\s++\^[A-Za-z0-9-]++\s*$")


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
            bare = todo or ("📅" not in like and re.search(r"\bdue:\d{4}-", like))
            field = "[due::" in like and "📅" not in like
            found.append(f"[due:: {self.due}]" if field else f"due:{self.due}" if bare else f"📅 {self.due}")
        if self.priority is not None:
            field = "[priority::" in like
            sign = PRIORITY_SIGNS[self.priority]
            letter = _LETTERS.get(self.priority, "D")
            found.append(f"[priority:: {self.priority.name.lower()}]" if field else f"pri:{letter}" if todo else sign)
        return found


def given_marks(text: str, today: date) -> tuple[str, GivenMarks, list[str]]:
    """The marks that somebody typed: `due:fri`, `due:2w`, `prio:high`.

    Returns:
        the words beside them, what they mean, and those that mean no day and no priority, which stay words.
    """
    due: date | None = None
    priority: Priority | None = None
    unknown: list[str] = []

    def taken(found: re.Match[str]) -> str:
        nonlocal due, priority
        if found["name"].casefold() == "due":
            day = _day(found["value"], today)
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


def _day(word: str, today: date) -> date | None:
    if word.casefold() == "today":
        return today
    with suppress(ValueError):
        return date.fromisoformat(word)
    return day_meant(word, today)


def mark(path: str, data: bytes, line: int, wanted: GivenMarks) -> Replacement | None:
    """Give the open item that starts on a line, if one does, a due day or a priority, in the manner of its file.

    Raises:
        EditError: nothing that could be written would read so, and all else as before; or the file is UTF-16.
    """
    lines = Lines(data)
    row = lines.start(line - 1)
    done = data
    for name, value in (("due", wanted.due), ("priority", wanted.priority)):
        if value is None:
            continue
        alone = GivenMarks(wanted.due) if name == "due" else GivenMarks(priority=wanted.priority)
        document = _read(path, done)
        place = next((at for at, one in enumerate(document.entries) if one.line == line and not one.done), None)
        if place is None:
            return None
        entry = document.entries[place]
        if getattr(entry, name) == value:
            continue
        new = [*document.entries]
        new[place] = msgspec.structs.replace(entry, **{name: value})
        for text in _candidates(path, done, line, document, place, alone):
            found = _read(path, text)
            if list(found.entries) == new and found.sections == document.sections:
                done = text
                break
        else:
            raise EditError(
                f"its {'due day' if name == 'due' else 'priority'} cannot be written there so that it reads as meant",
                where=f"{path}:{line}",
                next_step="Edit the file: `wrap open`.",
            )
    tail = next((at for at in range(min(len(data), len(done)) - row) if data[-1 - at] != done[-1 - at]), 0)
    end = len(data) - tail
    return Replacement(row, data[row:end], done[row : len(done) - tail])


def _read(path: str, data: bytes) -> Document:
    return parse_todo_txt(decode(data)) if is_todo_txt(path) else read_blocks(data).document


def _candidates(
    path: str, data: bytes, line: int, document: Document, place: int, wanted: GivenMarks
) -> Iterator[bytes]:
    """The file with a mark in the place of the one that the item has, or at the end of one of its lines."""
    lines = Lines(data)
    entry = document.entries[place]
    behind = document.entries[place + 1].line - 1 if place + 1 < len(document.entries) else len(lines)
    end = next((row for row in range(line, behind) if lines.blank(row)), behind)
    start, stop = lines.start(line - 1), lines.start(end)
    region = data[start:stop].decode("utf-8", "surrogateescape")
    for text in (*_replaced(region, entry, wanted), *_added(path, region, decode(data), wanted)):
        yield data[:start] + text.encode("utf-8", "surrogateescape") + data[stop:]


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
