"""Ticking the box of an item: one character changes. PURE."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wrapgen.vault.markdown.blocks import decode, read_blocks
from wrapgen.vault.markdown.check import keeps_sections, signatures
from wrapgen.vault.markdown.parse import parse

_TICK = b"x"
# A box with at most one character in it, of up to four bytes; or a ballot box.
_OPEN = re.compile(rb"\[([^\[\]]{0,4})\]|(" + "|".join("☐⬜🔲").encode() + b")")
_TICKED_BALLOT = "☑".encode()
# Each try costs a parse of the file; an item's box stands in front, a table row's in one of its cells.
_MOST_TRIES = 12


@dataclass(frozen=True, slots=True)
class Replacement:
    """A few bytes that take the place of others.

    Attributes:
        offset: where the old bytes start.
        old: what stands there.
        new: what is to stand there.
    """

    offset: int
    old: bytes
    new: bytes

    def apply(self, data: bytes) -> bytes:
        """Replace in the file that this was made for."""
        return data[: self.offset] + self.new + data[self.offset + len(self.old) :]


def tick(data: bytes, line: int) -> Replacement | None:
    """Tick the open box of the item that starts on a line.

    Args:
        data: the file.
        line: 1-based line of the item or table row.

    Returns:
        what to replace, or None when no entry with an open box starts there, or when ticking it would make anything
        else in the file read otherwise.

    Raises:
        EditError: the file is UTF-16.
    """
    blocks = read_blocks(data)
    entries = blocks.document.entries
    place = next((i for i, entry in enumerate(entries) if entry.line == line and entry.box and not entry.done), None)
    if place is None:
        return None
    before = signatures(blocks.document)
    start = blocks.lines.start(line - 1)
    for found, _ in zip(_OPEN.finditer(blocks.lines.text(line - 1)), range(_MOST_TRIES), strict=False):
        group, new = (1, _TICK) if found[1] is not None else (2, _TICKED_BALLOT)
        replacement = Replacement(start + found.start(group), found[group], new)
        document = parse(decode(replacement.apply(data)))
        after = signatures(document)
        same = before[:place] == after[:place] and before[place + 1 :] == after[place + 1 :]
        if not same or len(after) != len(before) or not keeps_sections(blocks.document, document):
            continue
        if document.entries[place].done and document.entries[place].text == entries[place].text:
            return replacement
    return None
