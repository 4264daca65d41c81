"""The signals of a turn: those of its paragraphs, for lists and headings name things and tell no story. PURE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.blocks import blocks
from wrapgen.tracks.passage import Passage

if TYPE_CHECKING:
    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.record import Step
    from wrapgen.tracks.signal import Signal

_SUMMARY = "This session is being continued from a previous conversation"
"""How the host begins its own summary after a compaction: it tells again what was told before."""
_OPENING = 600
"""Characters of a turn that say what it is about."""


def machine_told(step: Step) -> bool:
    """Whether a turn is the host's summary of what was said before."""
    return step.text.startswith(_SUMMARY)


def signals(step: Step, place: int, cues: Cues, clock: int = 0) -> tuple[list[Signal], int]:
    """The signals of a turn, in order.

    Args:
        step: the turn.
        place: its place in the conversation.
        cues: what to look for.
        clock: sentences said before this turn.

    Returns:
        the signals, and the sentences said when the turn is over.
    """
    found: list[Signal] = []
    if step.text and not machine_told(step):
        for block in blocks(step.text):
            if block.shape == "prose":
                passage = Passage(
                    step.text[block.start : block.end], block.start, place, cues, clock, reported=step.role == "user"
                )
                clock += passage.length
                found += passage.signals()
    return found, clock


def clauses(step: Step, place: int, cues: Cues) -> list[Signal]:
    """The first clauses of a turn, whether they tell anything or not.

    Args:
        step: the turn.
        place: its place in the conversation.
        cues: words without content.
    """
    found: list[Signal] = []
    if step.text and not machine_told(step):
        for block in blocks(step.text[:_OPENING]):
            if block.shape == "prose":
                passage = Passage(step.text[block.start : block.end], block.start, place, cues)
                found += passage.clauses()
    return found
