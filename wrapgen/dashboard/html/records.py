"""What the HTML page's template can show. PURE: data only; the template escapes every text."""

import posixpath
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote

from wrapgen.config import LinkStyle
from wrapgen.text.display import visible
from wrapgen.vault.markdown.safe import Span, link_target


@dataclass(frozen=True, slots=True)
class Words:
    """An item's words."""

    lang: str  # `ko`, `ja` or `zh`; empty for the language of the page
    spans: tuple[Span, ...]  # the words, with their styles and links


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to know about an item at a glance: its `kind` for the style sheet, and the text."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Proof:
    """What an item's fate rests on, or what was merged into it."""

    what: str  # how it belongs to the item, such as `done in` or `also in`
    words: Words | None  # what is there, None when it is not known any more
    place: "NoteLine"  # where
    alike: str = ""  # likeness of the words, such as `97 % match`; empty when there is none to tell
    doubt: str = ""  # why it is not believed; empty when it is


@dataclass(frozen=True, slots=True)
class Row:
    """One item or remark."""

    words: Words  # what it says
    project: str = ""  # its project's name; empty where it has nothing to do with projects
    number: int | None = None  # its number in `wrap list`, None for what is not shown there
    handle: str = ""  # what commands take for it; empty for what is no item
    id: str = ""  # the whole of it, which other items cannot come to share; of a pending follow-up its handle
    filing: tuple[str, str, str] | None = None  # of a pending follow-up: its text, and the route and task suggested
    marks: tuple[Mark, ...] = ()  # due date, priority, recurrence, age
    place: "NoteLine | None" = None  # where it stands, None for what is in no file
    note: str = ""  # what else is to be said about it, in a line
    facts: tuple[tuple[str, str], ...] = ()  # what `wrap explain` tells of it, as pairs of name and text
    proofs: tuple[Proof, ...] = ()  # the evidence
    more: int = 0  # how many proofs are left out, and `command` what tells all of them
    command: str = ""


class FurtherItems(NamedTuple):
    """What is listed as data that the filter searches: tens of thousands of elements take a browser seconds."""

    total: int  # how many items
    # `files` (name and address in front of the line, and whether a line follows), `projects`, and `rows` (number,
    # words, places in those two, line, handle, language); safe inside a `script` element
    json: str


NOTHING = FurtherItems(0, "")


@dataclass(frozen=True, slots=True)
class RowList:
    """Rows of one kind."""

    key: str  # its name in addresses and style sheets
    title: str  # its heading
    advice: Words  # what it means, and what to do about it
    rows: tuple[Row, ...]
    total: int  # how many there are, listed or not
    command: str = "wrap audit"  # what lists the rest
    projects: tuple[tuple[str, int], ...] = ()  # how many of each project there are, where that matters
    further: FurtherItems = NOTHING  # what is listed as data below these, for whoever looks for it

    @property
    def more(self) -> int:
        return self.total - len(self.rows) - self.further.total


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart, and its numbers for those who cannot see it."""

    svg: str  # the drawing, an SVG element whose every text is escaped
    columns: tuple[str, ...]  # what the numbers are
    rows: tuple[tuple[str, ...], ...]  # its numbers: a name, then one number a column


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything the page can show."""

    name: str  # of the vault
    today: str  # the day it stands for, as people write it
    day: str  # the same as ISO date
    open: int  # open items, shown or not
    audit_line: str  # the last line of every audit
    priorities: RowList
    overflow: RowList
    attention: tuple[RowList, ...]  # what a person should look at; only lists that hold something
    past: tuple[RowList, ...]  # what is no longer open: resolved, merged, expired
    projects: tuple[str, ...]  # names to filter by
    ledger: Chart  # what became of everything
    ages: Chart  # how old the open items are
    trend: Chart | None  # open items over time; None while there are not two days to compare
    not_read: str  # what no source reads, in a sentence; empty when there is nothing
    nothing: str  # why no item is shown, in a sentence


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A line of a note."""

    name: str  # that of the note, with the line
    whole: str  # its whole path with the line
    href: str  # where the link leads


class NoteFile(NamedTuple):
    """A note."""

    name: str  # as short as it can be told from its neighbours, `2026-04-23.md` or `web/todos.md`
    href: str  # where the link leads, as far as the line
    has_lines: bool = True  # whether the line follows


@dataclass(frozen=True, slots=True)
class Links:
    """How the page links to the vault's files."""

    style: LinkStyle  # what opens a source: the browser, or an editor that has registered its scheme
    base: str  # the vault as seen from the page, as an address that ends in `/`
    vault: str  # its absolute path, with forward slashes

    def place(self, path: str, line: int) -> NoteLine:
        note = self.note(path)
        return NoteLine(
            f"{note.name}:{line}", visible(f"{path}:{line}"), f"{note.href}{line if note.has_lines else ''}"
        )

    def note(self, path: str) -> NoteFile:
        name = posixpath.basename(path)
        if not any(map(str.isdigit, name)):  # `todos.md` alone says nothing
            name = posixpath.join(posixpath.basename(posixpath.dirname(path)), name)
        whole = posixpath.join(self.vault, path)
        match self.style:
            case "markdown":
                return NoteFile(visible(name), f"{self.base}{link_target(path)}#L")
            case "vscode":
                return NoteFile(visible(name), f"vscode://file/{quote(whole.lstrip('/'))}:")
            case "obsidian":
                return NoteFile(visible(name), f"obsidian://open?path={quote(whole, safe='')}", has_lines=False)

    def target(self, href: str) -> str:
        own = href.startswith(("http:", "https:", "mailto:")) or not href
        return href if own else self.base + href
