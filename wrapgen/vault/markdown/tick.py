"""Finishing items where they stand, with the next occurrence of repeating work. PURE."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from operator import attrgetter
from typing import TYPE_CHECKING

from wrapgen.late_pattern import late
from wrapgen.vault.markdown.blocks import Blocks, Lines, as_written, encode, others_stand, read_entries
from wrapgen.vault.markdown.marks.state import OPEN_BALLOTS, OPEN_MARKERS
from wrapgen.vault.markdown.note import COMMENT, KEY, unquoted
from wrapgen.vault.markdown.recurrence import next_line
from wrapgen.vault.markdown.todo_txt import finished_line, is_todo_txt

if TYPE_CHECKING:
    from wrapgen.notes import Document, Entry

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
_DAY = r"\d{4}-\d{2}-\d{2}"
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


def apply_all(data: bytes, changes: Iterable[Replacement]) -> bytes:
    """Replace at several places of the file that the changes were made for, none of which overlap."""
    pieces, at = list[bytes](), 0
    for one in sorted(changes, key=attrgetter("offset")):
        pieces += data[at : one.offset], one.new
        at = one.offset + len(one.old)
    return b"".join((*pieces, data[at:]))


def finish(
    path: str, data: bytes, lines: Collection[int], day: date, status: str = "", document: Document | None = None
) -> dict[int, Replacement]:
    """Finish the items that start on lines: tick a box, set the status of a note, or mark the line of a todo.txt.

    Returns a change of the file as it is given for each line whose item can be finished; all of them go together.

    Args:
        status: of a note that is a task, as its tool writes it; empty for "Done" in the case of what stands there.
        document: what the file reads as, where that is known.
    """
    note = read_entries(data, path, document)
    entries = {one.line: one for one in reversed(note.document.entries) if not one.done}
    rows = [entries[line] for line in sorted(entries.keys() & set(lines))]
    if is_todo_txt(path):
        return {one.line: found for one in rows if (found := _marked(note.lines, one, day))}
    is_note = note.document.task and 1 in lines
    made = _ticks(note, [one for one in rows if one.box and not (is_note and one.line == 1)], day)
    if is_note and 1 in entries:
        done = _with_value(data, "status", lambda old: status or ("Done" if unquoted(old)[:1].isupper() else "done"))
        made |= {1: done} if done else {}
    return made


def _marked(lines: Lines, entry: Entry, day: date) -> Replacement | None:
    text = as_written(lines.text(entry.line - 1))
    new = finished_line(text, day)
    then = next_line(text, entry, day, todo_txt=True) if entry.recurrence else None
    return None if new is None else _below(lines, entry.line, encode(new), then)


def _ticks(note: Blocks, rows: Sequence[Entry], day: date) -> dict[int, Replacement]:
    """Tick open entries, which ascend: all of them on one look at the file, with one look at the result.

    Where that does not read as meant, half of them are tried, and so on: what cannot be ticked keeps no other from it.
    """
    if not rows:
        return {}
    if (together := _together(note, rows, day)) is not None:
        return together
    if len(rows) == 1:
        ticked = tick(note, rows[0].line, day)
        return {rows[0].line: _with_next(note, rows[0].line, ticked, day)} if ticked else {}
    half = len(rows) // 2
    below = _ticks(note, rows[half:], day)
    # What is above stands at the same bytes still.
    above = read_entries(apply_all(note.lines.data, below.values())) if below else note
    return _ticks(above, rows[:half], day) | below


def _together(note: Blocks, rows: Sequence[Entry], day: date) -> dict[int, Replacement] | None:
    """Return the ticks of open entries, each at its first mark that reads so; None when not all reads as meant."""
    forms = _days_said(note)
    marks = {one.line: [*_OPEN.finditer(note.lines.text(one.line - 1))] for one in rows}
    if forms and any(_FINISHED.search(as_written(note.lines.text(line - 1))) for line in marks):
        return None
    for _ in range(_MOST_TRIES):
        if not all(marks.values()):
            break
        made = {one.line: _whole_tick(note.lines, one, marks[one.line][0], day, forms) for one in rows}
        new = note.after(apply_all(note.lines.data, made.values()))
        if len(new.entries) != len(note.document.entries) + sum(bool(one.above) for one in made.values()):
            return None
        gone, came, misread = _places(note.document, new, made, day if forms else None)
        if not misread:
            return made if others_stand(note.document, new, gone, came) else None
        for line in misread:
            del marks[line][0]
    return None


def _whole_tick(
    lines: Lines, entry: Entry, found: re.Match[bytes], day: date, forms: Sequence[tuple[int, str]]
) -> Replacement:
    """Return a tick with its day, where the file's done lines have it, and its next occurrence."""
    start, text = lines.start(entry.line - 1), lines.text(entry.line - 1)
    one = _ticked(start, found)
    if forms:
        one = _with_text(lines, entry.line, one, _day_near(forms, entry.line, day))
    then = next_line(as_written(text), entry, day) if entry.recurrence is not None and not entry.row else None
    row = replace(one, offset=one.offset - start).apply(text)
    return one if then is None else _below(lines, entry.line, row, then)


def _places(
    old: Document, new: Document, made: Mapping[int, Replacement], day: date | None
) -> tuple[set[int], set[int], list[int]]:
    """Return where the entries that were ticked stood, where they and their next ones stand, and the lines misread."""
    gone, came, misread, by = set[int](), set[int](), list[int](), 0
    left = dict(made)
    for at, was in enumerate(old.entries):
        if was.done or (one := left.pop(was.line, None)) is None:
            continue
        then = new.entries[at + by] if one.above else None
        by += then is not None
        now = new.entries[at + by]
        repeats = then is None or (then.text, then.done, then.recurrence) == (was.text, False, was.recurrence)
        if not repeats or (now.text, now.done) != (was.text, True) or (day and now.finished != day):
            misread.append(was.line)
        gone.add(at)
        came |= {at + by, at + by - (then is not None)}
    return gone, came, misread


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
        ticked = _ticked(start, found)
        new = note.after(ticked.apply(note.lines.data))
        if others_stand(note.document, new, (place,), (place,)):
            now = new.entries[place]
            if now.done and now.text == entry.text:
                return (day and not now.finished and _with_day(note, ticked, place, day)) or ticked
    return None


def _ticked(start: int, found: re.Match[bytes]) -> Replacement:
    group = found.lastgroup or "box"
    return Replacement(start + found.start(group), found[group], _TICKED[group])


def _with_day(note: Blocks, ticked: Replacement, place: int, day: date) -> Replacement | None:
    """A tick with the day on which the item was done, as the nearest done item has it.

    None where most have none, or when it would not read so.
    """
    entry, forms = note.document.entries[place], _days_said(note)
    if not forms:
        return None
    dated = _with_text(note.lines, entry.line, ticked, _day_near(forms, entry.line, day))
    new = note.after(dated.apply(note.lines.data))
    now = new.entries[place] if len(new.entries) == len(note.document.entries) else None
    reads_so = now and (now.text, now.done, now.finished) == (entry.text, True, day)
    return dated if reads_so and others_stand(note.document, new, (place,), (place,)) else None


def _days_said(note: Blocks) -> list[tuple[int, str]]:
    """How done items say when they were, by their lines; nothing where most do not."""
    done = [one for one in note.document.entries if one.done and one.box and not one.row]
    found = [
        (one.line, said[0])
        for one in done
        if one.finished and (said := _FINISHED.search(as_written(note.lines.text(one.line - 1))))
    ]
    return found if 2 * len(found) >= len(done) else []


def _day_near(forms: Sequence[tuple[int, str]], line: int, day: date) -> str:
    """A day in the form of the nearest item."""
    at = bisect_left(forms, (line, ""))
    near = min(forms[max(0, at - 1) : at + 1], key=lambda one: abs(one[0] - line))
    return re.sub(_DAY, day.isoformat(), near[1])


def _with_text(lines: Lines, line: int, ticked: Replacement, text: str) -> Replacement:
    """A tick with more words at the end of its line, in front of the name that others link to."""
    end = lines.start(line - 1) + len(lines.text(line - 1))
    rest = as_written(lines.data[ticked.offset + len(ticked.old) : end])
    at = _LAST_WORDS.search(rest)
    assert at is not None  # if with nothing
    kept = f"{rest[: at.start()]} {text}{rest[at.start() :]}"
    return Replacement(ticked.offset, ticked.old + encode(rest), ticked.new + encode(kept))


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
