"""What is read from notes: headings, entries, the files they stand in, and what could not be read.

These are msgspec structs: what comes in thousands is made and decoded several times faster than a dataclass, and a
class that every command loads is made a hundred times faster.
"""

from datetime import date
from enum import IntEnum, StrEnum

import msgspec


class Kind(StrEnum):
    """The durable sources, in the order in which the audit names them."""

    JOURNAL_NEXT = "journal_next"
    ACTIVE_TODOS = "active_todos"
    PROJECT_TODOS = "project_todos"
    PROGRESS = "progress"
    LISTS = "lists"
    HAND_OVERS = "hand_overs"
    SAID = "said"  # what somebody named as next and no list holds; no file is of this kind

    chain: int  # the position in the canonical order, by which ties break; 0 is first


for _position, _kind in enumerate(
    (
        Kind.JOURNAL_NEXT,
        Kind.HAND_OVERS,
        Kind.ACTIVE_TODOS,
        Kind.PROJECT_TODOS,
        Kind.PROGRESS,
        Kind.LISTS,
        Kind.SAID,
    )
):
    _kind.chain = _position


class Priority(IntEnum):
    """Urgency as written on an item; smaller is more urgent."""

    HIGHEST = 0
    HIGH = 1
    MEDIUM = 2
    LOW = 3
    LOWEST = 4


PRIORITY_SIGNS = "🔺⏫🔼🔽⏬"  # by their rank


LEADING_LINE_LEVEL = 8  # of a line that names but the list below it: `Next steps:`


class Section(msgspec.Struct, frozen=True, gc=False):
    """A heading with everything below it."""

    level: int  # 1 to 6 for headings, 7 for a line of bold text alone, 8 for one in front of the list that it names
    title: str  # the heading's text as written
    line: int  # 1-based line of the heading
    parent: int  # index of the enclosing section in `Document.sections`, -1 at the top
    prose: bool = False  # whether the text right below holds prose that leads to no list or table


class Entry(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A list item or table row that has words."""

    text: str  # first paragraph on one line, inline marks kept, state marks and metadata removed
    line: int  # 1-based line where it starts
    section: int  # index in `Document.sections` of the innermost heading, -1 above the first
    done: bool = False  # finished or cancelled in its own file
    box: bool = False  # carries a checkbox (`[ ]`, `[x]`, a leading ballot box) or, in a table, an explicit state
    conflict: bool = False  # an open box whose text bears a done mark
    due: date | None = None  # last day it may be done
    priority: Priority | None = None  # urgency
    created: date | None = None  # day it was written down, when it says so
    finished: date | None = None  # day it was done or cancelled, when it says so
    recurrence: str | None = None  # how it repeats, in the words of the item
    mark: str = ""  # the character in its box, or its task marker (`TODO`), as written
    scheduled: date | None = None  # day it is planned for
    start: date | None = None  # first day it can be done
    ident: str | None = None  # its own name, for others to depend on
    depends: tuple[str, ...] = ()  # names of what must be done before it
    unreadable: tuple[str, ...] = ()  # its dates that no calendar has; they are in the text still
    above: tuple[str, ...] = ()  # texts of the list items that it is nested in, outermost first
    row: bool = False  # a table row; it counts only where its table is a list of items


class Paragraph(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A paragraph below a heading that no list follows."""

    entry: Entry  # its first sentence
    is_quoted: bool = False


class Document(msgspec.Struct, frozen=True, gc=False):
    """A file's headings and entries, in the order of their lines."""

    sections: tuple[Section, ...] = ()
    entries: tuple[Entry, ...] = ()
    # why the file could not be parsed as Markdown and was read line by line instead, or None
    trouble: str | None = None
    empty: tuple[str, ...] = ()  # the open boxes and markers that have no words of their own
    ignored: int = 0  # how many open boxes stand in code, quotes, comments or front matter
    status: str = ""  # what the note says of itself, in its front matter or on one of its first lines
    written: date | None = None  # the day on which it says that it was brought up to date
    task: bool = False  # whether the note is a task itself: its first entry, on line 1; all others are its details
    paragraphs: tuple[Paragraph, ...] = ()  # of sections without a list: work where whatever stands there is read


class Source(msgspec.Struct, frozen=True):
    """A parsed file and what its place in the vault says about it."""

    path: str  # relative to the vault, with forward slashes
    kind: Kind  # which of the durable sources
    document: Document
    day: date | None = None  # the journal's date, None for other kinds
    project: str | None = None  # project of the folder, None for journals
    task: str | None = None  # name of the active task's folder, None elsewhere
    changed: date | None = None  # day of the file's last change

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


class Trouble(msgspec.Struct, frozen=True):
    """A file that could not be read, or not read whole."""

    path: str
    error: str
    unread: bool = False  # whether nothing of it was read, so that nobody knows what is open in it


class UnreadGroup(msgspec.Struct, frozen=True):
    """Open boxes below one heading of the files of one folder, which no source reads."""

    folder: str  # relative to the vault; "" for the vault itself
    heading: str  # the nearest heading as written; "" for none
    boxes: int


class UnreadBoxes(msgspec.Struct, frozen=True):
    """Open boxes and task markers in Markdown files that no source reads."""

    boxes: int = 0  # how many there are
    files: int = 0  # in how many files
    by: tuple[UnreadGroup, ...] = ()  # where, most boxes first
    empty: int = 0  # how many more have no words of their own
    # how many more stand in code, quotes, comments or front matter, or have a mark that means no task
    ignored: int = 0


class Contents(msgspec.Struct, frozen=True):
    """What was read."""

    sources: tuple[Source, ...]  # every file that could be read, by kind and path
    projects: tuple[str, ...]  # the names of the project folders
    troubles: tuple[Trouble, ...]  # what could not be read, or not whole, by path
