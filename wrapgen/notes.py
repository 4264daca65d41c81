"""What is read from notes: headings, entries, the files they stand in, and what could not be read.

What comes in thousands (`Section`, `Entry`, `Document`) are msgspec structs, which are made and decoded several times
faster; everything else are frozen dataclasses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import IntEnum, StrEnum

import msgspec


class Kind(StrEnum):
    """The durable sources, in canonical order: a file that several kinds match belongs to the first."""

    JOURNAL_NEXT = "journal_next"
    ACTIVE_TODOS = "active_todos"
    PROJECT_TODOS = "project_todos"
    PROGRESS = "progress"
    LISTS = "lists"

    @property
    def chain(self) -> int:
        """Position in the canonical order, 0 first."""
        return _CHAIN[self]


_CHAIN = {kind: position for position, kind in enumerate(Kind)}


class Priority(IntEnum):
    """Urgency as written on an item; smaller is more urgent."""

    HIGHEST = 0
    HIGH = 1
    MEDIUM = 2
    LOW = 3
    LOWEST = 4


class Section(msgspec.Struct, frozen=True, gc=False):
    """A heading with everything below it.

    Attributes:
        level: 1 to 6 for headings, 7 for a line of bold text alone.
        title: the heading's text as written.
        line: 1-based line of the heading.
        parent: index of the enclosing section in `Document.sections`, -1 at the top.
        prose: whether the text right below holds prose that leads to no list or table.
    """

    level: int
    title: str
    line: int
    parent: int
    prose: bool = False


class Entry(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A list item or table row that has words.

    Attributes:
        text: first paragraph on one line, inline marks kept, state marks and metadata removed.
        line: 1-based line where it starts.
        section: index in `Document.sections` of the innermost heading, -1 above the first.
        done: finished or cancelled in its own file.
        box: carries a checkbox (`[ ]`, `[x]`, a leading ballot box) or, in a table, an explicit state.
        conflict: an open box whose text bears a done mark.
        due: last day it may be done.
        priority: urgency.
        created: day it was written down, when it says so.
        finished: day it was done or cancelled, when it says so.
        recurrence: how it repeats, in the words of the item.
        mark: the character in its box, or its task marker (`TODO`), as written.
        scheduled: day it is planned for.
        start: first day it can be done.
        ident: its own name, for others to depend on.
        depends: names of what must be done before it.
        unreadable: its dates that no calendar has; they are in the text still.
        above: texts of the list items that it is nested in, outermost first.
        row: a table row; it counts only where its table is a list of items.
    """

    text: str
    line: int
    section: int
    done: bool = False
    box: bool = False
    conflict: bool = False
    due: date | None = None
    priority: Priority | None = None
    created: date | None = None
    finished: date | None = None
    recurrence: str | None = None
    mark: str = ""
    scheduled: date | None = None
    start: date | None = None
    ident: str | None = None
    depends: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    row: bool = False


class Document(msgspec.Struct, frozen=True, gc=False):
    """A file's headings and entries, in the order of their lines.

    Attributes:
        trouble: why the file could not be parsed as Markdown and was read line by line instead, or None.
        empty: the open boxes and markers that have no words of their own.
        ignored: how many open boxes stand in code, quotes, comments or front matter.
    """

    sections: tuple[Section, ...] = ()
    entries: tuple[Entry, ...] = ()
    trouble: str | None = None
    empty: tuple[str, ...] = ()
    ignored: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed file and what its place in the vault says about it.

    Attributes:
        path: relative to the vault, with forward slashes.
        kind: which of the durable sources.
        day: the journal's date, None for other kinds.
        project: project of the folder, None for journals.
        task: name of the active task's folder, None elsewhere.
        changed: day of the file's last change.
        line_days: last change of single lines (1-based) where history knows better than the file system.
    """

    path: str
    kind: Kind
    document: Document
    day: date | None = None
    project: str | None = None
    task: str | None = None
    changed: date | None = None
    line_days: dict[int, date] = field(default_factory=dict)

    @property
    def own_list(self) -> str:
        """The list that its items belong to; "" for journals, which carry the work of all lists.

        A task's file is one; what a project has itself is one, in two files; any other file is its own.
        """
        if self.kind is Kind.JOURNAL_NEXT:
            return ""
        if self.task is not None:
            return f"task {self.project}/{self.task}" if self.project else f"task {self.task}"
        if self.project is not None and self.kind in (Kind.PROJECT_TODOS, Kind.PROGRESS):
            return f"project {self.project}"
        return self.path

    def day_of(self, line: int) -> date | None:
        """The day of a line's last change, as far as is known: its own, else the file's."""
        return self.line_days.get(line, self.changed)


@dataclass(frozen=True, slots=True)
class Trouble:
    """A file that could not be read, or not read whole."""

    path: str
    error: str


@dataclass(frozen=True, slots=True)
class UnreadGroup:
    """Open boxes below one heading of the files of one folder, which no source reads.

    Attributes:
        folder: relative to the vault; "" for the vault itself.
        heading: the nearest heading as written; "" for none.
    """

    folder: str
    heading: str
    boxes: int


@dataclass(frozen=True, slots=True)
class UnreadBoxes:
    """Open boxes and task markers in Markdown files that no source reads.

    Attributes:
        boxes: how many there are.
        files: in how many files.
        by: where, most boxes first.
        empty: how many more have no words of their own.
        ignored: how many more stand in code, quotes, comments or front matter, or have a mark that means no task.
    """

    boxes: int = 0
    files: int = 0
    by: tuple[UnreadGroup, ...] = ()
    empty: int = 0
    ignored: int = 0


@dataclass(frozen=True, slots=True)
class Contents:
    """What was read.

    Attributes:
        sources: every file that could be read, by kind and path.
        projects: the names of the project folders.
        troubles: what could not be read, or not whole, by path.
    """

    sources: tuple[Source, ...]
    projects: tuple[str, ...]
    troubles: tuple[Trouble, ...]
