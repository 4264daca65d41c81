"""Follow-ups that were only said: found in a conversation, with what became of them in it.

Pure: turns and cues come in, records go out. No model is asked; the same conversation gives the same follow-ups.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from wrapgen.session.candidates import read_turn
from wrapgen.session.confidence import Fact, confidence
from wrapgen.session.follow_up import FollowUp
from wrapgen.session.lexicon import FollowUpCues
from wrapgen.session.outcome import LEFT_OUT, TrackedCandidate, Tracker
from wrapgen.session.summary import NEXT_STEP, summarised
from wrapgen.session.transcript import Summary, Turn

WENT_ON = "the conversation went on after the compaction"
STALE_TURNS = 3
"""Typed turns of the user after which what the host keeps, untouched, is offered but not ticked (spec 3.2)."""


@dataclass(frozen=True, slots=True)
class Detection:
    """A follow-up with what became of it in its conversation."""

    follow_up: FollowUp
    # why it is no follow-up any more (done, dropped, taken up later in the session); empty when it is one
    settled: str = ""
    facts: frozenset[Fact] = frozenset()  # what spoke for and against it, for those who improve the cues


def follow_ups(events: Iterable[Turn | Summary], cues: FollowUpCues) -> list[Detection]:
    """All follow-ups of a conversation in the order in which they were last said: by turn, then by place in it.

    Those that are settled, or whose confidence is too low, are in the list too: nothing disappears without a reason.
    Repetitions are not: they stand in `also` of the last mention.

    Args:
        events: what was said, and the summaries of compactions; read once, not kept.
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
    found = sorted(tracker.finish(), key=lambda one: (one[0].candidate.follow_up.turn, one[0].candidate.place.start))
    end = _End(summary, index, tracker.exchanges)
    return [_detected(fate, facts, end) for fate, facts in found]


@dataclass(frozen=True, slots=True)
class _End:
    """How a conversation ended."""

    summary: int  # line of the last compaction's summary, 0 without one
    turns: int  # how many turns it has
    exchanges: int  # how many turns of the user

    def settled(self, fate: TrackedCandidate) -> str:
        """Why what a summary calls open is no follow-up; "" when it is one.

        Of 53 such items in public sessions that went on after it, 11 of 31 were still open within three turns of the
        user, and 3 of 22 later; the next step is mostly what comes next.
        """
        if fate.candidate.follow_up.line != self.summary:
            return LEFT_OUT
        stale = self.exchanges - fate.exchange > STALE_TURNS
        at_once = fate.candidate.place.group[1] == NEXT_STEP and self.goes_on(fate)
        return WENT_ON if stale or at_once else ""

    def goes_on(self, fate: TrackedCandidate) -> bool:
        """Whether anything was said after a summary."""
        return self.turns > fate.candidate.follow_up.turn + 1


def _detected(fate: TrackedCandidate, facts: frozenset[Fact], end: _End) -> Detection:
    kept = Fact.KEPT in facts
    follow_up = replace(
        fate.candidate.follow_up,
        confidence=round(confidence(facts), 2),
        also=tuple(fate.also),
        by="state" if kept else "cue",
        sure=not (kept and end.goes_on(fate)),
    )
    return Detection(follow_up, fate.settled or (end.settled(fate) if kept else ""), facts)
