"""The records that travel between the rooms: what was read, what was found, what became of it.

What comes in thousands (`Section`, `Entry`, `Document`, `Item`, `Evidence`) are msgspec structs, which are made and
decoded several times faster; everything else are frozen dataclasses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import IntEnum, StrEnum

import msgspec

from wrapgen.folding import Folded


class Kind(StrEnum):
    """The four durable sources, in canonical order."""

    JOURNAL_NEXT = "journal_next"
    ACTIVE_TODOS = "active_todos"
    PROJECT_TODOS = "project_todos"
    PROGRESS = "progress"

    @property
    def chain(self) -> int:
        """Position in the canonical order, 0 first."""
        return _CHAIN[self]


_CHAIN = {kind: position for position, kind in enumerate(Kind)}


class Fate(StrEnum):
    """What became of a collected item; every item has exactly one."""

    SHOWN = "shown"
    RESOLVED = "resolved"
    DUPLICATE = "duplicate"
    OVERFLOW = "overflow"
    EXPIRED = "expired"


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


class Entry(msgspec.Struct, frozen=True, gc=False):
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
        finished: day it was done, when it says so.
        recurrence: how it repeats, in the words of the item.
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


class Document(msgspec.Struct, frozen=True, gc=False):
    """A file's headings and entries, in the order of their lines.

    Attributes:
        trouble: why the file could not be parsed as Markdown and was read line by line instead, or None.
    """

    sections: tuple[Section, ...] = ()
    entries: tuple[Entry, ...] = ()
    trouble: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed file and what its place in the vault says about it.

    Attributes:
        path: relative to the vault, with forward slashes.
        kind: which of the four durable sources.
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


@dataclass(frozen=True, slots=True)
class Trouble:
    """A file that could not be read, or not read whole."""

    path: str
    error: str


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


class Item(msgspec.Struct, frozen=True, gc=False):
    """An open item of a durable source.

    Attributes:
        id: 12 hexadecimal digits, the same from run to run while words and file stay.
        block: position of the session block within the day's journals, for journal items.
        raised: the journal's date, elsewhere the `➕` date, None when unknown.
        last_seen: newest date of the group that was merged into this item.
        header: title of the enclosing session heading.
        candidates: projects that the header names when it names several.
        twins: where the items that were merged into this one stand, as path and line.
        folded: the text as it is compared.
    """

    id: str
    text: str
    kind: Kind
    path: str
    line: int
    folded: Folded
    raised: date | None = None
    last_seen: date | None = None
    due: date | None = None
    priority: Priority | None = None
    recurrence: str | None = None
    block: tuple[str, int] | None = None
    header: str | None = None
    project: str | None = None
    candidates: tuple[str, ...] = ()
    conflict: bool = False
    box: bool = False
    twins: tuple[tuple[str, int], ...] = ()

    @property
    def place(self) -> str:
        """Where the item stands, as `path:line`."""
        return f"{self.path}:{self.line}"


class Evidence(msgspec.Struct, frozen=True, gc=False):
    """A finished item: what can resolve open ones.

    Attributes:
        day: the day it was done, by its journal or done date; None for a tick whose day nobody wrote down.
        latest: the latest day an undated tick can mean.
        listed: an entry of a journal's *Done* section; a tick elsewhere otherwise.
        block: session block of a journal entry.
    """

    text: str
    path: str
    line: int
    folded: Folded
    kind: Kind
    listed: bool
    day: date | None = None
    latest: date | None = None
    block: tuple[str, int] | None = None
    header: str | None = None
    project: str | None = None


@dataclass(frozen=True, slots=True)
class Because:
    """Why an item was dropped: the place that proves it, and how alike the words are (0 to 100)."""

    path: str
    line: int
    score: float
    item: str | None = None


@dataclass(frozen=True, slots=True)
class Dropped:
    """An item that left the pipeline, with its fate and the reason."""

    item: Item
    fate: Fate
    because: Because | None = None


@dataclass(frozen=True, slots=True)
class UnreadSection:
    """A *Next* section that holds prose instead of a list."""

    path: str
    line: int
    heading: str
