"""Items and remarks as rows of the HTML page, with their evidence, and all that its template can show. PURE."""

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import NamedTuple
from urllib.parse import quote

from wrapgen.config import LinkStyle
from wrapgen.dashboard.balance import UNTAGGED
from wrapgen.dashboard.view import TEXT_LIMIT
from wrapgen.ledger import Concern, Outcome, Remark, Run, SkippedFollowUp, WaitingFollowUp
from wrapgen.model import FOR_PERSON, Because, Fate, Item
from wrapgen.text.display import age, shorten, visible
from wrapgen.text.words import language_of
from wrapgen.vault.markdown.safe import Span, link_target, spans


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
    named: int  # how many of these something says to be next; the rest is also open
    unsaid: str  # how to say what is next, where nothing does; else empty
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


_PROOFS = 10  # of one item that are listed
_PROOF_LIMIT = 120  # characters
_CERTAIN = 100  # percent


@dataclass
class Rows:
    """Makes the rows of one page."""

    run: Run  # what is shown
    links: Links  # how to link to sources
    texts: Mapping[tuple[str, int], str]  # what is at the places that evidence names, by path and line
    due_soon: int  # within so many days something counts as due soon
    said: Mapping[str, str] = field(default_factory=dict)  # by whom and when items were said to be next, by id
    snoozed: Mapping[str, date] = field(default_factory=dict)  # until when somebody hid items, by id

    @cached_property
    def handles(self) -> Mapping[str, str]:
        return self.run.handles()

    @cached_property
    def _merged(self) -> Mapping[str, list[Outcome]]:
        merged: dict[str, list[Outcome]] = defaultdict(list)
        for one in self.run.of(Fate.DUPLICATE):
            if one.because and one.because.item:
                merged[one.because.item].append(one)
        return merged

    def outcome(self, one: Outcome, number: int | None = None) -> Row:
        item = one.item
        doubted = self._probably_done.get(item.id) if one.fate in (Fate.SHOWN, Fate.OVERFLOW) else None
        what = "one with" if one.fate is Fate.DUPLICATE else "done in"
        proofs = [self._because(item, because, what) for because in (one.because, doubted) if because]
        merged = self._merged.get(item.id, [])
        for twin in merged[:_PROOFS]:
            score = twin.because.score if twin.because else _CERTAIN
            proofs.append(self._proof("also in", twin.item.path, twin.item.line, score, item.text))
        return Row(
            words=self.words(item.words, item.path),
            project=visible(item.project or UNTAGGED),
            number=number,
            handle=self.handles.get(item.id, ""),
            id=item.id,
            marks=(
                *([Mark("said", self.said[item.id])] if item.id in self.said else []),
                *([Mark("you", FOR_PERSON)] if one.said and one.said.is_for_person else []),
                *self._marks(item, open_still=one.fate in (Fate.SHOWN, Fate.OVERFLOW)),
                *([Mark("doubted", "probably done")] if doubted else []),
            ),
            place=self.links.place(item.path, item.line),
            facts=((("stands here", one.why),) if one.why else ()) + tuple(_facts(item)),
            proofs=tuple(proofs),
            more=max(0, len(merged) - _PROOFS),
            command=f"wrap explain {item.id}",
        )

    def remark(self, remark: Remark) -> Row:
        item, because = remark.item, remark.because
        doubt = because.doubt if because else None
        proof = because and self._because(item, because, "done in")
        candidates = f"Candidates: {', '.join(map(visible, item.candidates))}" if item.candidates else ""
        return Row(
            words=self.words(item.words, item.path),
            project=visible(item.project or UNTAGGED),
            handle=self.handles.get(item.id, ""),
            id=item.id,
            place=self.links.place(item.path, item.line),
            note=f"not certain: {visible(doubt)}" if doubt else candidates,
            proofs=(proof,) if proof else (),
        )

    def waiting(self, one: WaitingFollowUp) -> Row:
        """A follow-up that is in no file yet, with the conversation that it comes from."""
        source, _, line = one.source.rpartition(":")
        said = f"said by the {one.role}{f' on {one.said_on}' if one.said_on else ''}"
        facts = [("said as", one.quote)] if one.quote != one.text else []
        facts += [("conversation", f"{source}, line {line}")]
        return Row(
            words=self.words(one.text),
            project=visible(one.project or UNTAGGED),
            handle=one.handle,
            id=one.handle,
            filing=(one.text, one.route, one.task or ""),
            note=visible(f"{said}, {posixpath.basename(source.replace(chr(92), '/'))}:{line}"),
            facts=tuple((name, visible(shorten(text, TEXT_LIMIT))) for name, text in facts),
        )

    def skipped(self, one: SkippedFollowUp) -> Row:
        """A follow-up that is not asked about again."""
        return Row(self.words(one.text), handle=one.handle, id=one.handle, note=f"{one.reason} on {one.skipped}")

    def words(self, text: str, source: str = "", limit: int = TEXT_LIMIT) -> Words:
        text = shorten(text, limit)
        lang = language_of(text)
        taken = (span._replace(href=self.links.target(span.href)) for span in spans(text, source))
        return Words("" if lang == "en" else lang, tuple(taken))

    def _marks(self, item: Item, *, open_still: bool) -> Iterator[Mark]:
        today = self.run.today
        if item.due is not None and open_still:
            days = (item.due - today).days
            kind = "overdue" if days < 0 else "soon" if days <= self.due_soon else "due"
            yield Mark(kind, f"{'overdue since' if days < 0 else 'due'} {item.due}")
        if item.priority is not None and open_still:
            name = item.priority.name.lower()
            yield Mark(name, f"{name} priority")
        if item.recurrence is not None:
            yield Mark("recurrence", visible(shorten(item.recurrence, TEXT_LIMIT)))
        if open_still and (until := self.snoozed.get(item.id, today)) > today:
            yield Mark("later", f"snoozed until {until}")
        elif item.not_before is not None and item.not_before > today and open_still:
            yield Mark("later", f"not before {item.not_before}")
        if item.blocked_by and open_still:
            yield Mark("blocked", "blocked")
        if item.raised is not None:
            yield Mark("age", age(item.raised, today))

    @cached_property
    def _probably_done(self) -> Mapping[str, Because]:
        remarks = self.run.about(Concern.PROBABLY_DONE)
        return {one.item.id: one.because for one in remarks if one.because}

    def _because(self, item: Item, because: Because, what: str) -> Proof:
        what = "probably done in" if because.doubt else what
        proof = self._proof(what, because.path, because.line, because.score, item.text)
        return replace(proof, doubt=visible(because.doubt or ""))

    def _proof(self, what: str, path: str, line: int, score: float, known: str) -> Proof:
        """Evidence; its words are left out where they are those of the item itself."""
        text = self.texts.get((path, line))
        words = self.words(text, path, _PROOF_LIMIT) if text is not None and text != known else None
        alike = "the same words" if score >= _CERTAIN else f"{score:g}\u00a0% match"
        return Proof(what, words, self.links.place(path, line), alike)


def plain(text: str) -> Words:
    """Text that is not Markdown."""
    return Words("", (Span(visible(text)),))


def _facts(item: Item) -> Iterator[tuple[str, str]]:
    if item.raised:
        yield "raised", item.raised.isoformat()
    if item.last_seen and item.last_seen != item.raised:
        yield "last seen", item.last_seen.isoformat()
    yield "source", item.kind.value
    yield "id", item.id
