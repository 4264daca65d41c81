"""New lines into somebody's note: each edit is one insertion, and no byte that stands there changes. PURE.

Where a line belongs is a short list of places, best first. The first that, parsed again, gives the old entries plus
exactly the new ones is taken: so an unclosed code fence or comment cannot swallow a line unseen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.config import Sections
from wrapgen.errors import EditError
from wrapgen.headings import fold_name, roles, session_subject
from wrapgen.vault.markdown.blocks import Blocks, decode, read_blocks
from wrapgen.vault.markdown.check import added_at
from wrapgen.vault.markdown.outline import BOLD_LINE_LEVEL
from wrapgen.vault.markdown.parse import parse
from wrapgen.vault.markdown.spelling import Manner, NewItem, manner_of, plain_manner

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from wrapgen.vault.markdown.blocks import ListBlock

_NEXT, _DONE = "next", "done"
_NEXT_TITLE, _DONE_TITLE, _NEXT_SESSION_TITLE = "Next", "Done", "Next Session"
_SESSION_TITLE, _SESSION_SUBJECT = "Session", "follow-ups"


@dataclass(frozen=True, slots=True)
class Insertion:
    """One insertion into a file.

    Attributes:
        offset: byte in the old file that the new bytes are put in front of.
        data: the new bytes.
        lines: 1-based lines of the new items in the new file.
        texts: those lines as written, without their line breaks.
    """

    offset: int
    data: bytes
    lines: tuple[int, ...]
    texts: tuple[str, ...]


def apply(data: bytes, insertion: Insertion) -> bytes:
    """Put an insertion into the file that it was made for.

    Args:
        data: the file; empty for one that does not exist.
        insertion: what to put in.
    """
    return data[: insertion.offset] + insertion.data + data[insertion.offset :]


def into_journal(data: bytes | None, lines: Sequence[NewItem], *, day: date, sections: Sections) -> Insertion:
    """Put open items into the *Next* section of the newest session block.

    In notes with flat headings that section stands behind the block, not in it. The section is made at the end of the
    block when missing, the block at the end of the file when there is none and no *Next* section outside of one either.

    Args:
        data: the journal, None when there is none yet.
        lines: the items, in their order.
        day: the journal's date, the title of a new file.
        sections: the configured names of headings.

    Raises:
        EditError: an item has no words, or nothing can be added to the file.
    """
    return _Edit(lines, sections, _NEXT).into_block(data, day.isoformat())


def into_done(
    data: bytes | None, lines: Sequence[NewItem], *, day: date, sections: Sections, fresh: bool = False
) -> Insertion:
    """Put finished items into the *Done* section of the newest session block; else as `into_journal`.

    Args:
        data: the journal, None when there is none yet.
        lines: the items, in their order.
        day: the journal's date, the title of a new file.
        sections: the configured names of headings.
        fresh: make a new block in any case; *Done* and *Next* of one block with the same words leave the item open.

    Raises:
        EditError: an item has no words, or nothing can be added to the file.
    """
    return _Edit(lines, sections, _DONE).into_block(data, day.isoformat(), fresh=fresh)


def into_next_session(data: bytes | None, lines: Sequence[NewItem], *, title: str, sections: Sections) -> Insertion:
    """Put open items into a project list's section `Next Session`, made at the end when there is no *Next* section.

    Of several *Next* sections the last one called `Next Session` is taken, or else the last one.

    Args:
        data: the list, None when there is none yet.
        lines: the items, in their order.
        title: title of a new file.
        sections: the configured names of headings.

    Raises:
        EditError: an item has no words, or nothing can be added to the file.
    """
    return _Edit(lines, sections, _NEXT).into_next_session(data, title)


def into_checklist(
    data: bytes | None, lines: Sequence[NewItem], *, title: str, sections: Sections | None = None
) -> Insertion:
    """Put open checkboxes behind the last list of a task's file, or at its end when it has none.

    Lists below a *Done* heading come last in the choice, lists without any checkbox second to last.

    Args:
        data: the file, None when there is none yet.
        lines: the items, in their order.
        title: title of a new file.
        sections: the configured names of headings.

    Raises:
        EditError: an item has no words, or nothing can be added to the file.
    """
    return _Edit(lines, sections or Sections(), "").into_checklist(data, title)


@dataclass(frozen=True, slots=True)
class _Edit:
    """Items on their way into a file; `role` is that of the section which they must stand in, if any."""

    items: Sequence[NewItem]
    sections: Sections
    role: str

    @property
    def done(self) -> bool:
        return self.role == _DONE

    def into_block(self, data: bytes | None, title: str, *, fresh: bool = False) -> Insertion:
        block = [
            f"## {self._name(_SESSION_TITLE, self.sections.session)}: {_SESSION_SUBJECT}",
            "",
            f"### {self._title}",
        ]
        if data is None:
            return self._new_file([f"# {title}", "", *block, ""])
        blocks = read_blocks(data)
        return self._first_good(data, blocks, self._block_places(blocks, block, fresh=fresh))

    def into_next_session(self, data: bytes | None, title: str) -> Insertion:
        heading = f"## {self._name(_NEXT_SESSION_TITLE, self.sections.next)}"
        if data is None:
            return self._new_file([f"# {title}", "", heading, ""])
        blocks = read_blocks(data)
        named = self._topmost(blocks, range(len(blocks.document.sections)))
        titles = {index: fold_name(blocks.document.sections[index].title) for index in named}
        exact = [index for index in named if titles[index] == fold_name(_NEXT_SESSION_TITLE)]
        return self._first_good(data, blocks, self._section_places(blocks, (exact or named)[-1:], [heading]))

    def into_checklist(self, data: bytes | None, title: str) -> Insertion:
        if data is None:
            return self._new_file([f"# {title}", ""])
        blocks = read_blocks(data)
        return self._first_good(data, blocks, self._checklist_places(blocks))

    def _block_places(self, blocks: Blocks, block: list[str], *, fresh: bool) -> Iterator[Insertion]:
        sections = blocks.document.sections
        sessions = [
            index
            for index, section in enumerate(sections)
            if section.level < BOLD_LINE_LEVEL and session_subject(section.title, self.sections.session) is not None
        ]
        if sessions and not fresh:
            newest = sessions[-1]
            end = blocks.full_end(newest)
            since = self._topmost(blocks, range(newest, len(sections)))
            inside = [index for index in since if sections[index].line - 1 < end]
            level = sections[newest].level + 1
            heading = f"{'#' * level} {self._title}" if level < BOLD_LINE_LEVEL else f"**{self._title}**"
            yield from self._named(blocks, (inside or since)[-1:])
            yield from self._at_end(blocks, blocks.content_start(newest), end, [heading, ""])
        elif not fresh:
            yield from self._named(blocks, self._topmost(blocks, range(len(sections)))[-1:])
        yield from self._at_end(blocks, 0, len(blocks.lines), [*block, ""])

    def _section_places(self, blocks: Blocks, named: Sequence[int], heading: list[str]) -> Iterator[Insertion]:
        yield from self._named(blocks, named)
        yield from self._at_end(blocks, 0, len(blocks.lines), [*heading, ""])

    def _checklist_places(self, blocks: Blocks) -> Iterator[Insertion]:
        role = self._roles(blocks)
        boxed = {entry.line - 1 for entry in blocks.document.entries if entry.box}
        ranked = [
            (block.section < 0 or role[block.section] != _DONE, any(first in boxed for first, _ in block.items), index)
            for index, block in enumerate(blocks.lists)
        ]
        if ranked:
            yield from self._joined(blocks, blocks.lists[max(ranked)[-1]], boxes=True)
        yield from self._at_end(blocks, 0, len(blocks.lines), [])

    def _named(self, blocks: Blocks, named: Sequence[int]) -> Iterator[Insertion]:
        """In a section: behind the last item of its own last list, else as a list behind what stands there."""
        for section in named:
            own = [block for block in blocks.lists if block.section == section]
            if own:
                yield from self._joined(blocks, own[-1])
            yield from self._at_end(blocks, blocks.content_start(section), blocks.own_end(section), [])

    def _joined(self, blocks: Blocks, block: ListBlock, *, boxes: bool = False) -> Iterator[Insertion]:
        lines = blocks.lines
        last, at = block.items[-1]
        manner = manner_of(blocks, block, done=self.done)
        if boxes:
            manner = manner.boxed()
        loose = len(block.items) > 1 and lines.blank(last - 1)
        yield self._insertion(blocks, at, [], manner, spaced=loose, before=loose)
        yield self._insertion(blocks, at, [], manner, spaced=loose, before=loose, after=True)

    def _at_end(self, blocks: Blocks, start: int, end: int, head: list[str]) -> Iterator[Insertion]:
        """At the end of a region; in front of a last block that nothing closes, when the end would be part of it."""
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
        manner: Manner,
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
        for text in texts:
            if spaced and numbers:
                rows.append("")
            numbers.append(at + len(rows) + 1)
            rows.append(text)
        rows += [""] * after
        ending = lines.break_near(at)
        body = ending.join(row.encode() for row in rows)
        unended = at > 0 and at == len(lines) and not lines.ending(at - 1)
        data = ending + body if unended else body + ending
        return Insertion(lines.start(at), data, tuple(numbers), tuple(texts))

    def _new_file(self, head: list[str]) -> Insertion:
        manner = plain_manner(done=self.done)
        texts = [manner.spell(item, position, done=self.done) for position, item in enumerate(self.items)]
        data = "".join(f"{row}\n" for row in (*head, *texts)).encode()
        first = len(head) + 1
        return Insertion(0, data, tuple(range(first, first + len(texts))), tuple(texts))

    def _first_good(self, data: bytes, blocks: Blocks, places: Iterator[Insertion]) -> Insertion:
        for insertion in places:
            new = parse(decode(apply(data, insertion)))
            first = added_at(blocks.document, new, self.items, done=self.done)
            if first is None:
                continue
            entries = new.entries[first : first + len(self.items)]
            role = roles(((one.title, one.parent) for one in new.sections), self.sections.next, self.sections.done)
            stands = all(entry.section >= 0 and role[entry.section] == self.role for entry in entries)
            if tuple(entry.line for entry in entries) == insertion.lines and (stands or not self.role):
                return insertion
        raise EditError(
            "has no place where a new line would be read as an item",
            next_step="Close what stays open in the file (a code fence, an HTML comment) and run again.",
        )

    def _topmost(self, blocks: Blocks, among: Sequence[int]) -> list[int]:
        """The sections of the wanted role, among the given ones, that stand in no other one of that role."""
        role = self._roles(blocks)
        sections = blocks.document.sections
        return [
            index
            for index in among
            if role[index] == self.role and (sections[index].parent < 0 or role[sections[index].parent] != self.role)
        ]

    def _roles(self, blocks: Blocks) -> list[str]:
        pairs = ((section.title, section.parent) for section in blocks.document.sections)
        return roles(pairs, self.sections.next, self.sections.done)

    @property
    def _title(self) -> str:
        if self.done:
            return self._name(_DONE_TITLE, self.sections.done)
        return self._name(_NEXT_TITLE, self.sections.next)

    @staticmethod
    def _name(wanted: str, names: tuple[str, ...]) -> str:
        """The title of a new heading; one of the configured names where the usual one would not be understood."""
        known = {fold_name(name) for name in names}
        return wanted if fold_name(wanted) in known or not names else names[0]


def _is_indented(line: bytes) -> bool:
    return line.startswith((b"  ", b"\t", b" \t"))
