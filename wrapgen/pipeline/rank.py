"""Stage 6: what is shown, in which order. PURE."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from wrapgen.days import moved
from wrapgen.model import Dropped, Fate, Item
from wrapgen.notes import Kind, Priority

if TYPE_CHECKING:
    from datetime import date

    from wrapgen.pipeline.specific import Repeated
    from wrapgen.pipeline.stage import Context, StageResult


def rank(before: StageResult, context: Context) -> StageResult:
    """Order the items and cut at the cap; what is cut is dropped in its order.

    Classes: overdue, due soon, priority high or highest, said to be next, the rest, what is nobody's next step (of a
    checklist or a template, or a habit of a day gone by; they only fill a page that is all but empty), what waits for
    others. Within a class the projects take turns, so that a noisy one cannot push the others out. Items that are
    snoozed, planned for a later day or cannot be started yet are behind all others until their day, and are not shown.
    """
    soon = moved(context.today, context.config.due_soon_days)
    classes: list[list[Item]] = [[] for _ in range(7)]
    hidden: list[Item] = []
    for item in before.kept:
        if _is_hidden(item, context):
            hidden.append(item)
        else:
            classes[_class(item, before.repeated, context, soon)].append(item)
    in_turns = [_in_turns(one, context.today) for one in classes]
    room = max(0, _FULL_ENOUGH - sum(map(len, in_turns[:_STANDING])))
    behind = in_turns[_STANDING][room:]
    in_turns[_STANDING] = in_turns[_STANDING][:room]
    ordered = [*chain.from_iterable(in_turns)]
    cap = context.config.cap
    cut = (*ordered[cap:], *behind, *_in_turns(hidden, context.today))
    return replace(before, kept=tuple(ordered[:cap]), dropped=tuple(Dropped(item, Fate.OVERFLOW) for item in cut))


# The class of what is nobody's next step. Readers found next to none of it usable; on a page with fewer lines than
# these, some say that it is there.
_STANDING = 5
_FULL_ENOUGH = 3


def _is_hidden(item: Item, context: Context) -> bool:
    snoozed = context.decisions.snoozed.get(item.id)
    return any(day is not None and day > context.today for day in (snoozed, item.not_before))


def _class(item: Item, repeated: Repeated, context: Context, soon: date) -> int:
    if item.blocked_by:
        return 6
    if item.due is not None and item.due <= soon:
        return 0 if item.due < context.today else 1
    if item.priority is not None and item.priority <= Priority.HIGH:
        return 2
    if standing(item, repeated, context.newest_journal):
        return _STANDING
    return 3 if item.said_next else 4


def standing(item: Item, repeated: Repeated, newest: date | None) -> str:
    """Why an item is nobody's next step; nothing when it may be somebody's.

    Args:
        repeated: the texts of all items and evidence.
        newest: the day of the newest journal up to today.
    """
    if item.checklist:
        return "of a checklist, instructions, habits or a timetable, or of a plan in which nothing was ever ticked"
    if item.kind is Kind.LISTS and repeated.is_boilerplate(item.folded.text):
        return "a line of a template: the same words stand in other lists, and are ticked in none"
    if _is_past_habit(item, repeated, newest):
        return "a habit of a day gone by"
    return ""


def _is_past_habit(item: Item, repeated: Repeated, newest: date | None) -> bool:
    """Whether a habit was left out on a day that is gone: that of the newest journal can still be followed."""
    past = item.last_seen is not None and newest is not None and item.last_seen < newest
    return past and item.kind is Kind.JOURNAL_NEXT and repeated.is_habit(item.folded.text, item.project)


def _in_turns(items: list[Item], today: date) -> list[Item]:
    queues: dict[str | None, list[Item]] = {}
    for item in sorted(items, key=lambda item: _newest_first(item, today)):
        queues.setdefault(item.project, []).append(item)
    # The items came sorted, so the projects are in the order of their newest item already.
    rounds = zip_longest(*queues.values())
    return [item for item in chain.from_iterable(rounds) if item is not None]


def _newest_first(item: Item, today: date) -> tuple[int, int, str, int]:
    """Newest first; ties by canonical chain, path and line."""
    return (days_back(item.last_seen, item.changed, today), item.kind.chain, item.path, item.line)


def days_back(seen: date | None, changed: date | None, today: date) -> int:
    """Sort key of days, the newest first, none last.

    Args:
        seen: day of the newest mention; None when nobody wrote one down.
        changed: day of the last change, which then counts; one after today is taken for today.
    """
    day = seen or (min(changed, today) if changed else None)
    return -day.toordinal() if day else 1
