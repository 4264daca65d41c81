"""Stage 6: what is shown, in which order, and why. PURE."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from enum import IntEnum
from itertools import chain, zip_longest
from typing import NamedTuple

from wrapgen.days import moved
from wrapgen.ledger import Outcome
from wrapgen.model import Fate, HandOver, Item, TriageVerdict
from wrapgen.notes import Kind, Priority
from wrapgen.pipeline.expire import lasts
from wrapgen.pipeline.hand_overs import HandOvers, Stand, hands_over, is_titled
from wrapgen.pipeline.item_context import names_plan
from wrapgen.pipeline.specific import Repeated
from wrapgen.pipeline.stage import Context, StageResult
from wrapgen.text.display import count
from wrapgen.text.file_names import may_hand_over

# Days in which a box is due that comes before what is not dated.
_DUE_DAYS = 14
# Days in which what wrapgen has filed leads.
_FILED_DAYS = 3
# What three newer lists did not carry on fills a page to so many lines only: of such lines on public vaults, most were
# done or dropped.
_LEFT_ENOUGH = 7
# Where sessions leave so many lines, those of other documents fill a page no further than these either.
_TOLD_ENOUGH = 5
# What sessions left so many days after a plan was ticked last says what is next of it.
_PLAN_DAYS = 1
_PHASE = re.compile(r"\W*(?:phase|step|stage|sprint|milestone|단계|阶段|フェーズ|ステップ)\W{0,3}\d", re.IGNORECASE)
# On a page with fewer lines than these, some of what nobody is going to do say that it is there.
_FULL_ENOUGH = 3


# Days for which a page that was judged is filled with what was judged, or is new, alone. Of the lines that took the
# place of those a judge had taken away, on eight public vaults, most were done or dropped like these.
_JUDGED_DAYS = 14


class RankClass(IntEnum):
    """The classes of the page, the first ones first."""

    OVERDUE = 0
    DUE_SOON = 1
    URGENT = 2
    NEWEST = 3
    DUE = 4
    ACTIVE = 5
    REST = 6
    NOT_CARRIED_ON = 7
    LEFT = 8
    QUIET = 9
    PASSED = 10
    SET_ASIDE = 11
    STANDING = 12
    HIDDEN = 13


_NAMES = {
    RankClass.OVERDUE: "overdue",
    RankClass.DUE_SOON: "due soon",
    RankClass.URGENT: "of high priority",
    RankClass.NEWEST: "of the newest hand-overs",
    RankClass.DUE: "due",
    RankClass.ACTIVE: "of active tasks",
    RankClass.REST: "newer",
    RankClass.NOT_CARRIED_ON: "not carried on",
    RankClass.LEFT: "not carried on for long",
    RankClass.QUIET: "of lists that nobody goes on with",
    RankClass.PASSED: "not judged",
    RankClass.SET_ASIDE: "set aside",
    RankClass.STANDING: "nobody's next step",
}

_ASIDE = (RankClass.QUIET, RankClass.PASSED, RankClass.SET_ASIDE, RankClass.STANDING)
"""What only fills a page that is all but empty."""


class Ranked(NamedTuple):
    """An item in its class."""

    item: Item
    kind: RankClass
    why: str  # why it is in this class
    stand: Stand | None = None  # where it stands in its newest hand-over
    newer: int = 0  # lists that came since, for those that were not carried on


def rank(before: StageResult, context: Context) -> StageResult:
    """Order the items and cut at the cap; what is cut is dropped in its order.

    The newest hand-over of each stream leads, behind what is due and urgent; see `RankClass`. Within a class what is
    blocked comes last, and the projects take turns, so that a noisy one cannot push the others out. What is set aside,
    nobody's next step, or was left behind when the page was judged only fills a page that is all but empty; what is
    hidden until a day is never shown.
    """
    ranking = _Ranking(before, context)
    classes: dict[RankClass, list[Ranked]] = {kind: [] for kind in RankClass}
    for item in before.kept:
        ranked = ranking.ranked(item)
        classes[ranked.kind].append(ranked)
    if sum(hands_over(one.item) for one in classes[RankClass.NEWEST]) >= _TOLD_ENOUGH:
        for kind in (RankClass.NEWEST, RankClass.REST):
            own: list[Ranked] = []
            for one in classes[kind]:
                behind = _is_document(one.item) and not ranking.is_judged_open(one.item)
                (classes[RankClass.LEFT] if behind else own).append(one)
            classes[kind] = own
        left = [*classes.pop(RankClass.NOT_CARRIED_ON), *classes[RankClass.LEFT]]
        classes |= {RankClass.NOT_CARRIED_ON: [], RankClass.LEFT: left}
    in_turns = {kind: ranking.in_turns(some) for kind, some in classes.items()}
    fit = [*chain.from_iterable(in_turns[kind] for kind in RankClass if kind < RankClass.LEFT)]
    left = in_turns[RankClass.LEFT]
    aside = [*chain.from_iterable(in_turns[kind] for kind in _ASIDE)]
    page = [*fit, *left[: max(0, _LEFT_ENOUGH - len(fit))]]
    shown = [*page, *aside[: max(0, _FULL_ENOUGH - len(page))]][: context.config.cap]
    on_page = {one.item.id for one in shown}
    cut = [*(one for one in [*fit, *left, *aside] if one.item.id not in on_page), *in_turns[RankClass.HIDDEN]]
    page_holds = _behind(shown)
    held_back = {one.item.id for one in left}
    return replace(
        before,
        kept=tuple(one.item for one in shown),
        dropped=tuple(
            Outcome(
                one.item,
                Fate.OVERFLOW,
                why=_why_not(one, number, page_holds, is_held_back=one.item.id in held_back),
                is_set_aside=one.kind is RankClass.SET_ASIDE,
            )
            for number, one in enumerate(cut, len(shown) + 1)
        ),
        why={one.item.id: f"number {number}: {one.why}" for number, one in enumerate(shown, 1)},
    )


def _is_document(item: Item) -> bool:
    """Whether an item stands in a file that is neither laid out for tasks nor written by sessions for the next one."""
    return item.kind is Kind.LISTS and not hands_over(item) and not may_hand_over(item.path)


def _is_of_plan(item: Item) -> bool:
    """Whether an item is a step of a plan, by its file's name or by the phase that it stands in."""
    phased = bool(item.context) and _PHASE.match(item.context[0]) is not None
    return item.kind is Kind.LISTS and (names_plan(item.path) or phased) and not may_hand_over(item.path)


def _behind(shown: Sequence[Ranked]) -> str:
    """What stands on the page, by class."""
    kinds = Counter(one.kind for one in shown)
    return " and ".join(f"{number} {_NAMES[kind]}" for kind, number in sorted(kinds.items()))


def _why_not(one: Ranked, number: int, behind: str, *, is_held_back: bool) -> str:
    if one.kind in (*_ASIDE, RankClass.HIDDEN) or not behind:
        return f"not shown: {one.why}"
    filled = f"; its like fills the page to {_LEFT_ENOUGH} lines only" if is_held_back else ""
    return f"not shown: number {number}, {one.why}, behind {behind}{filled}"


class _Ranking:
    def __init__(self, before: StageResult, context: Context) -> None:
        self._repeated = before.repeated
        self._context = context
        self._today = context.today
        self._soon = moved(context.today, context.config.due_soon_days)
        self._later = moved(context.today, _DUE_DAYS)
        self._lists = before.hand_overs or HandOvers(before.kept, context.today)

    def ranked(self, item: Item) -> Ranked:
        """The class of an item, and why it is in it."""
        if hidden := self._hidden_until(item):
            return Ranked(item, RankClass.HIDDEN, hidden)
        if item.due is not None and item.due <= self._soon:
            kind = RankClass.OVERDUE if item.due < self._today else RankClass.DUE_SOON
            return Ranked(item, kind, _due(item.due, self._today))
        if (
            item.priority is not None
            and item.priority <= Priority.HIGH
            and not self._lists.is_quiet(item, item.last_seen or item.changed)
        ):
            return Ranked(item, RankClass.URGENT, f"of {item.priority.name.lower()} priority")
        if item.due is not None and item.due <= self._later and not self._lists.leads(item):
            return Ranked(item, RankClass.DUE, _due(item.due, self._today))
        why = standing(item, self._repeated, self._context.newest_journal)
        if why and not self.is_judged_open(item):
            return Ranked(item, RankClass.STANDING, f"nobody's next step: {why}")
        if stand := self._lists.leads(item):
            kind = RankClass.REST if self._lists.is_outrun(item, stand.entry.day) else RankClass.NEWEST
            return self._judged(item, Ranked(item, kind, f"in the newest hand-over, {stand.named}", stand))
        filed = self._context.decisions.filed.get((item.path, item.folded.text))
        if filed is not None and filed >= moved(self._today, -_FILED_DAYS):
            return Ranked(
                item,
                RankClass.NEWEST,
                f"filed by wrap on {filed}",
                Stand(HandOver(item.path, filed), item.path, item.line),
            )
        return self._judged(item, self._left(item))

    def _judged(self, item: Item, left: Ranked) -> Ranked:
        """The same once somebody has judged: what was left open fills the page, what nobody judged stays behind it."""
        if self.is_judged_open(item):
            return left._replace(kind=min(left.kind, RankClass.REST))
        day = self._context.decisions.passed.get(item.id)
        if day is None or day < moved(self._today, -_JUDGED_DAYS) or left.kind is RankClass.ACTIVE:
            return left
        return left._replace(kind=RankClass.PASSED, why=f"not judged when the page was, on {day}; {left.why}")

    def is_judged_open(self, item: Item) -> bool:
        """Whether somebody who can judge said that it is the owner's work: no rule over words hides it then."""
        said = self._context.decisions.judged.get(item.id)
        return said is not None and said.verdict is TriageVerdict.OPEN

    def _left(self, item: Item) -> Ranked:
        """The class of what no newest hand-over holds."""
        left = self._lists.left_by(item) if item.handed or item.carried else None
        if left and left.newer:
            where = f"in {left.stand.named}, but in none of {count(left.newer, 'newer list')}"
            if self._lists.is_over(left) and not self._lists.is_newest(item) and not lasts(item):
                return Ranked(item, RankClass.SET_ASIDE, f"set aside: {where}", *left)
            day = left.stand.entry.day
            gone = item.waiting or self._lists.is_left_behind(item, day)
            kind = RankClass.LEFT if gone or self._lists.is_left(left) else RankClass.NOT_CARRIED_ON
            if self._lists.is_quiet(item, day) or (item.kind is Kind.LISTS and self._lists.is_over(left)):
                kind = RankClass.QUIET
            return Ranked(item, kind, f"not carried on: {where}", *left)
        if item.kind is Kind.ACTIVE_TODOS:
            return Ranked(item, RankClass.ACTIVE, "a box of an active task")
        day = item.last_seen or item.changed
        if _is_of_plan(item) and self._lists.is_older(item, day, _PLAN_DAYS):
            return Ranked(item, RankClass.STANDING, f"nobody's next step: of a plan that sessions left on {day}")
        if self._is_old(item):
            return Ranked(item, RankClass.QUIET, f"left on {day}, while other notes went on")
        said = f"open since {day}" if item.last_seen else f"last changed on {day}" if day else "open"
        return Ranked(item, RankClass.REST, said)

    def _is_old(self, item: Item) -> bool:
        """Whether an item stands in a list that was left long before other work: a hand-over sooner than a box."""
        return self._lists.is_quiet(item, item.last_seen or item.changed, handed=item.handed or is_titled(item))

    def _hidden_until(self, item: Item) -> str:
        snoozed = self._context.decisions.snoozed.get(item.id)
        if snoozed is not None and snoozed > self._today:
            return f"snoozed until {snoozed}"
        if item.not_before is not None and item.not_before > self._today:
            return f"not before {item.not_before}"
        return ""

    def in_turns(self, some: Sequence[Ranked]) -> list[Ranked]:
        """The items of a class in their order: what is blocked last, the projects by turns."""
        found: list[Ranked] = []
        for blocked in (False, True):
            queues: dict[str | None, list[Ranked]] = {}
            part = [one for one in some if bool(one.item.blocked_by) is blocked]
            for one in sorted(part, key=self._newest_first):
                queues.setdefault(one.item.project, []).append(one)
            # The items came sorted, so the projects are in the order of their newest item already.
            found += (one for one in chain.from_iterable(zip_longest(*queues.values())) if one is not None)
        return found

    def _newest_first(self, one: Ranked) -> tuple[int, int, int, int, str, int]:
        """Newest first; ties by canonical chain, path and line, which is a hand-over's own order."""
        item = one.item
        if one.stand is not None:
            entry, path, line = one.stand
            in_file = entry.stream.removesuffix("#") == path
            behind = 2 * item.waiting + (not hands_over(item))
            return (-entry.day.toordinal() if entry.day else 1, one.newer, behind, int(in_file), path, line)
        day = item.last_seen or (min(item.changed, self._today) if item.changed else None)
        return (-day.toordinal() if day else 1, 0, 0, item.kind.chain, item.path, item.line)


def _due(due: date, today: date) -> str:
    days = (due - today).days
    if days < 0:
        return f"overdue since {due}"
    return f"due in {count(days, 'day')}" if days else "due today"


def standing(item: Item, repeated: Repeated, newest: date | None) -> str:
    """Why an item is nobody's next step; nothing when it may be somebody's.

    Args:
        repeated: the texts of all items and evidence.
        newest: the day of the newest journal up to today.
    """
    if item.checklist:
        return (
            "put off, done by its note's own word, of criteria, a checklist, instructions, habits or a timetable,"
            " or of a plan in which nothing was ever ticked"
        )
    if item.kind is Kind.LISTS and repeated.is_boilerplate(item.folded.text):
        return "a line of a template: the same words stand in other lists, and are ticked in none"
    if _is_past_habit(item, repeated, newest):
        return "a habit of a day gone by"
    return ""


def _is_past_habit(item: Item, repeated: Repeated, newest: date | None) -> bool:
    """Whether a habit was left out on a day that is gone: that of the newest journal can still be followed."""
    past = item.last_seen is not None and newest is not None and item.last_seen < newest
    return past and item.kind is Kind.JOURNAL_NEXT and repeated.is_habit(item.folded.text, item.project)
