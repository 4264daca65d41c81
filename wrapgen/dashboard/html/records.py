"""What the HTML page's template can show. PURE: data only; the template escapes every text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.dashboard.html.further import NOTHING, FurtherItems

if TYPE_CHECKING:
    from wrapgen.dashboard.html.flow import Flow
    from wrapgen.dashboard.html.links import NoteLine
    from wrapgen.ledger import FollowUpCounts, SourceCount
    from wrapgen.vault.markdown.spans import Span


@dataclass(frozen=True, slots=True)
class Words:
    """An item's words.

    Attributes:
        lang: `ko`, `ja` or `zh`; empty for the language of the page.
        spans: the words, with their styles and links.
    """

    lang: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to know about an item at a glance: its `kind` for the style sheet, and the text."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Proof:
    """What an item's fate rests on, or what was merged into it.

    Attributes:
        what: how it belongs to the item, such as `done in` or `also in`.
        words: what is there, None when it is not known any more.
        place: where.
        alike: likeness of the words, such as `97 % match`; empty when there is none to tell.
        doubt: why it is not believed; empty when it is.
    """

    what: str
    words: Words | None
    place: NoteLine
    alike: str = ""
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One item or remark.

    Attributes:
        words: what it says.
        project: its project's name; empty where it has nothing to do with projects.
        number: its number in `wrap list`, None for what is not shown there.
        handle: what commands take for it; empty for what is no item.
        marks: due date, priority, recurrence, age.
        place: where it stands, None for what is in no file.
        note: what else is to be said about it, in a line.
        facts: what `wrap explain` tells of it, as pairs of name and text.
        proofs: the evidence.
        more: how many proofs are left out, and `command` what tells all of them.
    """

    words: Words
    project: str = ""
    number: int | None = None
    handle: str = ""
    marks: tuple[Mark, ...] = ()
    place: NoteLine | None = None
    note: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    proofs: tuple[Proof, ...] = ()
    more: int = 0
    command: str = ""


@dataclass(frozen=True, slots=True)
class RowList:
    """Rows of one kind.

    Attributes:
        key: its name in addresses and style sheets.
        title: its heading.
        advice: what it means, and what to do about it.
        further: what is listed as data below these, for whoever looks for it.
        total: how many there are, listed or not.
        command: what lists the rest.
        projects: how many of each project there are, where that matters.
    """

    key: str
    title: str
    advice: Words
    rows: tuple[Row, ...]
    total: int
    command: str = "wrap audit"
    projects: tuple[tuple[str, int], ...] = ()
    further: FurtherItems = NOTHING

    @property
    def more(self) -> int:
        """How many are not listed."""
        return self.total - len(self.rows) - self.further.total


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart, and its numbers for those who cannot see it.

    Attributes:
        svg: the drawing, an SVG element whose every text is escaped.
        rows: its numbers: a name, then one number a column.
        columns: what the numbers are.
    """

    svg: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything the page can show.

    Attributes:
        name: of the vault.
        today: the day it stands for, as people write it.
        day: the same as ISO date.
        open: open items, shown or not.
        audit_line: the last line of every audit.
        attention: what a person should look at; only lists that hold something.
        past: what is no longer open: resolved, merged, expired.
        projects: names to filter by.
        ages: how old the open items are.
        trend: open items over time; None while there are not two days to compare.
        not_read: what no source reads, in a sentence; empty when there is nothing.
        nothing: why no item is shown, in a sentence.
    """

    name: str
    today: str
    day: str
    open: int
    collected: int
    fates: tuple[tuple[str, int], ...]
    sources: tuple[SourceCount, ...]
    follow_ups: FollowUpCounts
    audit_line: str
    priorities: RowList
    overflow: RowList
    attention: tuple[RowList, ...]
    past: tuple[RowList, ...]
    projects: tuple[str, ...]
    flow: Flow
    ages: Chart
    trend: Chart | None
    not_read: str
    nothing: str
