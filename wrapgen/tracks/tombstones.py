"""Dead ends of a conversation that were said outright: something was tried, failed and was given up. PURE.

Words alone do not show what was meant, so only this counts: a labelled line (`tombstone: ...`), a story told by one
speaker at once, or one told in four steps. A reader finds the others (spec 3.6).
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING

from wrapgen.days import moment
from wrapgen.text.display import one_line
from wrapgen.tracks.four_steps import four_steps
from wrapgen.tracks.lexicon import load_cues
from wrapgen.tracks.lines import labelled
from wrapgen.tracks.outright import first, outright
from wrapgen.tracks.record import Quoted, Tombstone
from wrapgen.tracks.sentences import TurnSentences, hosts_own
from wrapgen.tracks.terms import terms
from wrapgen.tracks.tombstone_match import same_thing
from wrapgen.tracks.wording import NAME_LIMIT, QUOTE_LIMIT, REASON_LIMIT, cut, name_of, reason_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from wrapgen.tracks.lexicon import TrackCues
    from wrapgen.tracks.lines import Labelled
    from wrapgen.tracks.record import TurnStep
    from wrapgen.tracks.story import Story

# From the first of several blanks only, else a long run of them would be gone through from each.
_SECOND = re.compile(
    r"(?<!\s)(?:\s*+——\s*|\s++[—–-]++\s+|\s*+[:：|]\s+|\s*+[,，(]?+\s*+(?:\bbecause\b|因为|因為|由于)\s*)|：", re.I
)
"""Separates a name from its reason in a labelled line."""
_MOST = 200
"""Stories and labelled lines that are looked at; more of them is not a conversation."""


def tombstones(steps: Sequence[TurnStep]) -> tuple[Tombstone, ...]:
    """The dead ends of a conversation, in the order in which they were given up.

    Returns:
        one tombstone for each dead end, however often it was reported; labelled ones come first.
    """
    cues = load_cues()
    turns = TurnSentences([step.text for step in steps])
    lines = ((at, line) for at, step in enumerate(steps) for line in _lines(step, cues))
    told = [(at, _marked(line.text, steps[at])) for at, line in islice(lines, _MOST)]
    trying = sorted({at for group in ("tried", "tried_it") for at in turns.places(cues, group)})
    stories = chain((story for at in trying for story in outright(at, turns[at], cues)), four_steps(turns, cues))
    lasting = (story for story in islice(stories, _MOST) if not _helped(story, turns, cues))
    told += [(story.end.turn, _buried(story, steps, cues)) for story in lasting]
    found: list[tuple[int, Tombstone]] = []
    for at, one in told:
        if one.name and not any(same_thing(one, other) for _, other in found):
            found.append((at, one))
    return tuple(one for _, one in sorted(found, key=lambda pair: pair[0]))


def _lines(step: TurnStep, cues: TrackCues) -> Iterator[Labelled]:
    return iter(()) if hosts_own(step.text) else labelled(step.text, cues.labels["tombstone"])


def _marked(line: str, step: TurnStep) -> Tombstone:
    """What a line says that names a dead end, with the reason that it gives."""
    name, reason = line, ""
    if (parted := _SECOND.search(line)) and parted.start():
        name, reason = line[: parted.start()], line[parted.end() :]
    story = (Quoted(step.number, cut(one_line(line), QUOTE_LIMIT)),)
    name, reason = cut(one_line(name), NAME_LIMIT), cut(one_line(reason).rstrip(" )）"), REASON_LIMIT)
    return Tombstone(name, reason, _day(step), story, "said")


def _buried(story: Story, steps: Sequence[TurnStep], cues: TrackCues) -> Tombstone:
    """The tombstone of a story: a name from the words of the attempt, a reason from those of the failure."""
    start, end = story.attempt.sentence.place(*story.thing)
    told = [part for part in (story.guess, story.attempt, story.failure, story.end) if part]
    quotes = [(steps[one.turn], one.sentence.start, one.sentence.end) for one in told]
    return Tombstone(
        name=name_of(steps[story.attempt.turn].text[start:end]),
        reason=reason_in(steps[story.failure.turn].text, story, cues),
        day=_day(steps[story.end.turn]),
        story=tuple(
            dict.fromkeys(
                Quoted(step.number, cut(one_line(step.text[start:end]), QUOTE_LIMIT)) for step, start, end in quotes
            )
        ),
        by="cue",
    )


def _helped(story: Story, turns: TurnSentences, cues: TrackCues) -> bool:
    """Whether what was given up is said to help after all."""
    return any(
        story.about <= terms(one.words(), cues)
        and first(0, [one], ("worked",), 0, cues) is not None
        and not cues["failed"].found(one.said)
        for at in range(story.end.turn, len(turns))
        for one in turns.holding(at, cues, "worked")
        if at > story.end.turn or one.start > story.end.sentence.start
    )


def _day(step: TurnStep) -> date | None:
    stamp = moment(step.timestamp)
    return stamp.date() if stamp else None
