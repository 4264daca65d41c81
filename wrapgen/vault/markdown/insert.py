"""Adds lines to a note: each edit is one insertion, and no existing byte changes. PURE.

Candidate places are tried, best first. The first that, parsed again, gives the old entries plus exactly the new ones is
used, so an unclosed code fence or comment cannot swallow a line unnoticed; where there is none, or an item has no
words, that is an `EditError`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from wrapgen.config import Config, SectionNames
from wrapgen.errors import EditError
from wrapgen.notes import LEADING_LINE_LEVEL
from wrapgen.text.headings import entry_heads, fold_name, is_parked, roles, session_subject
from wrapgen.vault.markdown.blocks import Blocks, ListBlock, encode, nesting, others_stand, read_blocks
from wrapgen.vault.markdown.boxes import BOLD_LINE_LEVEL
from wrapgen.vault.markdown.item_writer import (
    OPEN_BOX,
    ListStyle,
    NewItem,
    bare_style,
    open_box_of,
    plain_style,
    style_of,
)

_NEXT, _DONE = "next", "done"
_NEXT_TITLE, _DONE_TITLE, _NEXT_SESSION_TITLE = "Next", "Done", "Next Session"
_SESSION_TITLE, _SESSION_SUBJECT = "Session", "follow-ups"


@dataclass(frozen=True, slots=True)
class Insertion:
    """One insertion into a file."""

    offset: int  # byte in the old file that the new bytes are put in front of
    data: bytes  # the new bytes
    lines: tuple[int, ...]  # 1-based lines of the new items in the new file
    texts: tuple[str, ...]  # those lines as written, without their line breaks
    behind: int  # the line behind the last of them and what is below it

    def apply(self, data: bytes) -> bytes:
        """Put it into the file that it was made for; empty for one that does not exist."""
        return data[: self.offset] + self.data + data[self.offset :]


def into_journal(
    note: Blocks | None,
    items: Sequence[NewItem],
    *,
    day: date,
    sections: SectionNames,
    outside: bool = False,
    box: str = OPEN_BOX,
) -> Insertion:
    """Put open items into the *Next* section of the newest session block.

    In notes with flat headings that section is behind the block, not in it. The section is made at the end of the
    block when missing, the block at the end of the file when there is none and no *Next* section outside of one either.

    Args:
        outside: put them outside of session blocks, so that the heading of none of them says what they are about.
        box: what is in front of them, with its blank, where no item of the file shows how it is done there.
    """
    edit = _Edit(_opened(note), items, sections, _NEXT, "" if note else day.isoformat(), box)
    return edit.first_good(edit.outside_blocks() if outside else edit.in_block())


def into_done(
    note: Blocks | None, items: Sequence[NewItem], *, day: date, sections: SectionNames, after: int = 0
) -> Insertion:
    """Put finished items into the *Done* section of the newest session block; else as `into_journal`.

    Items without a project get a block of their own where the newest one may be about some project's work.

    Args:
        after: line of what they finish, when that stands in the note too; *Done* and *Next* of one block with the same
            words leave the item open, so a new block is made where the newest one is not below it.
    """
    edit = _Edit(_opened(note), items, sections, _DONE, "" if note else day.isoformat())
    return edit.first_good(edit.in_block(after))


def into_next_session(
    note: Blocks | None, items: Sequence[NewItem], *, title: str, sections: SectionNames, box: str = OPEN_BOX
) -> Insertion:
    """Put open items into a project list's section `Next Session`, made at the end when there is no *Next* section.

    Of several *Next* sections that of a log's newest entry is taken, else the last one called `Next Session`, or else
    the last one. Where there is none and open boxes are, a box joins them: a section made now would turn them into
    backlog. `box` as in `into_journal`.
    """
    edit = _Edit(_opened(note), items, sections, _NEXT, "" if note else title, box)
    document, named = edit.note.document, edit.topmost()
    boxed = {entry.section for entry in document.entries if entry.box and not entry.done}
    if boxed and not named:
        edit = replace(edit, role="")
        return edit.first_good(edit.among_boxes(boxed))
    exact = [index for index in named if fold_name(document.sections[index].title) == fold_name(_NEXT_SESSION_TITLE)]
    heads = entry_heads(document.sections, sections.session)
    days = {index: head.day for index in named if (head := heads[index]) and head.day}
    newest = [index for index, day in days.items() if day == max(days.values())]
    heading = f"## {_name(_NEXT_SESSION_TITLE, sections.next)}"
    return edit.first_good(edit.in_section((newest or exact or named)[-1:], heading))


def into_checklist(
    note: Blocks | None,
    items: Sequence[NewItem],
    *,
    title: str,
    sections: SectionNames | None = None,
    box: str = OPEN_BOX,
) -> Insertion:
    """Put open checkboxes behind the last list of a task's file, or at its end when it has none.

    Lists below a *Done* heading come last in the choice, lists without any checkbox second to last. `box` as in
    `into_journal`.
    """
    edit = _Edit(_opened(note), items, sections or Config().names, "", "" if note else title, box)
    return edit.first_good(edit.in_last_list())


def into_flat_list(note: Blocks, items: Sequence[NewItem]) -> Insertion:
    """Put open items behind the last list of a file that is nothing but a list, as plain as it is."""
    edit = _Edit(note, items, Config().names, "")
    return edit.first_good(edit.joined(note.lists[-1]))


def _opened(note: Blocks | None) -> Blocks:
    return read_blocks(b"") if note is None else note


@dataclass(frozen=True, slots=True)
class _Edit:
    """Items to insert into a file, and the places where they may stand, the best ones first."""

    note: Blocks
    items: Sequence[NewItem]
    sections: SectionNames
    role: str  # that of the section which they must be in, if any
    title: str = ""  # the heading of a file that is new
    box: str = OPEN_BOX  # in front of an item, where none of the file has any

    def first_good(self, places: Iterator[Insertion]) -> Insertion:
        for insertion in places:
            if self._reads_so(insertion):
                return insertion
        raise EditError(
            "has no place for a new list item",
            next_step="Close what is left open in the file (a code fence, an HTML comment) and run again.",
        )

    def _reads_so(self, insertion: Insertion) -> bool:
        new = self.note.after(insertion.apply(self.note.lines.data))
        role, lines = roles(new.sections, self.sections), [entry.line for entry in new.entries]
        came: set[int] = set()
        for item, first, behind in zip(
            self.items, insertion.lines, (*insertion.lines[1:], insertion.behind), strict=True
        ):
            places = range(bisect_left(lines, first), bisect_left(lines, behind))
            made = [new.entries[at] for at in places]
            if not made or made[0].line != first or nesting(made) != item.nested:
                return False
            stands = not self.role or (made[0].section >= 0 and role[made[0].section] == self.role)
            if not stands or not item.reads_as(made[0], done=self.role == _DONE):
                return False
            came.update(places)
        return others_stand(self.note.document, new, came=came)

    def in_block(self, after: int = 0) -> Iterator[Insertion]:
        """In the newest session block, or in a new one; `after` as in `into_done`."""
        note, session = self.note, f"{_name(_SESSION_TITLE, self.sections.session)}: {_SESSION_SUBJECT}"
        sections, sessions = note.document.sections, self._sessions()
        newest = sessions[-1] if sessions else -1
        own = sessions and sections[newest].title == session
        neutral = own or self.role != _DONE or all(item.project for item in self.items)
        if sessions and after < sections[newest].line and neutral:
            end = note.full_end(newest)
            since = [index for index in self.topmost() if index >= newest]
            inside = [index for index in since if sections[index].line - 1 < end]
            level = sections[newest].level + 1
            heading = f"{'#' * level} {self._title}" if level < BOLD_LINE_LEVEL else f"**{self._title}**"
            yield from self._below((inside or since)[-1:])
            yield from self._at_end(note.content_start(newest), end, [heading, ""])
        elif not sessions and not after:
            yield from self._below(self.topmost()[-1:])
        yield from self._at_end(0, len(note.lines), [f"## {session}", "", f"### {self._title}", ""])

    def outside_blocks(self) -> Iterator[Insertion]:
        """In a section that is in no session block, or in a new one."""
        sections, sessions = self.note.document.sections, self._sessions()
        blocked = [range(sections[one].line, self.note.full_end(one) + 1) for one in sessions]
        free = [at for at in self.topmost() if not any(sections[at].line in lines for lines in blocked)]
        level = min((sections[index].level for index in sessions), default=2)
        return self.in_section(free[-1:], f"{'#' * level} {self._title}")

    def in_section(self, named: Sequence[int], heading: str) -> Iterator[Insertion]:
        """In one of these sections, or in a new one."""
        yield from self._below(named)
        yield from self._at_end(0, len(self.note.lines), [heading, ""])

    def among_boxes(self, boxed: set[int]) -> Iterator[Insertion]:
        """Where all open boxes are in one section, there; of several none is about the new one, so above them."""
        home = boxed.pop() if len(boxed) == 1 else 0
        if home >= 0:
            yield from self._below([home], boxes=True)
        yield from self.in_last_list()

    def in_last_list(self) -> Iterator[Insertion]:
        """Behind the last list, those with boxes before others and those of finished work last, or at the end."""
        role = roles(self.note.document.sections, self.sections)
        boxed = {entry.line - 1 for entry in self.note.document.entries if entry.box}
        ranked = [
            (block.section < 0 or role[block.section] != _DONE, any(first in boxed for first, _ in block.items), index)
            for index, block in enumerate(self.note.lists)
        ]
        if ranked:
            yield from self.joined(self.note.lists[max(ranked)[-1]], boxes=True)
        yield from self._at_end(0, len(self.note.lines), [])

    def topmost(self) -> list[int]:
        """The sections of the wanted role that are in no other one of that role."""
        sections = self.note.document.sections
        role = roles(sections, self.sections)
        return [
            index
            for index, section in enumerate(sections)
            if role[index] == self.role
            and not is_parked(section.title)
            and (section.parent < 0 or role[section.parent] != self.role)
        ]

    def joined(self, block: ListBlock, *, boxes: bool = False) -> Iterator[Insertion]:
        """Behind the last item of a list, also with boxes where it has none; with and without a blank line behind."""
        style = style_of(self.note, block, done=self.role == _DONE)
        if boxes and not style.box:
            style = replace(style, box=open_box_of(self.note, self.box))
        last, at = block.items[-1]
        loose = len(block.items) > 1 and self.note.lines.blank(last - 1)
        yield self._insertion(at, style, [""] if loose else [], spaced=loose)
        yield self._insertion(at, style, [""] if loose else [], spaced=loose, after=True)

    def _sessions(self) -> list[int]:
        return [
            index
            for index, section in enumerate(self.note.document.sections)
            if section.level < BOLD_LINE_LEVEL and session_subject(section.title, self.sections.session) is not None
        ]

    def _below(self, named: Sequence[int], *, boxes: bool = False) -> Iterator[Insertion]:
        """In a section: behind the last item of its own last list, else as a list behind what is there.

        What a line in front of a list names is that list alone.
        """
        for section in named:
            own = [block for block in self.note.lists if block.section == section]
            if own:
                is_led = self.note.document.sections[section].level == LEADING_LINE_LEVEL
                yield from self.joined(own[0 if is_led else -1], boxes=boxes)
            yield from self._at_end(self.note.content_start(section), self.note.own_end(section), [])

    def _at_end(self, start: int, end: int, head: list[str]) -> Iterator[Insertion]:
        """At the end of some lines, from 0; in front of a last block that nothing closes, when that would take it."""
        note, style = self.note, plain_style(done=self.role == _DONE)
        if style.box:
            style = replace(style, box=open_box_of(note, self.box))
        ends = [note.content_end(start, end)]
        # An indented one would become part of the new item.
        indented = note.tail is not None and note.lines.text(note.tail).startswith((b"  ", b"\t", b" \t"))
        if note.tail is not None and start <= note.tail < end and not indented:
            ends.append(note.content_end(start, note.tail))
        title = [f"# {self.title}", ""] if self.title else []
        if style.box and not head and ends[0] > start and (bare := bare_style(note, ends[0] - 1, style.box)):
            yield self._insertion(ends[0], bare, [])
        for at in ends:
            before = [""] if at > 0 and not note.lines.blank(at - 1) else []
            after = at < len(note.lines) and not note.lines.blank(at)
            yield self._insertion(at, style, [*before, *title, *head], after=after)

    def _insertion(
        self, at: int, style: ListStyle, rows: list[str], *, spaced: bool = False, after: bool = False
    ) -> Insertion:
        """Some rows and the items in front of a line; `spaced`: with blank lines between, `after`: with one behind."""
        lines = self.note.lines
        texts = [style.spell(item, position, done=self.role == _DONE) for position, item in enumerate(self.items)]
        numbers: list[int] = []
        for item, text in zip(self.items, texts, strict=True):
            if spaced and numbers:
                rows.append("")
            numbers.append(at + len(rows) + 1)
            rows += style.rows(item, text)
        behind = at + len(rows) + 1
        ending = lines.break_near(at)
        body = ending.join(encode(row) for row in ([*rows, ""] if after else rows))
        unended = at > 0 and at == len(lines) and not lines.ending(at - 1)
        data = ending + body if unended else body + ending
        return Insertion(lines.start(at), data, tuple(numbers), tuple(texts), behind)

    @property
    def _title(self) -> str:
        if self.role == _DONE:
            return _name(_DONE_TITLE, self.sections.done)
        return _name(_NEXT_TITLE, self.sections.next)


def _name(wanted: str, names: tuple[str, ...]) -> str:
    """The title of a new heading; one of the configured names where the usual one would not be understood."""
    known = {fold_name(name) for name in names}
    return wanted if fold_name(wanted) in known or not names else names[0]
