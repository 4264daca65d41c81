"""What the headings of a file, and its name, mean for the lines below them. PURE."""

import re
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from msgspec.structs import replace

from wrapgen.config import Config
from wrapgen.model import HandOver
from wrapgen.notes import Document, Entry, Kind, Source
from wrapgen.pipeline.hand_overs import entries_in
from wrapgen.pipeline.item_context import names_plan, names_work, topic
from wrapgen.text.file_names import is_board, is_hand_over, may_hand_over
from wrapgen.text.hand_over_names import is_aside_field, is_aside_title, is_immediate, is_under_way, is_waiting
from wrapgen.text.headings import (
    DONE,
    NEXT,
    EntryHead,
    day_named,
    entry_heads,
    fold_name,
    has_role,
    is_parked,
    next_move,
    roles,
    session_subject,
)

_LINK_ALONE = re.compile(r"!?\[\[[^\[\]]+\]\]|!?\[[^\[\]]*\]\([^()\s]*\)")
# What says that it is nearly a year older than its last change, has last year's number in its date.
_WRONG_YEAR = 300


def is_flat_hand_over(path: str, document: Document) -> bool:
    """Whether a file without headings and boxes has a name by which one session hands over to the next."""
    flat = all(one.level == 1 for one in document.sections) and not any(entry.box for entry in document.entries)
    return flat and is_hand_over(path)


@dataclass(frozen=True)
class SourceOutline:
    """What the headings of a file mean for the lines below them."""

    source: Source
    config: Config

    @cached_property
    def roles(self) -> list[str]:
        """`next`, `done` or nothing for each section: the innermost named heading decides."""
        if self.is_flat_hand_over:
            return [NEXT] * len(self.source.document.sections)
        found = roles(self.source.document.sections, self.config.sections)
        return [NEXT if at in self._columns else role for at, role in enumerate(found)]

    @cached_property
    def _columns(self) -> dict[int, bool]:
        """The columns of a board whose cards are next, and whether those that are begun come first.

        Where no card stands in a column of what is next, that is the one from which the next card is taken.
        """
        if not is_board(self.source.path):
            return {}
        sections = self.source.document.sections
        begun = {at: False for at, one in enumerate(sections) if is_under_way(one.title)}
        named = roles(sections, self.config.sections)
        held = {one.section for one in self.source.document.entries if one.section >= 0 and not one.done}
        if any(named[at] == NEXT and at not in begun for at in held):
            return begun
        return begun | {at: True for at, one in enumerate(sections) if fold_name(one.title) == "backlog"}

    @cached_property
    def is_flat_hand_over(self) -> bool:
        """Whether the file is nothing but a list, and its name says that one session hands over to the next in it."""
        return self.source.kind is Kind.LISTS and is_flat_hand_over(self.source.path, self.source.document)

    def role(self, entry: Entry) -> str:
        """What the section of an entry is for; what stands there to be done next as prose is `next` anywhere."""
        if entry.line in self._moves:
            return NEXT
        if entry.section < 0:
            return NEXT if self.is_flat_hand_over else ""
        role = self.roles[entry.section]
        if role == NEXT and not entry.box and (self._within[entry.section][0] or self._is_field(entry)):
            return ""
        led = not role and not entry.box and self._is_written_in and next_move(entry.text) is not None
        return NEXT if led or (not role and self.is_waiting(entry)) else role

    @cached_property
    def _with_fields(self) -> set[int]:
        """The sections whose list has a field for what comes next: `- **next:** ...`."""
        return {one.section for one in self.source.document.entries if not one.box and next_move(one.text)}

    def _is_field(self, entry: Entry) -> bool:
        """Whether an entry beside what comes next says how things are, or is but a link to more."""
        if entry.section not in self._with_fields:
            return False
        return is_aside_field(entry.text) or _LINK_ALONE.fullmatch(entry.text) is not None

    def is_waiting(self, entry: Entry) -> bool:
        """Whether an entry of a log or a hand-over is blocked, parked or to be decided."""
        if self.source.kind is not Kind.LISTS or entry.section < 0 or entry.line in self._moves:
            return False
        if entry.section in self._columns:
            return self._columns[entry.section]
        beside = self._heads[entry.section] is not None and self._opened_by(entry.section) in self._telling_next
        return (beside or is_hand_over(self.source.path)) and self._within[entry.section][1]

    @cached_property
    def _telling_next(self) -> set[int]:
        """The sections that open an entry which says, in a list or in prose, what comes next."""
        listed = {entry.section for entry in self.source.document.entries if entry.section >= 0}
        said = {move.section for move in self._moves.values()}
        return {self._opened_by(at) for at in listed if self.roles[at] == NEXT} | {self._opened_by(at) for at in said}

    @cached_property
    def _is_session_log(self) -> bool:
        """Whether several dated or session entries make the file; a plan names the days on which it was changed."""
        return len({head.section for head in self._heads if head}) > 1 and not names_plan(self.source.path)

    @cached_property
    def _within(self) -> list[tuple[bool, bool]]:
        """Whether each section is an aside of a *Next* one, and whether it says that something waits."""
        found: list[tuple[bool, bool]] = []
        for section in self.source.document.sections:
            aside, waiting = found[section.parent] if section.parent >= 0 else (False, False)
            waiting = waiting or is_waiting(section.title)
            inside = section.parent >= 0 and self.roles[section.parent] == NEXT
            if inside and not waiting and not has_role(section.title, self.config.sections):
                beside = section.parent in self._led_by_next and topic(section.title) != ""
                aside = aside or beside or is_aside_title(section.title)
            found.append((aside, waiting))
        return found

    @cached_property
    def _led_by_next(self) -> set[int]:
        """The *Next* sections that have another inside, with a list: what else is in them is about other things."""
        sections, names = self.source.document.sections, self.config.sections
        listed = {entry.section for entry in self.source.document.entries}
        return {
            one.parent for at, one in enumerate(sections)
            if one.parent >= 0 and at in listed and self.roles[one.parent] == self.roles[at] == NEXT
            and has_role(one.title, names)
            and is_immediate(one.title)
        }  # fmt: skip

    @cached_property
    def _moves(self) -> dict[int, Entry]:
        """What is to be done next as prose, by line; of one name in one dated or session entry the last word counts.

        In journals and the files of projects, what has no name of its own is somebody's diary: an unread section.
        """
        if not self._is_written_in:
            return {}
        latest = {}
        for one in self.source.document.moves:
            role = self.roles[one.section] if one.section >= 0 else ""
            if (role == NEXT and self.source.kind is Kind.LISTS) or (one.mark and role != DONE):
                latest[self._opened_by(one.section), one.mark or one.section] = one
        return {one.line: replace(one, mark="") for one in latest.values()}

    @cached_property
    def _is_written_in(self) -> bool:
        """Whether sessions write down in the file what they leave: a journal, a log, a list that is called so."""
        if self.source.kind is Kind.ACTIVE_TODOS:
            return False
        path = self.source.path
        named = names_work(path) or may_hand_over(path)
        return self.source.kind is Kind.JOURNAL_NEXT or self._is_session_log or named

    @cached_property
    def entries(self) -> list[Entry]:
        """The list items and rows of the file, and what it says in prose to be next."""
        found = self.source.document.entries
        return sorted([*found, *self._moves.values()], key=lambda one: one.line) if self._moves else [*found]

    @cached_property
    def _heads(self) -> list[EntryHead | None]:
        """The dated or session heading that each section belongs to; None for what is below none."""
        return entry_heads(self.source.document.sections, self.config.sections.session)

    @cached_property
    def _is_log(self) -> bool:
        return any(self._heads)

    @cached_property
    def _entries(self) -> list[HandOver]:
        """The entry that each section belongs to, and last the one of what is above all sections."""
        document = self.source.document
        next_days = [
            day for day, role, head in zip(self.days, self.roles, self._heads, strict=True) if role == NEXT and not head
        ]
        said = document.written or max(filter(None, next_days), default=None)
        changed = self.source.changed
        if said and (changed is None or 0 < (changed - said).days < _WRONG_YEAR):
            changed = said
        return entries_in(self.source.path, self._heads, changed)

    def entry(self, entry: Entry, role: str) -> HandOver | None:
        """The entry that a line of a log, or of a list that is rewritten, belongs to; journals say it by name."""
        if self.source.kind is Kind.JOURNAL_NEXT or (role != NEXT and not self._is_log):
            return None
        return self._entries[entry.section]

    @cached_property
    def _with_next(self) -> set[int]:
        """The sections that open an entry in which a list says what comes next; -1 for what is in none."""
        sections = {entry.section for entry in self.source.document.entries if entry.section >= 0}
        named = (at for at in sections if self.roles[at] == NEXT and not self.parked[at])
        return {self._opened_by(at) for at in named}

    def has_next(self, entry: Entry) -> bool:
        """Whether a list of the same dated or session entry, or of the file, says what comes next."""
        return self._opened_by(entry.section) in self._with_next

    def _opened_by(self, section: int) -> int:
        head = self._heads[section] if section >= 0 else None
        return head.section if head else -1

    @cached_property
    def parked(self) -> list[bool]:
        """Whether the heading of each section, or one above it, says that it was put off, done or replaced."""
        found: list[bool] = []
        for section in self.source.document.sections:
            found.append((section.parent >= 0 and found[section.parent]) or is_parked(section.title))
        return found

    @cached_property
    def _ignored(self) -> list[bool]:
        """For each section, whether it or one around it is said to be no work: by its name, or as `path#name`."""
        named = self.config.sections.ignore
        mine = (name for name in named if not _of_another(name, self.source))
        own = {fold_name(name.removeprefix(f"{self.source.path}#")) for name in mine}
        found: list[bool] = []
        for section in self.source.document.sections if own else ():
            found.append(fold_name(section.title) in own or (section.parent >= 0 and found[section.parent]))
        return found

    def is_ignored(self, entry: Entry) -> bool:
        """Whether an entry stands below a heading whose lists are no work (`[sections] ignore`)."""
        return bool(self._ignored) and entry.section >= 0 and self._ignored[entry.section]

    @cached_property
    def topics(self) -> list[str]:
        """What the lists below each section are about, by the nearest heading that says so."""
        sections, names = self.source.document.sections, self.config.sections
        found: list[str] = []
        for at, section in enumerate(sections):
            above = found[section.parent] if section.parent >= 0 else ""
            head = self._heads[at]
            title = (at == 0 and section.level == 1) or (head is not None and head.section == at)
            named = title or has_role(section.title, names) or session_subject(section.title, names.session) is not None
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
            subject = session_subject(section.title, self.config.sections.session)
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
        """The day from which an undated entry counts: of its last change, or of its heading where that is earlier."""
        changed = self.source.changed
        if entry.section < 0 or self.source.kind is Kind.JOURNAL_NEXT:
            return changed
        return min(filter(None, (changed, self.days[entry.section])), default=None)

    def context(self, entry: Entry) -> tuple[str, ...]:
        """What an entry is about, outermost first."""
        if entry.line in self._moves:
            return ()
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
        """The titles above an entry, outermost first."""
        titles: list[str] = []
        while section >= 0:
            titles.append(self.source.document.sections[section].title)
            section = self.source.document.sections[section].parent
        return titles[::-1]


def _of_another(name: str, source: Source) -> bool:
    """Whether an entry of `[sections] ignore` is about one file, and that is another."""
    path, mark, _ = name.partition("#")
    return bool(mark) and path.casefold().endswith((".md", ".markdown", ".txt", ".org")) and path != source.path
