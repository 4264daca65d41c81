"""Dead ends that nobody announced: something was changed, did not help and was taken back. PURE.

Who tries something seldom says "maybe". So what was said right before a change counts as the guess here, and what is
asked for in return is more: the failure has to be stated or reported, and the change given up in so many words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.tracks.signal import Kind, Signal
from wrapgen.tracks.signals import clauses, machine_told
from wrapgen.tracks.thread import Thread, order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.record import Step

_OPEN = 3
"""Changes that are followed at a time."""
_BEFORE = 4
"""Turns in which what was changed was talked of before."""
_REACH = 8
"""Turns between the last sign of a change and its end."""
_SENTENCES = 12
"""Sentences between the failure of a change and its end."""
_MOMENT = 4
"""Sentences in which a doubt is still fresh."""
_BREATH = 5
"""Sentences of a dead end that is told at once."""
_LEAVING = (Kind.DROP, Kind.REMOVE, Kind.SWITCH, Kind.RETURN)
_ENDED = (*_LEAVING, Kind.PROPOSAL)
_CLEAR = (Kind.DROP, Kind.RETURN)
_HAPPY = (Kind.SUCCESS, Kind.PLEASED)


class Deeds:
    """Follows what was changed in a conversation.

    Args:
        cues: what to look for.
    """

    def __init__(self, cues: Cues) -> None:
        self._cues = cues
        self._open: list[Thread] = []
        self._dead: list[Thread] = []
        self._talk: list[tuple[int, Step]] = []
        self._turn = 0

    def untold(self, told: set[int], again: set[str]) -> list[Thread]:
        """What was given up, did not succeed later and is told by nothing else.

        Args:
            told: turns in which a dead end is known to have been given up.
            again: words of dead ends that were taken up again.
        """
        lost = ((one, one.buried) for one in self._dead if not one.succeeded)
        return [one for one, end in lost if end is not None and end.step not in told and len(end.around & again) <= 1]

    def take(self, place: int, step: Step, found: Sequence[Signal]) -> None:
        """Read a turn.

        Args:
            place: its place in the conversation.
            step: the turn.
            found: its signals, in order.
        """
        if not step.text.strip() and not step.files:
            return
        self._turn += 1
        self._talk = [*self._talk[1 - _BEFORE :], (place, step)]
        if step.role == "user":
            self._reported(place, step, found)
        for signal in found:
            self._read(signal, found)
        if not any(one.buried and one.buried.step == place for one in self._late):
            self._dead += _told_at_once(found)
        tried = any(one.kind is Kind.ATTEMPT for one in found)
        if step.files or (tried and (step.role != "user" or self._advised(place))):
            self._done(place, step, found)

    def _advised(self, place: int) -> bool:
        """Whether a user was told right before what to do, and nobody else did it."""
        (before, step), _ = self._talk[-2:] if len(self._talk) > 1 else ((0, None), None)
        return (
            step is not None
            and step.role != "user"
            and not step.files
            and all(one.attempts[-1].step != before for one in self._open)
        )

    def _done(self, place: int, step: Step, found: Sequence[Signal]) -> None:
        """Something was changed: another try of what failed, or a new thing."""
        if any(one.buried and one.buried.step == place for one in self._late):
            return
        whole = (0, len(step.text))
        own = clauses(step, place, self._cues)
        terms = frozenset(term for one in own for term in one.terms)
        tried = next((one for one in found if one.kind is Kind.ATTEMPT), None) or Signal(
            Kind.ATTEMPT, place, 0, whole, whole, whole, terms, terms
        )
        for one in self._open:
            if one.failures and (one.terms & terms or one is self._open[-1]) and self._turn - one.turn <= 2:
                one.attempts.append(tried)
                one.turn = self._turn
                return
        last = next(reversed(self._open), None)
        if last is not None and not last.failures and self._turn - last.turn <= 2 and not last.content:
            last.attempts.append(tried)
            last.more += own
            last.terms |= {term for one in own for term in one.terms}
            last.turn = self._turn
            return
        guesses = [one for one in self._proposed(place) if one.terms] + own
        if not guesses:
            return
        said = {term for one in guesses for term in one.terms}
        self._revive(said)
        thread = Thread(guesses[0], said, guesses[1:], [tried], turn=self._turn)
        self._open = [*self._open[1 - _OPEN :], thread]
        for signal in found:
            if signal.kind is Kind.FAILURE and signal.at > tried.at:
                thread.failures.append(signal)

    def _proposed(self, place: int) -> list[Signal]:
        """What was said of the change before, back to the change before it."""
        proposed: list[Signal] = []
        for at, step in reversed(self._talk[:-1]):
            if step.files or any(one.attempts[-1].step == at for one in self._open):
                break
            if any(one.buried and one.buried.step == at for one in self._late):
                break
            if step.role != "user" or at == place - 1 or "?" in step.text or "？" in step.text:
                proposed = [*clauses(step, at, self._cues), *proposed]
        return proposed

    @property
    def _late(self) -> list[Thread]:
        return self._dead[-_OPEN * 2 :]

    def _revive(self, said: set[str]) -> None:
        for one in self._late:
            first = (attempt for attempt in one.attempts if order(attempt) < order(one.failures[0]))
            tried = frozenset(term for attempt in first for term in attempt.around)
            if one.buried is not None and (len(tried & said) > 1 or one.terms & said & one.buried.gone):
                one.revived = True

    def _returned(self, signal: Signal) -> bool:
        """Whether somebody goes back to what was given up before."""
        known = [one for one in self._late if one.terms & signal.terms]
        before = [one for one in known if one.buried is not None and one.buried.step < signal.step]
        for one in before:
            one.revived = True
        return bool(before)

    def _reported(self, place: int, step: Step, found: Sequence[Signal]) -> None:
        """Somebody answers to a change: no praise, no consent and no question is a weak sign that it did not help."""
        if machine_told(step):
            return
        short = step.text.strip()[:40].lower()
        happy = any(one.kind in _HAPPY for one in found)
        if happy or self._cues["screens.accept"].found(short) or short.endswith(("?", "？")):
            return
        said = step.text.lower()
        if self._cues["screens.ordered"].found(said) or self._cues["screens.deferred"].found(said):
            for one in self._open:
                one.content = one.content or not one.failures
            return
        if any(one.kind in _ENDED for one in found) and not any(one.kind is Kind.FAILURE for one in found):
            # Whoever ends it and names no failure has another reason.
            for one in self._open:
                one.content = one.content or not (one.failures or one.doubt)
            return
        for one in self._open:
            if one.doubt is None and one.turn == self._turn - 1:
                whole = (0, len(step.text))
                terms = frozenset(term for clause in clauses(step, place, self._cues) for term in clause.terms)
                one.doubt = Signal(Kind.DOUBT, place, 0, whole, whole, whole, terms, terms)
                one.turn = self._turn

    def _read(self, signal: Signal, found: Sequence[Signal]) -> None:
        if signal.kind is Kind.FAILURE:
            self._failed(signal, found)
        elif signal.kind is Kind.DOUBT:
            self._doubted(signal)
        elif signal.kind in (Kind.SUCCESS, Kind.PLEASED):
            self._helped(signal, found)
        elif signal.kind in _LEAVING:
            self._left(signal, found)

    def _failed(self, signal: Signal, found: Sequence[Signal]) -> None:
        near = [one for one in self._open if self._turn - one.turn <= _BEFORE]
        named = [one for one in near if one.terms & signal.around]
        if not named and _elsewhere(signal, found):
            return
        for one in (named or near)[-1:]:
            one.failures.append(signal)
            one.content = False
            one.turn = self._turn

    def _doubted(self, signal: Signal) -> None:
        for one in self._open[-1:]:
            if one.doubt is None and order(signal) > order(one.attempts[0]):
                one.doubt = signal

    def _helped(self, signal: Signal, found: Sequence[Signal]) -> None:
        if any(one.kind is Kind.FAILURE and not _elsewhere(one, found) for one in found):
            return
        for one in self._late:
            one.succeeded = one.succeeded or one.revived
        for one in self._open[-1:]:
            one.content = True
            one.doubt = None
            one.failures.clear()

    def _left(self, signal: Signal, found: Sequence[Signal]) -> None:
        if signal.kind is Kind.RETURN and self._returned(signal):
            return
        near = [one for one in self._open if self._turn - one.turn <= _REACH and not one.content]
        near = [one for one in near if self._fresh(one, signal)]
        said = signal.gone.union(
            *(one.around for one in found if one.at < signal.at and one.sentence != signal.sentence)
        )
        named = [one for one in near if one.terms & signal.gone] or [one for one in near if one.terms & said]
        for one in (named or near)[-1:]:
            if self._enough(one, signal, named=bool(named)):
                if not one.failures and one.doubt is not None:
                    one.failures.append(one.doubt)
                one.buried = signal
                self._open.remove(one)
                self._dead.append(one)

    def _fresh(self, thread: Thread, signal: Signal) -> bool:
        """Whether it failed a moment ago."""
        if thread.failures:
            reach = _SENTENCES if signal.kind in _CLEAR else _SENTENCES // 2
            return signal.clock - thread.failures[-1].clock <= reach
        return thread.doubt is not None and order(thread.doubt) < order(signal)

    def _enough(self, thread: Thread, signal: Signal, *, named: bool) -> bool:
        """Whether a change is given up: clearly, or by its name."""
        if signal.kind in _CLEAR:
            fresh = self._turn - thread.turn <= 2 and (bool(thread.failures) or _doubted_now(thread, signal))
            return named or fresh
        return named and bool(thread.failures)


def _told_at_once(found: Sequence[Signal]) -> list[Thread]:
    """Dead ends told in a few sentences: tried, failed and clearly given up."""
    dead: list[Thread] = []
    for end in (one for one in found if one.kind in _LEAVING):
        told = [one for one in found if one.at < end.at and end.clock - one.clock < _BREATH]
        if end.kind is Kind.DROP:
            told += [one for one in found if one.at > end.at and one.sentence == end.sentence]
        failures = [one for one in told if one.kind is Kind.FAILURE]
        tried = [one for one in told if one.kind is Kind.ATTEMPT and failures and order(one) < order(failures[-1])]
        helped = [one for one in told if one.kind in _HAPPY and failures and order(one) > order(failures[-1])]
        clear = end.kind in _CLEAR or (end.kind is Kind.REMOVE and any(one.around & end.terms for one in tried))
        if tried and clear and not helped and not dead:
            dead.append(Thread(tried[0], set(tried[0].around), [], tried[:1], failures, buried=end))
    return dead


def _doubted_now(thread: Thread, signal: Signal) -> bool:
    """Whether somebody doubted a moment ago, in a turn of its own, that a change helps."""
    doubt = thread.doubt
    return doubt is not None and doubt.step > thread.attempts[-1].step and signal.clock - doubt.clock <= _MOMENT


def _elsewhere(signal: Signal, found: Sequence[Signal]) -> bool:
    """Whether a failure follows praise or a change of subject in its turn: something else fails."""
    before = [one.kind for one in found if one.at < signal.at and one.sentence != signal.sentence]
    moved = any(kind in (Kind.SHIFT, *_HAPPY) for kind in before)
    shift = any(one.kind is Kind.SHIFT for one in found if one.at < signal.at)
    turned = [one for one in found if one.sentence == signal.sentence and one.at < signal.at]
    return shift or (moved and not any(one.kind is Kind.DOUBT for one in turned))
