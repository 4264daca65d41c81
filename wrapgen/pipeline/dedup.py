"""Stage 5: the same work written down twice is shown once. PURE.

In canonical order each item becomes the duplicate of the first kept item that it matches.
"""

import dataclasses
from collections.abc import Sequence
from datetime import date

from msgspec.structs import replace

from wrapgen.ledger import Outcome, canonical_key
from wrapgen.model import Because, Fate, Item
from wrapgen.notes import Kind
from wrapgen.pipeline import matching
from wrapgen.pipeline.candidates import alike_among
from wrapgen.pipeline.hand_overs import carried_by
from wrapgen.pipeline.judged import with_kept
from wrapgen.pipeline.places import spot, two_contexts, two_due_days, two_items, two_projects
from wrapgen.pipeline.said_day import with_said_day
from wrapgen.pipeline.specific import Repeated, says_what, unmerged
from wrapgen.pipeline.stage import Context, StageResult


def dedup(before: StageResult, context: Context) -> StageResult:
    """Merge duplicates into the first of their kind, which takes over the group's dates, urgency and places."""
    alike = before.alike or alike_among(before.kept, (), context.thresholds, lambda _: False)
    repeated = before.repeated or Repeated(before.kept)
    alone: list[Item] = []
    others: list[Item] = []
    named = [item for item in before.kept if item.kind is Kind.SAID]
    for item in before.kept:
        if item.kind is not Kind.SAID:
            (others if item.id in alike.open else alone).append(item)
    items = sorted(others, key=canonical_key)
    places = {item.id: place for place, item in enumerate(items)}
    groups: dict[int, _Group] = {}  # by the place of the first item
    dropped: list[Outcome] = []
    for place, item in enumerate(items):
        near = () if item.id in context.decisions.kept else alike.open[item.id]
        # Those that come first are the ones that are kept already.
        firsts = sorted((places[other], score) for other, score in near if places.get(other, place) in groups)
        before_it = ((groups[at], score) for at, score in firsts)
        group, score = next((one for one in before_it if one[0].accepts(item, repeated)), (None, 0.0))
        if group is None:
            groups[place] = _Group(item)
        else:
            group.add(item)
            first = group.first
            because = Because(first.path, first.line, round(score, 1), first.id)
            dropped.append(Outcome(item, Fate.DUPLICATE, because=because))
    kept = (*alone, *(group.merged() for group in groups.values()))
    kept, copies = _without_copies(kept, context)
    kept, merged = _with_named(kept, [*dropped, *copies], named, context)
    dropped += copies + merged
    kept = _hidden(tuple(with_said_day(item) for item in kept), dropped, context)
    said = with_kept(
        before.said, {one.item.id: one.because.item for one in dropped if one.because and one.because.item}
    )
    return dataclasses.replace(before, kept=kept, dropped=tuple(dropped), said=said)


def _hidden(kept: tuple[Item, ...], dropped: Sequence[Outcome], context: Context) -> tuple[Item, ...]:
    """Hide items with the lines that they were copied from: today's note takes over what was snoozed in yesterday's."""
    until: dict[str, date] = {}
    for one in dropped:
        day = context.decisions.snoozed.get(one.item.id)
        if day and day > context.today and one.because and one.because.item:
            until[one.because.item] = max(day, until.get(one.because.item, day))
    if not until:
        return kept
    return tuple(
        replace(item, not_before=max(day, item.not_before or day)) if (day := until.get(item.id)) else item
        for item in kept
    )


def _without_copies(kept: tuple[Item, ...], context: Context) -> tuple[tuple[Item, ...], list[Outcome]]:
    """Merge what a hand-over and one list of its project say in the very same words.

    Words of two lists are lines of a template, and too few words may mean anything.
    """
    if all(item.kind is not Kind.HAND_OVERS for item in kept):
        return kept, []
    same: dict[tuple[str, str, str], list[Item]] = {}
    for item in sorted(kept, key=canonical_key):
        if item.project and item.own_list and item.id not in context.decisions.kept:
            same.setdefault((item.project, item.folded.label, item.folded.text), []).append(item)
    by_id = {item.id: item for item in kept}
    dropped: list[Outcome] = []
    for first, *others in same.values():
        copy = others[0] if len(others) == 1 else None
        if copy and first.kind is Kind.HAND_OVERS is not copy.kind and says_what(first.text, first.folded.text):
            if two_contexts(first, copy) or two_due_days(first.due, copy.due):
                continue
            group = _Group(first)
            group.add(copy)
            twins = (*first.twins, (copy.path, copy.line), *copy.twins)
            by_id[first.id] = replace(group.merged(), twins=twins)
            del by_id[copy.id]
            dropped.append(Outcome(copy, Fate.DUPLICATE, because=Because(first.path, first.line, 100.0, first.id)))
    return tuple(by_id.values()), dropped


def _with_named(
    kept: tuple[Item, ...], dropped: Sequence[Outcome], named: Sequence[Item], context: Context
) -> tuple[tuple[Item, ...], list[Outcome]]:
    """Add the lines that somebody named as next and no list holds; one that says what an item says is that item."""
    if not named:
        return kept, []
    by_id = {item.id: item for item in kept}
    kept_of = {one.item.id: one.because.item for one in dropped if one.because and one.because.item}
    by_words: dict[str, list[Item]] = {}
    for item in sorted((*kept, *(one.item for one in dropped)), key=canonical_key):
        by_words.setdefault(item.folded.text, []).append(item)
    merged: list[Outcome] = []
    for item in named:
        same = by_words.setdefault(item.folded.text, [])
        fits = (one for one in same if not two_projects(one, item))
        other = None if item.id in context.decisions.kept else next(fits, None)
        if other is None:
            by_id[item.id] = item
            same.append(item)
            continue
        first = by_id[kept_of.get(other.id, other.id)]
        by_id[first.id] = replace(first, twins=(*first.twins, (item.path, item.line)))
        merged.append(Outcome(item, Fate.DUPLICATE, because=Because(first.path, first.line, 100.0, first.id)))
    return tuple(by_id.values()), merged


def refusal(one: Item, other: Item, repeated: Repeated) -> str | None:
    """Why two items with words alike are two pieces of work; None when they are one.

    Args:
        repeated: the texts that stand at several places of the vault.
    """
    if unlike := two_items(one, other) or unmerged(one, other, repeated):
        return unlike  # places first: they are many, and the guard is slow
    sides = [matching.Side(each.text, each.path, each.line, each.folded) for each in (one, other)]
    return matching.refusal(*sides)


class _Group:
    """A kept item with its twins.

    What is said by any of them holds for all: once an untagged item has a tagged twin, it takes no twin of another
    project, or two projects' work would be one line; and likewise for lists, contexts, due dates and links.

    Attributes:
        first: the kept item.
        members: it and its twins.
    """

    def __init__(self, first: Item) -> None:
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
            carried=tuple(dict.fromkeys(entry for item in self.members for entry in carried_by(item))),
        )


def _told(item: Item) -> tuple[object, ...]:
    """What an item says that tells its group from other work."""
    return item.project, item.candidates, item.own_list, item.context, item.due, item.folded.links
