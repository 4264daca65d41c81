"""A conversation as dead ends are looked for in it: its turns with words, their signals and sentences. PURE."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.tracks.signals import machine_told, signals
from wrapgen.tracks.spans import SENTENCE_END, pieces
from wrapgen.tracks.terms import terms
from wrapgen.words import Folded, masked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.record import Step
    from wrapgen.tracks.signal import Kind, Signal

_OPENING = 4_000
"""Characters of a turn whose words are compared; what is longer is a log."""
_YES = 40
"""Characters in which somebody agrees or refuses."""
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_LONGEST = 600
"""Characters of a sentence; what is longer is data."""


class Sentence(NamedTuple):
    """A sentence of a turn, by its place in the text."""

    start: int
    end: int
    terms: frozenset[str]
    kinds: frozenset[Kind]


@dataclass(frozen=True, eq=False)
class Turn:
    """A turn with words, and with what was done right behind them.

    Attributes:
        place: among the turns with words.
        step: what was said.
        wrote: the step that wrote files first, here or right behind without a word; None when none did.
        told: its signals, in order.
    """

    place: int
    step: Step
    wrote: Step | None
    told: tuple[Signal, ...]
    _cues: Cues = field(repr=False)

    @property
    def text(self) -> str:
        """What was said."""
        return self.step.text

    @property
    def opening(self) -> str:
        """As much of it as is compared."""
        return self.step.text[:_OPENING]

    @cached_property
    def wide(self) -> bool:
        """Whether Chinese, Japanese or Korean is spoken in it."""
        return _WIDE.search(self.opening) is not None

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        """What its signals tell."""
        return frozenset(one.kind for one in self.told)

    @cached_property
    def terms(self) -> frozenset[str]:
        """Its words with content."""
        return self.terms_in(0, _OPENING)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Its sentences with words."""
        limit = min(len(self.text), _OPENING)
        return tuple(
            Sentence(start, end, self.terms_in(start, end), self.kinds_in(start, end))
            for start, end in pieces(self.text, 0, limit, SENTENCE_END)
            if end - start <= _LONGEST and self.text[start:end].strip()
        )

    def opens_with(self, group: str) -> bool:
        """Whether it begins with a phrase of a group of cues, such as a yes."""
        return self._cues[group].found(self.text[:_YES].lower().strip())

    def terms_in(self, start: int, end: int) -> frozenset[str]:
        """The words with content of a part of its text."""
        return self.terms_of(self.text[start:end])

    def says(self, group: str, start: int, end: int) -> bool:
        """Whether a part of its text holds a phrase of a group of cues."""
        return self._cues[group].found(masked(Folded(self.text[start:end]).text))

    def terms_of(self, text: str) -> frozenset[str]:
        """The words with content of a text."""
        return terms(Folded(text).text, self._cues)

    def kinds_in(self, start: int, end: int) -> frozenset[Kind]:
        """What the signals tell that stand in a part of its text."""
        return frozenset(one.kind for one in self.told if start <= one.at < end)


def turns_of(steps: Sequence[Step], cues: Cues) -> tuple[Turn, ...]:
    """The turns with words of a conversation; what was written without a word belongs to the turn before.

    Args:
        steps: its turns. What the host says of itself is left out.
        cues: what to look for.
    """
    turns: list[Turn] = []
    clock = 0
    for step in steps:
        if machine_told(step):
            continue
        if step.text.strip() or (step.files and not (turns and turns[-1].step.role == step.role)):
            told, clock = signals(step, len(turns), cues, clock)
            turns.append(Turn(len(turns), step, step if step.files else None, tuple(told), cues))
        elif step.files and turns[-1].wrote is None:
            turns[-1] = replace(turns[-1], wrote=step)
    return tuple(turns)
