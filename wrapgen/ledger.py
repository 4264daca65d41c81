"""What became of everything: the records of a run, its remarks, and the follow-ups of its conversations."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from enum import StrEnum
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import NoReturn, Self, overload

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


def expired(item: Item) -> Outcome:
    """What became of an item that is older than the look-back."""
    return Outcome(item, Fate.EXPIRED, why="expired: older than the look-back")


def canonical_key(item: Item) -> tuple[int, int, str, int]:
    """Sort key of the canonical order: chain, newest first, undated last, path, line."""
    newest = item.last_seen or item.raised or (item.entry.day if item.entry else None)
    return (item.kind.chain, -newest.toordinal() if newest else 1, item.path, item.line)


def in_order(outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """Shown items by rank, then those not shown in their order, then the others canonically."""
    shown = [one for one in outcomes if one.fate is Fate.SHOWN]
    overflow = [one for one in outcomes if one.fate is Fate.OVERFLOW]
    rest = [one for one in outcomes if one.fate not in (Fate.SHOWN, Fate.OVERFLOW)]
    return (*shown, *overflow, *sorted(rest, key=lambda one: canonical_key(one.item)))


class SourceCount(msgspec.Struct, frozen=True):
    """How many files of a kind were read, and how many open items they hold."""

    kind: Kind
    files: int
    items: int


class Lost(msgspec.Struct, frozen=True):
    """Words that may get lost, and why, such as gone from the file that they were written to."""

    text: str
    reason: str


class SkippedFollowUp(msgspec.Struct, frozen=True):
    """A follow-up that a person chose not to file, as it can be shown."""

    handle: str  # its short name
    text: str
    skipped: date  # the day of that
    reason: str  # `skipped`, or `left out` when it was unsure and not ticked


class WaitingFollowUp(msgspec.Struct, frozen=True):
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


class FollowUpCounts(msgspec.Struct, frozen=True):
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


class Uncollected(msgspec.Struct, frozen=True):
    """Open boxes that were read and are no items of the ledger."""

    # how many are open, but not next: another section of their file says what is, or they lack the tag
    backlog: int = 0
    empty: int = 0  # how many have no words of their own
    ignored: int = 0  # how many stand in code, quotes, comments or front matter, or have a mark that means no task


class LaterItems(Sequence[Item]):
    """Items that are counted, and loaded when somebody looks at one.

    Args:
        number: how many there are.
        load: gives them.
        ids: gives their ids alone.
        projects: how many items each project has.
    """

    def __init__(
        self,
        number: int,
        load: Callable[[], Iterable[Item]],
        ids: Callable[[], Iterable[str]],
        projects: Mapping[str | None, int],
    ) -> None:
        self._number, self._load = number, load
        self.ids, self.projects = ids, projects

    @classmethod
    def of(cls, items: Sequence[Item]) -> "LaterItems":
        """Return items that are there already."""
        if isinstance(items, cls):
            return items
        return cls(len(items), lambda: items, lambda: (one.id for one in items), Counter(one.project for one in items))

    def plus(self, more: Sequence[Item]) -> "LaterItems":
        """Return these and others."""
        if not more:
            return self
        return LaterItems(
            len(self) + len(more),
            lambda: (*self, *more),
            lambda: (*self.ids(), *(one.id for one in more)),
            Counter(self.projects) + Counter(one.project for one in more),
        )

    @cached_property
    def _items(self) -> tuple[Item, ...]:
        return tuple(sorted(self._load(), key=canonical_key)) if self._number else ()

    def __len__(self) -> int:
        return self._number

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Item]: ...
    def __getitem__(self, at: int | slice) -> Item | Sequence[Item]:
        return self._items[at]

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return self._number


_NO_ITEMS = LaterItems.of(())


class Beyond(msgspec.Struct, frozen=True):
    """Items that are open and not shown, of files of which none can reach the page: counted, not loaded."""

    number: int = 0
    projects: Mapping[str | None, int] = {}  # how many items each project has
    kinds: Mapping[Kind, int] = {}  # how many each kind of source has
    words: Mapping[int, bytes] = {}  # what those of each file say, see `word_digests`
    ids: Callable[[], Iterable[str]] = lambda: ()


NOTHING_BEYOND = Beyond()


class SaidGone(msgspec.Struct, frozen=True):
    """What somebody said is next, and is an item no more without having been finished."""

    path: str  # where it stood
    line: int
    text: str
    reason: str


SafeWords = tuple[str, ...]
"""An item's words and what stands above it, without secrets."""


class RunGist(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a list of the shown items needs of a run."""

    today: date
    shown: tuple[Outcome, ...]
    handles: dict[str, str]  # of these
    fates: dict[Fate, int]
    cut: tuple[tuple[str | None, int], ...]  # how many items of each project are not shown
    backlog: tuple[tuple[str | None, int], ...]
    troubles: tuple[Trouble, ...]
    not_read: UnreadBoxes
    uncollected: tuple[int, int]  # boxes without words, and those that are no items
    safe_words: dict[str, SafeWords] = {}  # of the shown items, by id
    snoozed: dict[str, date] = {}  # the days until which some of them are hidden
    has_lists: bool = False  # whether somebody said lists of what is next: they grow old by commits


def _by_name(numbers: Mapping[str | None, int]) -> tuple[tuple[str | None, int], ...]:
    return tuple(sorted(numbers.items(), key=lambda one: one[0] or ""))


class Run(msgspec.Struct, frozen=True, dict=True):
    """A whole run: every collected item with its one fate, and everything a person should look at."""

    today: date
    sources: tuple[SourceCount, ...]
    # the items that were looked at: shown ones by rank, then those not shown in their order, then the others
    decided: tuple[Outcome, ...]
    remarks: tuple[Remark, ...]  # of items that are still open; conflicts and stale boxes of all
    unread: tuple[UnreadSection, ...]
    troubles: tuple[Trouble, ...]
    uncollected: Uncollected = Uncollected()
    unreadable_dates: tuple[UnreadableDate, ...] = ()
    # open boxes that are not next in their files, by place
    backlog: LaterItems = _NO_ITEMS
    follow_ups: FollowUpCounts = FollowUpCounts()
    not_read: UnreadBoxes = UnreadBoxes()  # open boxes in files that no source reads
    said_gone: tuple[SaidGone, ...] = ()
    none_next: date | None = None  # the day of the newest list of what is next, where none names anything
    # the other items: they have expired, and nothing shows that they are done
    alone: LaterItems = _NO_ITEMS
    newest_alone: Callable[[int], Iterable[Item]] | None = None  # at least so many of these, of the newest days
    beyond: Beyond = NOTHING_BEYOND  # and these: they are not shown, and what is said of each takes a whole run
    whole: "Callable[[], Run] | None" = None  # gives that run
    gist: RunGist | None = None  # the rest of what is known, where this holds the shown items alone

    @classmethod
    def of_gist(cls, gist: RunGist) -> Self:
        """Return the run of a gist: the shown items, how many others there are, and nothing else."""

        def unknown() -> NoReturn:
            raise LookupError

        projects = dict(gist.backlog)
        backlog = LaterItems(sum(projects.values()), unknown, unknown, projects)
        return cls(
            gist.today, (), gist.shown, (), (), gist.troubles, Uncollected(len(backlog), *gist.uncollected),
            backlog=backlog, not_read=gist.not_read, gist=gist,
        )  # fmt: skip

    def as_gist(self) -> RunGist:
        """Return the gist of a whole run."""
        shown, handles = self.of(Fate.SHOWN), self.handles()
        return RunGist(
            self.today, shown, {one.item.id: handles[one.item.id] for one in shown}, self.fates(),
            _by_name(self.per_project(Fate.OVERFLOW)), _by_name(self.backlog.projects), self.troubles,
            self.not_read, (self.uncollected.empty, self.uncollected.ignored),
        )  # fmt: skip

    @cached_property
    def for_person(self) -> frozenset[str]:
        """The ids of what only the person can do."""
        return frozenset(one.item.id for one in self.decided if one.said and one.said.is_for_person)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """All items: shown ones by rank, then those not shown in their order, then the others canonically."""
        decided = self._whole.decided
        return in_order([*decided, *map(expired, self.alone)]) if self.alone else decided

    @cached_property
    def _whole(self) -> "Run":
        return self.whole() if self.whole and self.beyond.number else self

    @property
    def items(self) -> list[Item]:
        """All items, and the backlog."""
        return [*(one.item for one in self.outcomes), *self.backlog]

    def handles(self) -> Mapping[str, str]:
        """The handle of each item that has one in this run, by id."""
        return self._handles

    @cached_property
    def _handles(self) -> Mapping[str, str]:
        if self.gist:
            return self.gist.handles
        decided = (one.item.id for one in self.decided)
        return Handles(chain(decided, self.backlog.ids(), self.alone.ids(), self.beyond.ids()))

    def of(self, fate: Fate) -> tuple[Outcome, ...]:
        """The items of one fate."""
        if fate is Fate.EXPIRED and self.alone:
            among = in_order([*self.decided, *map(expired, self.alone)])
        else:
            among = self._whole.decided if fate is Fate.OVERFLOW else self.decided
        return tuple(outcome for outcome in among if outcome.fate is fate)

    @property
    def aside(self) -> list[Outcome]:
        """The items that are not on the page whatever room there is."""
        return [one for one in self.decided if one.is_set_aside]

    def fates(self) -> dict[Fate, int]:
        """How many items met each fate."""
        if self.gist:
            return self.gist.fates
        counts = Counter(map(attrgetter("fate"), self.decided))
        counts[Fate.EXPIRED] += len(self.alone)
        counts[Fate.OVERFLOW] += self.beyond.number
        return {fate: counts[fate] for fate in Fate}

    @property
    def projects(self) -> set[str | None]:
        """The projects of all items, and of the backlog."""
        counted = (self.alone, self.backlog, self.beyond)
        return {one.item.project for one in self.decided}.union(*(some.projects for some in counted))

    def newest_expired(self, number: int) -> list[Item]:
        """The first of what has expired, the newest day first."""
        known = [one.item for one in self.decided if one.fate is Fate.EXPIRED]
        known += self.newest_alone(number) if self.newest_alone else self.alone
        known.sort(key=lambda item: (-(item.raised or self.today).toordinal(), item.path, item.line))
        return known[:number]

    def per_project(self, fate: Fate) -> Counter[str | None]:
        """How many items of each project met a fate; None stands for no project."""
        if self.gist and fate is Fate.OVERFLOW:
            return Counter(dict(self.gist.cut))
        found = Counter(outcome.item.project for outcome in self.decided if outcome.fate is fate)
        if fate is Fate.EXPIRED:
            found.update(self.alone.projects)
        elif fate is Fate.OVERFLOW:
            found.update(self.beyond.projects)
        return found

    def about(self, concern: Concern) -> tuple[Remark, ...]:
        """The remarks of one kind, by place."""
        remarks = self._whole.remarks if concern is Concern.UNTAGGED else self.remarks
        return tuple(remark for remark in remarks if remark.concern is concern)

    @property
    def untagged(self) -> tuple[int, bool]:
        """How many open items have no project, and whether one of them could be that of several."""
        found = [one.item for one in self.remarks if one.concern is Concern.UNTAGGED]
        return len(found) + self.beyond.projects.get(None, 0), any(one.candidates for one in found)
