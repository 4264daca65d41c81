"""What was decided in a conversation. PURE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.days import moment
from wrapgen.model import Decision
from wrapgen.text.display import one_line, shorten
from wrapgen.text.folding import fold
from wrapgen.tracks.lexicon import load_cues
from wrapgen.tracks.lines import labelled
from wrapgen.tracks.sentences import hosts_own, sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wrapgen.tracks.lexicon import TrackCues
    from wrapgen.tracks.record import TurnStep

LIMIT = 300
"""Characters of a decision; its turn has the rest."""


def decisions(steps: Sequence[TurnStep]) -> tuple[Decision, ...]:
    """The decisions of a conversation in order, each once, in its last wording.

    Args:
        steps: its turns. Lines such as `decision: ...` count, and sentences such as "we chose X over Y".
    """
    cues = load_cues()
    found: list[Decision] = []
    for step in steps:
        if hosts_own(step.text):
            continue
        stamp = moment(step.timestamp)
        day = stamp.date() if stamp else None
        found += [Decision(text, day, f"turn {step.number}") for text in _texts(step.text, cues)]
    return merged(found)


def merged(*groups: Iterable[Decision]) -> tuple[Decision, ...]:
    """Decisions of several sources, oldest first; of those with the same words only the latest.

    Args:
        groups: decisions in the order of their source; those without a day are before all others.
    """
    told = sorted(
        (decision for group in groups for decision in group),
        key=lambda one: (one.day is not None, one.day.toordinal() if one.day else 0),
    )
    latest = {fold(one.text).text: one for one in told}
    return tuple(one for one in told if latest[fold(one.text).text] is one)


def _texts(text: str, cues: TrackCues) -> Iterator[str]:
    """Decisions of a turn, by their place."""
    places = {line.start: line.text for line in labelled(text, cues.labels["decision"])}
    if cues["decided"].found(text.lower()):
        lines = [(start, start + len(said)) for start, said in places.items()]
        for one in sentences(text):
            decided = cues["decided"].found(one.said) and not cues["undecided"].found(one.said)
            if decided and one.stated(cues) and not any(one.start < last and first < one.end for first, last in lines):
                places[one.start] = text[one.start : one.end]
    for _, said in sorted(places.items()):
        if decision := shorten(one_line(said), LIMIT - 1):  # a lone `_` is markup of nothing
            yield decision
