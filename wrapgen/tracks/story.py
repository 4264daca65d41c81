"""What was said before something was given up, and what in it speaks for a name: of each word and of each piece. PURE.

Facts by name, most of them 0 or 1, as in `ends.py`.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from heapq import nlargest
from typing import TYPE_CHECKING

from wrapgen.tracks.candidates import NAME_LIMIT
from wrapgen.tracks.ends import FAILED, LEAVING, LONG, REACH, Evidence
from wrapgen.tracks.signal import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from wrapgen.tracks.candidates import Piece
    from wrapgen.tracks.ends import End
    from wrapgen.tracks.turns import Sentence, Turn

_CODE = re.compile(r"`[^`\n]{1,200}`")
_CODELIKE = re.compile(
    r"(?<![A-Za-z0-9_])(?=[A-Za-z])(?=[\w./-]{0,80}?(?:[A-Za-z][._/-][A-Za-z0-9]|[a-z][A-Z]|[A-Z]{2,}|[a-z]\d))[A-Za-z][\w./-]*",
    re.ASCII,
)
"""A word that no prose has: `max-age`, `useMemo`, `GHA`, `h264`."""
_CAPITAL = re.compile(r"(?<=[a-z,;:(] )[A-Z][\w-]*", re.ASCII)
"""A name within a sentence: `Redis`."""
_PATH = re.compile(r"(?<![\w.@-])[\w.@-]*+/[\w./@-]+|(?<![\w-])[\w-]++\.[a-z]{1,4}\b", re.ASCII)
"""A file, named on the way: `src/session.py`."""
_LOOKS = {"code": _CODE, "like code": _CODELIKE, "capital": _CAPITAL, "of a path": _PATH}
_LETTERS = 12
"""Letters of a long word."""
_BESIDE = 24
"""Characters right ahead of a sign, and right behind it."""
_FAR_BACK = (1, 2, 3, 5, 9)
"""Turns back up to which a distance is told apart."""
_TELLING = (
    Kind.HYPOTHESIS, Kind.ANNOUNCEMENT, Kind.ATTEMPT, Kind.FAILURE, Kind.DOUBT, Kind.SUCCESS, *LEAVING
)  # fmt: skip
_LATEST = (Kind.HYPOTHESIS, Kind.ATTEMPT, Kind.ANNOUNCEMENT)
"""What is told of the thing itself; the last turn that does so most likely names it."""


def _called(how: str, kinds: Iterable[Kind]) -> dict[Kind, str]:
    """Names of facts, made once: there are millions of facts in a long session."""
    return {kind: f"{how} {kind.value}" for kind in kinds}


_FIRST_IN, _IN = _called("first in", _TELLING), _called("in", _TELLING)
_FIRST_IN_LAST, _IN_LAST = _called("first in turn of last", _LATEST), _called("in turn of last", _LATEST)
_BEHIND, _AHEAD = _called("right behind", _TELLING), _called("right ahead of", _TELLING)
_TELLS, _NEXT_TELLS = _called("tells", _TELLING), _called("next tells", (Kind.HYPOTHESIS, Kind.ATTEMPT))
_LAST, _IS_LAST = _called("last", _LATEST), _called("is last", _LATEST)
_WITH_RARITY = ("left", "said before", "by agent", "turns", "code", "like code", "in attempt")
_NOT_LATIN = ("rare", "left", "said before", "by agent", "turns")
"""Facts that say something else of a pair of Chinese or Korean characters than of a whole word."""


class Story:
    """What was said before something was given up, as a place to look for its name.

    Args:
        end: where it was given up.
        rarity: how seldom words are used, from 0 to 1; those that are not in it are rare.
    """

    def __init__(self, end: End, rarity: Mapping[str, float]) -> None:
        self._end = end
        self._rarity = rarity
        self._turns = (*end.before, end.turn)
        self._said_before = end.turn.terms_in(0, end.start)
        self._latest = {kind: self._last(kind) for kind in _LATEST}
        self._looks = self._by_looks()

    def word_evidence(self) -> dict[str, Evidence]:
        """What speaks for each word, that it names what is given up."""
        where: dict[str, list[tuple[Turn, Sentence]]] = {}
        for turn, sentence in self._sentences():
            for term in sentence.terms:
                where.setdefault(term, []).append((turn, sentence))
        return {term: self._of_word(term, places) for term, places in where.items()}

    def piece_evidence(self, piece: Piece, words: Mapping[str, float], top: Sequence[float] | None = None) -> Evidence:
        """What speaks for a piece, that it names what is given up.

        Args:
            piece: the piece.
            words: how likely each word names it.
            top: the highest two of these; a caller with many pieces looks them up once.
        """
        found = self._by_words(piece, words, best_two(words) if top is None else top)
        found |= self._by_place(piece)
        found |= {_TELLS[kind]: 1.0 for kind in piece.sentence.kinds if kind in _TELLS}
        found |= {_NEXT_TELLS[kind]: 1.0 for kind in piece.behind if kind in _NEXT_TELLS}
        for kind, place in self._latest.items():
            if place == piece.turn.place:
                found[_LAST[kind]] = 1.0
                found[_IS_LAST[kind]] = float(kind in piece.sentence.kinds)
        return found

    @cached_property
    def _instead(self) -> frozenset[str]:
        """Words that come up only behind what gives the thing up."""
        end, last = self._end, max(one.cue[1] for one in self._end.told)
        return end.turn.terms_in(last, len(end.turn.text)) - self._said_before - end.gone

    @cached_property
    def _asked(self) -> frozenset[str]:
        """Words of what the conversation was begun for."""
        return self._end.turns[0].terms if self._end.place else frozenset()

    @cached_property
    def _failed(self) -> frozenset[str]:
        return self._end.words(*FAILED)

    @cached_property
    def _failure(self) -> tuple[int, int]:
        """Turn and place in it of the last failure, of the farewell where none was told."""
        end = self._end
        return max(((one.step, one.at) for one in end.past if one.kind in FAILED), default=(end.place, end.start))

    @cached_property
    def _turns_with(self) -> Counter[str]:
        """Turns in which a word is said."""
        return Counter(term for turn in self._turns for term in turn.terms)

    def _last(self, kind: Kind) -> int:
        """The last turn before the failure that tells something."""
        told = (one.step for one in self._end.past if one.kind is kind and (one.step, one.at) < self._failure)
        wrote = (turn.place for turn in self._end.before if turn.wrote is not None and kind is Kind.ATTEMPT)
        return max((*told, *wrote), default=-1)

    @cached_property
    def _beside(self) -> dict[str, frozenset[str]]:
        """Words right behind and right ahead of what tells something."""
        found: dict[str, set[str]] = {}
        for one in (*self._end.past, *self._end.told):
            if one.kind in _BEHIND:
                turn, (start, stop), (at, behind) = self._end.turns[one.step], one.sentence, one.cue
                found.setdefault(_BEHIND[one.kind], set()).update(turn.terms_in(behind, min(behind + _BESIDE, stop)))
                found.setdefault(_AHEAD[one.kind], set()).update(turn.terms_in(max(at - _BESIDE, start), at))
        return {name: frozenset(words) for name, words in found.items()}

    def _by_looks(self) -> dict[str, frozenset[str]]:
        """Words by what they look like where they are written."""
        found: dict[str, set[str]] = {name: set() for name in _LOOKS}
        for turn in self._turns:
            for name, pattern in _LOOKS.items():
                for word in set(pattern.findall(turn.opening)):
                    found[name] |= turn.terms_of(word)
        return {name: frozenset(words) for name, words in found.items()}

    def _sentences(self) -> Iterator[tuple[Turn, Sentence]]:
        """The sentences said before the farewell, each with its turn."""
        end = self._end
        for turn in self._turns:
            for one in turn.sentences:
                if turn.place < end.place or one.start < end.start:
                    yield turn, one

    def _of_word(self, term: str, places: Sequence[tuple[Turn, Sentence]]) -> Evidence:
        found = self._itself(term, *places[0])
        found |= self._spread(places)
        found |= self._told_with(places)
        hypothesis, attempt = _IN[Kind.HYPOTHESIS] in found, _IN[Kind.ATTEMPT] in found
        found["guessed and tried"] = float(hypothesis and attempt)
        found["guessed and left"] = float(hypothesis and bool(found["left"] or found["said before"]))
        found |= {f"rare, {name}": found["rare"] * found.get(name, 0.0) for name in _WITH_RARITY}
        if not found["latin"]:
            found |= {f"not latin, {name}": found[name] for name in _NOT_LATIN}
        return found

    def _itself(self, term: str, turn: Turn, first: Sentence) -> Evidence:
        """What is known of a word by where it comes up first, and by where else it stands at all."""
        end, latin = self._end, term.isascii()
        return {
            "rare": self._rarity.get(term, 1.0),
            "left": float(term in end.gone),
            "sentence": float(term in end.around),
            "said before": float(term in self._said_before),
            "comes instead": float(term in self._instead),
            "latin": float(latin),
            "latin among other": float(latin and turn.wide),
            **{name: float(term in words) for name, words in self._looks.items()},
            "letters": min(len(term), _LETTERS) / _LETTERS,
            **{name: 1.0 for name, words in self._beside.items() if term in words},
            "by agent": float(turn.step.role == "assistant"),
            "first turn": float(turn.place == 0),
            "asked for": float(term in self._asked),
            "first in question": float(_asks(turn, first)),
            "before failure": float((turn.place, first.start) < self._failure),
            _distance(end.place - turn.place): 1.0,
        }

    def _spread(self, places: Sequence[tuple[Turn, Sentence]]) -> Evidence:
        """How often a word is said, by whom and until when."""
        turns = {turn.place: turn for turn, _ in places}
        return {
            "written": float(any(turn.wrote is not None for turn in turns.values())),
            "turns": min(len(turns), 4) / 4,
            "sentences": min(len(places), 5) / 5,
            "both roles": float(len({turn.step.role for turn in turns.values()}) == 2),
            "long silent": min(self._end.place - places[-1][0].place, 6) / 6,
        }

    def _told_with(self, places: Sequence[tuple[Turn, Sentence]]) -> Evidence:
        """What the sentences with a word tell, and whether it was said where something was told last."""
        turn, first = places[0]
        found: Evidence = {_FIRST_IN[kind]: 1.0 for kind in first.kinds if kind in _FIRST_IN}
        for kind, place in self._latest.items():
            if turn.place == place:
                found[_FIRST_IN_LAST[kind]] = 1.0
            if any(one.place == place for one, _ in places):
                found[_IN_LAST[kind]] = 1.0
        return found | {_IN[kind]: 1.0 for _, one in places for kind in one.kinds if kind in _IN}

    def _by_words(self, piece: Piece, words: Mapping[str, float], top: Sequence[float]) -> Evidence:
        best = sorted((words.get(term, 0.0) for term in piece.terms), reverse=True)
        return {
            "word": best[0],
            "second word": best[1] if len(best) > 1 else 0.0,
            "all words": min(sum(best[:4]), 2.0),
            "best word": float(bool(top) and best[0] >= top[0]),
            "second best word": float(len(top) > 1 and len(best) > 1 and best[1] >= top[1]),
            "left": float(not piece.terms.isdisjoint(self._end.gone)),
            "failed": float(not piece.terms.isdisjoint(self._failed)),
            "again": min(sum(self._turns_with[term] > 1 for term in piece.terms), 4) / 4,
            "words": min(len(piece.terms), 8) / 8,
            "few words": float(len(piece.terms) < 3),
        }

    def _by_place(self, piece: Piece) -> Evidence:
        """What is known of a piece by where it stands and how it is written."""
        end, turn = self._end, piece.turn
        said_again = turn.place < end.place and not piece.terms.isdisjoint(self._said_before)
        return {
            "said before": float(said_again),
            "by agent": float(turn.step.role == "assistant"),
            "same role": float(turn.step.role == end.turn.step.role),
            "first turn": float(turn.place == 0),
            "written": float(turn.wrote is not None),
            "question": float(_asks(turn, piece.sentence)),
            "opens": float(piece.opens),
            "first sentence": float(piece.first),
            "before failure": float((turn.place, piece.at) < self._failure),
            "code": float("`" in piece.text),
            "path": float(_PATH.search(piece.text) is not None),
            "wide": float(turn.wide),
            "how far in": min(piece.at, LONG) / LONG,
            "turns to failure": max(self._failure[0] - turn.place, 0) / REACH,
            "length": len(piece.text) / NAME_LIMIT,
            "digits": sum(map(str.isdigit, piece.text)) / len(piece.text),
            _distance(end.place - turn.place): 1.0,
        }


def best_two(words: Mapping[str, float]) -> list[float]:
    """The two highest likelihoods of words, the highest first.

    Args:
        words: how likely each word is.
    """
    return nlargest(2, words.values())


def _asks(turn: Turn, sentence: Sentence) -> bool:
    return turn.text[sentence.start : sentence.end].rstrip()[-1:] in ("?", "？")


def _distance(turns: int) -> str:
    return next((f"up to {far} back" for far in _FAR_BACK if turns <= far), "far back") if turns else "same turn"
