"""What the headings of a file mean for the lines below them, by their names and by `wrapgen.toml`. PURE."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from wrapgen.config import Config, FileRole, SectionRole, role_of
from wrapgen.config.file_roles import heading_as_compared
from wrapgen.days import moved
from wrapgen.model import HandOver
from wrapgen.notes import Document, Entry, Kind, Source
from wrapgen.pipeline.hand_overs import day_of_path, newest_head
from wrapgen.pipeline.item_context import topic
from wrapgen.text.headings import (
    BACKLOG,
    DONE,
    NEXT,
    EntryHead,
    day_named,
    entry_heads,
    fold_name,
    has_role,
    is_parked,
    roles,
    session_subject,
)
from wrapgen.vault.markdown.marks.item import read_item

_STANDING = -1
"""The entry of what stands in no dated or session entry of its file."""


@dataclass(frozen=True)
class SourceOutline:
    """The sections of a file: what each is for, which entry it belongs to, what it is about."""

    source: Source
    config: Config

    @cached_property
    def roles(self) -> list[str]:
        """The meaning of each section by its name: see `headings.roles`."""
        return roles(self.source.document.sections, self.config.names)

    def role(self, entry: Entry) -> str:
        """Return the meaning of the section that an entry stands in.

        Where `[sources]` speaks of a section around it, names count within that section alone.
        """
        declared = self.section_role(entry)
        if declared is None or declared.kind is None:
            return self.roles[entry.section] if entry.section >= 0 else ""
        at, root = entry.section, self._outermost(entry.section)
        while at != root:
            section = self.source.document.sections[at]
            if has_role(section.title, self.config.names):
                return self.roles[at]
            at = section.parent
        return ""

    @cached_property
    def file(self) -> FileRole:
        """What `[sources]` says of the file and of its sections."""
        return role_of(self.source.path, self.config.sources)

    @cached_property
    def _section_roles(self) -> list[SectionRole | None]:
        """What `[sources]` says of each section or of the innermost one around it that it speaks of."""
        sections = self.source.document.sections
        found: list[SectionRole | None] = []
        for at, section in enumerate(sections):
            above = found[section.parent] if section.parent >= 0 else None
            own = next((one for one in self.file.sections if self._is_named(at, one)), None)
            found.append(own or above)
        return found

    def _is_named(self, at: int, role: SectionRole) -> bool:
        """Tell whether a section has the heading that a role names, within those that it names around it."""
        *around, own = role.headings
        titles = [heading_as_compared(title) for title in self.chain(at)]
        if own.fullmatch(titles.pop()) is None:
            return False
        above = iter(titles)
        return all(any(one.fullmatch(title) for title in above) for one in around)

    def _outermost(self, at: int) -> int:
        """Return the outermost section around one that has the same role by `[sources]`."""
        own = self._section_roles[at]
        while (above := self.source.document.sections[at].parent) >= 0 and self._section_roles[above] is own:
            at = above
        return at

    def _says_next(self, at: int) -> bool:
        """Tell whether a section's heading is a declared name of hand-overs, which says nothing about what is below."""
        own = self._section_roles[at]
        if own is None or own.kind is not Kind.HAND_OVERS or self._outermost(at) != at:
            return False
        return ".*" not in own.headings[-1].pattern

    def section_role(self, entry: Entry) -> SectionRole | None:
        """Return what `[sources]` says of the section of an entry; None where it speaks of none around it."""
        return self._section_roles[entry.section] if self.file.sections and entry.section >= 0 else None

    def kind(self, entry: Entry) -> Kind:
        """Return the kind of source that an entry belongs to: its section's goes before its file's."""
        role = self.section_role(entry)
        return role.kind if role and role.kind else self.source.kind

    @cached_property
    def entries(self) -> list[Entry]:
        """The list items and rows of the file, and what stands as prose where whatever stands there is read."""
        found = self.source.document.entries
        prose = list(self._prose()) if self.file.sections or self.source.kind is Kind.HAND_OVERS else []
        return sorted([*found, *prose], key=lambda one: one.line) if prose else [*found]

    def _prose(self) -> Iterator[Entry]:
        """The paragraphs, sub-headings and quotes that are work, as their section holds no list.

        Sub-headings count where no list stands right below the section's own heading; paragraphs where none stands in
        all of it; quotes where there is nothing else.
        """
        document = self.source.document
        listed = {entry.section for entry in document.entries}
        inside: defaultdict[int, list[int]] = defaultdict(list)
        for at in range(len(document.sections)):
            if (root := self._root(at)) is not None:
                inside[root].append(at)
        for root, sections in inside.items():
            if root in listed:
                continue
            below = [at for at in sections if at != root]
            found = list(self._bare_headings(below, listed))
            if listed.isdisjoint(sections):
                told = [one for one in document.paragraphs if one.entry.section == root]
                found += [one.entry for one in told if not one.is_quoted]
                if not found:
                    found = [one.entry for one in told if one.is_quoted]
            yield from found

    def _bare_headings(self, below: Iterable[int], listed: set[int]) -> Iterator[Entry]:
        """Sub-headings with neither a list nor another heading below them, as entries."""
        sections = self.source.document.sections
        parents = {one.parent for one in sections}
        for at in below:
            section = sections[at]
            if at in parents or at in listed or self.parked[at] or has_role(section.title, self.config.names):
                continue
            if entry := read_item(section.title, line=section.line, section=section.parent):
                yield entry

    def _root(self, at: int) -> int | None:
        """Return the outermost section around one that has its role; None where lists alone are read."""
        sections = self.source.document.sections
        own = self._section_roles[at]
        if own is not None:
            return self._outermost(at) if own.kind else None
        if not (self.file.whole and self.source.kind is Kind.HAND_OVERS and self.roles[at] == NEXT):
            return None
        while (above := sections[at].parent) >= 0 and self.roles[above] == NEXT:
            at = above
        return at

    def reads_prose(self, section: int) -> bool:
        """Tell whether whatever stands in a section is read, however it is written."""
        return self._root(section) is not None

    def is_handed(self, entry: Entry) -> bool:
        """Tell whether an entry is what one session leaves for the next, in the newest entry of its file.

        Its section is declared to be that, or is a *Next* one of a declared file; where an entry of the file has
        none, what stands in its lists counts but for *Done* and *Backlog* ones.
        """
        opened = self.opened_by(entry)
        return self._is_read(entry, opened) and opened in (_STANDING, self._newest.get(self._row(entry)))

    def _row(self, entry: Entry) -> str:
        """Return the row of hand-overs that a line belongs to."""
        role = self.section_role(entry)
        return (role.row if role and role.kind else self.file.row) or self.source.path

    def is_remark(self, entry: Entry) -> bool:
        """Tell whether a line without box stands in a list of boxes that are all ticked: it tells of what was done."""
        return not entry.box and self._list_of(entry) in self._ticked_off

    def _list_of(self, entry: Entry) -> tuple[bool, int]:
        """Return the declared section that a line stands in, else its dated or session entry."""
        declared = self.section_role(entry) is not None
        return declared, self._outermost(entry.section) if declared else self.opened_by(entry)

    @cached_property
    def _ticked_off(self) -> set[tuple[bool, int]]:
        boxes = [(self._list_of(entry), entry.done) for entry in self.source.document.entries if entry.box]
        return {one for one, _ in boxes} - {one for one, done in boxes if not done}

    def _is_read(self, entry: Entry, opened: int) -> bool:
        if self.is_remark(entry):
            return False
        role = self.section_role(entry)
        if role is not None and role.kind is not None:
            return role.kind is Kind.HAND_OVERS and self.role(entry) not in (DONE, BACKLOG)
        if not self.file.whole or self.source.kind is not Kind.HAND_OVERS:
            return False
        if opened in self._with_next:
            return self.role(entry) == NEXT
        in_log = opened == _STANDING and self._is_log
        return not (in_log or (entry.row and not entry.box)) and self.role(entry) not in (DONE, BACKLOG)

    @cached_property
    def _newest(self) -> dict[str, int]:
        """The section that opens the newest entry of the file which has what is read there, by row.

        One that is dated ahead of the file's change is a slip of the pen, unless all are.
        """
        read: defaultdict[str, set[int]] = defaultdict(set)
        for entry in self.entries:
            opened = self.opened_by(entry)
            if opened != _STANDING and self._is_read(entry, opened):
                read[self._row(entry)].add(opened)
        latest = moved(self.source.changed, 1) if self.source.changed else date.max
        found: dict[str, int] = {}
        for row, opened_by in read.items():
            heads = [head for head in self._heads if head and head.section in opened_by]
            written = [head for head in heads if head.day is None or head.day <= latest]
            if newest := newest_head(written or heads):
                found[row] = newest.section
        return found

    @cached_property
    def _heads(self) -> list[EntryHead | None]:
        """The dated or session heading that each section belongs to; None for what is below none."""
        return entry_heads(self.source.document.sections, self.config.names.session)

    @cached_property
    def _is_log(self) -> bool:
        return any(self._heads)

    def hand_over(self, entry: Entry) -> HandOver:
        """Return the entry of its row that a line of a hand-over belongs to."""
        head = self._head(entry)
        day = self.day_of(entry)
        number = head.number if head else 0
        return HandOver(self._row(entry), day or self.source.changed, number, dated=day is not None)

    def day_of(self, entry: Entry) -> date | None:
        """Return the day of a line of a hand-over by the heading, name or front matter that says one."""
        head = self._head(entry)
        return (head.day if head else None) or day_of_path(self.source.path) or self.source.document.written

    def _head(self, entry: Entry) -> EntryHead | None:
        """Return the dated or session heading of a line; what stands below none belongs to the newest of its row."""
        if entry.section >= 0 and (head := self._heads[entry.section]):
            return head
        newest = self._newest.get(self._row(entry))
        return None if newest is None else self._heads[newest]

    @cached_property
    def _with_next(self) -> set[int]:
        """The sections that open an entry in which something says what comes next; -1 for what is in none."""
        sections = {entry.section for entry in self.entries if entry.section >= 0}
        named = (at for at in sections if self.roles[at] == NEXT and not self.parked[at])
        return {self._opened_by(at) for at in named}

    def has_next(self, entry: Entry) -> bool:
        """Tell whether a list of the same dated or session entry, or of the file, says what comes next."""
        return self.opened_by(entry) in self._with_next

    def opened_by(self, entry: Entry) -> int:
        """Return the section that opens the dated or session entry of a line; -1 for none."""
        return self._opened_by(entry.section)

    def _opened_by(self, section: int) -> int:
        head = self._heads[section] if section >= 0 else None
        return head.section if head else _STANDING

    @cached_property
    def parked(self) -> list[str]:
        """The heading of each section, or above it, that says in a bracket that it was put off, done or replaced."""
        found: list[str] = []
        for section in self.source.document.sections:
            above = found[section.parent] if section.parent >= 0 else ""
            found.append(above or (section.title if is_parked(section.title) else ""))
        return found

    @cached_property
    def _ignored(self) -> list[bool]:
        """Whether each section, or one around it, is said to be no work by `[sections] ignore`."""
        own = {fold_name(name) for name in self.config.names.ignore}
        found: list[bool] = []
        for section in self.source.document.sections if own else ():
            found.append(fold_name(section.title) in own or (section.parent >= 0 and found[section.parent]))
        return found

    def is_ignored(self, entry: Entry) -> bool:
        """Tell whether an entry stands in a section whose lists are no work, by its name or its place."""
        role = self.section_role(entry)
        if role is not None and role.kind is None:
            return True
        return bool(self._ignored) and entry.section >= 0 and self._ignored[entry.section]

    @cached_property
    def topics(self) -> list[str]:
        """What the lists below each section are about, by the nearest heading that says so."""
        sections, names = self.source.document.sections, self.config.names
        found: list[str] = []
        for at, section in enumerate(sections):
            above = found[section.parent] if section.parent >= 0 else ""
            head = self._heads[at]
            title = (at == 0 and section.level == 1) or (head is not None and head.section == at)
            named = title or has_role(section.title, names) or session_subject(section.title, names.session) is not None
            named = named or self._says_next(at)
            found.append(above if named else topic(section.title) or above)
        return found

    @cached_property
    def sessions(self) -> list[tuple[int, str | None]]:
        """Session block of each section: its position among the blocks of the file, and what its heading names.

        Blocks are counted odd, what is before, between and behind them even.
        """
        blocks: list[tuple[int, str | None]] = []
        opened = 0
        for section in self.source.document.sections:
            subject = session_subject(section.title, self.config.names.session)
            above = blocks[section.parent] if section.parent >= 0 else (0, None)
            if subject is not None:
                opened += 1
                blocks.append((2 * opened - 1, subject))
            elif above[1] is not None:
                blocks.append(above)
            else:
                blocks.append((2 * opened, None))
        return blocks

    @cached_property
    def days(self) -> list[date | None]:
        """The day that the nearest heading names, for each section."""
        found: list[date | None] = []
        for section in self.source.document.sections:
            found.append(day_named(section.title) or (found[section.parent] if section.parent >= 0 else None))
        return found

    def changed(self, entry: Entry) -> date | None:
        """Return the day from which an undated entry counts: of its file's change, or of its heading if earlier."""
        changed = self.source.changed
        if entry.section < 0 or self.source.kind is Kind.JOURNAL_NEXT:
            return changed
        return min(filter(None, (changed, self.days[entry.section])), default=None)

    def context(self, entry: Entry) -> tuple[str, ...]:
        """Return what an entry is about, outermost first."""
        heading = self.topics[entry.section] if entry.section >= 0 else ""
        return tuple(filter(None, (heading, *entry.above)))

    @cached_property
    def title(self) -> str:
        """What the file is about, by its first heading or its name; nothing where they only say that tasks follow."""
        sections = self.source.document.sections
        if sections and sections[0].level == 1:
            return topic(sections[0].title)
        return topic(self.source.path.rpartition("/")[2].rpartition(".")[0])

    def chain(self, section: int) -> list[str]:
        """Return the titles of a section and of those around it, outermost first."""
        titles: list[str] = []
        while section >= 0:
            titles.append(self.source.document.sections[section].title)
            section = self.source.document.sections[section].parent
        return titles[::-1]


def titles_above(document: Document) -> Iterator[list[str]]:
    """Yield for each heading of a file its title behind those of the headings around it."""
    found: list[list[str]] = []
    for section in document.sections:
        found.append([*(found[section.parent] if section.parent >= 0 else ()), section.title])
        yield found[-1]
