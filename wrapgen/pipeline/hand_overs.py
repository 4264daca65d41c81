"""Hand-overs: the lists by which one session tells the next what to do, and which of them is the newest. PURE.

A hand-over is the list of a *Next* section. A stream is what hands over in one row: a folder of journals, a log (one
file with dated or session entries), or a file that is rewritten, which is one entry, as old as its last change.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

import msgspec

from wrapgen.days import moved
from wrapgen.model import Evidence, HandOver, Item
from wrapgen.notes import Kind
from wrapgen.text.file_names import is_hand_over, may_hand_over
from wrapgen.text.headings import EntryHead, day_named

# What so many newer lists did not carry on, and what is older than so many days, nobody is going to do next.
_NEWER_LISTS = 3
_RECENT_DAYS = 7
# Days for which a hand-over that nobody touches while other notes are written is still somebody's work. Of 29 lines
# that lay further behind, in three public vaults, none was what its owner did next.
_QUIET_DAYS = 14
# Where so many files went on without it, the last hand-over of all is like any other.
_GONE_ON = 5
_OF_A_DATE = re.compile(r"\d{1,4}(?:[-_. ].*)?")
_DATED = re.compile(r"\d{4}[-_.]?\d\d[-_.]?\d\d")

_LAST = 1 << 40  # behind the number or time of every session of its day

REWRITTEN = -1
"""The place of a file's only entry, which is as old as its last change."""

Order = tuple[int, int, int, int]


@lru_cache(maxsize=10_000)
def journal_stream(path: str) -> str:
    """The folder of a journal without the folders of its year and month."""
    folders = path.split("/")[:-1]
    while folders and _OF_A_DATE.fullmatch(folders[-1]):
        folders.pop()
    return "/".join(folders)


def entry_of(one: Item | Evidence) -> HandOver | None:
    """The entry of its stream that an item or evidence stands in; None for what is in none."""
    if one.entry is not None or one.kind is not Kind.JOURNAL_NEXT:
        return one.entry
    day = one.written if isinstance(one, Evidence) else one.raised
    return HandOver(journal_stream(one.path), day, _session_of(one.path), one.block[1] if one.block else 0)


@lru_cache(maxsize=10_000)
def _session_of(path: str) -> int:
    """The last number behind the date in a journal's name: `2026-08-12-session5.md`."""
    numbers = re.findall(r"\d{1,9}", _DATED.split(path.rpartition("/")[2], maxsplit=1)[-1])
    return int(numbers[-1]) if numbers else 0


def entries_in(path: str, heads: Sequence[EntryHead | None], changed: date | None) -> list[HandOver]:
    """The entry that each section of a file, and what is above the first (the last one here), belongs to.

    Args:
        heads: of each section, see `entry_heads`.
        changed: the day of the file's last change.
    """
    own = {head.section: head for head in heads if head is not None}
    opened = sorted(own)
    series, named = series_of(path)
    sessions = Counter(own[at].who for at in opened if own[at].who)
    beside = [who for who, number in sessions.most_common() if number > 1]
    days = [one.day for at in opened if (one := own[at]).day]
    upwards = _falls(days) or (len(set(days)) < 2 and _falls([own[at].number for at in opened]))
    entries: dict[int, HandOver] = {}
    day: date | None = None if days else changed  # sessions without a day are no newer than their file
    streams: defaultdict[str, list[int]] = defaultdict(list)
    for place, at in enumerate(reversed(opened) if upwards else opened, 1):
        day = own[at].day or day
        stream = f"{path}[{own[at].who or beside[0]}]" if beside[1:] else path if opened[1:] else series
        # One dated heading makes no log: a plan names the day on which it was approved.
        entries[at] = HandOver(stream, day, own[at].number, place if opened[1:] else REWRITTEN)
        streams[stream].append(at)
    for written in streams.values():
        since: set[tuple[date | None, int]] = set()
        for at in reversed(written):
            entries[at] = msgspec.structs.replace(entries[at], since=len(since))
            since.add((own[at].day, own[at].number))
    rest = (f"{path}#", changed) if own else (series, named or changed)
    rewritten = HandOver(*rest, place=REWRITTEN)
    # What is kept above the newest entry of a log is newer still; what stands below the oldest is as old, but for the
    # place of a hand-over that is kept there.
    newest = opened[0] if upwards and opened[1:] and changed and not all(heads[1 : opened[0]]) else 0
    on_top = HandOver(path, changed, _LAST, REWRITTEN)
    oldest = opened[-1] if upwards and opened[1:] and (newest or not is_hand_over(path)) else len(heads)
    found = [entries[head.section] if head else on_top if at < newest else rewritten for at, head in enumerate(heads)]
    return [*(entries[oldest] if at > oldest else entry for at, entry in enumerate(found)), rewritten]


def series_of(path: str) -> tuple[str, date | None]:
    """What hands over in one row with a file whose name holds a day, and that day: `HANDOFF-2026-11-05-web.md`."""
    folder, slash, name = path.rpartition("/")
    found = _DATED.search(name)
    day = found and day_named(re.sub(r"(\d{4})\D?(\d\d)\D?(\d\d)", r"\1-\2-\3", found[0]))
    if not found or not day:
        return path, None
    return f"{folder}{slash}{name[: found.start()] or name[found.end() :]}", day


def _falls(told: Sequence[date | None] | Sequence[int]) -> bool:
    """Whether the first of what is told is greater than the last."""
    known = [one for one in told if one]
    return known[:1] > known[-1:]


def order(entry: HandOver) -> Order:
    """Sort key, the oldest first: by date, then by session number or time, then by place."""
    return (1 if entry.day else 0, entry.day.toordinal() if entry.day else 0, entry.number, entry.place)


class Stand(NamedTuple):
    """Where an item stands in a hand-over."""

    entry: HandOver
    path: str
    line: int

    @property
    def named(self) -> str:
        """The hand-over as a person finds it: its file and day."""
        return f"{self.path} of {self.entry.day}" if self.entry.day else self.path


class Left(NamedTuple):
    """The newest list that an item stands in."""

    stand: Stand
    newer: int  # lists of its project, or entries of its log, that did not carry it on


class HandOvers:
    """The lists of a vault, by project: a list says nothing of other projects' work."""

    def __init__(
        self, entries: Sequence[Item | Evidence], today: date, *, journal: date | None = None, lookback: int = 30
    ) -> None:
        """Sort out the lists.

        Args:
            journal: the day of the newest journal up to today.
            lookback: days for which the last hand-over of all, and what is not handed over, is still somebody's work.
        """
        self._today = today
        self._journal = journal or date.min
        self._lookback = lookback
        self._tomorrow = moved(today, 1)  # a note's day may be that of a clock further east
        lists: defaultdict[str | None, set[HandOver]] = defaultdict(set)
        self._told: dict[str | None, date] = {}  # the day of each project's newest list that sessions leave
        self._lived = date.min  # the day of what was written down or ticked last
        self._boxes: dict[str | None, date] = {}  # of each project's newest box of a file of tasks
        for one in entries:
            if (day := _touched(one)) and day > self._lived:
                self._lived = min(day, today)
            if not one.handed:
                if isinstance(one, Item) and one.changed and may_hand_over(one.path):
                    self._boxes[one.project] = max(one.changed, self._boxes.get(one.project, date.min))
                continue
            entry = entry_of(one)
            if entry is None or self._is_ahead(entry):
                continue
            lists[one.project].add(self._up_to_today(entry))
            if entry.day and hands_over(one):
                self._told[one.project] = max(min(entry.day, today), self._told.get(one.project, date.min))
        self._lists = {project: sorted(found, key=order) for project, found in lists.items()}
        self._newest = {
            (project, entry.stream): entry for project, found in self._lists.items() for entry in found
        }  # the last one of each stream stands
        self._last = max((found[-1].day or date.min for found in self._lists.values()), default=date.min)
        went_on = {one.path for one in entries if (day := _touched(one)) and day > self._last}
        self._is_life_over = len(went_on) < _GONE_ON
        self._newer: dict[tuple[str | None, HandOver], int] = {}

    def leads(self, item: Item) -> Stand | None:
        """Where an item stands in the newest entry of a stream; of several streams in the newest.

        A stream that its project has left for others leads nothing any more: see `is_over`.
        """
        if not (item.handed or item.carried):
            return None
        left = self.left_by(item)
        stand = None if left and self.is_over(left) else max(self._newest_of(item), key=_order_of, default=None)
        behind = stand and (self.is_left_behind(item, stand.entry.day) or self.is_quiet(item, stand.entry.day))
        return None if behind else stand

    def is_quiet(self, item: Item, day: date | None, *, handed: bool = True) -> bool:
        """Whether a list was left so long before the newest journal, or whatever was noted last, that nobody goes on.

        The last hand-over of all is given the look-back: who comes back after three weeks and writes down one thing
        still wants to know where work was left.
        """
        if day is None or not (item.kind is Kind.LISTS or is_titled(item)):
            return False
        is_last = item.handed and day >= self._last and self._is_life_over
        days = _QUIET_DAYS if handed and not is_last else self._lookback
        return (max(self._journal, self._lived) - day).days > days

    def is_outrun(self, item: Item, day: date | None) -> bool:
        """Whether a list is older than its project's newest, and that is older than the boxes of a file of tasks."""
        newest = self._lists.get(item.project, [])[-1:]
        if item.kind is not Kind.LISTS or day is None or not newest or newest[0].day is None:
            return False
        return day < newest[0].day < self._boxes.get(item.project, date.min)

    def is_left_behind(self, item: Item, day: date | None) -> bool:
        """Whether an item stands in a document that sessions left more than a few days before their newest list."""
        return not hands_over(item) and self.is_older(item, day, _RECENT_DAYS)

    def is_older(self, item: Item, day: date | None, days: int) -> bool:
        """Whether a day is more than some days before that of the newest list that its project's sessions left."""
        told = self._told.get(item.project)
        return told is not None and day is not None and (told - day).days > days

    def is_newest(self, item: Item) -> bool:
        """Whether an item stands in the newest entry of a stream, however old that is."""
        return bool(self._newest_of(item))

    def left_by(self, item: Item) -> Left | None:
        """The newest list that an item stands in, and what has come since; None for what is in no list that is over."""
        newest = max((one for one in self._carried(item) if not self._is_ahead(one.entry)), key=_order_of, default=None)
        if newest is None:
            return None
        key = item.project, newest.entry
        if key not in self._newer:
            lists = sum(_is_newer(one, newest.entry) for one in self._lists.get(item.project, ()))
            self._newer[key] = max(lists, newest.entry.since)
        return Left(newest, self._newer[key])

    def is_left(self, left: Left) -> bool:
        """Whether so many newer lists, or entries of its log, did not carry a list on, however old it is."""
        return left.newer >= _NEWER_LISTS

    def is_over(self, left: Left) -> bool:
        """Whether so many newer lists did not carry a list on, and it is so old, that nobody is going to do it next."""
        day = left.stand.entry.day
        return self.is_left(left) and (day is None or (self._today - day).days > _RECENT_DAYS)

    def _newest_of(self, item: Item) -> list[Stand]:
        return [one for one in self._carried(item) if self._newest.get((item.project, one.entry.stream)) == one.entry]

    def _is_ahead(self, entry: HandOver) -> bool:
        """Whether an entry is of a day to come: until then it is not the newest word."""
        return entry.place != REWRITTEN and entry.day is not None and entry.day > self._tomorrow

    def _carried(self, item: Item) -> list[Stand]:
        return [Stand(self._up_to_today(entry), path, line) for entry, path, line in carried_by(item)]

    def _up_to_today(self, entry: HandOver) -> HandOver:
        """A file that was changed after today, which is then a day gone by, is as it was today."""
        late = entry.place == REWRITTEN and entry.day is not None and entry.day > self._today
        return msgspec.structs.replace(entry, day=self._today) if late else entry


def is_titled(item: Item) -> bool:
    """Whether an item stands in a note that has a day and a title, not in that of a day: `2026-11-05 - Server.md`."""
    name = item.path.rpartition("/")[2]
    found = _DATED.search(name) if item.kind is Kind.JOURNAL_NEXT else None
    return found is not None and any(map(str.isalpha, name[: found.start()] + name[found.end() :].rpartition(".")[0]))


def _touched(one: Item | Evidence) -> date | None:
    if isinstance(one, Evidence):
        return one.day or one.latest
    return None if one.checklist else one.last_seen or one.changed


def _order_of(stand: Stand) -> Order:
    return order(stand.entry)


def hands_over(one: Item | Evidence) -> bool:
    """Whether it stands where sessions write down what they leave: a journal, a log, a file that is called so."""
    entry = entry_of(one)
    return entry is not None and (entry.place != REWRITTEN or may_hand_over(one.path))


def carried_by(item: Item) -> tuple[tuple[HandOver, str, int], ...]:
    """The lists that an item and what was merged into it stand in, each with path and line."""
    if item.carried or not item.handed:
        return item.carried
    entry = entry_of(item)
    return ((entry, item.path, item.line),) if entry else ()


def in_one_stream(one: Item | Evidence, other: Item | Evidence) -> bool:
    """Whether two stand in entries of one stream."""
    mine, theirs = entry_of(one), entry_of(other)
    return mine is not None and theirs is not None and mine.stream == theirs.stream


def is_newer_word(done: Evidence, item: Item) -> bool:
    """Whether the same words were carried on from entry to entry of a stream, and are done in a newer one."""
    if (done.folded.text, done.folded.label) != (item.folded.text, item.folded.label) or not in_one_stream(done, item):
        return False
    mine, theirs = entry_of(item), entry_of(done)
    return mine is not None and theirs is not None and order(theirs) > order(mine)


def _is_newer(one: HandOver, other: HandOver) -> bool:
    """Whether a list is newer than another; of two streams only their days tell."""
    return order(one) > order(other) if one.stream == other.stream else order(one)[:2] > order(other)[:2]
