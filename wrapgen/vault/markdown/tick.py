"""Finishing an item where it stands: one character of its box changes, or its line in a todo.txt. PURE."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from wrapgen.vault.markdown.blocks import Blocks, Lines, as_written, encode, read_blocks
from wrapgen.vault.markdown.check import others_stand
from wrapgen.vault.markdown.marks.state import BALLOTS, OPEN_MARKERS
from wrapgen.vault.markdown.note import COMMENT, KEY, unquoted
from wrapgen.vault.markdown.recurrence import next_line
from wrapgen.vault.markdown.todo_txt import finished_line, is_todo_txt

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
                return ticked
    return None


def finish(path: str, data: bytes, line: int, day: date, status: str = "") -> Replacement | None:
    """Finish the item that starts on a line: tick its box, set the status of a note, or mark the line of a todo.txt.

    Args:
        status: of a note that is a task, as its tool writes it; empty for "Done" in the case of what stands there.
    """
    note = read_blocks(data, path)
    if note.document.task and line == 1:
        return _with_value(data, "status", lambda old: status or ("Done" if unquoted(old)[:1].isupper() else "done"))
    if not is_todo_txt(path):
        ticked = tick(note, line)
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
