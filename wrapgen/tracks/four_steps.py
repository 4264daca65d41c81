"""Dead ends reported in four steps: it may help, it was tried, it failed, it was given up by its name. PURE.

All four are in at most six successive turns, and the words that give it up name the very thing that was tried: "I am
giving up on the Redis cluster".
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from wrapgen.tracks.story import Sign, Story
from wrapgen.tracks.terms import terms
from wrapgen.tracks.wording import clause_before, clause_behind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wrapgen.tracks.lexicon import TrackCues
    from wrapgen.tracks.sentences import Sentence, TurnSentences

_WITHIN = 6
"""The number of turns that contain all of it (spec 6.2)."""
_MOST = 30
"""TrackCues of a step that are looked at in a turn, the latest first: turns of any length cost no more."""


def four_steps(turns: TurnSentences, cues: TrackCues) -> Iterator[Story]:
    """The dead ends of a conversation that are reported in four steps."""
    for group in ("left", "left_it", "left_by_name"):
        for place in turns.places(cues, group):
            for sentence in turns.holding(place, cues, group)[-_MOST:]:
                if sentence.stated(cues) and not cues["offered"].found(sentence.said):
                    yield from _ended(place, sentence, group, turns, cues)


def _ended(place: int, sentence: Sentence, group: str, turns: TurnSentences, cues: TrackCues) -> Iterator[Story]:
    """The dead ends that end in a sentence."""
    for match in cues[group].finditer(sentence.said):
        end = Sign(place, sentence, match.span())
        stories = (_before(end, named, turns, cues) for named in _named(end, group, cues))
        yield from islice((one for one in stories if one), 1)


def _named(end: Sign, group: str, cues: TrackCues) -> Iterator[frozenset[str]]:
    """The words of what may be given up: behind the cue, as in English, or before it, as in Korean and Japanese."""
    sentence, (start, stop) = end.sentence, end.cue
    instead = group == "left_it"  # what may be behind it is what comes
    for span in (clause_behind(sentence, stop), clause_before(sentence, start))[instead:]:
        if words := terms(sentence.words(*span), cues):
            yield words


def _before(end: Sign, named: frozenset[str], turns: TurnSentences, cues: TrackCues) -> Story | None:
    """The three steps before the last, the latest of each, in their order and about the same thing."""

    def latest(group: str, before: Sign, fits: Callable[[Sentence], bool]) -> Iterator[Sign]:
        told = islice(_told(group, before, max(0, end.turn - _WITHIN + 1), turns, cues), _MOST)
        return (one for one in told if fits(one.sentence))

    def stated(sentence: Sentence) -> bool:
        return sentence.stated(cues)

    def about_it(sentence: Sentence) -> bool:
        return named <= terms(sentence.words(), cues)

    failure = next(latest("failed", end, stated), None)
    if failure is None or _mended(failure, end, turns, cues):
        return None
    for attempt in latest("did", failure, about_it):
        thing = _thing(attempt, named, cues) if stated(attempt.sentence) else None
        if thing:
            guess = next(latest("guessed", attempt, about_it), None)
            return Story(guess, attempt, failure, end, thing, named) if guess else None
    return None


def _told(group: str, before: Sign, first: int, turns: TurnSentences, cues: TrackCues) -> Iterator[Sign]:
    """The cues of a group before a part of a story, the latest first."""
    for place in range(before.turn, first - 1, -1):
        for sentence in reversed(turns.holding(place, cues, group)):
            if place == before.turn and sentence.start > before.sentence.start:
                continue
            until = before.cue[0] if sentence is before.sentence else len(sentence.said)
            for match in reversed(cues[group].finditer(sentence.said)):
                if match.end() <= until:
                    yield Sign(place, sentence, match.span())


def _mended(failure: Sign, end: Sign, turns: TurnSentences, cues: TrackCues) -> bool:
    """Whether somebody was content in between, whatever with: then it was given up for another reason."""
    between = [one for place in range(failure.turn + 1, end.turn) for one in turns.holding(place, cues, "worked")]
    return any(one.stated(cues) for one in between)


def _thing(attempt: Sign, named: frozenset[str], cues: TrackCues) -> tuple[int, int] | None:
    """The part of the attempt that names what was tried: behind its cue, or before it."""
    sentence, (start, stop) = attempt.sentence, attempt.cue
    spans = clause_behind(sentence, stop), clause_before(sentence, start)
    return next((span for span in spans if named & terms(sentence.words(*span), cues)), None)
