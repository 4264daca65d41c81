"""Stage: what is shown, in which order, and why. PURE.

What is aside is not on the page; anything else is in the first of six classes that fits. No other rule of order is
worth its place: on nine vaults that no rule was made on, fourteen classes with seventeen thresholds showed 37 right and
59 wrong lines, these six 45 and 88, and lists that somebody named 59 and 4.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from enum import IntEnum
from functools import lru_cache
from itertools import chain, groupby
from typing import NamedTuple

from wrapgen.days import moved
from wrapgen.ledger import OPEN_ORDER, Outcome
from wrapgen.model import Fate, HandOver, Item, SaidNext
from wrapgen.notes import Kind, Priority
from wrapgen.pipeline.hand_overs import carried_by, journal_row, up_to
from wrapgen.pipeline.specific import Repeated
from wrapgen.pipeline.stage import Context, StageResult
from wrapgen.text.display import count

_DUE_DAYS = 14
"""Days in which a box is due that comes before what is not dated, among the open ones."""


_HANDED_DAYS = 7
"""Days for which a hand-over leads; then its lines are open like any others, before these. Journals have a look-back.

In fifteen public vaults judged blind, 58 such lines were right and 47 wrong; of older ones 20 and 45.
"""


class RankClass(IntEnum):
    """The classes of the page, the first ones first; `OPEN` fills it under a heading of its own."""

    SAID = 1
    DUE = 2
    URGENT = 3
    HANDED_OVER = 4
    ACTIVE = 5
    OPEN = OPEN_ORDER


_NAMES = {
    RankClass.SAID: "said to be next",
    RankClass.DUE: "due",
    RankClass.URGENT: "of high priority",
    RankClass.HANDED_OVER: "handed over",
    RankClass.ACTIVE: "of active tasks",
    RankClass.OPEN: "open",
}

_FILED, _BEHIND = 2, 1
"""How far behind the newest lists a line of class `HANDED_OVER` stands: what wrapgen filed, what was said before."""


_AFTER_DUE = date.max.toordinal()


class Ranked(NamedTuple):
    """An item in its class."""

    item: Item
    kind: RankClass
    why: str  # why it is in this class
    order: tuple[int | str, ...] = ()  # its place in the class, before canonical order


def rank(before: StageResult, context: Context) -> StageResult:
    """Order the items and cut at the cap; what is cut is dropped in its order, what is aside behind it."""
    ranking = _Ranking(before, context)
    aside: list[tuple[Item, str]] = []
    classes: dict[RankClass, list[Ranked]] = {kind: [] for kind in RankClass}
    for item in before.kept:
        if why := ranking.aside(item):
            aside.append((item, why))
        else:
            ranked = ranking.ranked(item)
            classes[ranked.kind].append(ranked)
    ordered = [one for kind in RankClass for one in ranking.in_order(kind, classes[kind])]
    shown, cut = ordered[: context.config.cap], ordered[context.config.cap :]
    page_holds = _behind(shown)
    return replace(
        before,
        kept=tuple(one.item for one in shown),
        dropped=(
            *(
                Outcome(
                    one.item,
                    Fate.OVERFLOW,
                    why=f"not shown: number {number}, {one.why}, behind {page_holds}",
                    order=int(one.kind),
                )
                for number, one in enumerate(cut, len(shown) + 1)
            ),
            *(Outcome(item, Fate.OVERFLOW, why=f"not shown: {why}", is_set_aside=True) for item, why in aside),
        ),
        why={one.item.id: f"number {number}: {one.why}" for number, one in enumerate(shown, 1)},
        classes={one.item.id: int(one.kind) for one in shown},
    )


def _behind(shown: Sequence[Ranked]) -> str:
    """What stands on the page, by class."""
    kinds = Counter(one.kind for one in shown)
    return " and ".join(f"{number} {_NAMES[kind]}" for kind, number in sorted(kinds.items()))


class _Ranking:
    def __init__(self, before: StageResult, context: Context) -> None:
        self._repeated = before.repeated or Repeated()
        self._said = before.said
        self._places = {key: place for place, key in enumerate(before.said)}
        self._decisions = context.decisions
        self._today = context.today
        self._newest_journal = context.newest_journal
        self._soon = moved(context.today, context.config.due_soon_days)
        self._later = moved(context.today, _DUE_DAYS)
        self._next_day = before.next_day
        self._cap = context.config.cap
        self._tick_days = context.tick_days
        self._handed = {item.id: self._newest_list(item) for item in before.kept}
        # The day on which something was handed over last, by project.
        self._told: dict[str | None, date] = {}
        for item in before.kept:
            handed = self._handed[item.id]
            if handed and handed[0].day and not self._is_filed(item):
                self._told[item.project] = max(handed[0].day, self._told.get(item.project, date.min))

        undated = {path for handed in self._handed.values() if handed and not handed[0].dated for path in handed[1:2]}
        self._lines = self._tick_days(sorted(undated)[:MOST_DATED]) if undated else {}

        # The day of the list that an agent or a reader said last, by project.
        self._listed: dict[str | None, date] = {}
        for item in before.kept:
            said = self._said.get(item.id)
            if said and said.leads and said.by != "person":
                project = said.project or item.project
                self._listed[project] = max(said.day, self._listed.get(project, date.min))

    def aside(self, item: Item) -> str:
        """Return why an item is not on the page, whatever its day and priority; "" for most."""
        snoozed = self._decisions.snoozed.get(item.id)
        if snoozed is not None and snoozed > self._today:
            return f"snoozed until {snoozed}"
        if item.not_before is not None and item.not_before > self._today:
            return f"not before {item.not_before}"
        if item.aside:
            return "" if item.id in self._said else item.aside
        return "a habit of a day gone by" if self._is_past_habit(item) else ""

    def _is_past_habit(self, item: Item) -> bool:
        """Whether a habit was left out on a day that is gone: that of the newest journal can still be followed."""
        newest = self._newest_journal
        past = item.last_seen is not None and newest is not None and item.last_seen < newest
        return past and item.kind is Kind.JOURNAL_NEXT and self._repeated.is_habit(item.folded.text, item.project)

    def _newest_list(self, item: Item) -> tuple[HandOver, str, int] | None:
        """The newest list that an item, or what was merged into it, stands in; None where all are history."""
        newest = [one for one in carried_by(item) if self._is_newest(*one)]
        if not newest:
            return None
        entry, path, line = max(newest, key=lambda one: one[0].day or date.min)
        return up_to(self._today, entry), path, line

    def _is_newest(self, entry: HandOver, path: str, _: int) -> bool:
        """Tell whether a list is the newest; of rows of hand-overs the older ones are backlog already."""
        if entry.row != journal_row(path):
            return True
        return entry.day is not None and self._next_day is not None and entry.day >= self._next_day

    def _is_filed(self, item: Item) -> bool:
        return (item.path, item.folded.text) in self._decisions.filed

    def _is_newer(self, said: SaidNext, item: Item) -> bool:
        """Tell whether something was handed over in a list's project after it was said; what a person said stays."""
        told = max(self._told.get(said.project or item.project, date.min), self._told.get(item.project, date.min))
        return said.by != "person" and told > said.day

    def ranked(self, item: Item) -> Ranked:
        """Return the class of an item, and why it is in it."""
        said = self._said.get(item.id)
        handed = self._handed[item.id]
        if said and said.leads and not self._is_newer(said, item):
            return Ranked(item, RankClass.SAID, _said_by(said), (self._places[item.id],))
        if item.due is not None and item.due <= self._soon:
            return Ranked(item, RankClass.DUE, _due(item.due, self._today), (item.due.toordinal(),))
        if item.priority is not None and item.priority <= Priority.HIGH:
            return Ranked(item, RankClass.URGENT, f"of {item.priority.name.lower()} priority", (item.priority,))
        if said and said.leads:
            why = f"{_said_by(said)}; something newer was handed over since"
            return Ranked(item, RankClass.HANDED_OVER, why, (_BEHIND, self._places[item.id]))
        if handed is not None:
            return self._handed_over(item, *handed)
        if item.kind is Kind.ACTIVE_TODOS:
            return Ranked(item, RankClass.ACTIVE, "a box of an active task", (1,))
        if item.due is not None and item.due <= self._later:
            return Ranked(item, RankClass.OPEN, _due(item.due, self._today), (0, item.due.toordinal()))
        return Ranked(item, RankClass.OPEN, "", (1,))

    def _handed_over(self, item: Item, entry: HandOver, path: str, line: int) -> Ranked:
        """Return the class of what stands in a newest list: behind what somebody said since is next, it is but open."""
        where = f"{path} of {entry.day}" if entry.day else path
        place = (-entry.day.toordinal() if entry.day else 0, item.kind.chain, path, line)
        if entry.row != journal_row(path) and (day := self._long_ago(entry, path, line)):
            return Ranked(item, RankClass.OPEN, f"handed over in {path} long ago, on {day}", (0, _AFTER_DUE, *place))
        if self._is_filed(item):
            return Ranked(item, RankClass.HANDED_OVER, f"filed by wrap into {where}", (_FILED, *place))
        listed = self._listed.get(item.project)
        if listed and entry.day and entry.day <= listed:
            # Whoever said that list had read this one, and chose.
            why = f"handed over in {where}, and left out of what was said to be next on {listed}"
            return Ranked(item, RankClass.OPEN, why, (0, _AFTER_DUE, *place))
        return Ranked(item, RankClass.HANDED_OVER, f"handed over in {where}", (0, *place))

    def _long_ago(self, entry: HandOver, path: str, line: int) -> date | None:
        """Return the day of a line that was handed over more than a week ago; that of its commit where git knows it."""
        day = entry.day
        if day and not entry.dated:
            day = min(day, self._lines.get(path, {}).get(line) or day)
        return day if day and day < moved(self._today, -_HANDED_DAYS) else None

    def in_order(self, kind: RankClass, some: Sequence[Ranked]) -> list[Ranked]:
        """Return the items of a class in their order: what is blocked comes last."""
        if kind in (RankClass.ACTIVE, RankClass.OPEN):
            some = self._with_days(some)
        found: list[Ranked] = []
        for blocked in (False, True):
            part = sorted(
                (one for one in some if bool(one.item.blocked_by) is blocked),
                key=lambda one: (*one.order, *_place(one.item)),
            )
            if kind in (RankClass.ACTIVE, RankClass.OPEN):
                part = [one for _, tier in groupby(part, lambda one: one.order[0]) for one in _in_turns([*tier])]
            found += part
        return found

    def _with_days(self, some: Sequence[Ranked]) -> list[Ranked]:
        """Give items of the last classes the day by which they are ordered, newest first."""
        days = self._line_days([one.item for one in some])
        today, since = self._today, lru_cache(maxsize=None)(_since)
        found: list[Ranked] = []
        for one in some:
            item, tier = one.item, one.order[0]
            if tier == 0:
                found.append(one)
                continue
            seen = item.last_seen
            day = seen or (days.get((item.path, item.line), item.changed) if days else item.changed)
            if day and day > today:
                day = today if seen is None else day
            newest = -min(day, today).toordinal() if day else 1
            found.append(Ranked(item, one.kind, one.why or since(day, seen is not None), (tier, newest)))
        return found

    def _line_days(self, items: Sequence[Item]) -> dict[tuple[str, int], date]:
        """The commit days of the lines that may be shown, as the change of their file lifts all lines of it.

        A line is never younger than its file: so the files are asked from the newest on, until the page is full of
        lines that are younger than any file not asked.
        """
        undated = [item for item in items if item.last_seen is None and item.changed is not None]
        by_file: dict[str, list[Item]] = {}
        for item in undated:
            by_file.setdefault(item.path, []).append(item)
        changed = {path: _changed(some) for path, some in by_file.items()}
        paths = sorted(by_file, key=lambda path: (-changed[path], path))
        found: dict[tuple[str, int], date] = {}
        for at in range(0, min(len(paths), MOST_DATED), _FILES_AT_ONCE):
            batch = paths[at : at + _FILES_AT_ONCE]
            days = self._tick_days(batch)
            for path in batch:
                lines = days.get(path, {})
                known = ((item, lines.get(item.line)) for item in by_file[path])
                found |= {(path, item.line): day for item, day in known if day is not None}
            rest = changed[paths[at + _FILES_AT_ONCE]] if at + _FILES_AT_ONCE < len(paths) else 0
            young = sum(
                (found.get((item.path, item.line)) or item.changed or date.min).toordinal() >= rest
                for path in paths[: at + _FILES_AT_ONCE]
                for item in by_file[path]
            )
            if young >= self._cap:
                break
        return found


_FILES_AT_ONCE = 20
MOST_DATED = 60
"""Files whose lines git is asked about, at most: the newest of each class.

A multiple of `_FILES_AT_ONCE`, or more would be asked about than `beyond.out_of_reach` keeps.
"""


def _changed(items: Sequence[Item]) -> int:
    return max(item.changed.toordinal() if item.changed else 0 for item in items)


def _place(item: Item) -> tuple[int, str, int]:
    return item.kind.chain, item.path, item.line


def newest_first(item: Item, today: date) -> tuple[int, int, str, int]:
    """Sort key of items that are aside: the newest first, by their day or that of their file."""
    day = item.last_seen or (min(item.changed, today) if item.changed else None)
    return (-day.toordinal() if day else 1, *_place(item))


def _in_turns(some: Sequence[Ranked]) -> list[Ranked]:
    """Let the projects take turns, in the order of their first item; untagged items are one project."""
    queues: dict[str | None, list[Ranked]] = {}
    for one in some:
        queues.setdefault(one.item.project, []).append(one)
    turns: list[list[Ranked]] = [[] for _ in range(max(map(len, queues.values()), default=0))]
    for queue in queues.values():
        for turn, one in enumerate(queue):
            turns[turn].append(one)
    return [*chain.from_iterable(turns)]


def _since(day: date | None, is_raised: bool) -> str:
    return f"open since {day}" if is_raised else f"last changed on {day}" if day else "open"


def _said_by(said: SaidNext) -> str:
    whose = {"person": "you", "agent": "an agent"}.get(said.by, f"a {said.by}")
    return f"said to be next by {whose} on {said.day}"


def _due(due: date, today: date) -> str:
    days = (due - today).days
    if days < 0:
        return f"overdue since {due}"
    return f"due in {count(days, 'day')}" if days else "due today"
