"""Dead ends that one speaker reports within three sentences: tried, failed, given up. PURE.

"I tried a worker pool, it deadlocked because of the GIL, so I reverted it." No weights: each step is stated in plain
words, in this order, as something that happened, about a named thing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.tracks.story import Sign, Story
from wrapgen.tracks.terms import terms
from wrapgen.tracks.wording import clause_before, clause_behind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wrapgen.tracks.lexicon import TrackCues
    from wrapgen.tracks.sentences import Sentence

_WITHIN = 3
"""The number of sentences that contain all of it (spec 6.2)."""
_LEADING = 16
"""Characters before a cue that are looked at for a negation."""


def outright(turn: int, said: Sequence[Sentence], cues: TrackCues) -> Iterator[Story]:
    """The dead ends that a turn reports.

    Args:
        turn: its place in the conversation.
    """
    for at, sentence in enumerate(said):
        for cue, thing in _attempts(sentence, cues):
            about = terms(sentence.words(*thing), cues)
            near = [one for one in said[at : at + _WITHIN] if one.part == sentence.part]
            attempt = Sign(turn, sentence, cue)
            failure = about and first(turn, near, ("failed",), max(cue[1], thing[1]), cues)
            if not failure:
                continue
            end = _end(turn, near[near.index(failure.sentence) :], failure.cue[1], about, cues)
            if end and not _content(near[: near.index(end.sentence) + 1], cues):
                yield Story(None, attempt, failure, end, thing, about)


def _attempts(sentence: Sentence, cues: TrackCues) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The words of each attempt in a sentence, and the place of what was tried."""
    for match in cues["tried"].finditer(sentence.said):
        if not cues["no_thing"].match(sentence.said[match.end() :]):
            yield match.span(), clause_behind(sentence, match.end())
    for match in cues["tried_it"].finditer(sentence.said):
        yield match.span(), clause_before(sentence, match.start())


def first(turn: int, near: Sequence[Sentence], groups: Sequence[str], start: int, cues: TrackCues) -> Sign | None:
    """The first words of some groups that are stated in sentences and not negated.

    Args:
        turn: place of their turn.
        start: where to begin in the first of them.
    """
    for number, sentence in enumerate(near):
        if not sentence.stated(cues):
            return None
        begin = start if number == 0 else 0
        found = [match for group in groups for match in cues[group].finditer(sentence.said) if match.start() >= begin]
        for match in sorted(found, key=lambda one: one.start()):
            leading = sentence.said[max(begin, match.start() - _LEADING) : match.start()]
            if not cues["negated"].found(leading.rstrip()):
                return Sign(turn, sentence, match.span())
    return None


def _end(turn: int, near: Sequence[Sentence], start: int, about: frozenset[str], cues: TrackCues) -> Sign | None:
    """Where it was given up; a switch counts with the failure, but to a variant of the same thing it is a retry."""
    switch = first(turn, near[:1], ("switched",), start, cues)
    if switch:
        instead = _behind(switch, cues)
        switch = switch if len(instead & about) <= len(about) // 2 else None
    end = first(turn, near, ("left", "left_it"), start, cues)
    if end and cues["left"].match(end.sentence.said[slice(*end.cue)]):
        left = _behind(end, cues)
        end = end if not left or not left.isdisjoint(about) else None  # something else was left
    end = end or switch
    return None if end is None or cues["offered"].found(end.sentence.said) else end


def _behind(part: Sign, cues: TrackCues) -> frozenset[str]:
    """The words with content behind a cue, up to the end of its clause."""
    return terms(part.sentence.words(*clause_behind(part.sentence, part.cue[1])), cues)


def _content(near: Sequence[Sentence], cues: TrackCues) -> bool:
    """Whether anything is said to help in between: then the story is not about one failure."""
    return any(first(0, [one], ("worked",), 0, cues) for one in near)
