"""What became of everything: the records of a run, its remarks, and the follow-ups of its conversations."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

# How many remarks of a kind, and how many expired items, the page names.
NAMED_REMARKS = 10
NAMED_EXPIRED = 5

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from wrapgen.model import Because, Fate, Item, Kind, Trouble, UnreadSection


class Concern(StrEnum):
    """What a person should look at although nothing is lost."""

    UNTAGGED = "untagged"
    CONFLICTS = "conflicts"
    STALE_BOXES = "stale_boxes"
    PROBABLY_DONE = "probably_done"


@dataclass(frozen=True, slots=True)
class Remark:
    """An item to look at, with its evidence where there is one."""

    concern: Concern
    item: Item
    because: Because | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one collected item; `rank` is 1 for the first shown, None for what is not shown."""

    item: Item
    fate: Fate
    rank: int | None = None
    because: Because | None = None


@dataclass(frozen=True, slots=True)
class SourceCount:
    """How many files of a kind were read, and how many open items they hold."""

    kind: Kind
    files: int
    items: int


@dataclass(frozen=True, slots=True)
class Lost:
    """Words that may get lost, and why: skipped, or gone from the file that they were written to."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class FollowUpCounts:
    """What became of the follow-ups that were only said.

    Attributes:
        durable: found in the conversation, but a durable source holds them already.
        journal: routed to the journal in this run.
        project: routed to a project's list in this run.
        active: routed to an active task in this run.
        skipped: skipped in this run.
        pending: waiting for an answer, from this run or an earlier one.
        redacted: secrets taken out of what was stored.
        lost: skipped or vanished ones inside the look-back.
        dropped: those inside the look-back that a reader found to be no open work.
    """

    durable: int = 0
    journal: int = 0
    project: int = 0
    active: int = 0
    skipped: int = 0
    pending: int = 0
    redacted: int = 0
    lost: tuple[Lost, ...] = ()
    dropped: tuple[Lost, ...] = ()

    @property
    def routed(self) -> int:
        """How many were written to a file."""
        return self.journal + self.project + self.active

    @property
    def found(self) -> int:
        """All of them: the sum of durable, routed, skipped and pending."""
        return self.durable + self.routed + self.skipped + self.pending


class Crowd(NamedTuple):
    """The items of one file that are accounted for by their number alone.

    Attributes:
        raised: the day that they were written down, None when unknown.
        expired: whether they are older than the look-back; they are beyond the cap otherwise.
        words: folded texts of all that the file holds.
        projects: of all that the file holds.
        places: which of all that are these items.
    """

    raised: date | None
    expired: bool
    words: Sequence[str]
    projects: Sequence[str | None]
    places: Sequence[int]


@dataclass(frozen=True, slots=True)
class Rest:
    """Items that are accounted for by their number alone; the page names none of them.

    Attributes:
        expired: how many of each project are older than the look-back; None stands for no project.
        overflow: how many of each project are beyond the cap.
        crowds: the same items by their files.
    """

    expired: Mapping[str | None, int] = field(default_factory=dict)
    overflow: Mapping[str | None, int] = field(default_factory=dict)
    crowds: tuple[Crowd, ...] = ()

    @property
    def untagged(self) -> int:
        """How many of those beyond the cap have no project."""
        return self.overflow.get(None, 0)


@dataclass(frozen=True, slots=True)
class Run:
    """A whole run: every collected item with its one fate, and everything a person should look at.

    Attributes:
        outcomes: shown items by rank, then those beyond the cap in their order, then the others canonically.
        remarks: of items that are still open; conflicts and stale boxes of all.
        rest: items that are in no outcome; none unless only the page was asked for.
    """

    today: date
    sources: tuple[SourceCount, ...]
    outcomes: tuple[Outcome, ...]
    remarks: tuple[Remark, ...]
    unread: tuple[UnreadSection, ...]
    troubles: tuple[Trouble, ...]
    follow_ups: FollowUpCounts = field(default_factory=FollowUpCounts)
    rest: Rest = field(default_factory=Rest)

    def of(self, fate: Fate) -> tuple[Outcome, ...]:
        """The items of one fate."""
        return tuple(outcome for outcome in self.outcomes if outcome.fate is fate)

    def about(self, concern: Concern) -> tuple[Remark, ...]:
        """The remarks of one kind, by place."""
        return tuple(remark for remark in self.remarks if remark.concern is concern)
