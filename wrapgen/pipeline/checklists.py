"""Which lines of a file are nobody's next step: criteria, checklists, habits, what is done by its note's word. PURE."""

from dataclasses import dataclass
from functools import cached_property

from wrapgen.notes import Entry, Kind
from wrapgen.pipeline.item_context import (
    in_done_folder,
    is_slot,
    names_checklist,
    names_criteria,
    names_fixture,
    names_habits,
    names_plan,
    names_tasks,
    names_way_on,
    names_work,
)
from wrapgen.pipeline.source_outline import SourceOutline
from wrapgen.text.folding import fold
from wrapgen.text.hand_over_names import is_put_off
from wrapgen.text.headings import NEXT
from wrapgen.vault.markdown.note import is_closed

# Of so many boxes some are ticked where anybody ticks: on public vaults of others, hardly one line of such a file was
# open work that a reader could use.
_MANY_BOXES = 10


@dataclass(frozen=True)
class Checklists:
    """What the lines of a file are by their place, besides work."""

    outline: SourceOutline

    @cached_property
    def _checklists(self) -> list[bool]:
        """Whether each section is a checklist, in a journal the day's habits, or part of one."""
        names = names_habits if self.outline.source.kind is Kind.JOURNAL_NEXT else names_checklist
        found: list[bool] = []
        for section in self.outline.source.document.sections:
            above = section.parent >= 0 and found[section.parent]
            found.append(above or names(section.title))
        return found

    @cached_property
    def _is_untouched_plan(self) -> bool:
        """Whether the file is a plan of many boxes of which none was ever ticked: it was carried out without them.

        A plan is called so, or numbers its steps. What it says is next is not counted: that may be new.
        """
        roles, entries = self.outline.roles, self.outline.source.document.entries
        boxes = [entry for entry in entries if entry.box and (entry.section < 0 or roles[entry.section] != NEXT)]
        if len(boxes) < _MANY_BOXES or any(entry.done for entry in boxes):
            return False
        # "#92: ..." is an issue: those that are closed leave such a list, and tick nothing.
        steps = sum(bool(fold(entry.text).label) and not entry.text.startswith("#") for entry in boxes)
        return names_plan(self.outline.source.path) or 2 * steps > len(boxes)

    @cached_property
    def _is_closed(self) -> bool:
        """Whether the note says that nothing of it is left to be done, or lies among such; a journal never does."""
        if self.outline.source.kind is Kind.JOURNAL_NEXT:
            return False
        return is_closed(self.outline.source.document.status) or in_done_folder(self.outline.source.path)

    @cached_property
    def contradiction(self) -> Entry | None:
        """The first open box of a note that says that it is done, where others are ticked: one of the two is wrong."""
        document = self.outline.source.document
        if document.task or not is_closed(document.status) or self.outline.source.kind is Kind.JOURNAL_NEXT:
            return None
        boxes = [one for one in document.entries if one.box and not self._criteria_of(one)]
        return next((one for one in boxes if not one.done), None) if any(one.done for one in boxes) else None

    def _criteria_of(self, entry: Entry) -> tuple[int, str] | None:
        """The outermost heading of criteria above an entry, by line, or a list item that leads to some, by words."""
        section = entry.section
        led = next((words for words in entry.above if names_criteria(words)), None)
        found = None if led is None else (section, led)
        while section >= 0:
            heading = self.outline.source.document.sections[section]
            found = (heading.line, "") if names_criteria(heading.title) else found
            section = heading.parent
        return found

    @cached_property
    def _lived_by(self) -> set[tuple[int, str] | None]:
        """The criteria of an active task of which some are ticked."""
        if self.outline.source.kind is not Kind.ACTIVE_TODOS:
            return set()
        return {self._criteria_of(entry) for entry in self.outline.source.document.entries if entry.done}

    def is_standing(self, entry: Entry, role: str) -> bool:
        """Whether an entry is nobody's next step.

        Its note says that it is done, or the line that it waits; or it is in a section that was put off, of criteria, a
        checklist, a journal's timetable or habits, a file for tests, a plan in which nothing was ever ticked, or under
        the "Next steps" of a document that is not about work, without a box: there the reader is told where to go on.
        """
        if self._is_closed or (entry.section >= 0 and self.outline.parked[entry.section]):
            return True
        if role == NEXT and (is_put_off(entry.text) or any(is_put_off(f"{words}:") for words in entry.above)):
            return True
        if (criteria := self._criteria_of(entry)) and criteria not in self._lived_by:
            return True
        in_list = entry.section >= 0 and self._checklists[entry.section]
        if self.outline.source.kind is not Kind.LISTS:
            return self.outline.source.kind is Kind.JOURNAL_NEXT and (in_list or is_slot(entry.text))
        if role != NEXT and self._is_untouched_plan and not names_tasks(self.outline.source.path):
            return True
        if role == NEXT:
            for_readers = any(map(names_way_on, self.outline.chain(entry.section)))
            return for_readers and not entry.box and not names_work(self.outline.source.path)
        name = self.outline.source.path.rpartition("/")[2]
        return in_list or any(map(names_checklist, (name, *entry.above))) or names_fixture(name)
