"""Taking lines out of a file: an item with everything below it, or lines that were added, if unchanged. PURE."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.errors import EditError
from wrapgen.late_pattern import late
from wrapgen.vault.markdown.blocks import Lines, as_written, decode, encode, nesting, others_stand, read_blocks
from wrapgen.vault.markdown.boxes import column as indent_of
from wrapgen.vault.markdown.boxes import own_words
from wrapgen.vault.markdown.marks.state import state_of
from wrapgen.vault.markdown.parse import tokenize
from wrapgen.vault.markdown.tick import Replacement
from wrapgen.vault.markdown.todo_txt import in_markdown, is_todo_txt

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from markdown_it.token import Token

    from wrapgen.vault.markdown.blocks import Blocks, Nesting

_ITEM = late(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?P<pad>[ \t]+)(?P<rest>\S.*)")
_WIDEST_PAD = 4  # columns; behind more, code begins
_HEADING = late(rb"#{1,6} |\*\*")
_BREAKS = (b"\r", b"\n")


@dataclass(frozen=True, slots=True)
class TakenItem:
    """An item that is taken out, as it is written."""

    state: str  # its box or marker with the blank behind it; empty for a plain bullet
    head: str  # what is behind that on its first line, with tag and marks
    below: tuple[str, ...]  # the lines below the first that belong to it
    column: int  # where its words begin, counted from 0 with tabs of four
    nested: Nesting  # the entries below it
    first: int  # 0-based line on which it begins
    behind: int  # the line behind all of it
    # what to replace in its file: its lines, with a line that stays by which the place is found again
    change: Replacement
    lines: bytes = b""  # all of its lines


def take_out(path: str, data: bytes, line: int) -> TakenItem | None:
    """Take out the open item that starts on a line, if one does, with everything below it.

    Raises EditError when it is no list item, or without it the rest would read otherwise; or the file is UTF-16.
    """
    blocks = read_blocks(data, path)
    lines, entries, place = blocks.lines, blocks.document.entries, blocks.open_at(line)
    if place is None:
        return None
    if is_todo_txt(path):
        head = in_markdown(as_written(lines.text(line - 1)))
        return TakenItem("", head, (), 0, (), line - 1, line, _without(lines, line - 1, line), lines.text(line - 1))
    tokens = tokenize(decode(data))
    behind = None if tokens.trouble else _list_item(tokens.found, line - 1)
    written = _ITEM.match(as_written(lines.text(line - 1)))
    if behind is None or written is None:
        raise EditError("is no list item, so it cannot be moved", where=f"{path}:{line}", next_step="Move it by hand.")
    indent = indent_of(decode(lines.text(line - 1)))
    read = {entry.line - 1 for entry in entries}
    for row in range(line, behind):  # what CommonMark takes for words of the item may stand beside it
        words = decode(lines.text(row))
        if indent_of(words) <= indent and (row in read or own_words(words) is not None):
            behind = row
            break
    while behind > line and lines.blank(behind - 1):
        behind -= 1
    change = _without(lines, line - 1, behind)
    if not _reads_without(blocks, change.apply(data), range(line - 1, behind)):
        raise EditError(
            "without it the rest of the file would read otherwise", where=f"{path}:{line}", next_step="Move it by hand."
        )
    rest = written["rest"]
    head = state_of(rest).rest
    state = rest.removesuffix(head) if rest.endswith(head) else ""
    pad = written["pad"].expandtabs(4)
    return TakenItem(
        state,
        head if state else rest,
        tuple(as_written(lines.text(row)) for row in range(line, behind)),
        len(written[0][: written.start("rest")].expandtabs(4)) - (len(pad) - 1 if len(pad) > _WIDEST_PAD else 0),
        nesting([one for one in entries[place:] if one.line <= behind]),
        line - 1,
        behind,
        change,
        data[lines.start(line - 1) : lines.start(behind)],
    )


def _list_item(tokens: list[Token], row: int) -> int | None:
    """The line behind the list item that starts on a row; None where none starts that has words there."""
    for at, token in enumerate(tokens):
        if token.type == "list_item_open" and token.map and token.map[0] == row:
            inline = next((one for one in tokens[at + 1 : at + 3] if one.type == "inline"), None)
            return token.map[1] if inline is not None and inline.map and inline.map[0] == row else None
    return None


def _without(lines: Lines, first: int, behind: int) -> Replacement:
    """Take some rows out; what is replaced begins with the last row above that holds something, else ends with one."""
    if first and behind < len(lines) and lines.blank(first - 1) and lines.blank(behind):
        behind += 1  # two blank lines would be left behind
    while behind == len(lines) and first and lines.blank(first - 1):
        first -= 1  # or one at the end of the file
    above = first
    while above and (above == first or lines.blank(above)):
        above -= 1
    below = behind
    if above == first:
        while below < len(lines) and (below == behind or lines.blank(below - 1)):
            below += 1
    start, end = lines.start(above), lines.start(below)
    data = lines.data
    kept = data[start : lines.start(first)] + data[lines.start(behind) : end]
    return Replacement(start, data[start:end], kept)


def _reads_without(blocks: Blocks, rest: bytes, dropped: Collection[int]) -> bool:
    came = [at for at, entry in enumerate(blocks.document.entries) if entry.line - 1 in dropped]
    return others_stand(blocks.after(rest), blocks.document, came=came)


@dataclass(frozen=True, slots=True)
class Removal:
    """A file without lines that were added to it."""

    data: bytes  # the file now; empty when nothing but what had been added stood in it
    removed: tuple[str, ...]  # the item lines that were removed
    gone: tuple[str, ...]  # those that no longer stand as they were written, so that nothing was done about them


def remove(data: bytes, inserted: bytes, item_lines: Sequence[str], *, offset: int) -> Removal | None:
    """Remove an insertion from a file; of several places that look alike the one nearest to the offset is meant.

    If its bytes are unchanged, the file is restored exactly. Otherwise the unchanged item lines are removed, with
    headings that came with them and are now empty. Raises EditError when other lines would read otherwise, or the file
    is UTF-16.
    """
    blocks = read_blocks(data)
    for start in occurrences(data, inserted, offset):
        rest = data[:start] + data[start + len(inserted) :]
        rows = _rows(blocks.lines, start, inserted)
        if _is_whole(blocks, rows) and _reads_without(blocks, rest, rows):
            return Removal(rest, tuple(item_lines), ())
    return _remove_lines(blocks, inserted, item_lines, offset)


def occurrences(data: bytes, inserted: bytes, offset: int) -> list[int]:
    """Where the bytes occur as whole lines, the nearest first."""
    found: list[int] = []
    start = data.find(inserted)
    while start >= 0:
        end = start + len(inserted)
        begins = inserted.startswith(_BREAKS) or start in (0, 3) or data[:start].endswith(_BREAKS)
        ends = inserted.endswith(_BREAKS) or end == len(data) or data[end:].startswith(_BREAKS)
        if begins and ends:
            found.append(start)
        start = data.find(inserted, start + 1)
    return sorted(found, key=lambda place: abs(place - offset))


def _rows(lines: Lines, start: int, inserted: bytes) -> range:
    words = len(inserted) - len(inserted.lstrip(b"\r\n"))
    return range(lines.at(start + words), lines.at(start + len(inserted.rstrip(b"\r\n")) - 1) + 1)


def _is_whole(blocks: Blocks, rows: range) -> bool:
    """Whether nothing was written since below the headings that came with an insertion."""
    for index, section in enumerate(blocks.document.sections):
        if section.line - 1 in rows:
            end = blocks.full_end(index)
            if blocks.tail is not None and rows.stop <= blocks.tail < end:
                end = blocks.tail
            return blocks.content_end(rows.stop, end) == rows.stop
    return True


def _remove_lines(blocks: Blocks, inserted: bytes, item_lines: Sequence[str], offset: int) -> Removal | None:
    lines = blocks.lines
    # An item that got details below is no longer unchanged.
    single = {first: lines.text(first) for block in blocks.lists for first, end in block.items if end == first + 1}
    near = lines.at(offset)
    dropped: set[int] = set()
    removed: list[str] = []
    gone: list[str] = []
    for text in item_lines:
        alike = [row for row, words in single.items() if words == encode(text) and row not in dropped]
        if alike:
            dropped.add(min(alike, key=lambda row: abs(row - near)))
        (removed if alike else gone).append(text)
    if not removed:
        return None
    _drop_headings(blocks, inserted, dropped)
    rest = _without_rows(lines, inserted, dropped)
    if not _reads_without(blocks, rest, dropped):
        raise EditError("removing the lines would change how the file is parsed", next_step="Remove them by hand.")
    return Removal(rest, tuple(removed), tuple(gone))


def _drop_headings(blocks: Blocks, inserted: bytes, dropped: set[int]) -> None:
    """Drop the headings of the insertion that have nothing below them, the innermost first."""
    made = [row for row in re.split(rb"\r\n|\r|\n", inserted) if _HEADING.match(row)]
    lines = blocks.lines
    first_item = min(dropped)
    for index in reversed(range(len(blocks.document.sections))):
        row = blocks.document.sections[index].line - 1
        if not made or row > first_item or lines.text(row) != made[-1]:
            continue
        below = range(blocks.content_start(index), blocks.full_end(index))
        if any(line not in dropped and not lines.blank(line) for line in below):
            return
        dropped.add(row)
        made.pop()


def _without_rows(lines: Lines, inserted: bytes, dropped: set[int]) -> bytes:
    """The file without some lines, and without the blank lines around them."""
    count = len(lines)
    spaced = inserted.lstrip(b"\r\n").count(b"\n\n") + inserted.count(b"\r\n\r\n") > 0 or inserted.startswith(_BREAKS)
    kept: list[int] = []
    for row in range(count):
        if row in dropped:
            while spaced and kept and lines.blank(kept[-1]) and (row + 1 >= count or lines.blank(row + 1)):
                kept.pop()
        else:
            kept.append(row)
    if all(lines.blank(row) for row in kept):
        return lines.data[: lines.first]
    body = b"".join(lines.text(row) + lines.ending(row) for row in kept)
    if count - 1 in dropped and not lines.ending(count - 1):
        body = body[: len(body) - len(lines.ending(kept[-1]))]
    return lines.data[: lines.first] + body
