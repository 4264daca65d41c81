"""What is noted while a conversation is read: candidates for follow-ups, and statements about them."""

from dataclasses import dataclass, field
from typing import Literal

from wrapgen.session.transcript import Turn

Group = tuple[int, int]
"""A list or a sentence: index of its turn, and a number within the turn."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a candidate stands.

    Args:
        start: offset of its quote in the turn's text.
        end: offset behind it.
        group: the list it belongs to.
        in_list: whether it is a list item or table row.
        number: its number in the list.
    """

    start: int
    end: int
    group: Group
    in_list: bool = False
    number: int | None = None


@dataclass(slots=True)
class Candidate:
    """Something that may be a follow-up; later turns change what speaks for it.

    Args:
        turn: 0-based index of its turn.
        said: the turn.
        start: offset of the quote in the turn's text.
        end: offset behind the quote.
        text: the task alone.
        cue: the words that put it off, as they stand in the turn.
        lang: language whose cue it is.
        score: confidence so far.
        words: what it is about, for comparison.
        group: list or sentence that it belongs to.
        number: its number in the list.
        in_list: whether it is a list item or table row.
        reasons: what spoke for and against it, in words.
        also: other mentions, as (turn, line).
        settled: why it is no follow-up any more; empty as long as it is one.
        passing: it held when it was said: a `state` of the work, or a `plan` that waits for the user.
        went_on: the user had the work go on after it was said; counted once.
    """

    turn: int
    said: Turn
    start: int
    end: int
    text: str
    cue: str
    lang: str
    score: float
    words: frozenset[str]
    group: Group
    number: int | None = None
    in_list: bool = False
    reasons: list[str] = field(default_factory=list)
    also: list[tuple[int, int]] = field(default_factory=list)
    settled: str = ""
    passing: Literal["", "state", "plan"] = ""
    went_on: bool = False

    def weigh(self, change: float, reason: str) -> None:
        """Add to the confidence and say why."""
        self.score += change
        self.reasons.append(f"{reason} {change:+.2f}")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or list item that may report work as done, begun or dropped.

    Args:
        folded: its folded text, code and quotes kept.
        words: what it is about.
        done: it stands under a heading that reports what was done, or bears a check mark.
    """

    folded: str
    words: frozenset[str]
    done: bool


@dataclass(slots=True)
class Reading:
    """What one turn holds.

    Args:
        candidates: what it puts off.
        statements: its sentences and items, in order.
        items: words and state of all list items by group: a later list that repeats an earlier one replaces it.
        pasted: the user pasted it; what it asks for has not been said by anybody here.
    """

    candidates: list[Candidate] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    items: dict[Group, list[tuple[frozenset[str], bool]]] = field(default_factory=dict)
    pasted: bool = False
