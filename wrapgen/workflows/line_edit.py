"""A line that is to be written, or one that stands and is to be ticked, reworded or taken out."""

from dataclasses import dataclass

from wrapgen.config import SectionNames
from wrapgen.model import Item
from wrapgen.notes import Document
from wrapgen.redact import redact
from wrapgen.session.follow_up import FollowUp, Route
from wrapgen.session.memory import Line, open_line
from wrapgen.vault.markdown.blocks import encode
from wrapgen.vault.markdown.edit import GivenMarks
from wrapgen.vault.markdown.item_writer import MovedLines, NewItem


@dataclass(frozen=True, slots=True)
class LineEdit:
    """A line that is to be written, or one that stands and is to be ticked, reworded or taken out."""

    id: str  # the follow-up's id, or that of the item that is changed
    text: str
    route: Route | None  # where the line goes; None for one that stands, unless a follow-up was routed there
    path: str  # the file, relative to the vault
    title: str = ""  # what a new file is called
    project: str | None = None
    task: str | None = None
    orphan: FollowUp | None = None
    done: bool = False  # write it as finished work
    after: int = 0  # line of what it finishes, when that stands in the same file
    outside: bool = False  # write it outside of session blocks
    item: Item | None = None  # the item that is changed, None for a new line; it is ticked unless more is said
    was: tuple[Item, ...] = ()  # the items in whose place the line stands from now on
    history: tuple[Item, ...] = ()  # their lines in old journals, which stay as they are and stay merged
    reworded: bool = False  # the text is what it is to say
    marked: GivenMarks | None = None  # the marks that it is to have
    gone: "Gone | None" = None  # take it out
    moved: MovedLines | None = None  # how a new item stood elsewhere
    head: str = ""  # its first line as written there, without tag; the text is all of its words

    @property
    def place(self) -> str:
        return self.item.place if self.item else self.path

    @property
    def is_tick(self) -> bool:
        return self.item is not None and not (self.reworded or self.marked or self.gone)

    @property
    def new(self) -> NewItem:
        return NewItem(self.head or self.text, self.project, self.moved)

    def line(self, written: str = "", number: int = 0) -> Line:
        text, line = redact(self.text)[0], redact(encode(written).decode("utf-8", "replace"))[0]
        return Line(self.id, text, self.route, self.path, line, number, self.project, self.task, self.orphan)

    def line_in(self, document: Document, sections: SectionNames) -> int | None:
        """Return where its new line is already.

        A finished one does not count: the same work may have been done this morning and raised again since.
        """
        if self.done or self.route is None:
            return None
        return open_line(self.text, self.project, self.route, document, sections)


@dataclass(frozen=True, slots=True)
class Gone:
    """That an item is taken out once its words stand elsewhere."""

    new: str  # the id of the edit that writes them there; empty where they stand already
    rows: bytes  # the lines that were written there: others are not taken out
