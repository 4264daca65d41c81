"""The signals of a turn: those of its paragraphs, for lists and headings name things and tell no story. PURE."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wrapgen.blocks import LEAD_LEVEL, blocks
from wrapgen.tracks.passage import Passage
from wrapgen.tracks.signal import Kind, Signal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.record import Step

_SUMMARY = "This session is being continued from a previous conversation"
"""How the host begins its own summary after a compaction: it tells again what was told before."""
_FAILED = (Kind.FAILURE, Kind.DOUBT)
_LEFT = (Kind.DROP, Kind.REMOVE, Kind.SWITCH, Kind.RETURN)
_FENCED = re.compile(r"^[ \t]*```[^\n]*\n(.*?)^[ \t]*```", re.M | re.S)
_ERROR = re.compile(
    r"^.{0,200}?\b(?:error|ERROR|Error|failed|FAILED|panic|fatal|Traceback|ERR!|[A-Z]\w+(?:Error|Exception))\b.{0,200}",
    re.M,
)
"""A line in which a program tells that it failed."""
_INTERRUPTED = "[Request interrupted by user"
"""How the host tells that a turn was broken off."""
_INTRODUCES = LEAD_LEVEL
"""Level of a line that ends with a colon: "I switched it to this:" is a sentence, whatever follows."""


def machine_told(step: Step) -> bool:
    """Whether a turn holds the host's own words: its summary of what was said before, or that it was broken off."""
    return step.text.startswith((_SUMMARY, _INTERRUPTED))


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
            if (block.shape in ("prose", "item") or block.level == _INTRODUCES) and not block.fenced:
                passage = Passage(
                    step.text[block.start : block.end], block.start, place, cues, clock, reported=step.role == "user"
                )
                told = list(passage.signals())
                if block.shape != "item" or _tells_all(told):
                    clock += passage.length
                    found += told
        found += _printed(step.text, place, clock)
        found.sort(key=lambda signal: signal.at)
    return found, clock


def _tells_all(found: Sequence[Signal]) -> bool:
    """Whether a list item tells a whole story: tried, not helpful, left."""
    kinds = {signal.kind for signal in found}
    return Kind.ATTEMPT in kinds and not kinds.isdisjoint(_FAILED) and not kinds.isdisjoint(_LEFT)


def _printed(text: str, place: int, clock: int) -> Iterator[Signal]:
    """What a program printed, in a code block, when it failed."""
    if "```" not in text:
        return
    for fence in _FENCED.finditer(text):
        error = _ERROR.search(text, *fence.span(1))
        if error:
            line = error.span()
            yield Signal(Kind.FAILURE, place, line[0], line, line, line, frozenset(), frozenset(), clock=clock)
