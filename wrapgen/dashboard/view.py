"""The dashboard's contents, as lines of safe Markdown that a template only has to place. PURE."""

import posixpath
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from wrapgen.config import LinkStyle
from wrapgen.dashboard import balance
from wrapgen.late_pattern import late
from wrapgen.ledger import NAMED_EXPIRED, NAMED_REMARKS, OPEN_ORDER, Concern, Outcome, Remark, Run, SourceCount
from wrapgen.model import BLOCKED_SIGN, FOR_PERSON, Because, Fate, Item, UnreadableDate, UnreadSection
from wrapgen.notes import PRIORITY_SIGNS
from wrapgen.text.display import age, count, shorten
from wrapgen.vault.markdown.safe import code, link_target, safe_inline

TEXT_LIMIT = 300  # characters of an item that are shown
_TWINS_LINKED = 3

CONCERNS = {
    Concern.CONFLICTS: (
        "Conflicts",
        "The box is open, but its text or list says done: tick it, or remove the mark.",
    ),
    Concern.PROBABLY_DONE: (
        "Probably done",
        "Something like it is done: `wrap done` if this is too, `wrap keep` if not.",
    ),
    Concern.STALE_BOXES: ("Stale boxes", "Done elsewhere, still open in its file: tick it."),
}

UNTAGGED_ITEMS = ("Untagged", "Start the item with `(project)`, or name one project in its session heading.")
LOST = ("Potentially lost", "Gone from its file: `wrap route` asks about it again.")
UNREADABLE = ("Unreadable", "Fix the file, or the place in `wrapgen.toml` that is gone: `wrap sources`.")
DATES = ("Unreadable dates", "No calendar has that day: correct it in the note.")
SECTIONS = ("Unread sections", "Prose is not read: write each follow-up as a list item.")


# What a wikilink can name: it knows no escapes.
_WIKI_PATH = late(r"[^\[\]|#^\\]+")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PriorityLine:
    """One priority: `- (project) words · marks · link`."""

    project: str
    words: str
    marks: tuple[str, ...]
    link: str


@dataclass(frozen=True, slots=True)
class Group:
    """Things of one kind that a person should look at, and what to do about them."""

    title: str
    advice: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class View:
    """Everything a dashboard template can show."""

    today: str
    collected: int
    fates: tuple[tuple[str, int], ...]  # by their names in JSON
    fate_words: tuple[tuple[str, int], ...]  # the same in plain words
    sources: tuple[SourceCount, ...]
    uncollected: tuple[tuple[str, int], ...]
    priorities: tuple[PriorityLine, ...]
    also_open: tuple[PriorityLine, ...]
    unsaid: str  # how to say what is next, where nothing does
    overflow: tuple[str, ...]
    attention: tuple[Group, ...]
    pending: int
    not_read: str
    nothing: str


def build_view(run: Run, link_style: LinkStyle, output: str) -> View:
    """Make the view of a run; `output` is the page's path relative to the vault: links start in its folder."""
    doubts = {one.item.id: one.because for one in run.about(Concern.PROBABLY_DONE) if one.because}
    page, shown = _Page(run, link_style, posixpath.dirname(output), doubts), run.of(Fate.SHOWN)
    return View(
        today=run.today.isoformat(),
        collected=balance.collected(run),
        fates=tuple((fate.value, number) for fate, number in balance.fates(run).items()),
        fate_words=tuple((balance.FATE_WORDS[fate], number) for fate, number in balance.fates(run).items()),
        sources=balance.sources(run),
        uncollected=tuple(balance.uncollected(run).items()),
        priorities=tuple(page.priority(one) for one in shown if one.order < OPEN_ORDER),
        also_open=tuple(page.priority(one) for one in shown if one.order == OPEN_ORDER),
        unsaid=_commanding(balance.unsaid(run)),
        overflow=tuple(
            f"({_name(project)}) {number} more: {code(f'wrap list --all --project {shlex.quote(project)}')}"
            for project, number in balance.per_project(run, Fate.OVERFLOW)
        ),
        attention=tuple(group for group in page.attention() if group.lines),
        pending=run.follow_ups.pending,
        not_read=_commanding(balance.not_read(run.not_read)),
        nothing=f"{balance.nothing_shown(run).capitalize()}.",
    )


@dataclass(frozen=True, slots=True)
class _Page:
    run: Run
    style: LinkStyle
    folder: str
    doubts: Mapping[str, Because]  # what shows shown items to be probably done

    def priority(self, outcome: Outcome) -> PriorityLine:
        item, today = outcome.item, self.run.today
        marks = [FOR_PERSON] if outcome.said and outcome.said.is_for_person else []
        if item.due is not None:
            overdue = "**overdue** " if item.due < today else ""
            marks.append(f"{overdue}📅 {item.due}")
        if item.priority is not None:
            marks.append(PRIORITY_SIGNS[item.priority])
        if item.recurrence is not None:
            rule = self._safe(shorten(item.recurrence, TEXT_LIMIT), item.path)
            marks.append(f"🔁 {rule}".removesuffix(" 🔁"))
        if item.blocked_by:
            marks.append(f"{BLOCKED_SIGN} blocked")
        if item.raised is not None:
            marks.append(age(item.raised, today))
        if because := self.doubts.get(item.id):
            settle = code(f"wrap done {shlex.quote(item.place)}")
            marks.append(f"probably done: {self._link(because.path, because.line, 'evidence')}, settle: {settle}")
        source = self._source(item)
        if item.twins:
            twins = [self._link(path, line, "merged") for path, line in item.twins[:_TWINS_LINKED]]
            source = f"{source} (+{len(item.twins)} merged) {', '.join(twins)}"
        return PriorityLine(_name(item.project), self._words(item), tuple(marks), source)

    def attention(self) -> Iterable[Group]:
        run = self.run
        pending = count(run.follow_ups.pending, "follow-up")
        said = f"{pending} mentioned in chat but never written down: file with `wrap route`"
        yield _group("Pending follow-ups", "They are in no file yet.", [said] * bool(run.follow_ups.pending), str)
        yield _group(*LOST, run.follow_ups.lost, lambda one: f"{_cut(one.text)} · {_plain(one.reason)}")
        yield _group(*UNTAGGED_ITEMS, list(filter(None, [_commanding(balance.untagged(run))])), str)
        for concern, (title, advice) in CONCERNS.items():
            yield _group(title, advice, run.about(concern), self._remark)
        unread = _commanding(balance.not_read(run.not_read))
        yield _group("Not read", unread, run.not_read.by, lambda one: f"{_cut(balance.place_of(one))} · {one.boxes}")
        old = "Older than the look-back and no longer shown: `wrap list --expired` lists them."
        yield _group("Expired", old, self._expired(), str)
        aside = "Snoozed, waiting, parked, or not work by its note's own word: `wrap explain` says which."
        yield _group("Set aside", aside, self._aside(), str)
        yield _group(*UNREADABLE, run.troubles, lambda one: f"{_plain(one.path)}: {_plain(one.error)}")
        yield _group(*DATES, run.unreadable_dates, lambda one: f"{_cut(one.text)} · {self._source(one)}")
        yield _group(*SECTIONS, run.unread, lambda one: f"{_cut(one.heading)} · {self._source(one)}")

    def _expired(self) -> list[str]:
        numbers = ((_name(name), number) for name, number in balance.per_project(self.run, Fate.EXPIRED))
        return self._counted(numbers, self.run.newest_expired(NAMED_EXPIRED))

    def _aside(self) -> list[str]:
        aside = [one.item for one in self.run.aside]
        return self._counted(sorted(Counter(_name(item.project) for item in aside).items()), aside)

    def _counted(self, counts: Iterable[tuple[str, int]], items: Sequence[Item]) -> list[str]:
        """How many items of each project there are, and the first of them."""
        named = [f"{self._words(item)} · {self._source(item)}" for item in items[:NAMED_EXPIRED]]
        return [f"({project}) {number}" for project, number in counts] + named

    def _remark(self, remark: Remark) -> str:
        item, because = remark.item, remark.because
        parts = [self._words(item), self._source(item)]
        if item.candidates:
            parts.append(f"candidates {', '.join(_name(name) for name in item.candidates)}")
        if because is not None:
            parts.append(f"{because.score:g} % match: {self._link(because.path, because.line, 'evidence')}")
            if because.doubt:
                parts.append(_plain(because.doubt))
        return " · ".join(parts)

    def _words(self, item: Item) -> str:
        return self._safe(shorten(item.words, TEXT_LIMIT), item.path)

    def _safe(self, text: str, source: str) -> str:
        return safe_inline(text, source, self.folder)

    def _source(self, one: Item | UnreadableDate | UnreadSection) -> str:
        return self._link(one.path, one.line, "source")

    def _link(self, path: str, line: int, words: str) -> str:
        if self.style == "obsidian" and _WIKI_PATH.fullmatch(path) and path.isprintable():
            # Wikilinks cannot name a line.
            return f"[[{path.removesuffix('.md')}|{words}]]"
        return f"[{words}]({link_target(path, self.folder)}#L{line})"


def _group(title: str, advice: str, things: Sequence[T], line: Callable[[T], str]) -> Group:
    more = len(things) - NAMED_REMARKS
    tail = [f"and {more} more: `wrap audit`"] if more > 0 else []
    return Group(title, advice, (*map(line, things[:NAMED_REMARKS]), *tail))


def _commanding(sentence: str) -> str:
    head, colon, command = sentence.rpartition(": ")
    return f"{head}{colon}{code(command)}" if command else ""


def _name(project: str | None) -> str:
    return _plain(project) if project else balance.UNTAGGED


def _plain(text: str) -> str:
    return safe_inline(text, "", "")


def _cut(text: str) -> str:
    return _plain(shorten(text, TEXT_LIMIT))
