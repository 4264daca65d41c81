"""What a dead end is called: the piece of a sentence that most likely names what was given up. PURE.

First every word of the story is weighed: a rare one that came up in a guess and comes back where something is left is
its name. Then every piece of a sentence is weighed by its words and by what its sentence tells.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.tracks.ends import FAILED, LEAVING, REACH, Evidence
from wrapgen.tracks.signal import Kind
from wrapgen.tracks.wording import cut, trimmed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from wrapgen.tracks.ends import End
    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.linear import Models
    from wrapgen.tracks.turns import Sentence, Turn

NAME_LIMIT = 100
"""Characters of a name."""
_BREAK = re.compile(r"[,，;；:：、]\s*|\s[-–—]+\s|——|\s(?=(?:and|but|so|with|by|via|using)\s)")
"""Where a name may begin within a long sentence."""
_LEAST = 8
"""Characters of a piece."""
_CODE = re.compile(r"`[^`\n]{1,200}`")
_LATIN = re.compile(r"[A-Za-z][\w./-]*", re.ASCII)
_CODELIKE = re.compile(r"[A-Za-z]+[._/-][A-Za-z0-9]|[a-z][A-Z]|[A-Z]{2,}|[a-z]\d", re.ASCII)
"""A word that no prose has: `max-age`, `useMemo`, `GHA`, `h264`."""
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_NO_NAME = (*FAILED, *LEAVING)
"""What a sentence tells that names nothing by itself."""
_SURE = 0.6
"""Likelihood of a word from which a name needs no second sentence."""
_FAR_BACK = (1, 2, 3, 5, 9)
"""Turns back up to which a distance is told apart."""


_TELLING = (
    Kind.HYPOTHESIS, Kind.ANNOUNCEMENT, Kind.ATTEMPT, Kind.FAILURE, Kind.DOUBT, Kind.SUCCESS, *LEAVING
)  # fmt: skip
_LATEST = (Kind.HYPOTHESIS, Kind.ATTEMPT, Kind.ANNOUNCEMENT)


def _called(how: str, kinds: Iterable[Kind]) -> dict[Kind, str]:
    """Names of facts, made once: there are millions of facts in a long session."""
    return {kind: f"{how} {kind.value}" for kind in kinds}


_FIRST_IN, _IN = _called("first in", _TELLING), _called("in", _TELLING)
_FIRST_IN_LAST, _IN_LAST = _called("first in turn of last", _LATEST), _called("in turn of last", _LATEST)
_TELLS, _NEXT_TELLS = _called("tells", _TELLING), _called("next tells", (Kind.HYPOTHESIS, Kind.ATTEMPT))
_LAST, _IS_LAST = _called("last", _LATEST), _called("is last", _LATEST)


class Piece(NamedTuple):
    """As much of a sentence as a name holds.

    Attributes:
        turn: where it stands.
        sentence: of which sentence.
        at: where it begins in the turn's text.
        text: the piece, without small words at its edges.
        terms: its words with content.
        opens: it begins the sentence.
        behind: what the sentence after it tells.
        first: its sentence is the first of the turn.
    """

    turn: Turn
    sentence: Sentence
    at: int
    text: str
    terms: frozenset[str]
    opens: bool
    behind: frozenset[Kind]
    first: bool


class Name(NamedTuple):
    """A name.

    Attributes:
        piece: its words.
        likely: how likely it is the right one, from 0 to 1.
        word: the same of its likeliest word.
    """

    piece: Piece
    likely: float
    word: float


def name_of(end: End, models: Models, cues: Cues) -> Name | None:
    """The likeliest name of what is given up; None when nothing was said before.

    Args:
        end: where it is given up.
        models: what tells names.
        cues: words without content at the edges of a name.
    """
    story = Story(end, models.rarity)
    words = {word: models.word(facts) for word, facts in story.word_evidence().items()}
    weighed = ((models.name(story.piece_evidence(one, words)), -at, one) for at, one in enumerate(pieces_of(end, cues)))
    likely, _, piece = max(weighed, default=(0.0, 0, None))
    if piece is None:
        return None
    best = max(piece.terms, key=lambda term: (words.get(term, 0.0), term))
    sure = words.get(best, 0.0)
    return Name(_without_more(piece, best, cues) if sure >= _SURE else piece, likely, sure)


def _without_more(piece: Piece, best: str, cues: Cues) -> Piece:
    """A piece without the second sentence, when its likeliest word stands in the first."""
    text = trimmed(cut(piece.turn.text[piece.at : piece.sentence.end].lstrip(), NAME_LIMIT), cues)
    terms = piece.turn.terms_of(text)
    return piece._replace(text=text, terms=terms) if best in terms else piece


def pieces_of(end: End, cues: Cues) -> Iterator[Piece]:
    """What may be a name: all that is said before something is left, cut to the length of a name.

    Args:
        end: where it is left.
        cues: words without content at the edges of a name.
    """
    for turn in end.turns[max(0, end.place - REACH) : end.place]:
        yield from _pieces(turn, len(turn.text), cues)
    yield from _pieces(end.turn, end.start, cues)


@lru_cache(maxsize=4 * REACH)
def _pieces(turn: Turn, limit: int, cues: Cues) -> tuple[Piece, ...]:
    """The pieces of the sentences of a turn that begin before a place in it."""
    told = [one for one in turn.sentences if one.start < limit]
    found: list[Piece] = []
    for number, sentence in enumerate(told):
        behind = told[number + 1].kinds if number + 1 < len(told) else frozenset[Kind]()
        for at in _starts(turn.text, sentence, limit):
            text = trimmed(cut(turn.text[at : _stop(told, number)].lstrip(), NAME_LIMIT), cues)
            terms = turn.terms_of(text)
            if terms:
                found.append(Piece(turn, sentence, at, text, terms, at == sentence.start, behind, number == 0))
    return tuple(found)


def _stop(told: Sequence[Sentence], number: int) -> int:
    """Where a piece that begins in a sentence may end: a short one takes the next along, that says what it is about."""
    start = told[number].start
    behind = next(iter(told[number + 1 : number + 2]), None)
    if behind is None or behind.end - start > NAME_LIMIT or not behind.kinds.isdisjoint(_NO_NAME):
        return told[number].end
    return behind.end


def _starts(text: str, sentence: Sentence, limit: int) -> Iterator[int]:
    """Where a piece of a sentence may begin before a place: where it does, or, when it is long, behind a break."""
    yield sentence.start
    if sentence.end - sentence.start > NAME_LIMIT:
        for match in _BREAK.finditer(text, sentence.start, sentence.end):
            if sentence.end - match.end() >= _LEAST and match.end() < limit:
                yield match.end()


class Story:
    """What was said before something was given up, as a place to look for its name.

    Args:
        end: where it was given up.
        rarity: how seldom words are used.
    """

    def __init__(self, end: End, rarity: Mapping[str, float]) -> None:
        self._end = end
        self._rarity = rarity
        self._turns = end.turns[max(0, end.place - REACH) : end.place + 1]
        self._told = [
            (turn, one)
            for turn in self._turns
            for one in turn.sentences
            if turn.place < end.place or one.start < end.start
        ]
        self._counts = Counter(term for turn in self._turns for term in turn.terms)
        self._before = end.turn.terms_in(0, end.start)
        last = max(one.cue[1] for one in end.told)
        self._instead = end.turn.terms_in(last, len(end.turn.text)) - self._before - end.gone
        self._failed = end.words(*FAILED)
        self._failure = max(
            ((one.step, one.at) for one in end.past if one.kind in FAILED), default=(end.place, end.start)
        )
        self._asked = end.turns[0].terms if end.place else frozenset[str]()
        self._latest = {kind: self._last(kind) for kind in _LATEST}
        self._code, self._codelike = self._names()

    def _last(self, kind: Kind) -> int:
        """The last turn before the failure that tells something."""
        told = (one.step for one in self._end.past if one.kind is kind and (one.step, one.at) < self._failure)
        wrote = (turn.place for turn in self._turns[:-1] if turn.wrote is not None and kind is Kind.ATTEMPT)
        return max((*told, *wrote), default=-1)

    def _names(self) -> tuple[frozenset[str], frozenset[str]]:
        """Words that stand in code, and words that look like it."""
        code: set[str] = set()
        like: set[str] = set()
        for turn in self._turns:
            text = turn.opening
            for match in _CODE.finditer(text):
                code |= turn.terms_of(match[0])
            for match in _LATIN.finditer(text):
                if _CODELIKE.search(match[0]):
                    like |= turn.terms_of(match[0])
        return frozenset(code), frozenset(like)

    def word_evidence(self) -> dict[str, Evidence]:
        """What speaks for each word, that it names what is given up."""
        where: dict[str, list[tuple[Turn, Sentence]]] = {}
        for turn, sentence in self._told:
            for term in sentence.terms:
                where.setdefault(term, []).append((turn, sentence))
        return {term: self._of_word(term, places) for term, places in where.items()}

    def _of_word(self, term: str, places: list[tuple[Turn, Sentence]]) -> Evidence:
        end, (turn, first) = self._end, places[0]
        kinds = frozenset(kind for _, one in places for kind in one.kinds)
        rare = self._rarity.get(term, 1.0)
        latin, agent = term.isascii(), turn.step.role == "assistant"
        gone, before, turns = term in end.gone, term in self._before, len({one.place for one, _ in places})
        found: Evidence = {
            "rare": rare,
            "left": float(gone),
            "sentence": float(term in end.around),
            "said before": float(before),
            "comes instead": float(term in self._instead),
            "latin": float(latin),
            "latin among other": float(latin and _WIDE.search(turn.opening) is not None),
            "code": float(term in self._code),
            "like code": float(term in self._codelike),
            "by agent": float(agent),
            "first turn": float(turn.place == 0),
            "asked for": float(term in self._asked),
            "first in question": float(_asks(turn, first)),
            "written": float(any(one.wrote is not None for one, _ in places)),
            "turns": min(turns, 4) / 4,
            "sentences": min(len(places), 5) / 5,
            "both roles": float(len({one.step.role for one, _ in places}) == 2),
            "long silent": min(end.place - places[-1][0].place, 6) / 6,
            "before failure": float((turn.place, first.start) < self._failure),
            _distance(end.place - turn.place): 1.0,
        }
        found |= {_FIRST_IN[kind]: 1.0 for kind in first.kinds if kind in _FIRST_IN}
        for kind, place in self._latest.items():
            if turn.place == place:
                found[_FIRST_IN_LAST[kind]] = 1.0
            if any(one.place == place for one, _ in places):
                found[_IN_LAST[kind]] = 1.0
        found |= {_IN[kind]: 1.0 for kind in kinds if kind in _IN}
        found["guessed and tried"] = float({Kind.HYPOTHESIS, Kind.ATTEMPT} <= kinds)
        found["guessed and left"] = float(Kind.HYPOTHESIS in kinds and (gone or before))
        for name in ("left", "said before", "by agent", "turns", "code", "like code", "in attempt"):
            found[f"rare, {name}"] = rare * found.get(name, 0.0)
        if not latin:
            found |= {
                f"not latin, {name}": found[name] for name in ("rare", "left", "said before", "by agent", "turns")
            }
        return found

    def piece_evidence(self, piece: Piece, words: Mapping[str, float]) -> Evidence:
        """What speaks for a piece, that it names what is given up.

        Args:
            piece: the piece.
            words: how likely each word names it.
        """
        end, turn = self._end, piece.turn
        best = sorted((words.get(term, 0.0) for term in piece.terms), reverse=True)
        top = sorted(words.values(), reverse=True)
        found: Evidence = {
            "word": best[0],
            "second word": best[1] if len(best) > 1 else 0.0,
            "all words": min(sum(best[:4]), 2.0),
            "best word": float(bool(top) and best[0] >= top[0]),
            "second best word": float(len(top) > 1 and len(best) > 1 and best[1] >= top[1]),
            "left": float(not piece.terms.isdisjoint(end.gone)),
            "said before": float(turn.place < end.place and not piece.terms.isdisjoint(self._before)),
            "failed": float(not piece.terms.isdisjoint(self._failed)),
            "again": min(sum(self._counts[term] > 1 for term in piece.terms), 4) / 4,
            "by agent": float(turn.step.role == "assistant"),
            "same role": float(turn.step.role == end.turn.step.role),
            "first turn": float(turn.place == 0),
            "written": float(turn.wrote is not None),
            "question": float(_asks(turn, piece.sentence)),
            "opens": float(piece.opens),
            "first sentence": float(piece.first),
            "before failure": float((turn.place, piece.at) < self._failure),
            "code": float("`" in piece.text),
            "words": min(len(piece.terms), 8) / 8,
            "few words": float(len(piece.terms) < 3),
            "length": len(piece.text) / NAME_LIMIT,
            "digits": sum(map(str.isdigit, piece.text)) / len(piece.text),
            _distance(end.place - turn.place): 1.0,
        }
        found |= {_TELLS[kind]: 1.0 for kind in piece.sentence.kinds if kind in _TELLS}
        found |= {_NEXT_TELLS[kind]: 1.0 for kind in piece.behind if kind in _NEXT_TELLS}
        for kind, place in self._latest.items():
            if place == turn.place:
                found[_LAST[kind]] = 1.0
                found[_IS_LAST[kind]] = float(kind in piece.sentence.kinds)
        return found


def _asks(turn: Turn, sentence: Sentence) -> bool:
    return turn.text[sentence.start : sentence.end].rstrip()[-1:] in ("?", "？")


def _distance(turns: int) -> str:
    return next((f"up to {far} back" for far in _FAR_BACK if turns <= far), "far back") if turns else "same turn"
