"""What became of everything: the records of a run, its remarks, and the follow-ups of its conversations."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

import msgspec

from wrapgen.model import Because, Fate, Item, Judged, SaidNext, UnreadableDate, UnreadSection
from wrapgen.notes import Kind, Trouble, UnreadBoxes

SHORTEST = 4
"""Characters of a handle, at least; one of them is a letter, so that no handle reads as a number."""


class Handles(Mapping[str, str]):
    """The shortest unique prefix of each hexadecimal id, found when asked for: a list needs few of thousands."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._ids = sorted(set(ids))

    def __getitem__(self, one: str) -> str:
        """The handle of an id; the whole id where no shorter one will do. Raises `KeyError` for another one."""
        ids = self._ids
        at = bisect_left(ids, one)
        if at == len(ids) or ids[at] != one:
            raise KeyError(one)
        before = ids[at - 1] if at else ""
        after = ids[at + 1] if at + 1 < len(ids) else ""
        length = SHORTEST
        while (handle := one[:length]) != one and (
            before.startswith(handle) or after.startswith(handle) or handle.isdigit()
        ):
            length += 1
        return handle

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


# How many remarks of a kind, and how many expired items, the page names.
NAMED_REMARKS = 10
NAMED_EXPIRED = 5


OPEN_ORDER = 6
"""The class of order of what nothing says is next: it fills the page under *Also open*."""


class Concern(StrEnum):
    """What a person should look at although nothing is lost."""

    UNTAGGED = "untagged"
    CONFLICTS = "conflicts"
    STALE_BOXES = "stale_boxes"
    PROBABLY_DONE = "probably_done"


class Remark(msgspec.Struct, frozen=True, gc=False):
    """An item to look at, with its evidence where there is one."""

    concern: Concern
    item: Item
    because: Because | None = None


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """What became of one collected item, and why."""

    item: Item
    fate: Fate
    rank: int | None = None  # 1 for the first shown, None for what is not shown
    because: Because | None = None
    why: str = ""  # what stood before it, for what is not shown
    is_set_aside: bool = False
    judged: Judged | None = None  # the verdict on it that holds
    said: SaidNext | None = None  # what was said of it to be next
    order: int = 0  # its class of order, 1 to `OPEN_ORDER`; 0 for what is aside or not ranked


@dataclass(frozen=True, slots=True)
class SourceCount:
    """How many files of a kind were read, and how many open items they hold."""

    kind: Kind
    files: int
    items: int


@dataclass(frozen=True, slots=True)
class Lost:
    """Words that may get lost, and why, such as gone from the file that they were written to."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class SkippedFollowUp:
    """A follow-up that a person chose not to file, as it can be shown."""

    handle: str  # its short name
    text: str
    skipped: date  # the day of that
    reason: str  # `skipped`, or `left out` when it was unsure and not ticked


@dataclass(frozen=True, slots=True)
class WaitingFollowUp:
    """A pending follow-up, as it can be shown."""

    handle: str  # its short name
    text: str
    project: str | None
    quote: str  # the words as they were said
    role: str
    said_on: date | None  # the day of that, None when unknown
    source: str  # the conversation, and the line of it
    route: str = "journal"  # where it would be filed: `journal`, `project` with its project, `active` with its task
    task: str | None = None


@dataclass(frozen=True, slots=True)
class FollowUpCounts:
    """What became of the follow-ups from conversations."""

    durable: int = 0  # found in the conversation, but a durable source holds them already
    journal: int = 0  # routed to the journal in this run
    project: int = 0  # routed to a project's list in this run
    active: int = 0  # routed to an active task in this run
    skipped: int = 0  # skipped or left out in this run
    pending: int = 0  # waiting for an answer, from this run or an earlier one
    redacted: int = 0  # secrets removed of what was stored
    unsure: int = 0  # what rules are not sure of: it does not wait, and is offered unticked
    waiting: tuple[WaitingFollowUp, ...] = ()  # those that wait, the newest conversation first
    lost: tuple[Lost, ...] = ()  # those that vanished from their file
    skips: tuple[SkippedFollowUp, ...] = ()  # those inside the look-back that a person skipped or left out
    dropped: tuple[Lost, ...] = ()  # those inside the look-back that a reader found to be no open work

    @property
    def routed(self) -> int:
        """How many were written to a file."""
        return self.journal + self.project + self.active

    @property
    def found(self) -> int:
        """All of them: the sum of durable, routed, skipped and pending."""
        return self.durable + self.routed + self.skipped + self.pending


@dataclass(frozen=True, slots=True)
class Uncollected:
    """Open boxes that were read and are no items of the ledger."""

    # how many are open, but not next: another section of their file says what is, or they lack the tag
    backlog: int = 0
    empty: int = 0  # how many have no words of their own
    ignored: int = 0  # how many stand in code, quotes, comments or front matter, or have a mark that means no task


@dataclass(frozen=True, slots=True)
class SaidGone:
    """What somebody said is next, and is an item no more without having been finished."""

    path: str  # where it stood
    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Run:
    """A whole run: every collected item with its one fate, and everything a person should look at."""

    today: date
    sources: tuple[SourceCount, ...]
    # shown items by rank, then those not shown in their order, then the others canonically
    outcomes: tuple[Outcome, ...]
    remarks: tuple[Remark, ...]  # of items that are still open; conflicts and stale boxes of all
    unread: tuple[UnreadSection, ...]
    troubles: tuple[Trouble, ...]
    uncollected: Uncollected = Uncollected()
    unreadable_dates: tuple[UnreadableDate, ...] = ()
    # open boxes that are not next in their files, by place
    backlog: tuple[Item, ...] = ()
    follow_ups: FollowUpCounts = field(default_factory=FollowUpCounts)
    not_read: UnreadBoxes = field(default_factory=UnreadBoxes)  # open boxes in files that no source reads
    said_gone: tuple[SaidGone, ...] = ()

    @property
    def items(self) -> list[Item]:
        """All items, and the backlog."""
        return [*(one.item for one in self.outcomes), *self.backlog]

    def handles(self) -> Handles:
        """The handle of each item that has one in this run, by id."""
        return Handles(item.id for item in self.items)

    def of(self, fate: Fate) -> tuple[Outcome, ...]:
        """The items of one fate."""
        return tuple(outcome for outcome in self.outcomes if outcome.fate is fate)

    def per_project(self, fate: Fate) -> Counter[str | None]:
        """How many items of each project met a fate; None stands for no project."""
        return Counter(outcome.item.project for outcome in self.outcomes if outcome.fate is fate)

    def about(self, concern: Concern) -> tuple[Remark, ...]:
        """The remarks of one kind, by place."""
        return tuple(remark for remark in self.remarks if remark.concern is concern)
