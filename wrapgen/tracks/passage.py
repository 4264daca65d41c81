"""Signals in what was said: a guess, an attempt, a failure, something given up, a success. PURE.

Words alone are treacherous: "if it fails we switch" tells of no failure, "it did not fail" of none either, and a
quotation or a code block says nothing at all. So every cue is held against its clause and its sentence here, and what
is left is what somebody stated.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from wrapgen.tracks.signal import Kind, Signal
from wrapgen.tracks.spans import CLAUSE_END, SENTENCE_END, pieces
from wrapgen.tracks.terms import terms
from wrapgen.words import Folded, masked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.tracks.lexicon import Cues

_WORD = re.compile(r"[\w'’]+")
_CONJUNCTION = re.compile(r"\b(?:and|so|in favou?r of|for|instead|with)\b|[,，、;；]|——")
"""Behind it comes what is done instead."""
_LEADING = 24
"""Characters before a cue that are looked at for a negation."""
_GROUPS = {
    "signals.announcement": Kind.ANNOUNCEMENT,
    "signals.attempt": Kind.ATTEMPT,
    "signals.did": Kind.ATTEMPT,
    "signals.failure": Kind.FAILURE,
    "signals.doubt": Kind.DOUBT,
    "signals.drop": Kind.DROP,
    "signals.remove": Kind.REMOVE,
    "signals.switch": Kind.SWITCH,
    "signals.success": Kind.SUCCESS,
    "signals.pleased": Kind.PLEASED,
}
_GIVING_UP = (Kind.DROP, Kind.REMOVE, Kind.SWITCH)


@dataclass(frozen=True, slots=True)
class _Cue:
    """A phrase in folded text; one that is not free counts only at the beginning of its clause."""

    start: int
    end: int
    kind: Kind
    free: bool = True


@dataclass(frozen=True, slots=True)
class _Mood:
    """How a sentence is meant.

    Attributes:
        foreign: it belongs to a story of others.
        deferred: something is put off.
        readded: what was taken out is put in again.
        taken_back: where its last "but" stands, 0 without one.
    """

    asked: bool
    conditional: bool
    when: bool
    why: bool
    foreign: bool
    deferred: bool
    readded: bool
    taken_back: int


class Passage:
    """A paragraph or list item, with what is found in it."""

    def __init__(
        self, raw: str, offset: int, place: int, cues: Cues, clock: int = 0, *, reported: bool = False
    ) -> None:
        self._folded = Folded(raw)
        self._offset = offset
        self._place = place
        self._cues = cues
        self._clock = clock
        self._reported = reported
        self._said = masked(self._folded.text)
        self._text = cues["screens.idioms"].blank(self._said)
        self._sentences = pieces(self._said, 0, len(self._said), SENTENCE_END)
        self._terms: dict[tuple[int, int], frozenset[str]] = {}

    @cached_property
    def _others(self) -> int:
        """Where a story of others begins."""
        return min((one.start() for one in self._cues["screens.foreign"].finditer(self._text)), default=len(self._text))

    @property
    def length(self) -> int:
        """How many sentences it has."""
        return len(self._sentences)

    def signals(self) -> Iterator[Signal]:
        """The signals of the passage, in order."""
        found = self._found()
        if not found:
            return
        starts = [start for start, _ in self._sentences]
        at = 0
        while at < len(found):
            number = max(bisect_right(starts, found[at].start) - 1, 0)
            sentence = self._sentences[number]
            end = at
            while end < len(found) and (found[end].start < sentence[1] or end == at):
                end += 1
            yield from self._in_sentence(number, found[at:end])
            at = end

    def stating(self, group: str, *, but: str) -> list[tuple[int, int]]:
        """The sentences that state a cue, as places in the turn's text; questions and conditions state nothing.

        Args:
            group: phrases that make the statement.
            but: phrases that undo it.
        """
        places = []
        for sentence in self._sentences:
            text = self._said[slice(*sentence)]
            stated = self._cues[group].found(text) and not self._cues[but].found(text)
            if stated and not self._asked(sentence) and not self._depends(text):
                places.append(self._raw(sentence))
        return places

    def _found(self) -> list[_Cue]:
        """All cues, in order; where a failure is denied, it is none."""
        guesses, calm = self._cues["signals.hypothesis"], self._cues["screens.calm"]
        found = [_Cue(match.start(), match.end(), Kind.HYPOTHESIS) for match in guesses.finditer(self._said)]
        denied = [_Cue(match.start(), match.end(), Kind.PLEASED) for match in calm.finditer(self._text)]
        text = calm.blank(self._text) if denied else self._text
        found += denied
        for name, match in self._cues.told.finditer(text):
            found.append(_Cue(match.start(), match.end(), _GROUPS[name], name != "signals.did"))
        return sorted(found, key=lambda cue: (cue.start, -cue.end, cue.kind.value))

    def _in_sentence(self, number: int, found: list[_Cue]) -> Iterator[Signal]:
        sentence = self._sentences[number]
        text = self._text[slice(*sentence)]
        asked = self._asked(sentence)
        clauses = pieces(self._text, *sentence, CLAUSE_END)
        of_clause = [next((one for one in clauses if one[0] <= cue.start < one[1]), sentence) for cue in found]
        ends = any(cue.kind in _GIVING_UP for cue in found)
        mood = _Mood(
            asked=asked,
            conditional=self._cues["screens.conditional"].found(text),
            when=self._cues["screens.when"].found(text),
            why=asked and self._cues["screens.why"].found(text),
            foreign=self._others < sentence[1],
            deferred=ends and self._cues["screens.deferred"].found(text),
            readded=ends and self._cues["screens.readded"].found(text),
            taken_back=sentence[0]
            + max((one.start() for one in self._cues["screens.contrast"].finditer(text)), default=0),
        )
        for cue, clause in zip(found, of_clause, strict=True):
            beside = [one for one, its in zip(found, of_clause, strict=True) if its == clause]
            kind = self._told(cue, clause, beside, mood)
            if kind is not None:
                yield self._signal(kind, cue, clause, number)

    def _told(self, cue: _Cue, clause: tuple[int, int], beside: list[_Cue], mood: _Mood) -> Kind | None:
        """What a cue tells in its clause, None for nothing."""
        if cue.kind is Kind.ANNOUNCEMENT and any(one.kind in (Kind.DROP, Kind.REMOVE) for one in beside):
            return None
        if cue.kind in (Kind.HYPOTHESIS, Kind.ANNOUNCEMENT):
            return cue.kind
        if mood.foreign or not self._happened(clause, mood):
            return None
        if cue.kind in _GIVING_UP:
            return self._giving_up(cue, clause, mood)
        if mood.asked:
            return cue.kind if mood.why and cue.kind is Kind.FAILURE else None
        match cue.kind:
            case Kind.FAILURE:
                told = self._failure(cue, clause, beside)
            case Kind.SUCCESS:
                told = Kind.DOUBT if mood.taken_back > cue.end else self._success(cue, clause, beside)
            case Kind.ATTEMPT if self._negated(cue, clause) or not (cue.free or self._leads(cue, clause)):
                told = None
            case _:
                told = cue.kind
        return told

    def _happened(self, clause: tuple[int, int], mood: _Mood) -> bool:
        """Whether a clause is no mere condition."""
        past = mood.when and self._cues["screens.past"].found(self._text[slice(*clause)])
        return not mood.conditional and (past or not mood.when)

    def _giving_up(self, cue: _Cue, clause: tuple[int, int], mood: _Mood) -> Kind | None:
        text = self._text[slice(*clause)]
        if mood.readded:
            return Kind.ATTEMPT
        if mood.deferred or self._negated(cue, clause) or self._cues["screens.cause"].match(text):
            return None
        if mood.asked or self._cues["screens.soft"].found(text):
            return Kind.PROPOSAL
        return Kind.RETURN if self._cues["screens.back"].match(self._text[cue.start : clause[1]]) else cue.kind

    def _failure(self, cue: _Cue, clause: tuple[int, int], beside: list[_Cue]) -> Kind | None:
        if self._negated(cue, clause):
            return Kind.PLEASED
        if self._hedged(cue, clause) or self._ordered(clause):
            return None
        if self._is(cue, "signals.weak"):
            return Kind.FAILURE if self._reported else Kind.DOUBT
        if not self._is(cue, "signals.nouns"):
            return cue.kind
        if self._only_named(cue, beside):
            return None
        return Kind.FAILURE if self._reported else Kind.DOUBT

    def _success(self, cue: _Cue, clause: tuple[int, int], beside: list[_Cue]) -> Kind | None:
        if any(one.kind is Kind.FAILURE and one.start < cue.end and cue.start < one.end for one in beside):
            return None
        if self._negated(cue, clause):
            return Kind.FAILURE
        return None if self._hedged(cue, clause) else cue.kind

    def _is(self, cue: _Cue, group: str) -> bool:
        match = self._cues[group].match(self._text[cue.start : cue.end])
        return match is not None and match.end() == cue.end - cue.start

    def _only_named(self, cue: _Cue, beside: list[_Cue]) -> bool:
        """Whether a failure is only what an attempt is about: "I raised the timeout"."""
        if any(one.kind is Kind.FAILURE and not self._is(one, "signals.nouns") for one in beside):
            return False
        return any(one.kind is Kind.ATTEMPT and (one.end < cue.start or one.start > cue.end) for one in beside)

    def _negated(self, cue: _Cue, clause: tuple[int, int]) -> bool:
        before = self._text[max(clause[0], cue.start - _LEADING) : cue.start].rstrip(" ")
        after = self._text[cue.end : min(clause[1], cue.end + _LEADING)]
        return self._cues["screens.negated_before"].found(before) or self._cues["screens.negated_after"].found(after)

    def _hedged(self, cue: _Cue, clause: tuple[int, int]) -> bool:
        before, after = self._text[clause[0] : cue.start], self._text[cue.end : clause[1]]
        return self._cues["screens.hedge"].found(before) or self._cues["screens.hedge_after"].found(after)

    def _ordered(self, clause: tuple[int, int]) -> bool:
        """Whether somebody who did not try it out wants it otherwise: a wish, however it is reasoned, is no failure."""
        sentence = next(one for one in self._sentences if one[0] <= clause[0] < one[1] or one[1] >= clause[1])
        return self._cues["screens.ordered"].found(self._text[slice(*sentence)])

    def _leads(self, cue: _Cue, clause: tuple[int, int]) -> bool:
        """Whether a verb stands at the beginning of its clause or behind its subject; small words count as nothing."""
        small, subjects = self._cues.words["before"], self._cues.words["subjects"]
        for word in reversed(_WORD.findall(self._text[clause[0] : cue.start])):
            if word in subjects:
                return True
            if word not in small:
                return False
        return True

    def _depends(self, text: str) -> bool:
        return self._cues["screens.conditional"].found(text) or self._cues["screens.when"].found(text)

    def _asked(self, sentence: tuple[int, int]) -> bool:
        start, end = sentence
        text = self._said[start:end].rstrip()
        if text.endswith(("?", "？")):
            return not self._cues["screens.telling"].found(text.rstrip("?？ "))
        return self._cues["screens.asking"].found(text.rstrip(".。!！~ "))

    def _signal(self, kind: Kind, cue: _Cue, clause: tuple[int, int], number: int) -> Signal:
        sentence, place = self._sentences[number], self._raw((cue.start, cue.end))
        return Signal(
            kind,
            self._place,
            place[0],
            place,
            self._raw(clause),
            self._raw(sentence),
            self._content((cue.start, clause[1]) if kind is Kind.RETURN else clause),
            self._content(sentence),
            self._gone(cue, clause, sentence) if kind in _GIVING_UP else frozenset(),
            self._clock + number,
        )

    def _gone(self, cue: _Cue, clause: tuple[int, int], sentence: tuple[int, int]) -> frozenset[str]:
        """Words of what is left: "we use B instead" names only what comes, "B instead of A" both."""
        before, behind = (sentence[0], cue.start), self._text[cue.end : clause[1]]
        cut = _CONJUNCTION.search(behind)
        thing = (cue.end, cue.end + cut.start()) if cut else (cue.end, clause[1])
        if cue.kind is not Kind.SWITCH:
            return self._content(before) | self._content((cue.start, thing[1]))
        replaced = self._cues["screens.instead_of"].match(self._text[cue.start : cue.end])
        return self._content(thing if replaced else before)

    def _content(self, span: tuple[int, int]) -> frozenset[str]:
        if span not in self._terms:
            self._terms[span] = terms(self._folded.text[slice(*span)], self._cues)
        return self._terms[span]

    def _raw(self, span: tuple[int, int]) -> tuple[int, int]:
        return self._offset + self._folded.origin(span[0]), self._offset + self._folded.origin(span[1])
