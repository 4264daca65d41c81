"""Dead ends of a conversation: something was supposed to help, was tried, failed and was given up. PURE.

Turns are read in order. Every guess opens a thread; attempts, failures, giving up and success are tied to the thread
they share words with, or, said of "it", to the one that was talked of last. A thread that went through all four
without a success of the same thing afterwards is a dead end (spec 6.2).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wrapgen.days import moment
from wrapgen.tracks.load_cues import load_cues
from wrapgen.tracks.naming import name_of, quote, reason_of
from wrapgen.tracks.record import Quoted, Tombstone
from wrapgen.tracks.returning import same_thing
from wrapgen.tracks.signals import Kind, Signal, signals

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.record import Role, Step

_REACH = 40
"""Turns with words between two signs of one dead end (originals 2.2)."""
_NEAR = 6
"""Turns within which "it" still means what was talked of."""
_THREADS = 12
"""Threads that are followed at a time; the oldest are forgotten first."""


@dataclass(slots=True)
class _Thread:
    """One thing that may help, and how it fared."""

    guess: Signal
    terms: set[str]
    attempts: list[Signal] = field(default_factory=list)
    failures: list[Signal] = field(default_factory=list)
    doubt: Signal | None = None
    pleased: bool = False
    variation: bool = False
    buried: Signal | None = None
    replacement: frozenset[str] = frozenset()
    revived: int | None = None
    succeeded: bool = False
    last: int = 0

    @property
    def awaits(self) -> bool:
        """Guessed, and not tried since."""
        return not self.attempts or self.variation

    def shares(self, terms: Iterable[str]) -> int:
        return len(self.terms.intersection(terms))


def tombstones(steps: Sequence[Step]) -> tuple[Tombstone, ...]:
    """The dead ends of a conversation, in the order in which they were given up.

    Args:
        steps: its turns.

    Returns:
        one tombstone for each dead end, however often it was told.
    """
    cues = load_cues()
    watch = _Watch(steps, cues)
    for place, step in enumerate(steps):
        watch.turn(place, step)
    return watch.tombstones()


class _Watch:
    """Follows threads through a conversation."""

    def __init__(self, steps: Sequence[Step], cues: Cues) -> None:
        self._steps = steps
        self._cues = cues
        self._threads: list[_Thread] = []
        self._ended: list[_Thread] = []
        self._foreign = -1
        self._spoken = 0
        self._failing = False
        self._proposal: tuple[Signal, Role, int] | None = None

    def turn(self, place: int, step: Step) -> None:
        """Read one turn."""
        if step.text.strip():
            self._spoken += 1
        told = list(signals(step, place, self._cues)) if step.text else []
        self._accept(step, place)
        self._failing = any(signal.kind is Kind.FAILURE for signal in told)
        shifted = False
        for signal in told:
            shifted = shifted or signal.kind is Kind.SHIFT
            self._signal(signal, step.role, shifted=shifted)
        if step.files and not any(signal.kind is Kind.ATTEMPT for signal in told):
            self._by_tool(place, step)
        if len(self._threads) > _THREADS:
            self._forget()

    def tombstones(self) -> tuple[Tombstone, ...]:
        """What has been buried and stayed so."""
        buried = [one for one in (*self._ended, *self._threads) if one.buried and not one.succeeded]
        found: list[Tombstone] = []
        for thread in sorted(buried, key=lambda one: (one.buried.step, one.buried.at) if one.buried else (0, 0)):
            tombstone = self._tombstone(thread)
            if tombstone and not any(same_thing(tombstone, other) for other in found):
                found.append(tombstone)
        return tuple(found)

    def _forget(self) -> None:
        keep = [one for one in self._threads if self._spoken - one.last <= _REACH][-_THREADS:]
        kept = {id(one) for one in keep}
        self._ended += [one for one in self._threads if id(one) not in kept and one.buried]
        self._threads = keep

    def _signal(self, signal: Signal, role: Role, *, shifted: bool) -> None:
        kind = signal.kind
        if kind is Kind.HYPOTHESIS:
            self._guess(signal)
        elif kind is Kind.ATTEMPT:
            self._attempt(signal)
        elif kind is Kind.FAILURE:
            self._failure(signal, shifted=shifted)
        elif kind is Kind.DOUBT:
            self._doubt(signal, shifted=shifted)
        elif kind in (Kind.DROP, Kind.REMOVE, Kind.SWITCH):
            self._giving_up(signal, shifted=shifted)
        elif kind is Kind.PROPOSAL:
            self._guess(signal)
            self._proposal = (signal, role, self._spoken)
        elif kind in (Kind.SUCCESS, Kind.PLEASED):
            self._success(signal, shifted=shifted)

    def _followed(self) -> list[_Thread]:
        return [one for one in self._threads if self._spoken - one.last <= _REACH]

    def _live(self) -> list[_Thread]:
        return [one for one in self._followed() if not one.succeeded]

    def _best(self, threads: Iterable[_Thread], signal: Signal) -> _Thread | None:
        """The thread with the most words in common with a clause, else with its sentence; the latest of equals."""
        pool = list(threads)
        for terms in (signal.terms, signal.around):
            best = max(pool, key=lambda one: (one.shares(terms), one.last), default=None)
            if best is not None and best.shares(terms):
                return best
        return None

    def _guess(self, signal: Signal) -> None:
        known = self._best(self._live(), signal)
        if known is not None and self._same(known, signal):
            known.last = self._spoken
            known.terms |= signal.terms
            if known.buried:
                known.revived = self._spoken
            elif known.attempts:
                known.variation = True
            return
        self._threads.append(_Thread(signal, set(signal.terms), last=self._spoken))

    def _same(self, thread: _Thread, signal: Signal) -> bool:
        shared = thread.shares(signal.terms)
        return shared > 0 and shared * 3 >= min(len(thread.terms), len(signal.terms))

    def _attempt(self, signal: Signal) -> None:
        live = [one for one in self._live() if not one.buried]
        thread = self._best((one for one in live if one.awaits), signal) or self._best(live, signal)
        if thread is None:
            buried = self._best((one for one in self._live() if one.buried), signal)
            if buried is not None:
                buried.revived = self._spoken
                return
            waiting = [one for one in live if one.awaits and self._spoken - one.last <= 3]
            thread = waiting[-1] if waiting else None
        if thread is None:
            return
        thread.attempts.append(signal)
        thread.terms |= signal.terms
        thread.variation = False
        thread.pleased = False
        thread.last = self._spoken

    def _by_tool(self, place: int, step: Step) -> None:
        """A file that was written right behind a guess is the attempt."""
        waiting = [one for one in self._live() if one.awaits and not one.buried and self._spoken - one.last <= 1]
        if waiting:
            whole = (0, len(step.text))
            signal = Signal(Kind.ATTEMPT, place, 0, whole, whole, whole, frozenset(), frozenset())
            waiting[-1].attempts.append(signal)
            waiting[-1].variation = False
            waiting[-1].last = self._spoken

    def _failure(self, signal: Signal, *, shifted: bool) -> None:
        tried = [one for one in self._followed() if one.attempts and not one.buried]
        thread = self._best(tried, signal)
        if thread is None:
            near = [one for one in tried if self._spoken - one.last <= _NEAR and not (one.pleased or one.succeeded)]
            thread = max(near, key=lambda one: one.last, default=None) if not shifted else None
        if thread is None:
            self._foreign = self._spoken
            return
        thread.failures.append(signal)
        thread.succeeded = False
        thread.variation = False
        thread.last = self._spoken
        self._foreign = -1

    def _doubt(self, signal: Signal, *, shifted: bool) -> None:
        if shifted:
            return
        near = [
            one
            for one in self._live()
            if one.attempts and not one.buried and not one.pleased and self._spoken - one.last <= 2
        ]
        thread = max(near, key=lambda one: one.last, default=None)
        if thread is not None and thread.doubt is None:
            thread.doubt = signal

    def _giving_up(self, signal: Signal, *, shifted: bool) -> None:
        live = [one for one in self._live() if not one.buried]
        failed = [one for one in live if one.failures and not one.variation]
        thread = self._best(failed, signal)
        if thread is None and signal.kind is not Kind.REMOVE and not shifted and self._foreign < self._spoken - 2:
            near = [one for one in failed if self._spoken - one.last <= 3]
            thread = max(near, key=lambda one: one.last, default=None)
        if thread is None and signal.kind is not Kind.SWITCH:
            doubted = [one for one in live if one.attempts and one.doubt and not one.variation and not one.pleased]
            thread = self._best(doubted, signal)
            if thread is not None and thread.doubt is not None:
                thread.failures.append(thread.doubt)
        if thread is None:
            if signal.kind is Kind.SWITCH:
                self._attempt(signal)
            return
        thread.buried = signal
        thread.replacement = signal.around - thread.terms
        thread.revived = None
        thread.last = self._spoken

    def _accept(self, step: Step, place: int) -> None:
        """Somebody agrees to a proposal to give up."""
        if self._proposal is None or not step.text.strip():
            return
        signal, role, spoken = self._proposal
        if spoken == self._spoken - 1 and step.role != role:
            if self._cues["screens.accept"].found(step.text[:40].lower().strip()):
                self._giving_up(signal, shifted=False)
        self._proposal = None

    def _success(self, signal: Signal, *, shifted: bool) -> None:
        thread = self._best(self._live(), signal)
        if thread is None and not shifted and not self._failing:
            near = [one for one in self._live() if one.attempts and self._spoken - one.last <= 3]
            thread = max(near, key=lambda one: one.last, default=None)
            if thread is not None and thread.buried and not (thread.revived or signal.mistaken):
                return
        if thread is None:
            return
        if signal.kind is Kind.PLEASED:
            thread.pleased = True
        elif not thread.buried:
            thread.succeeded = bool(thread.attempts)
        elif thread.revived is not None or signal.mistaken:
            thread.succeeded = True

    def _tombstone(self, thread: _Thread) -> Tombstone | None:
        end = thread.buried
        if end is None:
            return None
        failure = _telling([one for one in thread.failures if _order(thread.attempts[0]) <= _order(one) <= _order(end)])
        if failure is None:
            return None
        tried = [one for one in thread.attempts if _order(one) <= _order(failure)]
        steps = self._steps
        stamp = moment(steps[end.step].timestamp)
        return Tombstone(
            name=name_of([thread.guess, *tried], end, steps, self._cues),
            reason=reason_of(failure, steps, self._cues),
            day=stamp.date() if stamp else None,
            story=tuple(
                Quoted(steps[one.step].number, quote(one, steps)) for one in (thread.guess, tried[0], failure, end)
            ),
        )


def _order(signal: Signal) -> tuple[int, int]:
    return signal.step, signal.at


def _telling(failures: Sequence[Signal]) -> Signal | None:
    """The failure that says most; of equals the first."""
    return max(failures, key=lambda one: min(len(one.terms), 3), default=None)
