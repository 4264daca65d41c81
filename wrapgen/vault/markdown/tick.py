"""Finishing an item where it stands: one character of its box changes, or its line in a todo.txt. PURE."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.vault.markdown.blocks import Lines, decode, read_blocks
from wrapgen.vault.markdown.check import keeps_sections, signatures
from wrapgen.vault.markdown.marks.state import BALLOTS, OPEN_MARKERS
from wrapgen.vault.markdown.note import COMMENT, KEY, unquoted
from wrapgen.vault.markdown.parse import parse
from wrapgen.vault.markdown.recurrence import next_line
from wrapgen.vault.markdown.todo_txt import finished_line, is_todo_txt, parse_todo_txt

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from wrapgen.vault.markdown.blocks import Blocks

# A box with at most one character in it, of up to four bytes; a ballot box; or a task marker.
_OPEN = re.compile(
    rb"\[(?P<box>[^\[\]]{0,4})\]|(?P<ballot>" + "|".join(BALLOTS).encode() + rb")|\b(?P<marker>"
    + "|".join(OPEN_MARKERS).encode() + rb")(?![\w-])"
)  # fmt: skip
_TICKED = {"box": b"x", "ballot": "☑".encode(), "marker": b"DONE"}
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


def tick(note: Blocks, line: int) -> Replacement | None:
    """Tick the open box of the item that starts on a line.

    Returns:
        what to replace, or None when no entry with an open box starts there, or when ticking it would make anything
        else in the file read otherwise.
    """
    entries = note.document.entries
    place = next((i for i, entry in enumerate(entries) if entry.line == line and entry.box and not entry.done), None)
    if place is None:
        return None
    before = signatures(note.document)
    start = note.lines.start(line - 1)
    for found, _ in zip(_OPEN.finditer(note.lines.text(line - 1)), range(_MOST_TRIES), strict=False):
        group = found.lastgroup or "box"
        replacement = Replacement(start + found.start(group), found[group], _TICKED[group])
        document = parse(decode(replacement.apply(note.lines.data)))
        after = signatures(document)
        same = before[:place] == after[:place] and before[place + 1 :] == after[place + 1 :]
        if not same or len(after) != len(before) or not keeps_sections(note.document, document):
            continue
        if document.entries[place].done and document.entries[place].text == entries[place].text:
            return replacement
    return None


def finish(path: str, data: bytes, line: int, day: date, status: str = "") -> Replacement | None:
    """Finish the item that starts on a line: tick its box, set the status of a note, or mark the line of a todo.txt.

    Args:
        status: of a note that is a task, as its tool writes it; empty for "Done" in the case of what stands there.
    """
    if not is_todo_txt(path):
        note = read_blocks(data)
        if note.document.task and line == 1:
            return finish_note(data, status)
        ticked = tick(note, line)
        return ticked and _with_next(note, line, ticked, day)
    lines = Lines(data)
    entry = next((one for one in parse_todo_txt(decode(data)).entries if one.line == line), None)
    if entry is None or not 0 < line <= len(lines):
        return None
    old = lines.text(line - 1)
    text = old.decode("utf-8", "surrogateescape")
    new = finished_line(text, day)
    if new is None:
        return None
    then = next_line(text, entry, day, todo_txt=True) if entry.recurrence else None
    return _below(lines, line, new.encode("utf-8", "surrogateescape"), then)


def _below(lines: Lines, line: int, new: bytes, then: str | None) -> Replacement:
    """A line as it is to be, below its next occurrence."""
    above = b"" if then is None else then.encode("utf-8", "surrogateescape")
    put = above + lines.break_near(line - 1) if above else b""
    return Replacement(lines.start(line - 1), lines.text(line - 1), put + new, above)


def _with_next(note: Blocks, line: int, ticked: Replacement, day: date) -> Replacement:
    """The tick of a repeating item with its next occurrence above, if that reads as it should and changes no other."""
    place = next(at for at, one in enumerate(note.document.entries) if one.line == line)
    entry = note.document.entries[place]
    if entry.recurrence is None or entry.row:
        return ticked
    lines = note.lines
    then = next_line(lines.text(line - 1).decode("utf-8", "surrogateescape"), entry, day)
    if then is None:
        return ticked
    at = ticked.offset - lines.start(line - 1)
    old = lines.text(line - 1)
    both = _below(lines, line, old[:at] + ticked.new + old[at + len(ticked.old) :], then)
    after, alone = (parse(decode(one.apply(lines.data))) for one in (both, ticked))
    new = after.entries[place] if place < len(after.entries) else None
    rest = signatures(after)
    if new is None or rest[:place] + rest[place + 1 :] != signatures(alone) or not keeps_sections(note.document, after):
        return ticked
    return both if (new.text, new.done, new.recurrence) == (entry.text, False, entry.recurrence) else ticked


def finish_note(data: bytes, status: str) -> Replacement | None:
    """Set the status of a note that is a task, and nothing else."""
    return _with_value(data, "status", lambda old: status or ("Done" if unquoted(old)[:1].isupper() else "done"))


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
        found = KEY.match(line.decode("utf-8", "surrogateescape"))
        if found and found["key"].casefold() == key and found["value"]:
            value = found["value"] if found["value"][0] in "'\"" else COMMENT.sub("", found["value"])
            old = value.encode("utf-8", "surrogateescape")
            start = lines.start(number) + line.index(old, len(found["key"].encode()))
            return Replacement(start, old, new(value).encode("utf-8", "surrogateescape"))
    return None
