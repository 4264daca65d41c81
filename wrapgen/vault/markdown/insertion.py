"""The bytes of new items at a place of a note, with the breaks, blank lines and list style of what is around. PURE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.vault.markdown.item_writer import ListStyle, NewItem, manner_of, plain_manner

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wrapgen.vault.markdown.blocks import Blocks, ListBlock


@dataclass(frozen=True, slots=True)
class Insertion:
    """One insertion into a file."""

    offset: int  # byte in the old file that the new bytes are put in front of
    data: bytes  # the new bytes
    lines: tuple[int, ...]  # 1-based lines of the new items in the new file
    texts: tuple[str, ...]  # those lines as written, without their line breaks

    def apply(self, data: bytes) -> bytes:
        """Put it into the file that it was made for; empty for one that does not exist."""
        return data[: self.offset] + self.data + data[self.offset :]


@dataclass(frozen=True, slots=True)
class InsertionBuilder:
    """Makes insertions of some items."""

    items: Sequence[NewItem]  # what is inserted, in this order
    done: bool  # whether boxes are ticked

    def joined(self, blocks: Blocks, block: ListBlock, *, boxes: bool = False) -> Iterator[Insertion]:
        """Behind the last item of a list, also with boxes where it has none; with and without a blank line behind."""
        lines = blocks.lines
        last, at = block.items[-1]
        manner = manner_of(blocks, block, done=self.done)
        if boxes:
            manner = manner.boxed()
        loose = len(block.items) > 1 and lines.blank(last - 1)
        yield self._insertion(blocks, at, [], manner, spaced=loose, before=loose)
        yield self._insertion(blocks, at, [], manner, spaced=loose, before=loose, after=True)

    def at_end(self, blocks: Blocks, start: int, end: int, head: list[str]) -> Iterator[Insertion]:
        """At the end of a region; in front of a last block that nothing closes, when the end would be part of it.

        Args:
            start: first line of the region, counted from 0; `end` is the line behind it.
        """
        manner = plain_manner(done=self.done)
        ends = [blocks.content_end(start, end)]
        # An indented one would become part of the new item.
        if blocks.tail is not None and start <= blocks.tail < end and not _is_indented(blocks.lines.text(blocks.tail)):
            ends.append(blocks.content_end(start, blocks.tail))
        for at in ends:
            before = at > 0 and not blocks.lines.blank(at - 1)
            after = at < len(blocks.lines) and not blocks.lines.blank(at)
            yield self._insertion(blocks, at, head, manner, before=before, after=after)

    def _insertion(
        self,
        blocks: Blocks,
        at: int,
        head: list[str],
        manner: ListStyle,
        *,
        spaced: bool = False,
        before: bool = False,
        after: bool = False,
    ) -> Insertion:
        """Rows in front of a line: an optional blank, the headings, the items, an optional blank."""
        lines = blocks.lines
        texts = [manner.spell(item, position, done=self.done) for position, item in enumerate(self.items)]
        rows = [""] * before + head
        numbers: list[int] = []
        for item, text in zip(self.items, texts, strict=True):
            if spaced and numbers:
                rows.append("")
            numbers.append(at + len(rows) + 1)
            rows += manner.rows(item, text)
        rows += [""] * after
        ending = lines.break_near(at)
        body = ending.join(row.encode("utf-8", "surrogateescape") for row in rows)
        unended = at > 0 and at == len(lines) and not lines.ending(at - 1)
        data = ending + body if unended else body + ending
        return Insertion(lines.start(at), data, tuple(numbers), tuple(texts))

    def new_file(self, head: list[str]) -> Insertion:
        """A file of some lines, and the items behind them."""
        manner = plain_manner(done=self.done)
        texts = [manner.spell(item, position, done=self.done) for position, item in enumerate(self.items)]
        rows, numbers = list(head), []
        for item, text in zip(self.items, texts, strict=True):
            numbers.append(len(rows) + 1)
            rows += manner.rows(item, text)
        return Insertion(
            0, "".join(f"{row}\n" for row in rows).encode("utf-8", "surrogateescape"), tuple(numbers), tuple(texts)
        )


def _is_indented(line: bytes) -> bool:
    return line.startswith((b"  ", b"\t", b" \t"))
