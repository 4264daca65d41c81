"""Which of several threads tell one story, so that a dead end is told once. PURE."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wrapgen.tracks.signal import Kind
from wrapgen.tracks.thread import Thread, order

if TYPE_CHECKING:
    from collections.abc import Sequence

_AGAIN = 2
"""Words with content that a second guess has to share with what it goes on with."""

_LATEST = 8
"""Dead ends, counted back from the end, that a new one is compared with."""


def told_once(threads: Sequence[Thread]) -> list[Thread]:
    """One thread for each story, as it was begun and as it ended last.

    Args:
        threads: dead ends, in the order in which they were given up.
    """
    kept: list[Thread] = []
    for thread in threads:
        latest = range(len(kept) - 1, max(len(kept) - 1 - _LATEST, -1), -1)
        same = next((at for at in latest if _one(kept[at], thread)), None)
        varied = next((at for at in latest if _varies(kept[at], thread)), None)
        if same is not None:
            if order(thread.guess) < order(kept[same].guess) and _same_failure(kept[same], thread):
                kept[same] = thread
        elif varied is not None:
            begun = kept.pop(varied)
            kept.append(replace(thread, guess=begun.guess, more=begun.more, attempts=begun.attempts))
        else:
            kept.append(thread)
    return kept


def went_on(one: Thread, other: Thread) -> bool:
    """Whether a story that seemed to be over failed once more afterwards: the later end is the true one."""
    end = one.buried
    return end is not None and other.guess.step <= end.step and any(at.step > end.step for at in other.failures)


def _one(one: Thread, other: Thread) -> bool:
    """Whether two threads were given up in one turn, and failed in one or are about the same."""
    if one.buried is None or other.buried is None or one.buried.step != other.buried.step:
        return False
    return _same_failure(one, other) or bool(one.terms & other.terms)


def _same_failure(one: Thread, other: Thread) -> bool:
    return one.failure.step == other.failure.step


def _varies(one: Thread, other: Thread) -> bool:
    """Whether what seemed to take the place of something is the same once more, done another way."""
    end = one.buried
    if end is None or end.kind is not Kind.SWITCH or other.guess.step != end.step:
        return False
    return len((other.guess.around | other.terms) & one.terms) >= _AGAIN
