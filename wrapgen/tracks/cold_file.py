"""What is made of the cold log: COLD_TRACK.md, and what a search finds.

The file is written in one step; one that wrapgen did not write is kept beside it. A search decodes and folds every
record, as no index is kept: 100,000 turns take about a second; it knows words of any script, and two characters of
Chinese, Japanese or Korean.
"""

import hashlib
import heapq
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from wrapgen.days import moment
from wrapgen.late_pattern import late
from wrapgen.text.display import one_line, visible, visible_line
from wrapgen.text.words import CJK
from wrapgen.tracks.hot import COLD_FILE
from wrapgen.tracks.log import Log
from wrapgen.tracks.record import (
    DecisionRecord,
    LogContents,
    Record,
    RenderedRecord,
    Tombstone,
    TrackLabels,
    TurnRecord,
    WithdrawnRecord,
)
from wrapgen.vault import disk
from wrapgen.vault.held import held, inside

_STEM = COLD_FILE.removesuffix(".md")
_PIECE = 200  # texts


def publish_cold(folder: Path, log: Log, contents: LogContents, labels: TrackLabels, now: datetime) -> Path | None:
    """Write the file from the log; the caller holds the tracks' lock.

    Returns the name under which a file that wrapgen did not write is kept. Raises `PublishError` when it cannot be
    written: the former one stands.
    """
    path = folder / COLD_FILE
    former = _digest(inside(path, log.root))
    foreign = former is not None and former not in contents.rendered
    aside = free_name(path) if foreign else None
    kept = [one.name for one in sorted(folder.glob(f"{_STEM}.former-*.md"))] + ([aside.name] if aside else [])
    hashing = hashlib.sha256()
    pieces = _encoded(render(contents, (record for _, record in log.records()), labels, kept), hashing)
    try:
        with held(path, log.root) as cold:
            disk.remove_leftovers(cold)
            with disk.replacing(cold, pieces, private=True):
                log.append([RenderedRecord(hashing.hexdigest(), now.isoformat(timespec="seconds"))])
                if aside:
                    cold.rename(cold.with_name(aside.name))
            disk.sync_name(cold)
    except OSError as error:
        what = "cannot be written; what it would say is safe in the log"
        raise disk.cannot(what, path, error) from error
    return aside


def _encoded(texts: Iterable[str], hashing: "hashlib._Hash") -> Iterator[bytes]:
    """Texts in pieces of some size, each of which is counted into a digest."""
    rest = iter(texts)
    while piece := "".join(islice(rest, _PIECE)).encode("utf-8", "replace"):
        hashing.update(piece)
        yield piece


def _digest(path: Path) -> str | None:
    """The digest of a file, None when there is none; of another no one could say that its words are not lost."""
    try:
        with disk.opened(path) as descriptor, open(descriptor, "rb", closefd=False) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise disk.cannot("cannot be read, so it is not written either", path, error) from error


def free_name(path: Path) -> Path:
    """A name beside a file under which it can be kept, and that nothing has yet."""
    number = 1
    while (aside := path.with_name(f"{path.stem}.former-{number}.md")).exists() or aside.is_symlink():
        number += 1
    return aside


_MOST_FILES = 20


def render(
    contents: LogContents, records: Iterable[Record], labels: TrackLabels, kept: Iterable[str] = ()
) -> Iterator[str]:
    """The file, piece by piece; `kept` are names of previous files that wrapgen did not write."""
    earliest = moment(contents.earliest)
    first = f"{earliest:%Y-%m-%d}" if earliest else ""
    yield f"# {labels.cold}\n\n_{labels.created}: {first or '-'}_\n"
    for name in kept:
        yield f"_{labels.kept.format(where=name)}_\n"
    yield f"\n---\n\n## {labels.graves}\n\n"
    for one in contents.tombstones.values():
        yield from _grave(one, labels, withdrawn=one.id in contents.withdrawn)
    yield f"---\n\n## {labels.decided}\n\n"
    for decision in contents.decisions.values():
        when = f"{decision.day}: " if decision.day else ""
        yield f"- {when}{visible_line(decision.text)} ({visible_line(decision.source)})\n"
    yield f"\n---\n\n## {labels.history}\n\n"
    yield from _history(contents, records)
    yield (
        f"---\n\n## {labels.statistics}\n- {labels.interactions}: {len(contents.turns)}\n"
        f"- {labels.buried}: {len(contents.standing)}\n- {labels.earliest}: {first or '-'}\n"
    )


def _grave(one: Tombstone, labels: TrackLabels, *, withdrawn: bool) -> Iterator[str]:
    name = visible_line(one.name)
    title = f"~~{name}~~" if withdrawn else f"{one.mark}{name}"
    yield f"### {one.id}: {title}\n- **{labels.reason}**: {visible_line(one.reason)}\n"
    yield f"- **{labels.day}**: {one.day or '-'}\n- **{labels.story}**:\n"
    yield "".join(f"  {f'Turn {told.turn}: ' if told.turn else ''}{visible_line(told.text)}\n" for told in one.story)
    yield "\n"


def _history(contents: LogContents, records: Iterable[Record]) -> Iterator[str]:
    session: str | None = None
    shown: set[str] = set()
    for record in records:
        if not isinstance(record, TurnRecord) or contents.turns.get(record.key) != record.digest:
            continue
        if record.key in shown:
            continue
        shown.add(record.key)
        at = moment(record.at)
        if record.session != session:
            session = record.session
            yield f"### Session: {at:%Y-%m-%d}\n\n" if at else "### Session: -\n\n"
        yield f"#### Turn {record.turn}{f' - {at:%H:%M}' if at else ''}\n"
        if record.text or not record.tools:
            yield f"**{'User' if record.role == 'user' else 'Assistant'}**:{_quoted(record.text)}\n"
        if record.tools:
            files = f" ({', '.join(map(visible_line, record.files[:_MOST_FILES]))})" if record.files else ""
            yield f"**Tools**: {', '.join(map(visible_line, record.tools))}{files}\n"
        yield "\n"


def _quoted(text: str) -> str:
    lines = text.splitlines() or [""]
    if len(lines) == 1:
        return f" {visible(lines[0])}"
    return "\n\n" + "".join(f"> {visible(line)}\n" for line in lines)


Kind = Literal["tombstone", "turn", "decision"]
KINDS: tuple[Kind, ...] = ("tombstone", "turn", "decision")
_WORD = late(rf"([{CJK}]+)|((?:(?![{CJK}_])\w)+)")
_MARKS = late("[\u0300-\u036f]")
_ACCENTED = late("[\u00c0-\u024f]")
# The word itself comes first: patterns that begin with letters are searched for ten times faster.
_BEGUN = "%s(?<![a-z0-9]%s)"
_TITLE = 4.0  # what a word in the few words of a dead end or a decision weighs beside one in a turn that mentions it
_USUAL = 400  # characters; a longer text says a word more easily
_EXACT, _PREFIX, _PART = 1.0, 0.5, 0.25


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A record that was found."""

    record: TurnRecord | Tombstone | DecisionRecord
    score: float  # how well it fits, more is better


@dataclass(frozen=True, slots=True)
class _Term:
    """A word that is looked for, folded; `pairs` of the characters of a run, the patterns of any other."""

    word: str
    pairs: tuple[str, ...] = ()
    exact: re.Pattern[str] | None = None
    begun: re.Pattern[str] | None = None

    def weight(self, text: str) -> tuple[float, int]:
        """How much of the word a folded text has, and how often it says that."""
        if self.exact is None or self.begun is None:
            if times := text.count(self.word):
                return _EXACT, times
            times = sum(pair in text for pair in self.pairs)
            return (_PART * times / len(self.pairs), times) if times else (0.0, 0)
        if self.word not in text:
            return 0.0, 0
        if times := len(self.exact.findall(text)):
            return _EXACT, times
        times = len(self.begun.findall(text))
        return _PREFIX if times else 0.0, times


class _Scored(NamedTuple):
    start: int  # byte of its line in the log
    weights: tuple[float, ...]  # how much of each word it has
    counts: tuple[float, ...]  # how strongly it says each


def search(log: Log, words: str, kind: Kind | None, limit: int) -> list[SearchHit]:
    """What of the log has the words; records with all of them, else those with any, the best first."""
    terms = _terms(words)
    some = _matches(log, terms, kind)
    found = [one for one in some if all(one.weights)] or some
    if not found:
        return []
    level = max(min(one.weights) for one in found)
    enough = min if level else max  # when none has all words, those that have most of one
    level = level or max(max(one.weights) for one in found)
    having = [sum(one.weights[at] > 0 for one in found) for at in range(len(terms))]
    rare = [math.log(1 + len(found) / (1 + times)) + 0.1 for times in having]

    def score(one: _Scored) -> float:
        return sum(count / (count + 1) * rareness for count, rareness in zip(one.counts, rare, strict=True))

    fit = (one for one in found if enough(one.weights) >= level)
    best = heapq.nlargest(limit, fit, key=lambda one: (score(one), one.start))
    hits = ((next((record for _, record in log.records(one.start)), None), score(one)) for one in best)
    searched = TurnRecord | Tombstone | DecisionRecord
    return [SearchHit(record, round(fitness, 3)) for record, fitness in hits if isinstance(record, searched)]


def _terms(words: str) -> list[_Term]:
    found: dict[str, _Term] = {}
    for match in _WORD.finditer(_folded(words)):
        word = match[0]
        if match[1]:
            pairs = (word[at : at + 2] for at in range(max(1, len(word) - 1)))
            found[word] = _Term(word, tuple(dict.fromkeys(pairs)))
        else:
            begun = _BEGUN % ((re.escape(word),) * 2)
            found[word] = _Term(word, (), re.compile(begun + "(?![a-z0-9])"), re.compile(begun))
    return list(found.values())


def _matches(log: Log, terms: list[_Term], kind: Kind | None) -> list[_Scored]:
    """The records with any of the words; of a turn that has grown or a dead end told better only the last."""
    found: dict[str, _Scored] = {}
    gone: dict[str, _Scored] = {}
    for start, record in log.records():
        title = ""
        match record:
            case WithdrawnRecord():
                there, away = (gone, found) if record.back else (found, gone)
                if record.id in there:
                    away[record.id] = there.pop(record.id)
                continue
            case TurnRecord() if kind in (None, "turn"):
                key, body = record.key, " ".join((record.text, *record.files))
            case Tombstone() if kind in (None, "tombstone"):
                key, title = record.id, f"{record.id} {record.name} {record.reason}"
                body = " ".join(told.text for told in record.story)
            case DecisionRecord() if kind in (None, "decision"):
                key, title, body = record.key, record.text, record.source
            case _:
                continue
        found.pop(key, None)
        one = _weighed(_folded(title), _folded(body), start, terms)
        if any(one.weights):
            found[key] = one
    return list(found.values())


def _weighed(title: str, body: str, start: int, terms: list[_Term]) -> _Scored:
    weights, counts = [], []
    for term in terms:
        weight, times = term.weight(body)
        count = weight * times
        if count and len(body) > _USUAL:
            count /= math.sqrt(len(body) / _USUAL)
        if title:
            strong, times = term.weight(title)
            weight, count = max(weight, strong), count + _TITLE * strong * times
        weights.append(weight)
        counts.append(count)
    return _Scored(start, tuple(weights), tuple(counts))


def _folded(text: str) -> str:
    """A text as it is compared: NFKC, case folded, Latin letters without their accents."""
    if text.isascii():
        return text.lower()
    if not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
    text = _ACCENTED.sub(lambda letter: unicodedata.normalize("NFD", letter[0])[0], text.casefold())
    return _MARKS.sub("", text)


def excerpt(text: str, words: str, length: int) -> str:
    """The part of a text around the first word that was looked for, on one line of so many characters."""
    flat = one_line(text)
    low = flat.casefold()
    if len(low) != len(flat):  # a letter that folds into two would shift all later offsets
        low = flat.lower() if len(flat.lower()) == len(flat) else flat
    found = [at for match in _WORD.finditer(_folded(words)) if (at := low.find(match[0])) >= 0]
    begin = max(0, min(found, default=0) - length // 3)
    part = flat[begin : begin + length]
    return f"{'…' if begin else ''}{part}{'…' if begin + length < len(flat) else ''}"
