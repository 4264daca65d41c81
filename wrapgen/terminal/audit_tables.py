"""Tables for people: the audit with its balanced last line, and what is read and what is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from wrapgen.dashboard import balance
from wrapgen.ledger import NAMED_EXPIRED, Concern, Lost, Remark, Run, SaidGone, SkippedFollowUp
from wrapgen.model import Fate, Item, UnreadableDate, UnreadSection
from wrapgen.text.display import shorten, visible, without_marks

if TYPE_CHECKING:
    from rich.console import RenderableType

    from wrapgen.notes import UnreadBoxes
    from wrapgen.workflows.sources import SourceRow

# Of each warning, unless all are asked for; in a vault without projects every item is untagged.
_NAMED_CASES = 10
_TEXT_LIMIT = 100  # characters of an item in a list of warnings

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a warning."""

    words: str  # the item, or what else is meant
    place: str = ""  # `path:line`, or the path alone; nothing where there is no file
    path: str = ""  # the file, relative to the vault; nothing where there is none
    note: str = ""  # what is said behind the words

    def __str__(self) -> str:
        return f"{self.place} {self.words}{self.note}".lstrip()


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning list that is not empty."""

    name: str  # what the cases are called
    number: int  # how many there are
    cases: tuple[Case, ...]  # those that are named
    advice: str = ""  # what the name means, or what to do
    summary: tuple[str, ...] = ()  # lines in front of the cases
    elsewhere: str = ""  # the command that shows all cases, when the audit names only some

    @property
    def title(self) -> str:
        advice = f"`{self.elsewhere}` shows all" if self.elsewhere else self.advice
        return f"{self.name}{f': {advice}' if advice else ''} ({self.number})"


@dataclass(frozen=True, slots=True)
class Audit:
    """What is printed about a run."""

    run: Run

    def printed(self, news: Sequence[str] = (), *, whole: bool) -> Iterator[RenderableType]:
        """The sources, the fates, every warning with its place, and the balance."""
        yield self.sources()
        yield ""
        if self.run.not_read.boxes:
            yield Text(balance.not_read(self.run.not_read), style="yellow")
            yield ""
        yield self.fates()
        if (aside := balance.uncollected(self.run)) and any(aside.values()):
            counted = ", ".join(f"{name} {number}" for name, number in aside.items() if number)
            yield Text(f"\nopen boxes that are not collected: {counted}")
        for one in self.warnings():
            named = one.cases if whole else one.cases[:_NAMED_CASES]
            lines = [*one.summary, *map(str, named)]
            if more := len(one.cases) - len(named):
                lines.append(f"… and {more} more: `wrap -v audit` shows all")
            yield Text.assemble("\n", (one.title, "bold"))
            yield from (Padding(Text(visible(line)), (0, 0, 0, 2)) for line in lines)
        if news:
            yield ""
            yield from news_lines(news)
        yield Text.assemble("\n", (balance.audit_line(self.run), "bold"))
        if whole:
            yield Text(balance.LEGEND, style="dim")

    def sources(self) -> Table:
        table = _counting("source", "files", "items")
        for one in balance.sources(self.run):
            table.add_row(one.kind.value, str(one.files), str(one.items))
        return table

    def fates(self) -> Table:
        table = _counting("fate", "items")
        for fate, number in balance.fates(self.run).items():
            table.add_row(balance.FATE_WORDS[fate], str(number))
        return table

    def warnings(self) -> Iterator[Warned]:
        """Every warning list that is not empty."""
        run = self.run
        for concern, name, advice in (
            (Concern.UNTAGGED, "untagged", ""),
            (Concern.CONFLICTS, "conflicts", "open box, done mark"),
            (Concern.PROBABLY_DONE, "probably done", ""),
            (Concern.STALE_BOXES, "stale boxes", "done elsewhere; tick them"),
        ):
            yield from _warned(name, run.about(concern), _remark, advice)
        said = run.follow_ups
        yield from _warned("potentially lost", said.lost, _lost)
        aside = "not filed; `wrap orphans --all` lists them, to bring back"
        yield from _warned("skipped", said.skips, _skipped, aside)
        dropped = "a reader found no open work in them; `wrap orphans --all` lists them"
        yield from _warned("dropped", said.dropped, _lost, dropped)
        yield from _warned("no longer next", run.said_gone, _gone)
        yield from _warned("unreadable", run.troubles, lambda one: Case(one.error, f"{one.path}:", one.path))
        dates, sections = "no calendar has them", "prose is not read as items"
        yield from _warned("unreadable dates", run.unreadable_dates, lambda one: _placed(one.text, one), dates)
        yield from _warned("unread sections", run.unread, lambda one: _placed(one.heading, one), sections)
        if expired := run.of(Fate.EXPIRED):
            newest = sorted(expired, key=lambda one: (-(one.item.raised or run.today).toordinal(), one.item.place))
            yield Warned(
                "expired",
                len(expired),
                tuple(_case(one.item) for one in newest[:NAMED_EXPIRED]),
                summary=tuple(f"({project}) {number}" for project, number in balance.per_project(run, Fate.EXPIRED)),
                elsewhere="wrap list --expired",
            )


def _counting(first: str, *numbers: str) -> Table:
    table = Table(first, box=None, pad_edge=False)
    for name in numbers:
        table.add_column(name, justify="right")
    return table


def _gone(one: SaidGone) -> Case:
    return Case(f"{shorten(one.text, _TEXT_LIMIT)}: {one.reason}", f"{one.path}:{one.line}", one.path)


def news_lines(news: Iterable[str]) -> list[Text]:
    """What a run wrote, a line each."""
    return [Text(visible(line), style="green") for line in news]


def linked(root: Path, text: str, path: str, style: str = "") -> Text:
    """Words that open a note where the terminal can (OSC 8)."""
    return Text(visible(text), style=Style.parse(style) + Style(link=(root / path).as_uri()))


def _warned(name: str, things: Sequence[T], case: Callable[[T], Case], advice: str = "") -> Iterator[Warned]:
    if things:
        yield Warned(name, len(things), tuple(map(case, things)), advice)


def _lost(one: Lost) -> Case:
    return Case(shorten(one.text, _TEXT_LIMIT), note=f" ({one.reason})")


def _skipped(one: SkippedFollowUp) -> Case:
    return Case(shorten(one.text, _TEXT_LIMIT), note=f" ({one.reason} on {one.skipped})")


def _placed(words: str, one: UnreadableDate | UnreadSection) -> Case:
    return Case(shorten(words, _TEXT_LIMIT), f"{one.path}:{one.line}", one.path)


def _remark(remark: Remark) -> Case:
    item, because = remark.item, remark.because
    note = f" (candidates: {', '.join(item.candidates)})" if item.candidates else ""
    if because is not None:
        doubt = f": {because.doubt}" if because.doubt else ""
        note += f" ({because.score:g} % match with {because.path}:{because.line}{doubt})"
    return _case(item, note)


def _case(item: Item, note: str = "") -> Case:
    return Case(without_marks(shorten(item.words, _TEXT_LIMIT)), item.place, item.path, note)


_NAMED = 10  # places of unread boxes


def source_rows(rows: Sequence[SourceRow]) -> Table:
    """Globs with what they are, their files and what these hold."""
    table = Table("as", box=None, pad_edge=False)
    table.add_column("glob", overflow="fold")
    table.add_column("what")
    table.add_column("files", justify="right")
    table.add_column("open", justify="right")
    for row in rows:
        table.add_row(row.key, visible(row.glob), visible(row.why), str(row.files), str(row.items))
    return table


def unread_rows(found: UnreadBoxes) -> Table:
    """Where boxes are that nothing reads; the last row sums up the rest."""
    table = _counting("not read", "boxes")
    for group in found.by[:_NAMED]:
        table.add_row(visible(balance.place_of(group)), str(group.boxes))
    if rest := found.boxes - sum(group.boxes for group in found.by[:_NAMED]):
        table.add_row("elsewhere", str(rest))
    return table
