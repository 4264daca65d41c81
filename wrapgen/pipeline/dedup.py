"""Stage 5: the same work written down twice is shown once. PURE.

In canonical order each item becomes the duplicate of the first kept item that it matches. The pool only makes this
fast: the result is that of comparing every pair.
"""

from __future__ import annotations

import dataclasses
from array import array
from bisect import bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from wrapgen.model import Because, Dropped, Fate, Item
from wrapgen.pipeline import matching
from wrapgen.pipeline.blocking import Crowds
from wrapgen.pipeline.candidate_pairs import Pool, PossiblePlaces
from wrapgen.pipeline.places import spot, two_items
from wrapgen.pipeline.similar import SimilarityIndex
from wrapgen.pipeline.specific import unmerged
from wrapgen.pipeline.stage import Context, StageResult, canonical_key
from wrapgen.text.folding import ComparableText, fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wrapgen.pipeline.specific import Repeated


def dedup(before: StageResult, context: Context) -> StageResult:
    """Merge duplicates into the first of their kind, which takes over the group's dates, urgency and places."""
    places = PossiblePlaces(before.kept)
    alone: list[Item] = []
    others: list[Item] = []
    for item in before.kept:
        (others if context.may_match(item) and not places.alone(item) else alone).append(item)
    items = sorted(others, key=canonical_key)
    partners = _Partners(items, context.config.dedup_threshold)
    groups: list[_Group] = []
    dropped: list[Dropped] = []
    for item in items:
        decided = item.id in context.decisions.kept
        twins = () if decided else partners.of(item)
        group = next((one for one in twins if one.accepts(item, before.repeated)), None)
        if group is None:
            group = _Group(len(groups), item)
            groups.append(group)
            partners.add(group)
        else:
            group.add(item)
            score = round(matching.similarity(group.first.folded, item.folded), 1)
            because = Because(group.first.path, group.first.line, score, group.first.id)
            dropped.append(Dropped(item, Fate.DUPLICATE, because))
        if not decided:
            partners.joined(item, group)
    return dataclasses.replace(before, kept=(*alone, *(group.merged() for group in groups)), dropped=tuple(dropped))


def refusal(one: Item, other: Item, repeated: Repeated) -> str | None:
    """Why two items with words alike are two pieces of work; None when they are one.

    Args:
        repeated: the texts that stand at several places of the vault.
    """
    if unlike := two_items(one, other) or unmerged(one, other, repeated):
        return unlike  # places first: they are many, and the guard is slow
    sides = [matching.Side(each.text, each.path, each.line, each.folded) for each in (one, other)]
    return matching.refusal(*sides)


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
        self._alike = _alike(firsts, Pool(firsts, cutoff, self._crowds))
        self._groups: list[dict[_Shelf, list[_Group]]] = [{} for _ in firsts]
        self._topics = _Topics(items)
        self._past: dict[object, int] = {}

    def add(self, group: _Group) -> None:
        """Note a new group, by its first item."""
        shelves = self._groups[self._kinds[self._kind(group.first)]]
        shelves.setdefault((group.first.own_list, self._topics.of(group.first)), []).append(group)

    def joined(self, item: Item, group: _Group) -> None:
        """Note that no older group takes an item like this one, for groups grow stricter with each member."""
        self._past[self._place(item)] = group.number

    def of(self, item: Item) -> Iterator[_Group]:
        """The groups whose first item is alike, the oldest first, less those that are known to refuse."""
        past = self._past.get(self._place(item), -1)
        found: list[_Group] = []
        for kind in self._alike[self._kinds[self._kind(item)]]:
            for shelf in self._shelves(item, self._groups[kind]):
                found += shelf[bisect_right(shelf, past, key=_NUMBER) :]
        found.sort(key=_NUMBER)
        return (group for group in found if not self._crowds.apart(item, group.first))

    def _shelves(self, item: Item, shelves: Mapping[_Shelf, list[_Group]]) -> Iterator[list[_Group]]:
        """The groups that are of no other list and about no other thing."""
        lists = ("", item.own_list) if item.own_list else ("",)
        alike = self._topics.alike(item)
        if alike is None:
            return (groups for (own_list, _), groups in shelves.items() if own_list in lists)
        keys = ((own_list, topic) for own_list in lists for topic in alike)
        return (shelves[key] for key in keys if key in shelves)

    def _place(self, item: Item) -> object:
        # In a later session block the guard asks how far above the other line of the journal is.
        line = item.line if item.block and item.block[1] else 0
        return (
            self._kind(item),
            item.own_list,
            spot(item),
            item.context,
            item.due,
            item.candidates,
            item.checklist,
            line,
        )

    def _kind(self, item: Item) -> object:
        """Items of one kind have the same partners."""
        return item.folded, item.project, item.own_list, self._crowds.of(item)


def _alike(firsts: Sequence[Item], pool: Pool) -> list[array[int]]:
    """For the first of each kind the kinds that have words alike, itself first; journals ask for the lists."""
    found: list[set[int]] = [set() for _ in firsts]
    for kind in sorted(range(len(firsts)), key=lambda kind: len(firsts[kind].folded.text)):
        first = firsts[kind]
        for other in pool.in_own_list(first) if first.own_list else pool.query(first):
            found[kind].add(other)
            found[other].add(kind)
    return [array("I", (kind, *sorted(others - {kind}))) for kind, others in enumerate(found)]


_NUMBER = attrgetter("number")
# A list, and what its items are about.
_Shelf = tuple[str, str]


class _Topics:
    """What items are about, and which of that is alike."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._texts = sorted({self.of(item) for item in items} - {""})
        self._index = SimilarityIndex([ComparableText(text) for text in self._texts], matching.DEFAULT_THRESHOLD)
        self._known: dict[str, list[str]] = {}

    def of(self, item: Item) -> str:
        """The innermost entry of an item's context, folded; "" for none."""
        return fold(item.context[-1]).text if item.context else ""

    def alike(self, item: Item) -> list[str] | None:
        """What an item's twins may be about; None when that may be anything."""
        topic = self.of(item)
        if not topic:
            return None
        if topic not in self._known:
            found = self._index.query(ComparableText(topic))
            self._known[topic] = ["", *(self._texts[at] for at in found)]
        return self._known[topic]


class _Group:
    """A kept item with its twins.

    What is said by any of them holds for all: once an untagged item has a tagged twin, it takes no twin of another
    project, or two projects' work would be one line; and likewise for lists, contexts, due dates and links.

    Attributes:
        number: its place among the groups.
        first: the kept item.
        members: it and its twins.
    """

    def __init__(self, number: int, first: Item) -> None:
        self.number = number
        self.first = first
        self.members: list[Item] = []
        self._project: str | None = None
        self._telling: list[Item] = []
        self._spots: set[tuple[str, int]] = set()
        self.add(first)

    def add(self, item: Item) -> None:
        """Take a twin in."""
        self.members.append(item)
        self._project = self._project or item.project
        self._spots.add(spot(item))
        told = _told(item)
        if any(told) and all(told != _told(one) for one in self._telling):
            self._telling.append(item)

    def accepts(self, item: Item, repeated: Repeated) -> bool:
        """Whether an item with words like the first one's is the same piece of work."""
        if spot(item) in self._spots or any(two_items(one, item) for one in self._telling):
            return False
        return refusal(self.first, item, repeated) is None

    def merged(self) -> Item:
        """The kept item with what its twins say."""
        if len(self.members) == 1:
            return self.first
        return replace(
            self.first,
            project=self._project,
            raised=min((item.raised for item in self.members if item.raised), default=None),
            last_seen=max((item.last_seen for item in self.members if item.last_seen), default=None),
            due=min((item.due for item in self.members if item.due), default=None),
            priority=min((item.priority for item in self.members if item.priority is not None), default=None),
            recurrence=next((item.recurrence for item in self.members if item.recurrence), None),
            depends=tuple(dict.fromkeys(name for item in self.members for name in item.depends)),
            blocked_by=tuple(
                sorted({one for item in self.members for one in item.blocked_by} - {item.id for item in self.members})
            ),
            twins=tuple((item.path, item.line) for item in self.members[1:]),
        )


def _told(item: Item) -> tuple[object, ...]:
    """What an item says that tells its group from other work."""
    return item.project, item.candidates, item.own_list, item.context, item.due, item.folded.links
