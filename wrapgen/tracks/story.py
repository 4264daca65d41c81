"""A dead end as rules see it: where it was tried, where it failed, where it was given up. PURE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wrapgen.tracks.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Sign:
    """A sentence that is a step of a story.

    Attributes:
        turn: place of its turn in the conversation, from 0.
        sentence: what was said.
        cue: the words that make it one, in `sentence.said`.
    """

    turn: int
    sentence: Sentence
    cue: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Story:
    """A dead end's story.

    Attributes:
        guess: where it was supposed to help; None when nobody said so.
        thing: what was tried, as a span of the attempt's `said`.
        about: the words with content of what was tried.
    """

    guess: Sign | None
    attempt: Sign
    failure: Sign
    end: Sign
    thing: tuple[int, int]
    about: frozenset[str]
