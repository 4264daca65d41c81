"""The threads that are followed at a time, and which of them something is about. PURE."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wrapgen.tracks.signal import Signal
    from wrapgen.tracks.thread import Thread

_REACH = 40
"""Turns with words between two signs of one dead end (a gap of spec 6.2, filled as its original's reading proposes)."""
NEAR = 8
"""Sentences within which "it" still means what was talked of."""
_THREADS = 12
"""Threads that are followed at a time; the oldest are forgotten first."""
_COMMON = 12
"""Mentions after which a word begins to say less about what a sentence is about."""
_SHARED = 0.5
"""Least weight of the words that tie a sentence to a thread; a rare word weighs 1."""
_FAR = 40
"""Sentences within which a name still means the same story."""


@dataclass(slots=True)
class Pool:
    """Threads, and where in the conversation its reader stands.

    Attributes:
        open: threads that are followed.
        ended: dead ends that are followed no more.
        mentions: how often a word was said.
        turn: turns with words so far.
        now: sentences so far.
        shifted: the turn came to another subject, so that "it" means nothing said before.
    """

    open: list[Thread] = field(default_factory=list)
    ended: list[Thread] = field(default_factory=list)
    mentions: Counter[str] = field(default_factory=Counter)
    turn: int = 0
    now: int = 0
    shifted: bool = False

    def forget(self) -> None:
        """Follow no more threads than can be followed."""
        if len(self.open) <= _THREADS:
            return
        keep = [one for one in self.open if self.turn - one.turn <= _REACH][-_THREADS:]
        kept = set(map(id, keep))
        self.ended += [one for one in self.open if id(one) not in kept and one.dead]
        self.open = keep

    def within(self, *, alive: bool = True) -> Iterator[Thread]:
        """The threads that may still be meant, in order: those that go on, or those that were given up."""
        return (
            one
            for one in self.open
            if self.turn - one.turn <= _REACH and self.now - one.clock <= _FAR and (one.buried is None) is alive
        )

    def _weight(self, thread: Thread, terms: frozenset[str]) -> float:
        return sum(min(1.0, _COMMON / max(self.mentions[term], 1)) for term in thread.terms & terms)

    def by_words(self, threads: Iterable[Thread], signal: Signal) -> Thread | None:
        """The thread that a clause, or else its sentence, has most words in common with; the latest of equals."""
        pool = list(threads)
        for terms in (signal.terms, signal.around):
            weight, _, at = max(
                ((self._weight(one, terms), one.clock, at) for at, one in enumerate(pool)), default=(0.0, 0, 0)
            )
            if weight >= _SHARED:
                return pool[at]
        return None

    def by_place(self, threads: Iterable[Thread], signal: Signal, reach: int = NEAR) -> Thread | None:
        """The thread talked of last, a few sentences before."""
        near = (one for one in threads if signal.clock - one.clock <= reach and not one.content and not one.succeeded)
        return None if self.shifted else max(near, key=lambda one: one.clock, default=None)

    def touch(self, thread: Thread, signal: Signal) -> None:
        """A thread is talked of."""
        thread.turn, thread.clock = self.turn, signal.clock
