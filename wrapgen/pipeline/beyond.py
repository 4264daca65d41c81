"""Which files hold nothing that can reach the page, so that their items need only be counted. PURE.

A vault has tens of thousands of open lines and a page of fifteen. Most stand in lists and are ordered by the day of
their file alone: of these, only the newest of each project can be shown.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from wrapgen.model import Item
from wrapgen.notes import Kind
from wrapgen.pipeline.hand_overs import carried_by
from wrapgen.pipeline.rank import MOST_DATED

_LISTS = (Kind.ACTIVE_TODOS, Kind.PROJECT_TODOS, Kind.PROGRESS, Kind.LISTS)


def plain_day(items: Collection[Item]) -> date | None:
    """Return the day of a file's items, where it and their project are all that `rank` orders them by; None else."""
    days = {item.changed for item in items}
    return days.pop() if len(days) == 1 and all(map(_is_plain, items)) else None


def _is_plain(item: Item) -> bool:
    dated = item.raised or item.last_seen or item.due or item.not_before or item.recurrence
    linked = item.ident or item.depends or item.candidates or item.twins or carried_by(item)
    moved = item.aside or item.conflict or item.priority is not None
    return item.kind in _LISTS and not (dated or linked or moved)


class PlainFile(NamedTuple):
    """A file all of whose items are plain, and of which nobody has said anything."""

    id: int
    kind: Kind
    path: str
    day: date  # of its items
    projects: tuple[tuple[str | None, int], ...]  # how many items each project has in it


def out_of_reach(files: Sequence[PlainFile], cap: int, today: date) -> set[int]:
    """Return the numbers of files of which no item is among the first `cap`, whatever else there is.

    The items of a class are in the order of their days, and projects take turns: so the first `cap` of each of the
    first `cap` projects are enough. Where git gives lines days of their own it is asked for the newest files, which may
    become older by that: all of these are kept besides.
    """
    found: set[int] = set()
    for is_active in (True, False):
        some = [one for one in files if (one.kind is Kind.ACTIVE_TODOS) is is_active]
        newest = sorted(some, key=lambda one: (-one.day.toordinal(), one.path))
        asked = {one.id for one in newest[: MOST_DATED + 1]}
        rest = sorted(
            (one for one in some if one.id not in asked),
            key=lambda one: (-min(one.day, today).toordinal(), one.kind.chain, one.path),
        )
        found |= {one.id for one in _beyond(rest, cap)}
    return found


def _beyond(files: Iterable[PlainFile], cap: int) -> Iterator[PlainFile]:
    before: Counter[str | None] = Counter()  # the items of each project that are kept
    for one in files:
        if not any(before[name] < cap and (name in before or len(before) < cap) for name, _ in one.projects):
            yield one
            continue
        before.update(dict(one.projects))
