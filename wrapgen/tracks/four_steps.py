"""Dead ends told in four steps: it may help, it was tried, it failed, it was given up by its name. PURE.

All four stand in at most six successive turns, and the words that give it up name the very thing that was tried: "I am
giving up on the Redis cluster".
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from wrapgen.tracks.story import Part, Story
from wrapgen.tracks.terms import terms
from wrapgen.tracks.wording import clause_before, clause_behind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.sentences import Said, Sentence

_WITHIN = 6
"""Turns in which all of it is told (spec 6.2)."""


def four_steps(turns: Said, cues: Cues) -> Iterator[Story]:
    """The dead ends of a conversation that are told in four steps.

    Args:
        turns: what was said.
        cues: what to look for.
    """
    for group in ("left", "left_by_name"):
        for place in turns.holding(cues[group]):
            for sentence in turns[place]:
                if sentence.stated(cues) and not cues["offered"].found(sentence.said):
                    yield from _ended(place, sentence, group, turns, cues)


def _ended(place: int, sentence: Sentence, group: str, turns: Said, cues: Cues) -> Iterator[Story]:
    """The dead ends that end in a sentence."""
    for match in cues[group].finditer(sentence.said):
        end = Part(place, sentence, match.span())
        stories = (_before(end, named, turns, cues) for named in _named(end, cues))
        yield from islice((one for one in stories if one), 1)


def _named(end: Part, cues: Cues) -> Iterator[frozenset[str]]:
    """The words of what may be given up: behind the cue, as in English, or before it, as in Korean and Japanese."""
    sentence, (start, stop) = end.sentence, end.cue
    for span in (clause_behind(sentence, stop), clause_before(sentence, start)):
        if words := terms(sentence.words(*span), cues):
            yield words


def _before(end: Part, named: frozenset[str], turns: Said, cues: Cues) -> Story | None:
    """The three steps before the last, the latest of each, in their order and about the same thing."""

    def latest(group: str, before: Part, *, happened: bool, names_it: bool) -> Part | None:
        for place in range(before.turn, max(-1, end.turn - _WITHIN), -1):
            for sentence in reversed(turns[place]):
                until = before.cue[0] if sentence is before.sentence else len(sentence.said)
                if place == before.turn and sentence.start > before.sentence.start:
                    continue
                found = next((one for one in cues[group].finditer(sentence.said) if one.end() <= until), None)
                if not found or (happened and not sentence.stated(cues)):
                    continue
                if not names_it or named <= terms(sentence.words(), cues):
                    return Part(place, sentence, found.span())
        return None

    failure = latest("failed", end, happened=True, names_it=False)
    attempt = failure and latest("did", failure, happened=True, names_it=True)
    guess = attempt and latest("guessed", attempt, happened=False, names_it=True)
    if not (failure and attempt and guess) or _mended(failure, end, turns, cues):
        return None
    return Story(guess, attempt, failure, end, _thing(attempt, named, cues), named)


def _mended(failure: Part, end: Part, turns: Said, cues: Cues) -> bool:
    """Whether somebody was content in between, whatever with: then it was given up for another reason."""
    between = [one for place in range(failure.turn + 1, end.turn) for one in turns[place]]
    return any(cues["worked"].found(one.said) and one.stated(cues) for one in between)


def _thing(attempt: Part, named: frozenset[str], cues: Cues) -> tuple[int, int]:
    """The part of the attempt that names what was tried."""
    sentence, (start, stop) = attempt.sentence, attempt.cue
    behind = clause_behind(sentence, stop)
    return behind if named & terms(sentence.words(*behind), cues) else clause_before(sentence, start)
