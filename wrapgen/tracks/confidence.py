"""How sure it is that a thread is a dead end, and that its name says which. PURE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.tracks.signal import Kind

if TYPE_CHECKING:
    from wrapgen.tracks.signal import Signal
    from wrapgen.tracks.thread import Thread

_LEAST = 5
"""Points below which a dead end is left out.

Chosen, like what gives points, by what the labelled dialogues lose and gain: no figure on those sets is an unseen one.
"""
_MOST_FAILURES = 3
"""Signs of failure beyond which more of them say no more."""
_WEIGHTS = (4.0, 12.0)
"""What a name has to weigh for a point, and for another one."""
_LEFT = 2
"""Points for words that say outright that something is left; that something else comes says less."""


def sure(thread: Thread, end: Signal, name: frozenset[str], weight: float, *, reported: bool) -> bool:
    """Whether enough speaks for a dead end: it was guessed aloud and ended in one breath, or by points.

    Args:
        thread: what was tried.
        end: where it was given up.
        name: words of its name.
        weight: how much speaks for the name.
        reported: a user told, before it was given up, that it failed.
    """
    if thread.firm and thread.tight:
        return True
    return _points(thread, end, name, weight, reported=reported) >= _LEAST


def _points(thread: Thread, end: Signal, name: frozenset[str], weight: float, *, reported: bool) -> int:
    """How much speaks for a dead end, from 0 to 12 points.

    What was guessed aloud or reported by its user, and left outright, is told from end to end: that counts once more.
    """
    failures = min(len(thread.failures), _MOST_FAILURES) - 1
    named = sum(weight >= least for least in _WEIGHTS)
    agreed = bool(name & end.around) + bool(end.gone & thread.terms) + (thread.named > 0)
    points = failures + named + agreed + thread.firm
    if end.kind is Kind.SWITCH:
        return points
    return points + _LEFT + thread.firm + reported
