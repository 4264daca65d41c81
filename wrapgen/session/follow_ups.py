"""Follow-ups that were only said: found in a conversation, with what became of them in it.

Pure: turns and cues come in, records go out. No model is asked; the same conversation gives the same follow-ups.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from wrapgen.session.candidates import read_turn
from wrapgen.session.confidence import Fact, confidence, reasons
from wrapgen.session.lexicon import Cues
from wrapgen.session.outcome import LEFT_OUT, REPEATED, Fate, Tracker
from wrapgen.session.summary import summarised
from wrapgen.session.transcript import Role, Summary, Turn
from wrapgen.words import fold_key

MIN_CONFIDENCE = 0.5
"""Below this a follow-up is not offered but counted (spec 3.2)."""
ID_LENGTH = 12
STALE_TURNS = 3
"""Typed turns of the user after which what the host keeps, untouched, is offered but not ticked (spec 3.2)."""

By = Literal["state", "reader", "cue"]
"""Who vouches for a find, in falling order of trust: the host's own data, somebody who has read, rules over words."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Another place where the same follow-up was said.

    Args:
        turn: 0-based index of the turn.
        line: line of the transcript where that turn begins.
    """

    turn: int
    line: int


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A piece of work that was put off in a conversation.

    Args:
        text: the task as it would be written down.
        quote: the exact words of the turn.
        role: who said it.
        turn: 0-based index among the turns that are read.
        line: line of the transcript where the turn begins.
        uuid: the host's id of that line.
        timestamp: the host's time stamp of that line.
        lang: language of the cue.
        cue: the words that put it off.
        confidence: 0..1; below `MIN_CONFIDENCE` it is not offered.
        also: other mentions, oldest first.
        settled: why it is no follow-up any more (done, dropped, taken up later in the session); empty when it is one.
        reasons: what spoke for and against it, for `--verbose` and for those who improve the cues.
        by: who vouches for it.
        sure: whether it is to be ticked when somebody is asked about it.
    """

    text: str
    quote: str
    role: Role
    turn: int
    line: int
    uuid: str | None
    timestamp: str | None
    lang: str
    cue: str
    confidence: float
    also: tuple[Mention, ...] = ()
    settled: str = ""
    reasons: tuple[str, ...] = ()
    by: By = "cue"
    sure: bool = True

    @property
    def offered(self) -> bool:
        """Whether it is worth asking about."""
        return not self.settled and self.confidence >= MIN_CONFIDENCE


def follow_ups(events: Iterable[Turn | Summary], cues: Cues) -> list[FollowUp]:
    """All follow-ups of a conversation in the order in which they were last said: by turn, then by place in it.

    Those that are settled, or whose confidence is too low, are in the list too: nothing disappears without a reason.
    Repetitions are not: they stand in `also` of the last mention.

    Args:
        events: what was said, and the summaries of compactions; read once, not kept.
        cues: what to look for.
    """
    tracker = Tracker(cues)
    asked = ""
    index = summary = 0
    for event in events:
        if isinstance(event, Summary):
            tracker.take(summarised(event, cues))
            summary = event.line
            continue
        tracker.feed(index, event, read_turn(index, event, cues, asked))
        asked = event.text if event.role == "user" else asked
        index += 1
    found = [(fate, facts) for fate, facts in tracker.finish() if fate.settled != REPEATED]
    found.sort(key=lambda one: (one[0].candidate.turn, one[0].candidate.place.start))
    return [_follow_up(fate, facts, summary, tracker.exchanges) for fate, facts in found]


def _follow_up(fate: Fate, facts: frozenset[Fact], summary: int, exchanges: int) -> FollowUp:
    """The record of a candidate.

    Args:
        fate: the candidate, and what became of it.
        facts: what is known of it.
        summary: line of the last compaction's summary; what only an earlier one called open was left out of it.
        exchanges: how many turns of the user the conversation has.
    """
    candidate = fate.candidate
    said = candidate.said
    kept = Fact.KEPT in facts
    return FollowUp(
        text=candidate.text,
        quote=said.text[candidate.place.start : candidate.place.end],
        role=said.role,
        turn=candidate.turn,
        line=said.line,
        uuid=said.uuid,
        timestamp=said.timestamp,
        lang=candidate.lang,
        cue=candidate.cue,
        confidence=round(confidence(facts), 2),
        also=tuple(Mention(*where) for where in fate.also),
        settled=fate.settled or (LEFT_OUT if kept and said.line != summary else ""),
        reasons=reasons(facts),
        by="state" if kept else "cue",
        sure=not kept or exchanges - fate.exchange <= STALE_TURNS,
    )


def orphan_id(text: str, project: str | None) -> str:
    """Name of a follow-up that stays the same wherever and however often it is said (spec 3.3).

    Args:
        text: the task alone.
        project: project that it belongs to, or None.
    """
    key = f"{fold_key(text)}\x00{fold_key(project or '')}"
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:ID_LENGTH]
