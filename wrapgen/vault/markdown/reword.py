"""Other words for an item where it stands: its box, tag, dates and details stay as they are. PURE."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from wrapgen.errors import EditError
from wrapgen.vault.markdown.blocks import Lines, decode, read_blocks
from wrapgen.vault.markdown.check import keeps_sections, signatures
from wrapgen.vault.markdown.item_writer import NewItem, spellings
from wrapgen.vault.markdown.marks import read_item
from wrapgen.vault.markdown.parse import parse
from wrapgen.vault.markdown.tick import Replacement, rename_note
from wrapgen.vault.markdown.todo_txt import is_todo_txt, parse_todo_txt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wrapgen.notes import Document, Entry

_WORD = re.compile(r"\S+")
_MOST_MARKS = 12  # words behind an item's own that may be marks; each try costs a parse of the file
_MARKS = ("due", "priority", "created", "finished", "recurrence", "scheduled", "start", "ident", "depends")


def reword(path: str, data: bytes, line: int, old: str, new: str) -> Replacement | None:
    """Replace the words of the item that starts on a line.

    A mark that the new words bring (a due day, a priority) takes the place of the old one.

    Raises:
        EditError: nothing that could be written would read as that item, and all others as before; or the file is
            UTF-16.
    """
    reader = parse_todo_txt if is_todo_txt(path) else parse
    document = reader(decode(data)) if is_todo_txt(path) else read_blocks(data).document
    at = next((at for at, entry in enumerate(document.entries) if entry.line == line and not entry.done), None)
    if at is None:
        return None
    if document.task and line == 1:
        return rename_note(data, new) if document.entries[at].text == old else None
    lines = Lines(data)
    behind = document.entries[at + 1].line - 1 if at + 1 < len(document.entries) else len(lines)
    end = next((row for row in range(line, behind) if lines.blank(row)), behind)
    start = lines.start(line - 1)
    region = data[start : lines.start(end)].decode("utf-8", "surrogateescape")
    for first, last, words in _candidates(region, old, new):
        before, after = (one.encode("utf-8", "surrogateescape") for one in (region[:first], region[first:last]))
        found = Replacement(start + len(before), after, words.encode())
        if _reads_so(reader, document, reader(decode(found.apply(data))), at, old, new):
            return found
    if not any(_candidates(region, old, new)):
        return None
    raise EditError(
        "these words cannot stand there so that they read as this item",
        where=f"{path}:{line}",
        next_step="Reword it, or edit the file: `wrap open`.",
    )


def _candidates(region: str, old: str, new: str) -> Iterator[tuple[int, int, str]]:
    """Parts of an item that hold its words, and what may take their place: with all other marks first, then without."""
    written = list(_WORD.finditer(region))
    wanted = old.split()
    at, places = 0, list[int]()
    for word in wanted:
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
        if _marks_only(" ".join(left[start : start + size])):
            yield first, (rest[-1].end() if rest else last), " ".join([new, *left[:start], *left[start + size :]])


def _marks_only(words: str) -> bool:
    found = _read(parse, f"x {words}")
    return found is not None and found.text == "x"


def _reads_so(
    reader: Callable[[str], Document], old: Document, new: Document, at: int, words: str, wanted: str
) -> bool:
    """Whether only this entry is another now, and reads as it should."""
    before, after = signatures(old), signatures(new)
    nested = [place for place, entry in enumerate(old.entries) if place != at]
    if len(before) != len(after) or not keeps_sections(old, new):
        return False
    if any(before[place][:-2] != after[place][:-2] or before[place][-1] != after[place][-1] for place in nested):
        return False
    given = _read(reader, wanted)
    if given is None:
        return False
    is_, was = new.entries[at], old.entries[at]
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


def _read(reader: Callable[[str], Document], words: str) -> Entry | None:
    """The words alone as an item."""
    if reader is parse_todo_txt:
        return next(iter(reader(words).entries), None)
    return read_item(f"[ ] {NewItem(words).words}", line=1, section=-1)
