"""How sure it is that a thread is a dead end, and that its name says which. PURE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.tracks.signal import Kind

if TYPE_CHECKING:
    from wrapgen.tracks.signal import Signal
    from wrapgen.tracks.thread import Thread

LEAST = 5
"""Points below which a dead end is left out; chosen on dialogues that the cues had never seen."""
_MOST_FAILURES = 3
"""Signs of failure beyond which more of them say no more."""
_WEIGHTS = (4.0, 12.0)
"""What a name has to weigh for a point, and for another one."""
_LEFT = 2
"""Points for words that say outright that something is left; that something else comes says less."""


def confidence(thread: Thread, end: Signal, name: frozenset[str], weight: float) -> int:
    """How much speaks for a dead end, from 0 to 11 points.

    What was guessed aloud and left outright is a story that somebody told from end to end: that counts once more.

    Args:
        thread: what was tried.
        end: where it was given up.
        name: words of its name.
        weight: how much speaks for the name.
    """
    failures = min(len(thread.failures), _MOST_FAILURES) - 1
    named = sum(weight >= least for least in _WEIGHTS)
    left = end.kind is not Kind.SWITCH
    agreed = bool(name & end.around) + bool(end.gone & thread.terms) + (thread.named > 0)
    return failures + named + _LEFT * left + agreed + thread.firm + (thread.firm and left)
