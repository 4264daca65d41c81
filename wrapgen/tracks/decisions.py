"""What was decided in a conversation. PURE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.blocks import blocks
from wrapgen.days import moment
from wrapgen.folding import fold
from wrapgen.text import one_line, shorten
from wrapgen.tracks.lines import labelled
from wrapgen.tracks.load_cues import load_cues
from wrapgen.tracks.passage import Passage
from wrapgen.tracks.record import Decision
from wrapgen.tracks.signals import machine_told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.record import Step

LIMIT = 300
"""Characters of a decision; its turn has the rest."""


def decisions(steps: Sequence[Step]) -> tuple[Decision, ...]:
    """The decisions of a conversation in the order they were told, each once, as it was told last.

    Args:
        steps: its turns. Lines such as `decision: ...` count, and sentences such as "we chose X over Y".
    """
    cues = load_cues()
    found: list[Decision] = []
    for step in steps:
        if step.text and not machine_told(step):
            stamp = moment(step.timestamp)
            day = stamp.date() if stamp else None
            found += [Decision(text, day, f"turn {step.number}") for text in _texts(step.text, cues)]
    return merged(found)


def merged(*groups: Iterable[Decision]) -> tuple[Decision, ...]:
    """Decisions of several sources, oldest first; of those with the same words only the latest.

    Args:
        groups: decisions in the order of their source; those without a day stand before all others.
    """
    told = sorted(
        (decision for group in groups for decision in group),
        key=lambda one: (one.day is not None, one.day.toordinal() if one.day else 0),
    )
    latest = {fold(one.text).text: one for one in told}
    return tuple(one for one in told if latest[fold(one.text).text] is one)


def _texts(text: str, cues: Cues) -> Iterator[str]:
    """Decisions of a turn, by their place."""
    lines = {line.start: line.text for line in labelled(text, cues.words["decision"])}
    places = list(lines.items())
    if cues["decisions.sentences"].found(text.lower()):
        taken = [(start, start + len(said)) for start, said in lines.items()]
        for start, sentence in _sentences(text, cues):
            if not any(start < last and first < start + len(sentence) for first, last in taken):
                places.append((start, sentence))
    for _, said in sorted(places):
        if decided := shorten(one_line(said), LIMIT - 1):  # a lone `_` is markup of nothing
            yield decided


def _sentences(text: str, cues: Cues) -> Iterator[tuple[int, str]]:
    for block in blocks(text):
        if block.shape not in ("prose", "item") or block.fenced:
            continue
        passage = Passage(text[block.start : block.end], block.start, 0, cues)
        for start, end in passage.stating("decisions.sentences", but="decisions.not"):
            yield start, text[start:end]
