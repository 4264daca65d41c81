"""Follow-ups that the agent proposes itself: only those are taken whose words stand in the transcript.

Recall can be a model's; truth stays the program's (spec 3.3). Pure: nothing is read or written here.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wrapgen.session.follow_ups import FollowUp
from wrapgen.session.transcript import Turn
from wrapgen.text import language_of

PROPOSED_CONFIDENCE = 0.9
"""Somebody who has read the conversation vouches for it, and the words were really said."""
_SHORTEST = 4
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A follow-up that the agent has found.

    Args:
        quote: words of the transcript.
        text: the task as it is to be written down; the quote when empty.
    """

    quote: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A proposal that is not taken.

    Args:
        proposal: what was proposed.
        reason: why it is refused, in words for the agent.
    """

    proposal: Proposal
    reason: str


def verify(proposals: Sequence[Proposal], turns: Iterable[Turn]) -> tuple[list[FollowUp], list[Refusal]]:
    """Keep the proposals whose quote stands word for word in a turn, white space aside.

    Args:
        proposals: what the agent has found.
        turns: the conversation; read once. The last turn that holds a quote is the one reported.

    Returns:
        The proposals kept, in their order, and those refused.
    """
    wanted = [_SPACE.sub(" ", proposal.quote).strip() for proposal in proposals]
    found: dict[int, tuple[int, Turn, str]] = {}
    for index, turn in enumerate(turns):
        flat = _SPACE.sub(" ", turn.text)
        for number, quote in enumerate(wanted):
            if len(quote) >= _SHORTEST and quote in flat:
                found[number] = (index, turn, _raw(turn.text, quote))
    kept: list[FollowUp] = []
    refused: list[Refusal] = []
    for number, proposal in enumerate(proposals):
        if number in found:
            kept.append(_follow_up(proposal, *found[number]))
        else:
            short = len(wanted[number]) < _SHORTEST
            reason = "the quote is too short" if short else "the quote does not stand in the transcript"
            refused.append(Refusal(proposal, reason))
    return kept, refused


def _raw(text: str, quote: str) -> str:
    """The quote with the white space that it has in the turn."""
    match = re.search(r"\s+".join(map(re.escape, quote.split(" "))), text)
    return match[0] if match else quote


def _follow_up(proposal: Proposal, index: int, turn: Turn, quote: str) -> FollowUp:
    text = _SPACE.sub(" ", proposal.text).strip() or _SPACE.sub(" ", quote).strip()
    return FollowUp(
        text=text,
        quote=quote,
        role=turn.role,
        turn=index,
        line=turn.line,
        uuid=turn.uuid,
        timestamp=turn.timestamp,
        lang=language_of(turn.text),
        cue="",
        confidence=PROPOSED_CONFIDENCE,
        reasons=("proposed by the agent",),
    )
