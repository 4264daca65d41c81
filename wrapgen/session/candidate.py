"""What is recorded while a conversation is read: candidates for follow-ups, and statements about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wrapgen.session.confidence import Fact
    from wrapgen.session.follow_up import FollowUp

Group = tuple[int, int]
"""A list or a sentence: index of its turn, and a number within the turn."""


@dataclass(frozen=True, slots=True)
class CandidatePlace:
    """The position of a candidate.

    Args:
        start: offset of its quote in the turn's text.
        end: offset behind the quote.
        group: list or sentence that it belongs to.
        number: its number in the list.
        in_list: whether it is a list item.
    """

    start: int
    end: int
    group: Group
    number: int | None = None
    in_list: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may be a follow-up, as it was said.

    Args:
        follow_up: the record of it, if it is one.
        place: where its quote is in the turn.
        words: what it is about, for comparison.
        facts: what is known of it from its own turn.
    """

    follow_up: FollowUp
    place: CandidatePlace
    words: frozenset[str]
    facts: frozenset[Fact]


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or list item that may report work as done or dropped.

    Args:
        folded: its folded text, code and quotes kept.
        done: it is under a heading that reports what was done, or bears a check mark.
    """

    folded: str
    words: frozenset[str]
    done: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """An item of a list, as far as later versions of the list are compared with it."""

    words: frozenset[str]
    done: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """An item of any list, as far as a short reply ("2 and 5 are done") may mean it."""

    number: int | None
    words: frozenset[str]


@dataclass(slots=True)
class TurnReading:
    """What one turn holds.

    Args:
        candidates: what it puts off.
        statements: its sentences and items, in order.
        lists: its open lists and checklists; a later list that repeats an earlier one replaces it.
        shown: the items of all its lists.
        pasted: the user pasted it; what it asks for has not been said by anybody here.
    """

    candidates: list[Candidate] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    lists: dict[Group, list[Listed]] = field(default_factory=dict)
    shown: list[Shown] = field(default_factory=list)
    pasted: bool = False
