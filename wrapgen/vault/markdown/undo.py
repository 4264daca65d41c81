"""Removes added lines from a note, as far as they are unchanged. PURE."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.errors import EditError
from wrapgen.vault.markdown.blocks import Blocks, Lines, decode, read_blocks
from wrapgen.vault.markdown.check import keeps_sections, signatures
from wrapgen.vault.markdown.parse import parse

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_HEADING = re.compile(rb"#{1,6} |\*\*")
_BREAKS = (b"\r", b"\n")


@dataclass(frozen=True, slots=True)
class Removal:
    """A file without lines that were added to it."""

    data: bytes  # the file now; empty when nothing but what had been added stood in it
    removed: tuple[str, ...]  # the item lines that were removed
    gone: tuple[str, ...]  # those that no longer stand as they were written, so that nothing was done about them


def remove(data: bytes, inserted: bytes, item_lines: Sequence[str], *, offset: int) -> Removal | None:
    """Remove an insertion from a file.

    If its bytes are unchanged, the file is restored exactly. Otherwise the unchanged item lines are removed, with
    headings that came with them and are now empty.

    Args:
        offset: byte that they were put in at; of several places that look alike the nearest one is meant.

    Raises:
        EditError: taking them out would make other lines read otherwise, or the file is UTF-16.
    """
    blocks = read_blocks(data)
    for start in occurrences(data, inserted, offset):
        rest = data[:start] + data[start + len(inserted) :]
        if _is_whole(blocks, start, inserted) and reads_as_before(blocks, rest, _rows(blocks.lines, start, inserted)):
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
    """The lines that inserted bytes are on."""
    words = len(inserted) - len(inserted.lstrip(b"\r\n"))
    return range(lines.at(start + words), lines.at(start + len(inserted.rstrip(b"\r\n")) - 1) + 1)


def _is_whole(blocks: Blocks, start: int, inserted: bytes) -> bool:
    """Whether nothing was written since below the headings that came with the insertion."""
    rows = _rows(blocks.lines, start, inserted)
    for index, section in enumerate(blocks.document.sections):
        if section.line - 1 in rows:
            end = blocks.full_end(index)
            if blocks.tail is not None and rows.stop <= blocks.tail < end:
                end = blocks.tail
            return blocks.content_end(rows.stop, end) == rows.stop
    return True


def reads_as_before(blocks: Blocks, rest: bytes, dropped: Collection[int]) -> bool:
    """Whether the rest of the file parses as it did with the dropped lines."""
    document = parse(decode(rest))
    pairs = zip(blocks.document.entries, signatures(blocks.document), strict=True)
    kept = [signature for entry, signature in pairs if entry.line - 1 not in dropped]
    return kept == signatures(document) and keeps_sections(document, blocks.document)


def _remove_lines(blocks: Blocks, inserted: bytes, item_lines: Sequence[str], offset: int) -> Removal | None:
    lines = blocks.lines
    # An item that got details below is no longer unchanged.
    single = {first: lines.text(first) for block in blocks.lists for first, end in block.items if end == first + 1}
    near = lines.at(offset)
    dropped: set[int] = set()
    removed: list[str] = []
    for text in item_lines:
        alike = [row for row, words in single.items() if words == text.encode() and row not in dropped]
        if alike:
            dropped.add(min(alike, key=lambda row: abs(row - near)))
            removed.append(text)
    if not removed:
        return None
    _drop_headings(blocks, inserted, dropped)
    rest = _without(lines, inserted, dropped)
    if not reads_as_before(blocks, rest, dropped):
        raise EditError("removing the lines would change how the file is parsed", next_step="Remove them by hand.")
    gone = list(item_lines)
    for text in removed:
        gone.remove(text)
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


def _without(lines: Lines, inserted: bytes, dropped: set[int]) -> bytes:
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
