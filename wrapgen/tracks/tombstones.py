"""Dead ends of a conversation: something was supposed to help, was tried, failed and was given up. PURE.

Every turn that gives something up is looked at: what was guessed, tried and reported before it, whose words come back,
how it went on. What is most likely meant is named, and all these facts together are weighed (spec 6.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wrapgen.days import moment
from wrapgen.tracks.ends import REFUSED, Evidence, ends, evidence, later
from wrapgen.tracks.load_cues import load_cues
from wrapgen.tracks.load_models import load_models
from wrapgen.tracks.names import name_of
from wrapgen.tracks.record import Quoted, Tombstone
from wrapgen.tracks.returning import same_thing
from wrapgen.tracks.signal import Kind, Signal, order
from wrapgen.tracks.turns import turns_of
from wrapgen.tracks.wording import quote, reason_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.tracks.ends import End
    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.linear import Models
    from wrapgen.tracks.names import Name
    from wrapgen.tracks.record import Step

FAINT = 0.2
"""Likelihood of an end below which its name is not even looked for."""
LEAST = 0.7
"""Likelihood from which a dead end is told; by cross-validation 0.83 of what is told is right, and 0.68 of all is."""
_BRIEF = 0.6
"""The same for one that was tried, seen to fail and left within a few sentences."""
_BY_THE_BOOK = 0.2
"""The same for one that was guessed, tried, seen to fail and left in this order within a few sentences (spec 6.2)."""
_JUST, _BACK = 6, 10
"""Turns before an end in which its thing may have been left already, and those up to which a name's age counts."""
_LATEST = 20
"""Dead ends that a new one is compared with."""


class Found(NamedTuple):
    """Something that may be a dead end.

    Attributes:
        end: where it was given up.
        name: what it is called.
        likely: how likely it is one, and the name its own.
        least: likelihood from which it is told.
    """

    end: End
    name: Name
    likely: float
    least: float


def tombstones(steps: Sequence[Step]) -> tuple[Tombstone, ...]:
    """The dead ends of a conversation, in the order in which they were given up.

    Args:
        steps: its turns.

    Returns:
        one tombstone for each dead end, however often it was told.
    """
    cues, models = load_cues(), load_models()
    told: list[tuple[Found, Tombstone]] = []
    for end in ends(turns_of(steps, cues)):
        found = judged(end, models, cues)
        if found is None or found.likely < found.least:
            continue
        tombstone = _tombstone(found, cues)
        latest = range(max(0, len(told) - _LATEST), len(told))
        same = next((at for at in latest if same_thing(tombstone, told[at][1])), None)
        if same is None:
            told.append((found, tombstone))
        elif found.likely > told[same][0].likely:
            told[same] = found, tombstone
    return tuple(tombstone for _, tombstone in sorted(told, key=lambda one: one[0].end.place))


def judged(end: End, models: Models, cues: Cues) -> Found | None:
    """How likely something was given up for good, and what it is called; None when it is not worth a look.

    Args:
        end: where something may be given up.
        models: what weighs the facts.
        cues: words without content at the edges of a name.
    """
    facts = evidence(end)
    whole = facts["tried"] and (facts["failed"] or facts["doubted"]) and not facts[REFUSED]
    if not whole or models.end(facts) < FAINT:
        return None
    name = name_of(end, models, cues)
    if name is None:
        return None
    facts |= named(end, name)
    again = facts["name: tried later"] or any(one.terms & name.piece.terms for one in end.retried)
    if again and facts["name: helped later"]:
        return None  # taken up again, and a success in the end
    return Found(end, name, models.dead_end(facts), _least(end, facts))


def _least(end: End, facts: Evidence) -> float:
    """The likelihood from which a dead end is told: the plainer its story, the less has to speak for it."""
    if facts["in one breath"]:
        return _BY_THE_BOOK
    return _BRIEF if end.brief else LEAST


def named(end: End, name: Name) -> Evidence:
    """What a name adds to the evidence.

    Args:
        end: where it is given up.
        name: what it is called.
    """
    terms = name.piece.terms
    before = end.turns[max(0, end.place - _JUST) : end.place]
    return {
        "name": name.likely,
        "name's word": name.word,
        "name: left": float(not terms.isdisjoint(end.gone)),
        "name: in sentence": float(not terms.isdisjoint(end.around)),
        "name: guessed": float(Kind.HYPOTHESIS in name.piece.sentence.kinds),
        "name: tried": float(Kind.ATTEMPT in name.piece.sentence.kinds),
        "name: same turn": float(name.piece.turn.place == end.place),
        "name: how far back": min(end.place - name.piece.turn.place, _BACK) / _BACK,
        "name: helped later": later(end.rest, terms, (Kind.SUCCESS, Kind.PLEASED)),
        "name: tried later": later(end.rest, terms, (Kind.ATTEMPT,)),
        "name: left before": later(before, terms, (Kind.DROP, Kind.REMOVE, Kind.RETURN)),
    }


def _tombstone(found: Found, cues: Cues) -> Tombstone:
    """What is told of a dead end; where no sign tells how it failed, what was said last before it was left."""
    end, piece = found.end, found.name.piece
    since = [one for one in end.past if one.step >= piece.turn.place]
    failures = [one for one in since if one.kind is Kind.FAILURE] or [one for one in since if one.kind is Kind.DOUBT]
    failure = max(reversed(failures), key=lambda one: min(len(one.terms), 3), default=None) or _said_last(end)
    told = end.turns[failure.step]
    guess = (piece.turn.step, (piece.sentence.start, piece.sentence.end))
    parts = (
        guess,
        _attempt(found, failure) or guess,
        (told.step, failure.sentence),
        (end.turn.step, end.signal.sentence),
    )
    stamp = moment(end.turn.step.timestamp)
    return Tombstone(
        name=found.name.piece.text,
        reason=reason_of(failure, told.text, end.signal.clause[0] if told is end.turn else None, cues),
        day=stamp.date() if stamp else None,
        story=tuple(Quoted(step.number, quote(step, span)) for step, span in parts),
    )


def _attempt(found: Found, failure: Signal) -> tuple[Step, tuple[int, int]] | None:
    """Where it was tried first: in so many words, or by a file that was written."""
    end, first = found.end, found.name.piece.turn.place
    told = (one for one in end.past if one.kind is Kind.ATTEMPT and one.step >= first and order(one) <= order(failure))
    latest = end.turns[failure.step].step.number
    written = (turn.wrote for turn in end.turns[first : failure.step + 1])
    wrote = (step for step in written if step is not None and step.number <= latest)
    tried, step = next(told, None), next(wrote, None)
    if tried is None or (step is not None and step.number < end.turns[tried.step].step.number):
        return (step, (0, len(step.text))) if step is not None else None
    return end.turns[tried.step].step, tried.sentence


def _said_last(end: End) -> Signal:
    """What was said right before something was left, as if a sign told that it had failed."""
    turn, limit = end.turn, end.start
    told = [one for one in turn.sentences if one.start < limit and one.terms]
    if not told and end.place:
        turn = end.turns[end.place - 1]
        limit, told = len(turn.text), list(turn.sentences[:1])
    span = (told[-1].start, told[-1].end) if told else (0, limit or len(turn.text))
    return Signal(Kind.FAILURE, turn.place, span[0], span, span, span, frozenset(), frozenset())
