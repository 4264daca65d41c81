"""What is supposed to help, followed through a conversation: tried, failed, given up, or a success in the end. PURE."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wrapgen.tracks.deeds import Deeds
from wrapgen.tracks.pool import NEAR, Pool
from wrapgen.tracks.signal import Kind, Signal
from wrapgen.tracks.signals import signals
from wrapgen.tracks.thread import Thread, order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.record import Role, Step

_BESIDE = 2
"""Sentences between a guess and a second one about the same."""
_LEAVING = (Kind.DROP, Kind.REMOVE, Kind.RETURN)
_FRESH = 6
"""Turns between the last word about what failed and its end; later it is something else that ends."""
_QUESTION = 200
"""Characters of a question that say what is asked for."""


class Threads:
    """Follows the threads of a conversation.

    Args:
        cues: what to look for.
    """

    def __init__(self, cues: Cues) -> None:
        self._cues = cues
        self._deeds = Deeds(cues)
        self._pool = Pool()
        self._told: set[int] = set()
        self._clock = 0
        self._failing = False
        self._leaving: set[tuple[int, tuple[int, int]]] = set()
        self._explaining = False
        self._foreign = -NEAR
        self._proposal: tuple[Signal, Role, int] | None = None

    def follow(self, steps: Sequence[Step]) -> list[Thread]:
        """Read a conversation.

        Returns:
            the dead ends, in the order in which they were given up.
        """
        for place, step in enumerate(steps):
            self._turn_of(place, step)
        dead = [one for one in (*self._pool.ended, *self._pool.open) if one.dead]
        again = {term for one in dead if one.revived for term in one.terms}
        dead += self._deeds.untold(self._told, again)
        return sorted(dead, key=lambda one: order(one.buried or one.guess))

    def _turn_of(self, place: int, step: Step) -> None:
        self._pool.turn += bool(step.text.strip())
        found, clock = signals(step, place, self._cues, self._clock)
        if self._explains(step):
            found = []
        self._deeds.take(place, step, found)
        self._agreed(step)
        self._leaving = {(signal.step, signal.sentence) for signal in found if signal.kind in _LEAVING}
        self._failing = any(signal.kind is Kind.FAILURE for signal in found)
        self._pool.shifted = False
        for signal in found:
            self._pool.now = signal.clock
            self._pool.mentions.update(signal.terms)
            self._take(signal, step.role)
        self._clock = clock
        if step.files and not any(signal.kind is Kind.ATTEMPT for signal in found):
            self._written(place, step)
        self._pool.forget()

    def _explains(self, step: Step) -> bool:
        """Whether a turn answers somebody who wants something explained: it says how things are, not what was done."""
        if step.role == "user":
            self._explaining = self._cues["screens.explain"].found(step.text[:_QUESTION].lower().strip())
            return False
        return self._explaining and not step.files

    def _take(self, signal: Signal, role: Role) -> None:
        kind = signal.kind
        if kind in (Kind.HYPOTHESIS, Kind.ANNOUNCEMENT):
            self._guess(signal)
        elif kind is Kind.ATTEMPT:
            self._attempt(signal)
        elif kind is Kind.FAILURE:
            self._failure(signal)
        elif kind is Kind.DOUBT:
            self._doubt(signal)
        elif kind is Kind.RETURN:
            self._return(signal)
        elif kind in (Kind.DROP, Kind.REMOVE, Kind.SWITCH):
            self._give_up(signal)
        elif kind is Kind.PROPOSAL:
            self._propose(signal, role)
        elif kind is Kind.SHIFT:
            self._pool.shifted = True
        else:
            self._success(signal)

    def _guess(self, signal: Signal) -> None:
        for alive in (True, False):
            known = self._pool.by_words(
                (one for one in self._pool.within(alive=alive) if self._same(one, signal)), signal
            )
            if known is not None:
                known.terms |= signal.terms
                known.varied = known.varied or bool(known.attempts)
                if not alive:
                    self._revive(known, signal)
                if not known.attempts:
                    known.more.append(signal)
                self._pool.touch(known, signal)
                return
        if not self._tells(signal):
            return
        beside = self._beside(signal)
        if beside is not None:
            beside.terms |= signal.terms
            beside.more.append(signal)
            self._pool.touch(beside, signal)
            return
        thread = Thread(signal, set(signal.terms))
        self._pool.touch(thread, signal)
        self._pool.open.append(thread)

    def _beside(self, signal: Signal) -> Thread | None:
        """The guess that a second one belongs to: a cause and its cure, or "worth a try" said of a proposal."""
        waiting = [one for one in self._pool.within() if not one.attempts and signal.clock - one.clock <= _BESIDE]
        if not waiting:
            return None
        firm = waiting[-1].firm or signal.kind is Kind.HYPOTHESIS
        return waiting[-1] if firm and (waiting[-1].guess.step == signal.step or not signal.terms) else None

    def _tells(self, signal: Signal) -> bool:
        """Whether a guess says what it is about; "I put it up and looked" says it only of what was talked of."""
        thin = len(signal.terms) < 2 and not any(term.isascii() for term in signal.terms)
        return not thin or self._pool.by_place((one for one in self._pool.within() if one.attempts), signal) is None

    def _same(self, thread: Thread, signal: Signal) -> bool:
        """Whether a guess is about what has been guessed before; a Latin name among other script tells by itself."""
        shared = thread.terms & signal.terms
        named = any(term.isascii() for term in shared) and not all(term.isascii() for term in signal.terms)
        return named or 3 * len(shared) >= min(len(thread.terms), len(signal.terms)) > 0

    def _attempt(self, signal: Signal) -> None:
        alive = [one for one in self._pool.within() if not one.succeeded or one.varied]
        waiting = [one for one in alive if one.waits]
        thread = self._pool.by_words(waiting, signal) or self._pool.by_words(alive, signal)
        if thread is None:
            again = self._pool.by_words(self._pool.within(alive=False), signal)
            if again is not None:
                if (signal.step, signal.sentence) not in self._leaving:
                    self._revive(again, signal)
                return
            thread = self._pool.by_place(waiting, signal)
        if thread is not None:
            self._tried(thread, signal)

    def _revive(self, thread: Thread, signal: Signal) -> None:
        """What is taken up again in a later turn may still succeed."""
        thread.revived = thread.revived or thread.buried is None or signal.step > thread.buried.step
        self._pool.touch(thread, signal)

    def _tried(self, thread: Thread, signal: Signal) -> None:
        thread.attempts.append(signal)
        thread.terms |= signal.terms
        thread.varied = thread.content = thread.succeeded = False
        self._pool.touch(thread, signal)

    def _written(self, place: int, step: Step) -> None:
        """A file that was written right behind a guess is an attempt."""
        waiting = [one for one in self._pool.within() if one.waits and self._pool.turn - one.turn <= 1]
        if waiting:
            whole = (0, len(step.text))
            self._tried(
                waiting[-1],
                Signal(Kind.ATTEMPT, place, 0, whole, whole, whole, frozenset(), frozenset(), clock=self._clock),
            )

    def _failure(self, signal: Signal) -> None:
        tried = [one for one in self._pool.within() if one.attempts]
        named = self._pool.by_words(tried, signal)
        thread = named or self._pool.by_place(tried, signal)
        if thread is None:
            self._foreign = signal.clock
            return
        thread.failures.append(signal)
        thread.named = max(thread.named, int(named is not None))
        thread.succeeded = thread.varied = False
        self._pool.touch(thread, signal)
        self._foreign = -NEAR

    def _doubt(self, signal: Signal) -> None:
        thread = self._pool.by_place((one for one in self._pool.within() if one.attempts), signal)
        if thread is not None and thread.doubt is None:
            thread.doubt = signal

    def _give_up(self, signal: Signal) -> None:
        alive = [one for one in self._pool.within() if one.attempts and not one.succeeded]
        alive = [one for one in alive if self._pool.turn - one.turn <= _FRESH]
        alive = [one for one in alive if not one.varied or signal.kind in (Kind.DROP, Kind.PROPOSAL)]
        failed = [one for one in alive if one.failures]
        named = self._pool.by_words(failed, signal)
        if not failed and signal.kind is Kind.DROP:
            doubted = [one for one in alive if one.doubt and not one.content]
            named = self._pool.by_words(doubted, signal)
            thread = named or self._pool.by_place(doubted, signal, NEAR // 2)
            if thread is not None and thread.doubt is not None:
                thread.failures.append(thread.doubt)
                failed = [thread]
        thread = named
        if (
            thread is None
            and (signal.kind is not Kind.REMOVE or self._this(signal))
            and signal.clock - self._foreign > NEAR // 2
        ):
            thread = self._pool.by_place(failed, signal)
        if thread is not None:
            thread.buried = signal
            thread.named += named is not None and signal.kind is not Kind.REMOVE
            thread.revived = False
            if thread.dead:
                self._told.add(signal.step)
            self._pool.touch(thread, signal)
        elif signal.kind is Kind.SWITCH:
            waiting = [one for one in self._pool.within() if one.waits and not self._guessed_there(one, signal)]
            tried = self._pool.by_words(waiting, signal) or self._pool.by_place(waiting, signal, _BESIDE)
            if tried is not None:
                self._tried(tried, signal)

    def _this(self, signal: Signal) -> bool:
        """Whether what is removed is not called by a name, and failed a moment ago: "it did nothing, I removed it"."""
        return not signal.terms and any(
            signal.clock - one.failures[-1].clock <= _BESIDE for one in self._pool.within() if one.failures
        )

    def _return(self, signal: Signal) -> None:
        """Back to something: to what was given up before, or to what was before that what failed now."""
        again = [one for one in self._pool.within(alive=False) if one.buried and one.buried.step < signal.step]
        known = self._pool.by_words(again, replace(signal, around=signal.terms))
        if known is None:
            self._give_up(replace(signal, kind=Kind.DROP, terms=signal.around))
        else:
            self._revive(known, signal)
            known.varied = True

    def _guessed_there(self, thread: Thread, signal: Signal) -> bool:
        return any((one.step, one.clause) == (signal.step, signal.clause) for one in (thread.guess, *thread.more))

    def _propose(self, signal: Signal, role: Role) -> None:
        """To give something up is proposed: done when the other one agrees; what is to come instead is a guess."""
        if self._proposal is None or self._proposal[0].step != signal.step:
            self._proposal = (signal, role, self._pool.turn)
        if self._pool.by_words((one for one in self._pool.within() if one.attempts), signal) is None:
            self._guess(signal)

    def _agreed(self, step: Step) -> None:
        """Somebody agrees to a proposal to give up."""
        if self._proposal is None or not step.text.strip():
            return
        signal, role, turn = self._proposal
        self._proposal = None
        agreed = self._cues["screens.accept"].found(step.text[:40].lower().strip())
        if turn == self._pool.turn - 1 and step.role != role and agreed:
            self._give_up(signal)

    def _success(self, signal: Signal) -> None:
        everywhere = [*self._pool.within(), *self._pool.within(alive=False)]
        thread = self._pool.by_words(everywhere, signal)
        if thread is None and not self._failing:
            thread = self._pool.by_place((one for one in everywhere if one.attempts), signal)
            if thread is not None and thread.buried and not (thread.revived or signal.mistaken):
                return
        if thread is None or not thread.attempts:
            return
        if signal.kind is Kind.PLEASED and not (thread.buried and thread.revived):
            thread.content = True
        elif thread.buried is None or thread.revived or signal.mistaken:
            thread.succeeded = True
