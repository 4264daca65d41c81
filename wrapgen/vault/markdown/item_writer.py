"""How a new item is written: its text, in the style of the list that it joins. PURE."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from wrapgen.errors import EditError
from wrapgen.late_pattern import late
from wrapgen.text.display import one_line
from wrapgen.vault.markdown.blocks import as_written, encode, nesting
from wrapgen.vault.markdown.boxes import own_words, unboxed
from wrapgen.vault.markdown.marks.item import read_item
from wrapgen.vault.markdown.marks.state import BALLOT, BOX, DONE_MARKERS, MARKER, OPEN_BALLOTS, OPEN_MARKERS
from wrapgen.vault.markdown.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wrapgen.notes import Entry
    from wrapgen.vault.markdown.blocks import Blocks, ListBlock, Nesting

_ITEM = late(r"(?P<indent>[ \t]*)(?:(?P<bullet>[-*+])|(?P<number>\d{1,9})(?P<dot>[.)]))(?P<pad>[ \t]*)(?P<rest>.*)")
_NUMBERED = late(r"\d{1,9}(?=[.)])")
# Control characters, and what UTF-8 cannot encode; the parser also reads NUL as U+FFFD.
_UNWRITABLE = late("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff]")
OPEN_BOX, _TICKED_BOX = "[ ] ", "[x] "
_OPEN_BALLOT, _TICKED_BALLOT = "☐ ", "☑ "
_OPEN_BOX_ITEM = "- [ ] "


@dataclass(frozen=True, slots=True)
class MovedLines:
    """What an item from another file brings along."""

    state: str  # its box or marker as it was written, with the blank behind it
    below: tuple[str, ...]  # the lines below its first
    column: int  # the column at which its words began

    def rows(self, column: int) -> list[str]:
        """The lines below it, where its words begin at another column; at the same one they stay as they are."""
        if column == self.column:
            return list(self.below)
        return _indented(self.below, column - self.column)


@dataclass(frozen=True)
class NewItem:
    """A line to be written."""

    text: str  # its words; line breaks and control characters are not kept
    project: str | None = None  # its tag, None for none
    moved: MovedLines | None = None  # how it stood elsewhere; its text is as it was written there
    lead: str | None = None  # what stands in front of its text, where that is not its tag in round brackets

    @cached_property
    def _sample(self) -> Sequence[Entry]:
        rows = self.moved.rows(2) if self.moved else []
        return parse("\n".join([_OPEN_BOX_ITEM + _as_read(self.words), *map(_as_read, rows)])).entries

    @property
    def nested(self) -> Nesting:
        """How what is below it is nested."""
        return nesting(self._sample) if self.moved and self.moved.below else ()

    @property
    def words(self) -> str:
        """What is behind bullet and box; EditError when there are no words."""
        text = self.text if self.moved else unboxed(_UNWRITABLE.sub("\ufffd", one_line(self.text)))
        tag = f"({one_line(self.project)}) " if self.project else ""
        words = f"{tag if self.lead is None else self.lead}{text}"
        if not text or (not self.moved and _read(OPEN_BOX + words) is None):
            what = f"`{text}` has no words" if text else "the text is empty"
            raise EditError(what, next_step="Give the item some text and run again.")
        return words

    def stands_as(self, entry: Entry, *, done: bool) -> bool:
        """Whether an entry of a parsed file is this item, with whatever mark and tag in front of its words."""
        if self.reads_as(entry, done=done):
            return True
        name = re.escape(self.project or "")
        lead = re.match(
            rf"(?:#\S+\s+)?(?:[(（\[#+*_`]*{name}[)）\]*_`:：]*\s+)?" if name else r"#\S+\s+", entry.text, re.I
        )
        return bool(lead and lead[0]) and replace(self, lead=lead[0] if lead else "").reads_as(entry, done=done)

    def says(self, text: str) -> bool:
        """Whether it has these words, beside its tag and marks."""
        found = _read(OPEN_BOX + _as_read(replace(self, project=None, lead=None).words))
        return found is not None and found.text == text

    def reads_as(self, entry: Entry, *, done: bool) -> bool:
        """Whether an entry of a parsed file is this item, open or finished."""
        if entry.done != done and not (done and not entry.box):
            return False
        if self.moved and self.moved.below:
            return entry.text == self._sample[0].text
        words = map(_as_read, spellings(self.words))
        return entry.text in {found.text for one in words if (found := _read(OPEN_BOX + one))}


@dataclass(frozen=True, slots=True)
class ListStyle:
    """How the items of a list are written."""

    indent: str = ""
    marker: str = "-"  # the bullet, or the number of the first new item with as many digits as its list uses
    dot: str = ""
    step: int = 0  # what the number grows by; 0 in a list that repeats its number
    pad: str = " "
    box: str = OPEN_BOX  # box, ballot or task word with its blank; nothing for plain bullets

    def spell(self, item: NewItem, position: int, *, done: bool) -> str:
        """An item as a line; EditError when it cannot be written so that it reads as what it is."""
        marker = self.marker
        if self.step:
            marker = str(int(marker) + self.step * position).zfill(len(marker))
        for content in self._contents(item, done=done):
            line = f"{self.indent}{marker}{self.dot}{self.pad}{content}"
            entries = parse(_as_read("\n".join(self.rows(item, line)))).entries
            if entries and nesting(entries) == item.nested and item.reads_as(entries[0], done=done):
                return line
        raise EditError("the text cannot be written as a list item", next_step="Reword it and run again.")

    def rows(self, item: NewItem, text: str) -> list[str]:
        """An item's line with the lines below it."""
        if item.moved is None:
            return [text]
        width = len(text) - len(text.lstrip()) + len(self.marker + self.dot + self.pad.expandtabs(4))
        return [text, *item.moved.rows(width)]

    def _contents(self, item: NewItem, *, done: bool) -> Iterator[str]:
        words = item.words
        box = _TICKED_BOX if done else OPEN_BOX
        if item.moved and item.moved.state and not done:
            yield item.moved.state + words
        if self.box:
            yield self.box + words
        else:
            hidden = words.startswith("<!--")  # read as an item here, but other programs would not show it
            yield from (spelling for spelling in spellings(words) if not hidden or spelling != words)
        yield box + words


def style_of(blocks: Blocks, block: ListBlock, *, done: bool) -> ListStyle:
    """The style of a list, which new items continue."""
    found = [_ITEM.match(blocks.lines.text(first).decode("utf-8", "replace")) for first, _ in block.items]
    items = [item for item in found if item]
    if not items:
        return plain_style(done=done)
    last = items[-1]
    pad = last["pad"] if last["rest"] and len(last["pad"].expandtabs(4)) <= 4 else ""
    box = _box(items, done=done)
    if last["bullet"]:
        return ListStyle(last["indent"], last["bullet"], pad=pad or " ", box=box)
    repeats = len(items) > 1 and items[-2]["number"] == last["number"]
    number = last["number"] if repeats else str(int(last["number"]) + 1)
    return ListStyle(
        last["indent"], number.zfill(len(last["number"])), last["dot"], 0 if repeats else 1, pad or " ", box
    )


def plain_style(*, done: bool) -> ListStyle:
    """The style of a new list: open checkboxes, and plain bullets for finished work."""
    return ListStyle(box="" if done else OPEN_BOX)


def bare_style(blocks: Blocks, row: int, box: str) -> ListStyle | None:
    """The style of lines that have a box and no bullet, when a row is one; None for any other row."""
    text = as_written(blocks.lines.text(row))
    boxed = any(entry.line == row + 1 and entry.box for entry in blocks.document.entries)
    if _ITEM.match(text) or text.startswith("#") or own_words(text) is None or not (boxed or box[0] in OPEN_BALLOTS):
        return None
    return ListStyle(text[: len(text) - len(text.lstrip(" \t"))], marker="", pad="", box=box)


def open_box_of(blocks: Blocks, usual: str) -> str:
    """The box, ballot or task word that the last item of a file has, open; where none has any, the usual one."""
    marks = [entry.mark for entry in blocks.document.entries if entry.box and entry.mark]
    return _opened(marks) or OPEN_BOX if marks else usual


def _box(items: list[re.Match[str]], *, done: bool) -> str:
    if any(BOX.match(item["rest"]) for item in items):
        return _TICKED_BOX if done else OPEN_BOX
    found = [mark for item in items if (mark := BALLOT.match(item["rest"]) or MARKER.match(item["rest"]))]
    if not found:
        return ""
    opened = _opened([mark[1] for mark in found])
    colon = ":" if found[-1][0].rstrip().endswith(":") else ""
    if opened[0] in OPEN_BALLOTS:
        return _TICKED_BALLOT if done else opened
    return f"DONE{colon} " if done else f"{opened.rstrip()}{colon} "


def _opened(marks: Sequence[str]) -> str:
    """How the last of some ballots or task words is written on an item that is open; "" for a box in brackets."""
    if marks[-1] in (*OPEN_MARKERS, *DONE_MARKERS):
        return "LATER " if not {"LATER", "NOW"}.isdisjoint(marks) and "TODO" not in marks else "TODO "
    if len(marks[-1]) != 1 or not BALLOT.match(marks[-1]):
        return ""
    return next((f"{mark} " for mark in reversed(marks) if mark in OPEN_BALLOTS), _OPEN_BALLOT)


def _indented(rows: Iterable[str], by: int) -> list[str]:
    found = []
    for row in rows:
        words = row.lstrip(" \t")
        column = len(row[: len(row) - len(words)].expandtabs(4))
        found.append(" " * max(0, column + by) + words if words else row)
    return found


def _as_read(written: str) -> str:
    """What is written, as it is read again: bytes that are no UTF-8 are replaced."""
    return encode(written).decode("utf-8", "replace")


def spellings(words: str) -> Iterator[str]:
    """The text as it is, and with a backslash that keeps Markdown from interpreting its beginning."""
    yield words
    if number := _NUMBERED.match(words):
        yield f"{number[0]}\\{words[number.end() :]}"
    elif words[0] in string.punctuation:
        yield "\\" + words


def _read(content: str) -> Entry | None:
    return read_item(content, line=1, section=-1)
