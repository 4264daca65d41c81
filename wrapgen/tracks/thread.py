"""One thing that is supposed to help, and how it fares in a conversation. PURE."""

from __future__ import annotations

from dataclasses import dataclass, field

from wrapgen.tracks.signal import Kind, Signal

_TIGHT = 6
"""Sentences of a story told in one breath."""
_EVIDENCE = 1
"""Least evidence of a dead end, see `Thread.evidence`."""
_EVIDENCE_UNGUESSED = 4
"""The same where nobody guessed and somebody only said what comes next."""


_LATE = 24
"""Sentences between the last failure and the end; later it is something else that ends."""


@dataclass(slots=True)
class Thread:
    """One thing that is supposed to help, and how it fares.

    Attributes:
        guess: where it came up.
        terms: words by which later sentences are known to be about it.
        more: further guesses about it.
        attempts: where it was tried.
        failures: where it did not help.
        doubt: a weak sign that it did not.
        buried: where it was given up.
        named: how many of failure and giving up named it.
        content: somebody liked it: from then on it is meant only where it is named.
        varied: guessed again after a failure, and not yet tried again.
        revived: tried again after it was given up.
        succeeded: it helped in the end.
        turn: turn with words in which it was last talked of.
        clock: the same in sentences.
    """

    guess: Signal
    terms: set[str]
    more: list[Signal] = field(default_factory=list)
    attempts: list[Signal] = field(default_factory=list)
    failures: list[Signal] = field(default_factory=list)
    doubt: Signal | None = None
    buried: Signal | None = None
    named: int = 0
    content: bool = False
    varied: bool = False
    revived: bool = False
    succeeded: bool = False
    turn: int = 0
    clock: int = 0

    @property
    def waits(self) -> bool:
        """Guessed, and not tried since."""
        return not self.attempts or self.varied

    @property
    def firm(self) -> bool:
        """Whether somebody guessed, and did not only say what comes next."""
        return any(one.kind is not Kind.ANNOUNCEMENT for one in (self.guess, *self.more))

    @property
    def tight(self) -> bool:
        """Whether it was told in one breath."""
        return self.buried is not None and self.buried.clock - self.guess.clock < _TIGHT

    @property
    def dead(self) -> bool:
        """Whether it went all the way, and enough speaks for it."""
        return (
            self.buried is not None
            and not self.succeeded
            and self.buried.clock - max(one.clock for one in self.failures) <= _LATE
            and self.evidence >= (_EVIDENCE if self.firm else _EVIDENCE_UNGUESSED)
        )

    @property
    def failure(self) -> Signal:
        """The failure that says most; of equals the first."""
        return max(self.failures, key=lambda one: min(len(one.terms), 3))

    @property
    def evidence(self) -> int:
        """How sure it is that this is one story: things called by name, a report of the failure, a clear farewell."""
        if self.buried is None:
            return 0
        reported = any(one.step > self.attempts[0].step for one in self.failures)
        return self.named + reported + self.tight + (self.buried.kind is Kind.DROP)


def order(signal: Signal) -> tuple[int, int]:
    """The place of a signal, for sorting."""
    return signal.step, signal.at
