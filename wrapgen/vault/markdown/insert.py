"""Adds lines to a note: each edit is one insertion, and no existing byte changes. PURE.

Candidate places are tried, best first. The first that, parsed again, gives the old entries plus exactly the new ones is
used, so an unclosed code fence or comment cannot swallow a line unnoticed; where there is none, or an item has no
words, that is an `EditError`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.config import Sections
from wrapgen.errors import EditError
from wrapgen.text.headings import entry_heads, fold_name, is_parked, roles, session_subject
from wrapgen.vault.markdown.blocks import Blocks, decode
from wrapgen.vault.markdown.check import added_at, positions
from wrapgen.vault.markdown.insertion import Insertion, InsertionBuilder
from wrapgen.vault.markdown.outline import BOLD_LINE_LEVEL
from wrapgen.vault.markdown.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from wrapgen.vault.markdown.item_writer import NewItem

_NEXT, _DONE = "next", "done"
_NEXT_TITLE, _DONE_TITLE, _NEXT_SESSION_TITLE = "Next", "Done", "Next Session"
_SESSION_TITLE, _SESSION_SUBJECT = "Session", "follow-ups"


def into_journal(
    note: Blocks | None, lines: Sequence[NewItem], *, day: date, sections: Sections, outside: bool = False
) -> Insertion:
    """Put open items into the *Next* section of the newest session block.

    In notes with flat headings that section is behind the block, not in it. The section is made at the end of the
    block when missing, the block at the end of the file when there is none and no *Next* section outside of one either.

    Args:
        outside: put them outside of session blocks, so that the heading of none of them says what they are about.
    """
    edit = _Edit(lines, sections, _NEXT)
    return edit.outside_blocks(note, day.isoformat()) if outside else edit.into_block(note, day.isoformat())


def into_done(
    note: Blocks | None, lines: Sequence[NewItem], *, day: date, sections: Sections, after: int = 0
) -> Insertion:
    """Put finished items into the *Done* section of the newest session block; else as `into_journal`.

    Items without a project get a block of their own where the newest one may be about some project's work.

    Args:
        after: line of what they finish, when that stands in the note too; *Done* and *Next* of one block with the same
            words leave the item open, so a new block is made where the newest one is not below it.
    """
    return _Edit(lines, sections, _DONE).into_block(note, day.isoformat(), after=after)


def into_next_session(note: Blocks | None, lines: Sequence[NewItem], *, title: str, sections: Sections) -> Insertion:
    """Put open items into a project list's section `Next Session`, made at the end when there is no *Next* section.

    Of several *Next* sections the last one called `Next Session` is taken, or else the last one. Where there is none
    and open boxes are, a box joins them: a section made now would turn them into backlog.
    """
    return _Edit(lines, sections, _NEXT).into_next_session(note, title)


def into_checklist(
    note: Blocks | None, lines: Sequence[NewItem], *, title: str, sections: Sections | None = None
) -> Insertion:
    """Put open checkboxes behind the last list of a task's file, or at its end when it has none.

    Lists below a *Done* heading come last in the choice, lists without any checkbox second to last.
    """
    return _Edit(lines, sections or Sections(), "").into_checklist(note, title)


def into_flat_list(note: Blocks, lines: Sequence[NewItem]) -> Insertion:
    """Put open items behind the last list of a file that is nothing but a list, as plain as it is."""
    return _Edit(lines, Sections(), "").into_flat_list(note)


@dataclass(frozen=True, slots=True)
class _Edit:
    """Items to insert into a file; `role` is that of the section which they must be in, if any."""

    items: Sequence[NewItem]
    sections: Sections
    role: str

    @property
    def done(self) -> bool:
        return self.role == _DONE

    @property
    def _builder(self) -> InsertionBuilder:
        return InsertionBuilder(self.items, self.done)

    def into_block(self, blocks: Blocks | None, title: str, *, after: int = 0) -> Insertion:
        block = [f"## {self._session}", "", f"### {self._title}"]
        if blocks is None:
            return self._builder.new_file([f"# {title}", "", *block, ""])
        return self._first_good(blocks, self._block_places(blocks, block, after))

    def outside_blocks(self, blocks: Blocks | None, title: str) -> Insertion:
        if blocks is None:
            return self._builder.new_file([f"# {title}", "", f"## {self._title}", ""])
        sections = blocks.document.sections
        sessions = self._sessions(blocks)
        blocked = [range(sections[one].line, blocks.full_end(one) + 1) for one in sessions]
        free = [
            index
            for index in self._topmost(blocks, range(len(sections)))
            if not any(sections[index].line in lines for lines in blocked)
        ]
        level = min((sections[index].level for index in sessions), default=2)
        return self._first_good(blocks, self._section_places(blocks, free[-1:], [f"{'#' * level} {self._title}"]))

    def into_next_session(self, blocks: Blocks | None, title: str) -> Insertion:
        heading = f"## {self._name(_NEXT_SESSION_TITLE, self.sections.next)}"
        if blocks is None:
            return self._builder.new_file([f"# {title}", "", heading, ""])
        named = self._topmost(blocks, range(len(blocks.document.sections)))
        titles = {index: fold_name(blocks.document.sections[index].title) for index in named}
        exact = [index for index in named if titles[index] == fold_name(_NEXT_SESSION_TITLE)]
        exact = self._of_the_newest(blocks, named) or exact
        boxed = {entry.section for entry in blocks.document.entries if entry.box and not entry.done}
        if boxed and not named:
            open_list = _Edit(self.items, self.sections, "")
            return open_list._first_good(blocks, open_list._open_list_places(blocks, boxed))
        return self._first_good(blocks, self._section_places(blocks, (exact or named)[-1:], [heading]))

    def into_flat_list(self, blocks: Blocks) -> Insertion:
        return self._first_good(blocks, self._builder.joined(blocks, blocks.lists[-1]))

    def _of_the_newest(self, blocks: Blocks, named: Sequence[int]) -> list[int]:
        """The sections of the newest dated entry of a log, wherever in the file that stands."""
        heads = entry_heads(blocks.document.sections, self.sections.session)
        days = {index: head.day for index in named if (head := heads[index]) and head.day}
        return [index for index, day in days.items() if day == max(days.values())]

    def into_checklist(self, blocks: Blocks | None, title: str) -> Insertion:
        if blocks is None:
            return self._builder.new_file([f"# {title}", ""])
        return self._first_good(blocks, self._checklist_places(blocks))

    def _block_places(self, blocks: Blocks, block: list[str], after: int) -> Iterator[Insertion]:
        sections, sessions = blocks.document.sections, self._sessions(blocks)
        if sessions and self._can_join(blocks, sessions[-1], after):
            newest = sessions[-1]
            end = blocks.full_end(newest)
            since = self._topmost(blocks, range(newest, len(sections)))
            inside = [index for index in since if sections[index].line - 1 < end]
            level = sections[newest].level + 1
            heading = f"{'#' * level} {self._title}" if level < BOLD_LINE_LEVEL else f"**{self._title}**"
            yield from self._named(blocks, (inside or since)[-1:])
            yield from self._builder.at_end(blocks, blocks.content_start(newest), end, [heading, ""])
        elif not sessions and not after:
            yield from self._named(blocks, self._topmost(blocks, range(len(sections)))[-1:])
        yield from self._builder.at_end(blocks, 0, len(blocks.lines), [*block, ""])

    def _can_join(self, blocks: Blocks, newest: int, after: int) -> bool:
        """Whether a session block can take the items: see `into_done`."""
        session = blocks.document.sections[newest]
        neutral = session.title == self._session
        return after < session.line and (not self.done or neutral or all(item.project for item in self.items))

    def _sessions(self, blocks: Blocks) -> list[int]:
        """The headings of session blocks."""
        return [
            index
            for index, section in enumerate(blocks.document.sections)
            if section.level < BOLD_LINE_LEVEL and session_subject(section.title, self.sections.session) is not None
        ]

    def _section_places(self, blocks: Blocks, named: Sequence[int], heading: list[str]) -> Iterator[Insertion]:
        yield from self._named(blocks, named)
        yield from self._builder.at_end(blocks, 0, len(blocks.lines), [*heading, ""])

    def _open_list_places(self, blocks: Blocks, boxed: set[int]) -> Iterator[Insertion]:
        """Where all open boxes are in one section, there; of several none is about the new one, so above them."""
        home = boxed.pop() if len(boxed) == 1 else 0
        if home >= 0:
            yield from self._named(blocks, [home], boxes=True)
        yield from self._checklist_places(blocks)

    def _checklist_places(self, blocks: Blocks) -> Iterator[Insertion]:
        role = self._roles(blocks)
        boxed = {entry.line - 1 for entry in blocks.document.entries if entry.box}
        ranked = [
            (block.section < 0 or role[block.section] != _DONE, any(first in boxed for first, _ in block.items), index)
            for index, block in enumerate(blocks.lists)
        ]
        if ranked:
            yield from self._builder.joined(blocks, blocks.lists[max(ranked)[-1]], boxes=True)
        yield from self._builder.at_end(blocks, 0, len(blocks.lines), [])

    def _named(self, blocks: Blocks, named: Sequence[int], *, boxes: bool = False) -> Iterator[Insertion]:
        """In a section: behind the last item of its own last list, else as a list behind what is there."""
        for section in named:
            own = [block for block in blocks.lists if block.section == section]
            if own:
                yield from self._builder.joined(blocks, own[-1], boxes=boxes)
            yield from self._builder.at_end(blocks, blocks.content_start(section), blocks.own_end(section), [])

    def _first_good(self, blocks: Blocks, places: Iterator[Insertion]) -> Insertion:
        for insertion in places:
            new = parse(decode(insertion.apply(blocks.lines.data)))
            first = added_at(blocks.document, new, self.items, done=self.done)
            if first is None:
                continue
            entries = [new.entries[place] for place in positions(self.items, first)]
            role = roles(new.sections, self.sections)
            stands = all(entry.section >= 0 and role[entry.section] == self.role for entry in entries)
            if tuple(entry.line for entry in entries) == insertion.lines and (stands or not self.role):
                return insertion
        raise EditError(
            "has no place for a new list item",
            next_step="Close what is left open in the file (a code fence, an HTML comment) and run again.",
        )

    def _topmost(self, blocks: Blocks, among: Sequence[int]) -> list[int]:
        """The sections of the wanted role, among the given ones, that are in no other one of that role."""
        role = self._roles(blocks)
        sections = blocks.document.sections
        return [
            index
            for index in among
            if role[index] == self.role
            and not is_parked(sections[index].title)
            and (sections[index].parent < 0 or role[sections[index].parent] != self.role)
        ]

    def _roles(self, blocks: Blocks) -> list[str]:
        return roles(blocks.document.sections, self.sections)

    @property
    def _session(self) -> str:
        """The heading of a new session block."""
        return f"{self._name(_SESSION_TITLE, self.sections.session)}: {_SESSION_SUBJECT}"

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
