"""A dead end as rules see it: where it was tried, where it failed, where it was given up. PURE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wrapgen.tracks.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Sign:
    """A sentence that is a step of a story."""

    turn: int  # place of its turn in the conversation, from 0
    sentence: Sentence  # what was said
    cue: tuple[int, int]  # the words that make it one, in `sentence.said`


@dataclass(frozen=True, slots=True)
class Story:
    """A dead end's story."""

    guess: Sign | None  # where it was supposed to help; None when nobody said so
    attempt: Sign
    failure: Sign
    end: Sign
    thing: tuple[int, int]  # what was tried, as a span of the attempt's `said`
    about: frozenset[str]  # the words with content of what was tried
