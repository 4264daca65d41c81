"""Dead ends of a conversation: something was supposed to help, was tried, failed and was given up. PURE.

Turns are read in order. Every guess opens a thread; attempts, failures, giving up and success are tied to the thread
they share words with, or, said of "it", to the one that was talked of last. A thread that went through all four
without a success of the same thing afterwards is a dead end (spec 6.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.days import moment
from wrapgen.tracks.load_cues import load_cues
from wrapgen.tracks.naming import name_of, quote, reason_of
from wrapgen.tracks.record import Quoted, Tombstone
from wrapgen.tracks.returning import same_thing
from wrapgen.tracks.threads import Thread, Threads, order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.record import Step


def tombstones(steps: Sequence[Step]) -> tuple[Tombstone, ...]:
    """The dead ends of a conversation, in the order in which they were given up.

    Args:
        steps: its turns.

    Returns:
        one tombstone for each dead end, however often it was told.
    """
    cues = load_cues()
    found: list[Tombstone] = []
    before: list[Thread] = []
    for thread in Threads(cues).follow(steps):
        tombstone = _tombstone(thread, steps, cues)
        told = any(_one_story(thread, other) for other in before)
        if not told and not any(same_thing(tombstone, other) for other in found):
            found.append(tombstone)
        before.append(thread)
    return tuple(found)


def _one_story(thread: Thread, other: Thread) -> bool:
    """Whether two threads were given up in one turn and are about the same."""
    if thread.buried is None or other.buried is None or thread.buried.step != other.buried.step:
        return False
    return bool(thread.terms & other.terms)


def _tombstone(thread: Thread, steps: Sequence[Step], cues: Cues) -> Tombstone:
    end, failure = thread.buried or thread.guess, thread.failure
    tried = [one for one in thread.attempts if order(one) <= order(failure)] or thread.attempts[:1]
    stamp = moment(steps[end.step].timestamp)
    return Tombstone(
        name=name_of([thread.guess, *thread.more], tried, end, steps, cues),
        reason=reason_of(failure, steps, cues),
        day=stamp.date() if stamp else None,
        story=tuple(
            Quoted(steps[one.step].number, quote(one, steps)) for one in (thread.guess, tried[0], failure, end)
        ),
    )
