"""Searching the cold log by reading it: words of any script, and two characters of Chinese, Japanese or Korean.

Every record is decoded and folded, as no index is kept: 100,000 turns take about a second.
"""

import heapq
import math
import re
import unicodedata
from dataclasses import dataclass
from typing import Literal, NamedTuple

from wrapgen.text.display import one_line
from wrapgen.text.words import CJK
from wrapgen.tracks.log import Log
from wrapgen.tracks.record import DecisionRecord, Tombstone, TurnRecord, WithdrawnRecord, decoded

Kind = Literal["tombstone", "turn", "decision"]
KINDS: tuple[Kind, ...] = ("tombstone", "turn", "decision")
_PIECE = re.compile(rf"([{CJK}]+)|((?:(?![{CJK}_])\w)+)")
_MARKS = re.compile("[\u0300-\u036f]")
_ACCENTED = re.compile("[\u00c0-\u024f]")
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
    hits = ((decoded(next((line for _, line in log.lines(one.start)), b"")), score(one)) for one in best)
    searched = TurnRecord | Tombstone | DecisionRecord
    return [SearchHit(record, round(fitness, 3)) for record, fitness in hits if isinstance(record, searched)]


def _terms(words: str) -> list[_Term]:
    found: dict[str, _Term] = {}
    for match in _PIECE.finditer(_folded(words)):
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
    found = [at for match in _PIECE.finditer(_folded(words)) if (at := low.find(match[0])) >= 0]
    begin = max(0, min(found, default=0) - length // 3)
    part = flat[begin : begin + length]
    return f"{'…' if begin else ''}{part}{'…' if begin + length < len(flat) else ''}"
