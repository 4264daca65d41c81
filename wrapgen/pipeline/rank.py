"""Stage 6: what is shown, in which order. PURE."""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from wrapgen.days import moved
from wrapgen.model import Dropped, Fate, Item, Priority
from wrapgen.pipeline.stage import Context, StageResult

if TYPE_CHECKING:
    from datetime import date


def rank(before: StageResult, context: Context) -> StageResult:
    """Order the items and cut at the cap; what is cut is dropped in its order.

    Classes: overdue, due soon, priority high or highest, the rest. Within a class the projects take turns, so that a
    noisy one cannot push the others out. Snoozed items stand behind all others until their day.
    """
    soon = moved(context.today, context.config.due_soon_days)
    classes: list[list[Item]] = [[], [], [], []]
    hidden: list[Item] = []
    for item in before.kept:
        until = context.decisions.snoozed.get(item.id)
        if until is not None and until > context.today:
            hidden.append(item)
        else:
            classes[_class(item, context.today, soon)].append(item)
    ordered = [item for one in classes for item in _in_turns(one)]
    cap = context.config.cap
    return StageResult(
        kept=tuple(ordered[:cap]),
        dropped=tuple(Dropped(item, Fate.OVERFLOW) for item in (*ordered[cap:], *_in_turns(hidden))),
        evidence=before.evidence,
        remarks=before.remarks,
        unread=before.unread,
    )


def _class(item: Item, today: date, soon: date) -> int:
    if item.due is not None and item.due <= soon:
        return 0 if item.due < today else 1
    urgent = item.priority is not None and item.priority <= Priority.HIGH
    return 2 if urgent else 3


def _in_turns(items: list[Item]) -> list[Item]:
    queues: dict[str | None, list[Item]] = {}
    for item in sorted(items, key=_newest_first):
        queues.setdefault(item.project, []).append(item)
    # The items came sorted, so the projects stand in the order of their newest item already.
    rounds = zip_longest(*queues.values())
    return [item for item in chain.from_iterable(rounds) if item is not None]


def _newest_first(item: Item) -> tuple[int, int, str, int]:
    """Newest first, undated last; ties by canonical chain, path and line."""
    return (-item.last_seen.toordinal() if item.last_seen else 1, item.kind.chain, item.path, item.line)
