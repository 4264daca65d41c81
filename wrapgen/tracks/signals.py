"""Signals in what was said: a guess, an attempt, a failure, something given up, a success. PURE.

Words alone are treacherous: "if it fails we switch" tells of no failure, "it did not fail" of none either, and a
quotation or a code block says nothing at all. So every cue is held against its clause and its sentence here, and what
is left is what somebody stated.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from wrapgen.blocks import blocks
from wrapgen.words import Folded, masked, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.record import Step

_SENTENCE_END = re.compile(r"[.!?](?=[\s\"')\]*]|$)|[。！？；;!?]|\n(?=\s*\n)|…(?=\s|$)")
_CLAUSE_END = re.compile(
    r"[,:](?!\d)|[，：]|\s[-—–]+\s|——|\s(?=(?:but|so|because|and then|then i|however)\s)|(?<=지만)\s|(?<=는데)\s|(?<=[가-힣]고)\s"
)
_WORD = re.compile(r"[\w'’]+")
_LEADING = 24
"""Characters before a cue that are looked at for a negation."""
_SUMMARY = "This session is being continued from a previous conversation"
"""How the host begins its own summary after a compaction: it tells again what was told before."""


class Kind(Enum):
    """What a clause tells."""

    HYPOTHESIS = "hypothesis"
    ATTEMPT = "attempt"
    FAILURE = "failure"
    DOUBT = "doubt"
    DROP = "drop"
    SWITCH = "switch"
    PROPOSAL = "proposal"
    ACCEPTANCE = "acceptance"
    SUCCESS = "success"
    PLEASED = "pleased"
    SHIFT = "shift"


@dataclass(frozen=True, slots=True)
class Signal:
    """A cue that stands in a clause.

    Attributes:
        kind: what it tells.
        step: the turn, as its place in the conversation.
        at: where the cue begins in the turn's text; signals of a turn come in this order.
        cue: the cue's place in the turn's text.
        clause: the place of its clause.
        sentence: the place of its sentence.
        terms: words that carry content, of the clause.
        around: the same of the whole sentence.
        mistaken: words of the speaker that the thing would have worked after all stand in the sentence.
    """

    kind: Kind
    step: int
    at: int
    cue: tuple[int, int]
    clause: tuple[int, int]
    sentence: tuple[int, int]
    terms: frozenset[str]
    around: frozenset[str]
    mistaken: bool = False


_GROUPS = {
    "signals.hypothesis": Kind.HYPOTHESIS,
    "signals.attempt": Kind.ATTEMPT,
    "signals.did": Kind.ATTEMPT,
    "signals.failure": Kind.FAILURE,
    "signals.doubt": Kind.DOUBT,
    "signals.drop": Kind.DROP,
    "signals.switch": Kind.SWITCH,
    "signals.success": Kind.SUCCESS,
    "signals.pleased": Kind.PLEASED,
    "screens.calm": Kind.PLEASED,
    "screens.shift": Kind.SHIFT,
}
_STATED = (Kind.ATTEMPT, Kind.FAILURE, Kind.DOUBT, Kind.DROP, Kind.SWITCH, Kind.SUCCESS, Kind.PLEASED)


def signals(step: Step, place: int, cues: Cues) -> Iterator[Signal]:
    """The signals of a turn, in order.

    Args:
        step: the turn.
        place: its place in the conversation.
        cues: what to look for.
    """
    if step.text.startswith(_SUMMARY):
        return
    for block in blocks(step.text):
        if block.shape in ("prose", "item", "heading") and not block.fenced:
            yield from _Passage(step.text[block.start : block.end], block.start, place, cues).signals()


class _Passage:
    """A paragraph or list item, with what is found in it."""

    def __init__(self, raw: str, offset: int, place: int, cues: Cues) -> None:
        self._folded = Folded(raw)
        self._offset = offset
        self._place = place
        self._cues = cues
        self._said = masked(self._folded.text)
        self._text = cues["screens.idioms"].blank(self._said)
        self._sentences = _pieces(self._said, 0, len(self._said), _SENTENCE_END)
        self._terms: dict[tuple[int, int], frozenset[str]] = {}

    def signals(self) -> Iterator[Signal]:
        found = self._found()
        if not found:
            return
        starts = [start for start, _ in self._sentences]
        at = 0
        while at < len(found):
            sentence = self._sentences[max(bisect_right(starts, found[at][0]) - 1, 0)]
            end = at
            while end < len(found) and (found[end][0] < sentence[1] or end == at):
                end += 1
            yield from self._in_sentence(sentence, found[at:end])
            at = end

    def _found(self) -> list[tuple[int, int, Kind, str]]:
        """All cues, in order; where one denies a failure, the failure is no cue."""
        text = self._text
        found = []
        for name in ("screens.calm", "screens.shift"):
            matches = self._cues[name].finditer(text)
            found += [(match.start(), match.end(), _GROUPS[name], name) for match in matches]
            if matches and name == "screens.calm":
                text = self._cues[name].blank(text)
        for name, kind in _GROUPS.items():
            if name.startswith("signals."):
                found += [(match.start(), match.end(), kind, name) for match in self._cues[name].finditer(text)]
        return sorted(found, key=lambda cue: (cue[0], -cue[1]))

    def _in_sentence(self, sentence: tuple[int, int], found: list[tuple[int, int, Kind, str]]) -> Iterator[Signal]:
        text = self._text[slice(*sentence)]
        asked = self._asked(sentence)
        conditional = self._cues["screens.conditional"].found(text)
        why = asked and self._cues["screens.why"].found(text)
        soft = asked or self._cues["screens.soft"].found(text)
        mistaken = self._cues["screens.after_all"].found(text) if "screens.after_all" in self._cues.phrases else False
        failures = [cue for cue in found if cue[2] is Kind.FAILURE]
        clauses = _pieces(self._text, *sentence, _CLAUSE_END)
        for start, end, kind, name in found:
            clause = next((one for one in clauses if one[0] <= start < one[1]), sentence)
            told = kind
            if kind in _STATED:
                if conditional or (asked and not (why and kind is Kind.FAILURE)):
                    if kind in (Kind.DROP, Kind.SWITCH) and asked and not conditional:
                        told = Kind.PROPOSAL
                    else:
                        continue
                elif kind in (Kind.DROP, Kind.SWITCH) and soft and self._softened(clause, start):
                    told = Kind.PROPOSAL
            if name == "signals.did" and not self._leads(clause, start):
                continue
            if kind in (Kind.FAILURE, Kind.SUCCESS, Kind.DROP, Kind.SWITCH, Kind.ATTEMPT):
                told_ = self._held(told, clause, start, end, failures)
                if told_ is None:
                    continue
                told = told_
            yield self._signal(told, (start, end), clause, sentence, mistaken=mistaken)

    def _held(
        self, kind: Kind, clause: tuple[int, int], start: int, end: int, failures: list[tuple[int, int, Kind, str]]
    ) -> Kind | None:
        """What is left of a cue once negations and verbs of possibility before it are heard."""
        before = self._text[max(clause[0], start - _LEADING) : start].rstrip(" ")
        after = self._text[end : min(clause[1], end + _LEADING)]
        negated = self._cues["screens.negated_before"].found(before) or self._cues["screens.negated_after"].found(after)
        if kind is Kind.SUCCESS:
            if any(one[0] < end and start < one[1] for one in failures):
                return None
            if negated:
                return Kind.FAILURE
            return None if self._cues["screens.hedge"].found(self._text[clause[0] : start]) else kind
        if negated:
            return Kind.PLEASED if kind is Kind.FAILURE else None
        if kind is Kind.FAILURE and self._cues["screens.hedge"].found(self._text[clause[0] : start]):
            return None
        return kind

    def _softened(self, clause: tuple[int, int], start: int) -> bool:
        return self._cues["screens.soft"].found(self._text[slice(*clause)])

    def _leads(self, clause: tuple[int, int], start: int) -> bool:
        """Whether nothing but a subject and small words stands before a verb."""
        return all(word in self._cues.words["before"] for word in _WORD.findall(self._text[clause[0] : start]))

    def _asked(self, sentence: tuple[int, int]) -> bool:
        start, end = sentence
        text = self._said[start:end].rstrip()
        mark = text[-1:] or ""
        return mark in "?？" or self._cues["screens.asking"].found(text.rstrip(".。!！~ "))

    def _signal(
        self, kind: Kind, cue: tuple[int, int], clause: tuple[int, int], sentence: tuple[int, int], *, mistaken: bool
    ) -> Signal:
        return Signal(
            kind,
            self._place,
            self._raw(cue)[0],
            self._raw(cue),
            self._raw(clause),
            self._raw(sentence),
            self._content(clause),
            self._content(sentence),
            mistaken,
        )

    def _content(self, span: tuple[int, int]) -> frozenset[str]:
        if span not in self._terms:
            self._terms[span] = tokens(self._folded.text[slice(*span)], self._cues.words["stop"])
        return self._terms[span]

    def _raw(self, span: tuple[int, int]) -> tuple[int, int]:
        return self._offset + self._folded.origin(span[0]), self._offset + self._folded.origin(span[1])


def _pieces(text: str, start: int, end: int, boundary: re.Pattern[str]) -> list[tuple[int, int]]:
    """A span cut behind every boundary, without the white space around each piece."""
    pieces: list[tuple[int, int]] = []
    at = start
    for match in boundary.finditer(text, start, end):
        pieces.append((at, match.end()))
        at = match.end()
    pieces.append((at, end))
    trimmed = []
    for first, last in pieces:
        while first < last and text[first].isspace():
            first += 1
        while last > first and text[last - 1].isspace():
            last -= 1
        if first < last:
            trimmed.append((first, last))
    return trimmed or [(start, end)]
