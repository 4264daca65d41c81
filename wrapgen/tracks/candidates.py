"""What may be the name of something that was given up: pieces of all the sentences said before. PURE."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.tracks.ends import FAILED, LEAVING
from wrapgen.tracks.signal import Kind
from wrapgen.tracks.wording import cut, trimmed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wrapgen.tracks.ends import End
    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.turns import Sentence, Turn

NAME_LIMIT = 120
"""Characters of a name."""
_BREAK = re.compile(r"[,，;；:：、]\s*|\s[-–—]+\s|——|\s(?=(?:and|but|so|with|by|via|using)\s)")
"""Where a name may begin within a long sentence."""
_LEAST = 8
"""Characters of a piece."""
_NAMING = (Kind.HYPOTHESIS, Kind.ANNOUNCEMENT, Kind.ATTEMPT)
"""What a sentence tells where it names something."""
_NO_NAME = (*FAILED, *LEAVING)
"""What a sentence tells that names nothing by itself."""


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


def pieces_of(end: End, cues: Cues) -> Iterator[Piece]:
    """What may be a name: all that is said before something is left, cut to the length of a name.

    Args:
        end: where it is left.
        cues: words without content at the edges of a name.
    """
    for turn in end.before:
        yield from _pieces(turn, len(turn.text), cues)
    yield from _pieces(end.turn, end.start, cues)


def _pieces(turn: Turn, limit: int, cues: Cues) -> Iterator[Piece]:
    """The pieces of the sentences of a turn that begin before a place in it."""
    told = [one for one in turn.sentences if one.start < limit]
    for number, sentence in enumerate(told):
        behind = told[number + 1].kinds if number + 1 < len(told) else frozenset[Kind]()
        starts: dict[str, int] = {}
        for at in _starts(turn, sentence, limit):
            starts.setdefault(trimmed(cut(turn.text[at : _stop(told, number)].lstrip(), NAME_LIMIT), cues), at)
        for text, at in starts.items():
            terms = turn.terms_of(text)
            if terms:
                yield Piece(turn, sentence, at, text, terms, at == sentence.start, behind, number == 0)


def _stop(told: Sequence[Sentence], number: int) -> int:
    """Where a piece that begins in a sentence may end: a short one takes the next along, that says what it is about."""
    start = told[number].start
    behind = next(iter(told[number + 1 : number + 2]), None)
    if behind is None or behind.end - start > NAME_LIMIT or not behind.kinds.isdisjoint(_NO_NAME):
        return told[number].end
    return behind.end


def _starts(turn: Turn, sentence: Sentence, limit: int) -> list[int]:
    """Where a piece of a sentence may begin before a place: where it does; in a long one at a break or a guess, too."""
    starts = {sentence.start}
    if sentence.end - sentence.start > NAME_LIMIT:
        breaks = [match.end() for match in _BREAK.finditer(turn.text, sentence.start, sentence.end)]
        guesses = (one.cue[0] for one in turn.told if one.kind in _NAMING)
        breaks += [at for at in guesses if sentence.start < at < sentence.end]
        starts.update(at for at in breaks if sentence.end - at >= _LEAST and at < limit)
    return sorted(starts)
