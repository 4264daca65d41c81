"""Dead ends of a conversation: something was supposed to help, was tried, failed and was given up. PURE.

Turns are read in order. Every guess opens a thread; attempts, failures, giving up and success are tied to the thread
they share words with, or, said of "it", to the one that was talked of last. A thread that went through all four
without a success of the same thing afterwards is a dead end (spec 6.2).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from wrapgen.days import moment
from wrapgen.tracks.confidence import sure
from wrapgen.tracks.load_cues import load_cues
from wrapgen.tracks.naming import name_of, quote, reason_of
from wrapgen.tracks.record import Quoted, Tombstone
from wrapgen.tracks.returning import name_terms, same_thing
from wrapgen.tracks.stories import told_once, went_on
from wrapgen.tracks.terms import terms as terms_of
from wrapgen.tracks.thread import order
from wrapgen.tracks.threads import Threads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.record import Step
    from wrapgen.tracks.thread import Thread

_LATEST = 20
"""Tombstones with a word in common that a new one is compared with."""


def tombstones(steps: Sequence[Step]) -> tuple[Tombstone, ...]:
    """The dead ends of a conversation, in the order in which they were given up.

    Args:
        steps: its turns.

    Returns:
        one tombstone for each dead end, however often it was told.
    """
    cues = load_cues()
    found: dict[int, tuple[Thread, Tombstone, bool]] = {}
    by_term: defaultdict[str, list[int]] = defaultdict(list)
    for number, thread in enumerate(told_once(Threads(cues).follow(steps))):
        tombstone, enough = _tombstone(thread, steps, cues)
        terms = name_terms(tombstone)
        # Only what shares a word can be the same.
        near = {other for term in terms for other in by_term[term][-_LATEST:]}
        same = [other for other in sorted(near) if other in found and same_thing(tombstone, found[other][1])]
        if same and not went_on(found[same[-1]][0], thread):
            continue
        for other in same[-1:]:
            del found[other]
        found[number] = thread, tombstone, enough
        for term in terms:
            by_term[term].append(number)
    return tuple(tombstone for _, tombstone, enough in found.values() if enough)


def _tombstone(thread: Thread, steps: Sequence[Step], cues: Cues) -> tuple[Tombstone, bool]:
    """What a thread tells, and whether enough speaks for it."""
    end, failure = thread.buried or thread.guess, thread.failure
    tried = [one for one in thread.attempts if order(one) <= order(failure)] or thread.attempts[:1]
    stamp = moment(steps[end.step].timestamp)
    name = name_of([thread.guess, *thread.more], tried, failure, end, steps, cues)
    tombstone = Tombstone(
        name=name.text,
        reason=reason_of(failure, end, steps, cues),
        day=stamp.date() if stamp else None,
        story=tuple(
            Quoted(steps[one.step].number, quote(one, steps)) for one in (thread.guess, tried[0], failure, end)
        ),
    )
    reported = failure.step < end.step and any(steps[one.step].role == "user" for one in thread.failures)
    return tombstone, sure(thread, end, terms_of(name.text.lower(), cues), name.weight, reported=reported)
