"""Stage 5: the same work written down twice is shown once. PURE.

In canonical order each item becomes the duplicate of the first kept item that it matches. The pool only makes this
fast: the result is that of comparing every pair.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from wrapgen.model import Because, Dropped, Fate, Item
from wrapgen.pipeline import matching
from wrapgen.pipeline.crowds import Crowds
from wrapgen.pipeline.pool import Pool
from wrapgen.pipeline.stage import Context, StageResult, canonical_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def dedup(before: StageResult, context: Context) -> StageResult:
    """Merge duplicates into the first of their kind, which takes over the group's dates, urgency and places."""
    items = sorted(before.kept, key=canonical_key)
    partners = _Partners(items, context.config.dedup_threshold)
    groups: list[_Group] = []
    dropped: list[Dropped] = []
    for item in items:
        twins = () if item.id in context.decisions.kept else partners.of(item)
        for group in twins:
            if group.accepts(item):
                group.members.append(item)
                group.project = group.project or item.project
                first = group.first
                score = round(matching.similarity(first.folded, item.folded), 1)
                because = Because(first.path, first.line, score, first.id)
                dropped.append(Dropped(item, Fate.DUPLICATE, because))
                break
        else:
            groups.append(_Group(len(groups), item, [item], item.project))
            partners.add(groups[-1])
    return StageResult(
        kept=tuple(group.merged() for group in groups),
        dropped=tuple(dropped),
        evidence=before.evidence,
        remarks=before.remarks,
        unread=before.unread,
    )


class _Partners:
    """Finds the groups that an item may belong to, without asking about each of a million equal items.

    Args:
        items: all of them, in canonical order.
        cutoff: least similarity, above 0 and up to 100.
    """

    def __init__(self, items: Sequence[Item], cutoff: float) -> None:
        self._crowds = Crowds(items)
        self._kinds: dict[object, int] = {}
        firsts: list[Item] = []
        for item in items:
            if self._kinds.setdefault(self._kind(item), len(firsts)) == len(firsts):
                firsts.append(item)
        pool = Pool(firsts, cutoff, self._crowds)
        self._alike = [array("I", (kind,)) for kind in range(len(firsts))]
        for kind in range(len(firsts)):
            for earlier in pool.earlier(kind):
                self._alike[kind].append(earlier)
                self._alike[earlier].append(kind)
        self._groups: list[list[_Group]] = [[] for _ in firsts]

    def add(self, group: _Group) -> None:
        """Note a new group, by its first item."""
        self._groups[self._kinds[self._kind(group.first)]].append(group)

    def of(self, item: Item) -> Iterator[_Group]:
        """The groups whose first item is alike, the oldest first, less those that the guard is known to refuse."""
        found = [group for kind in self._alike[self._kinds[self._kind(item)]] for group in self._groups[kind]]
        found.sort(key=_NUMBER)
        return (group for group in found if not self._crowds.apart(item, group.first))

    def _kind(self, item: Item) -> object:
        """Items of one kind have the same partners."""
        return item.folded, item.project, self._crowds.of(item)


_NUMBER = attrgetter("number")


@dataclass(slots=True)
class _Group:
    """A kept item with its twins.

    Attributes:
        number: its place among the groups.
        project: the only project of the group: once an untagged item has a tagged twin, it takes no twin of another
            project, or two projects' work would be one line.
    """

    number: int
    first: Item
    members: list[Item]
    project: str | None

    def accepts(self, item: Item) -> bool:
        if self.project is not None and item.project is not None and self.project != item.project:
            return False
        sides = [matching.Side(one.text, one.path, one.line, one.folded) for one in (self.first, item)]
        return matching.refusal(*sides) is None

    def merged(self) -> Item:
        if len(self.members) == 1:
            return self.first
        return replace(
            self.first,
            project=self.project,
            raised=min((item.raised for item in self.members if item.raised), default=None),
            last_seen=max((item.last_seen for item in self.members if item.last_seen), default=None),
            due=min((item.due for item in self.members if item.due), default=None),
            priority=min((item.priority for item in self.members if item.priority is not None), default=None),
            recurrence=next((item.recurrence for item in self.members if item.recurrence), None),
            twins=tuple((item.path, item.line) for item in self.members[1:]),
        )
