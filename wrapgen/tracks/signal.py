"""A sign that something may help, was tried, failed, was given up or helped. PURE."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What a clause tells."""

    HYPOTHESIS = "hypothesis"
    ANNOUNCEMENT = "announcement"
    ATTEMPT = "attempt"
    FAILURE = "failure"
    DOUBT = "doubt"
    DROP = "drop"
    REMOVE = "remove"
    SWITCH = "switch"
    RETURN = "return"
    PROPOSAL = "proposal"
    SUCCESS = "success"
    PLEASED = "pleased"


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
        gone: of what is left, the words up to where the other thing is named that comes instead.
        clock: sentences said before it in the conversation; set by who reads the whole of it.
    """

    kind: Kind
    step: int
    at: int
    cue: tuple[int, int]
    clause: tuple[int, int]
    sentence: tuple[int, int]
    terms: frozenset[str]
    around: frozenset[str]
    gone: frozenset[str] = frozenset()
    clock: int = 0


def order(signal: Signal) -> tuple[int, int]:
    """The place of a signal, for sorting."""
    return signal.step, signal.at
