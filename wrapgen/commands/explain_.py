"""`wrap explain`, what became of an item, and why; `wrap match`, whether two would be merged."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from itertools import takewhile
from pathlib import Path

import click
import msgspec

from wrapgen.config import KEYS, VAULT_FILE, Config, declared_by, pattern_of
from wrapgen.dashboard.document import because_record, fields, item_record
from wrapgen.errors import ExitCode, WrapgenError
from wrapgen.jsonl import NOT_JSON
from wrapgen.late_pattern import late
from wrapgen.ledger import Concern, Outcome, Run
from wrapgen.model import Because, Evidence, Fate, Item
from wrapgen.notes import Document, Entry, Kind, Source
from wrapgen.pipeline.matching import Side, Verdict, compare
from wrapgen.pipeline.nearby import refused
from wrapgen.pipeline.places import PLACE, different_lists, two_due_days
from wrapgen.pipeline.stage import Context, Decisions
from wrapgen.regular_files import text_of
from wrapgen.terminal.completions import item_names
from wrapgen.terminal.item_list import choices_shown, tagged
from wrapgen.terminal.verb import verb
from wrapgen.text.display import one_line, shorten
from wrapgen.text.folding import fold
from wrapgen.vault.markdown.marks.item import read_item
from wrapgen.workflows.app import App
from wrapgen.workflows.given_files import read_bytes
from wrapgen.workflows.item_picker import ItemNames
from wrapgen.workflows.listed import last_list
from wrapgen.workflows.next_list import NextList
from wrapgen.workflows.vault_session import VaultSession

_TEXT_LIMIT = 300
_NEAR_LIMIT = 80
_WHOLE_LIMIT = 1_000
_ENDING = 3  # characters by which a sentence with its full stop is longer than an item
_MOST_LINES = 10  # without a fate, on a terminal


@verb(
    "explain",
    "wrap explain restore runbook",
    "wrap explain 3",
    "wrap explain b5ce0e",
    "wrap explain projects/web/todos.md:8",
    json=True,
)
@click.argument("text_or_id", nargs=-1, required=True, shell_complete=item_names)
def command(app: App, *, text_or_id: tuple[str, ...]) -> int:
    """Show what became of a line, and why.

    Of every line that was read: items, backlog, finished work, and what was left out.

    Similar items that count as separate work are listed too, with the rule that keeps them apart.

    TEXT_OR_ID: a number from `wrap list`, the start of an id, path:line, or words of the line. A number
    always means that list entry, even if other items contain it.
    """
    words = " ".join(text_or_id).strip()
    session = VaultSession.look(app)
    run = session.run
    with choices_shown(session, run):
        names = ItemNames(run, last_list(app), app.now, prints=not app.as_json)
        named = {item.id for item in names.any_of(words)}
    folded = "" if named else fold(words).text  # what names an item means no text
    found = [one for one in run.outcomes if one.item.id in named or (folded and folded in one.item.folded.text)]
    lines = _lines_about(session, run, words, folded)
    known = session.everything
    entries: list[Item | Evidence] = [*known.kept, *known.evidence]
    context = Context((), app.config, session.projects, app.day, Decisions(), tick_days=session.glance.tick_days)
    about = _About(run, session.decisions, entries, context, NextList(session).ages())
    if app.as_json:
        handles = run.handles()
        others = [{**asdict(one), "handle": handles[one.id] if one.id else None} for one in lines]
        items = [about.record(one, handles) for one in found]
        app.print_json({"schema": "wrapgen.explain/1", "query": words, "items": items, "lines": others})
        return ExitCode.DONE if found or lines else ExitCode.COULD_NOT
    if not found and not lines:
        raise WrapgenError(
            f"no line that was read matches {words!r}",
            next_step="`wrap list --all` shows what is open, `wrap sources` what is read.",
        )
    for one in found:
        about.print(app, one)
    for line in lines[:_MOST_LINES]:
        app.say(f"{line.id or line.what}  {tagged(line.project, shorten(line.text, _TEXT_LIMIT))}")
        app.say(f"  source       {line.place}")
        app.say(f"  fate         {line.what}: {line.why}")
    if len(lines) > _MOST_LINES:
        app.say(f"and {len(lines) - _MOST_LINES} more lines: --json names all")
    return ExitCode.DONE


@dataclass(frozen=True, slots=True)
class _About:
    run: Run
    decisions: Decisions
    entries: Sequence[Item | Evidence]  # all that an item may have been held against
    context: Context
    said: Mapping[str, str]  # by whom and when items were said to be next, by id

    def record(self, one: Outcome, handles: Mapping[str, str]) -> dict[str, object]:
        item, because = one.item, self._probably(one.item)
        near = refused(item, self.entries, self.context)
        return {
            **item_record(one, handles),
            "snoozed_until": self._snoozed(item),
            "probably_done": {**(because_record(because) or {}), "doubt": because.doubt} if because else None,
            "said": self.said.get(item.id),
            "refused": [{**other._asdict(), "score": round(other.score, 1)} for other in near],
        }

    def print(self, app: App, one: Outcome) -> None:
        item = one.item
        app.say(f"{item.id}  {tagged(item.project, shorten(item.words, _TEXT_LIMIT))}")
        app.say(f"  source       {item.place} ({item.kind}{f', raised {item.raised}' if item.raised else ''})")
        if whole := _whole_paragraph(app, item):
            app.say(f"  whole        {whole}")
        if declared := _declared(app, item):
            app.say(f"  declared     {declared}")
        app.say(f"  fate         {_fate(self.run, one, self._snoozed(item))}")
        if one.fate in (Fate.SHOWN, Fate.OVERFLOW):
            app.say(f"  rank         {one.why}")
        if item.id in self.said:
            app.say(f"  said         {self.said[item.id]}")
        if said := one.judged:
            quote = f': "{shorten(said.quote, _NEAR_LIMIT)}"' if said.quote else ""
            at = f" ({said.at})" if said.at else ""
            app.say(f"  judged       {said.verdict} by {said.by} on {said.on}{quote}{at}")
        because = self._probably(item)
        if because:
            app.say(
                f"  probably     done by {because.path}:{because.line} ({because.score:g} % match): {because.doubt}"
            )
        for near in refused(item, self.entries, self.context):
            if because and (near.path, near.line) == (because.path, because.line):
                continue
            what = "not done by" if near.done else "not merged"
            words = f"{shorten(near.text, _NEAR_LIMIT)} ({near.score:.1f} % match)"
            app.say(f"  {what:12s} {near.path}:{near.line} {words}: {near.rule}")

    def _snoozed(self, item: Item) -> date | None:
        day = self.decisions.snoozed.get(item.id)
        return day if day and day > self.run.today else None

    def _probably(self, item: Item) -> Because | None:
        doubted = self.run.about(Concern.PROBABLY_DONE)
        return next((one.because for one in doubted if one.item.id == item.id), None)


def _declared(app: App, item: Item) -> str:
    """Return the line of the configuration that makes an item one of its kind: `wrapgen.toml:4 lists "TODO.md"`."""
    titles = (item.header or "").split("\n")[::-1]
    key, glob = declared_by(item.path, item.kind, titles, app.config.sources)
    if not key:
        return ""
    written = text_of(app.root / VAULT_FILE).splitlines()
    quoted = (json.dumps(glob, ensure_ascii=False), f"'{glob}'")
    line = next((number for number, text in enumerate(written, 1) if any(one in text for one in quoted)), 0)
    return f'{VAULT_FILE}:{line} {key} "{glob}"' if line else f'{key} "{glob}", by default'


_LIST_MARK = late(r"\s*(?:[-*+>|#]|\d+[.)])")


def _whole_paragraph(app: App, item: Item) -> str:
    """Return the paragraph of which an item is the first sentence; "" for an item that is all of its line."""
    if item.kind not in (Kind.HAND_OVERS, Kind.LISTS, Kind.SAID):
        return ""
    lines = text_of(app.root / item.path).splitlines()[item.line - 1 :]
    if not lines or _LIST_MARK.match(lines[0]):
        return ""
    whole = one_line("\n".join(takewhile(str.strip, lines)))
    return shorten(whole, _WHOLE_LIMIT) if len(whole) > len(item.text) + _ENDING else ""


def _fate(run: Run, outcome: Outcome, snoozed: date | None) -> str:
    because = outcome.because
    match outcome.fate:
        case Fate.SHOWN:
            twins = outcome.item.twins
            also = f"; also at {', '.join(f'{path}:{line}' for path, line in twins)}" if twins else ""
            return f"shown as number {outcome.rank}{also}"
        case Fate.OVERFLOW if snoozed:
            return f"snoozed until {snoozed}: `wrap list --snoozed` shows it"
        case Fate.OVERFLOW if (day := outcome.item.not_before) is not None and day > run.today:
            return f"not shown before {day}: `wrap list --snoozed` shows it"
        case Fate.OVERFLOW:
            return "not shown: `wrap list --all` lists it"
        case Fate.EXPIRED:
            return "expired: its journal is older than the look-back; `wrap list --expired` lists it"
        case Fate.RESOLVED if because:
            return f"resolved by {because.path}:{because.line} ({because.score:g} % match)"
        case Fate.DUPLICATE if because:
            return f"merged with {because.path}:{because.line} ({because.score:g} % match, item {because.item})"
        case _:
            return outcome.fate.value


_PLACE = late(r".+:\d+")
_BACKLOG = "another list of its entry or file says what is next"
_NO_BOX = "no box, and in no list that says what is next"
_IGNORED = "below a heading that is left out, or with a mark that means no task"


@dataclass(frozen=True, slots=True)
class _LineWithoutFate:
    """One line that has no fate."""

    what: str  # `backlog`, `finished`, `left out` or `not read`
    path: str
    line: int
    text: str
    why: str
    id: str | None = None  # of backlog
    project: str | None = None

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


def _lines_about(session: VaultSession, run: Run, words: str, folded: str) -> list[_LineWithoutFate]:
    """The lines without a fate that stand at a place, whose id begins so, or whose text contains folded words."""
    told = {(one.item.path, one.item.line) for one in run.outcomes}
    found: list[_LineWithoutFate] = []
    for one in _lines(session, run):
        if (one.path, one.line) in told:
            continue
        named = one.place == words if _PLACE.fullmatch(words) else bool(one.id) and str(one.id).startswith(words)
        if named or (folded and folded in fold(one.text).text):
            told.add((one.path, one.line))
            found.append(one)
    return found


def _lines(session: VaultSession, run: Run) -> Iterator[_LineWithoutFate]:
    for item in run.backlog:
        yield _LineWithoutFate("backlog", item.path, item.line, item.text, _BACKLOG, item.id, item.project)
    for done in session.everything.evidence:
        yield _LineWithoutFate("finished", done.path, done.line, done.text, _finished(done), None, done.project)
    for source in session.contents.sources:
        for entry in source.document.entries:
            why = _IGNORED if entry.box or entry.done else _NO_BOX
            yield _LineWithoutFate("left out", source.path, entry.line, entry.text, why)
    for found, document in session.glance.unread_documents():
        for entry in document.entries:
            if entry.box and not entry.done:
                why = "no source reads this file: wrap sources"
                yield _LineWithoutFate("not read", found.path, entry.line, entry.text, why)


def _finished(done: Evidence) -> str:
    day = done.day or done.latest
    where = "in a list of finished work" if done.listed else "ticked"
    return f"{where}{f', {day}' if done.day else f', at the latest on {day}' if day else ''}"


class _Half(msgspec.Struct):
    text: str
    path: str | None = None
    line: int | None = None


class _Pair(msgspec.Struct):
    id: int | str
    a: _Half
    b: _Half


@verb("match", 'wrap match "Run step 5" "Run step 3"', "wrap match --pairs pairs.jsonl --json", json=True)
@click.argument("texts", nargs=-1, metavar="[A B]")
@click.option("--pairs", type=click.Path(path_type=Path), metavar="FILE", help='JSON lines {"id", "a": {"text"}, "b"}.')
def match_(app: App, *, texts: tuple[str, ...], pairs: Path | None) -> None:
    """Say whether two texts are one item, and why: when two were merged, or were not."""
    if (len(texts) == 2) == (pairs is not None):
        raise click.UsageError("Give two texts, or --pairs FILE.")
    rows = _read(pairs) if pairs else [_Pair(0, _Half(texts[0]), _Half(texts[1]))]
    config = app.config_or_defaults
    verdicts = [(pair, _verdict(pair, config)) for pair in rows]
    records = [{"id": pair.id, **fields(found, "score match refused")} for pair, found in verdicts]
    app.answer({"schema": "wrapgen.match/1", "pairs": [one | {"score": round(one["score"], 1)} for one in records]})
    for pair, verdict in verdicts:
        said = "match" if verdict.match else f"no match: {verdict.refused}"
        app.say(f"{f'{pair.id}: ' if pairs else ''}{verdict.score:.1f} % match, {said}")


def _verdict(pair: _Pair, config: Config) -> Verdict:
    """Compare a pair: by its words alone when they are too unlike, else by its places first."""
    found = compare(_side(pair.a), _side(pair.b), threshold=config.dedup_threshold)
    if found.score < config.dedup_threshold:
        return found
    place = _place_of(pair.a, pair.b, config)
    return Verdict(found.score, match=False, refused=place) if place else found


def _side(half: _Half) -> Side:
    entry = _entry(half)
    return Side(entry.text if entry else half.text, half.path, half.line)


def _entry(half: _Half) -> Entry | None:
    return read_item(half.text, line=half.line or 1, section=-1)


def _place_of(a: _Half, b: _Half, config: Config) -> str | None:
    """What the paths and due dates say; a file of which the vault says nothing is no list."""
    one, other = _entry(a), _entry(b)
    if one and other and (days := two_due_days(one.due, other.due)):
        return days
    lists = [_source(half.path, config) if half.path else None for half in (a, b)]
    if None not in lists:
        return different_lists(*(source.own_list for source in lists if source)) or _one_file(a, b, lists[0])
    return None


def _one_file(a: _Half, b: _Half, source: Source | None) -> str | None:
    """Two lines of one list were written as two; which session block of a journal a line is in, nobody says."""
    if a.path != b.path or a.line == b.line or source is None or source.kind is Kind.JOURNAL_NEXT:
        return None
    return f"{PLACE}one file: lines {a.line} / {b.line}"


def _source(path: str, config: Config) -> Source | None:
    for kind, key in KEYS.items():
        for glob in getattr(config.sources, key):
            if place := pattern_of(glob).match(path):
                return Source(path, kind, Document(), place.day, place.project, place.task)
    return None


def _read(path: Path) -> list[_Pair]:
    pairs: list[_Pair] = []
    for number, line in enumerate(read_bytes(str(path)).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            pairs.append(msgspec.json.decode(line, type=_Pair))
        except NOT_JSON as error:
            raise WrapgenError(
                f"is not a pair ({error})",
                where=f"{path}:{number}",
                next_step='Write one JSON object a line: {"id": 1, "a": {"text": "..."}, "b": {"text": "..."}}.',
            ) from error
    return pairs
