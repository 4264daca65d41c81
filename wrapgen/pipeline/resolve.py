"""Stage 3: open items that evidence shows to be finished. PURE.

In doubt an item stays open, and words alone prove nothing: what was done on Monday and raised again on Wednesday is
open. Evidence must be able to be later than the item, belong to its project and list, be about the same thing, say what
was done, and mean no other open item.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import combinations

import msgspec

from wrapgen.config import RESOLVE_THRESHOLD
from wrapgen.ledger import Concern, Outcome, Remark, canonical_key
from wrapgen.model import Because, Evidence, Fate, Item
from wrapgen.notes import Kind
from wrapgen.pipeline import matching
from wrapgen.pipeline.alike import Alike
from wrapgen.pipeline.candidates import alike_among
from wrapgen.pipeline.expire import expiring
from wrapgen.pipeline.hand_overs import entry_of, is_newer_word
from wrapgen.pipeline.other_lists import ticked_elsewhere
from wrapgen.pipeline.places import spot, two_contexts, two_due_days, two_items, two_lists, two_projects
from wrapgen.pipeline.specific import Repeated, can_be_proven, unproven
from wrapgen.pipeline.stage import Context, StageResult
from wrapgen.pipeline.tick_days import TickDays, added_later, dated, too_early
from wrapgen.pipeline.unfinished import may_be_unfinished


def resolve(before: StageResult, context: Context) -> StageResult:
    """Drop what is done; remark what is probably done, and boxes that only the journal says are done."""
    repeated = before.repeated or Repeated((*before.kept, *before.evidence))
    if before.dropped:  # what a judge took away is not repeated
        repeated = repeated.without({one.item.id for one in before.dropped})
    proofs = _Proofs(before, repeated, context)
    kept: list[Item] = []
    dropped: list[Outcome] = []
    remarks = list(before.remarks)
    for position, item in enumerate(before.kept):
        best = proofs.best(position) if position in proofs.apt and item.id not in context.decisions.kept else None
        because = _because(best) if best else None
        if best and not best.doubts:
            dropped.append(Outcome(item, Fate.RESOLVED, because=because))
            if item.kind is not Kind.JOURNAL_NEXT:
                remarks.append(Remark(Concern.STALE_BOXES, item, because))
        else:
            kept.append(item)
            because = because or _on_a_list(item, context)
            if because:
                remarks.append(Remark(Concern.PROBABLY_DONE, item, because))
    doubted = {one.item.id for one in remarks if one.concern is Concern.PROBABLY_DONE} | context.decisions.kept
    rest = [item for item in kept if item.id not in doubted]
    for item, tick in ticked_elsewhere(rest, repeated, context.today, context.tick_days):
        remarks.append(Remark(Concern.PROBABLY_DONE, item, _because(_Match(tick, 100.0, (_ELSEWHERE,)))))
    waiting = _with_blockers(kept, before.backlog)
    return replace(
        before,
        kept=waiting,
        dropped=tuple(dropped),
        remarks=tuple(remarks),
        repeated=repeated,
    )


_ELSEWHERE = "the same words are ticked in another list"


def _with_blockers(items: Sequence[Item], backlog: Iterable[Item]) -> tuple[Item, ...]:
    """Tell items which open ones must be done before them; open boxes that are not next block, too."""
    if not any(item.depends for item in items):
        return tuple(items)
    named: dict[str, list[str]] = defaultdict(list)
    for item in (*items, *backlog):
        if item.ident is not None:
            named[item.ident].append(item.id)
    return tuple(_blocked(item, named) for item in items)


def _blocked(item: Item, named: dict[str, list[str]]) -> Item:
    blockers = [one for name in item.depends for one in named.get(name, ()) if one != item.id]
    return msgspec.structs.replace(item, blocked_by=tuple(sorted(set(blockers)))) if blockers else item


def _on_a_list(item: Item, context: Context) -> Because | None:
    """What an agent's to-do list of the same words says of an item: that it is probably done."""
    where = context.decisions.doubted.get(item.id, "")
    if item.id in context.decisions.kept:
        where = ""
    path, _, line = where.rpartition(":")
    return Because(path, int(line), 100.0, doubt="completed on an agent's to-do list") if path else None


def _because(match: "_Match") -> Because:
    doubt = match.doubts[0] if match.doubts else None
    return Because(match.evidence.path, match.evidence.line, round(match.score, 1), doubt=doubt)


@dataclass(frozen=True, slots=True)
class _Match:
    """Evidence whose words mean the item's."""

    evidence: Evidence
    score: float
    doubts: tuple[str, ...] = ()  # why it is not believed; none when it resolves the item


class _Proofs:
    """What shows items to be done: `_found` by the item's position, then by the evidence's."""

    def __init__(self, before: StageResult, repeated: Repeated, context: Context) -> None:
        self._items = before.kept
        self._repeated = repeated
        self._finished = context.decisions.finished
        self._is_old = expiring(context)
        alike = before.alike or alike_among(before.kept, before.evidence, context.thresholds, self._is_old)
        ends = _distinct({at: one for at, one in alike.evidence.items() if not one.is_ahead(context.today)})
        self._evidence = list(ends.values())
        self._found = self._all_alike(alike, {number: at for at, number in enumerate(ends)})
        self._days: Mapping[str, Mapping[int, date | None]] = {}
        self._date_ticks(context.tick_days)
        claims: dict[int, set[str]] = defaultdict(set)  # the projects whose open items each piece of evidence matches
        for at, found in self._found.items():
            if project := self._items[at].project:
                for index in found:
                    claims[index].add(project)
        self.apt = {at: dict(self._apt_for(self._items[at], found, claims)) for at, found in self._found.items()}
        self._ambiguous = self._all_ambiguous()

    def best(self, position: int) -> _Match | None:
        """The strongest evidence that may resolve an item: by doubts, score, newest day, place.

        What leaves more than one doubt is none.
        """
        sure = self._items[position].id in self._finished
        found = [
            replace(match, doubts=(*match.doubts, said)) if not sure and (said := self._ambiguous.get(index)) else match
            for index, match in self.apt.get(position, {}).items()
        ]
        return min((match for match in found if len(match.doubts) <= 1), key=_strength, default=None)

    def _all_alike(self, alike: Alike, places: Mapping[int, int]) -> dict[int, dict[int, float]]:
        """The evidence whose words may mean each item's, with its similarity."""
        found: dict[int, dict[int, float]] = {}
        for at, item in enumerate(self._items):
            near = alike.done.get(item.id)
            if not near or not (item.id in self._finished or entry_of(item) or can_be_proven(item, self._repeated)):
                continue
            old = self._is_old(item)
            apt: dict[int, float] = {}
            for number, score in sorted(near):
                index = places.get(number)
                if index is None or (old and self._evidence[index].folded.text != item.folded.text):
                    continue  # what expires anyway is held against the same words alone
                if not self._hopeless(item, self._evidence[index], score):
                    apt[index] = score
            if apt:
                found[at] = apt
        return found

    def _hopeless(self, item: Item, evidence: Evidence, score: float) -> bool:
        """Whether evidence proves nothing about an item and need not be held against its words, which takes long."""
        if is_last_word(evidence, item, self._repeated):
            return False
        early = evidence.day is not None and too_early(evidence, item) is not None  # of others the day is not known yet
        if item.id in self._finished:
            return early
        if evidence.project is None and item.project is not None:
            return False  # it shows which projects the evidence may belong to
        other = _is_other(item, evidence, self._repeated)
        return early or other is not None or len(_doubts(item, evidence, score)) > 1

    def _date_ticks(self, tick_days: TickDays) -> None:
        """Find out the days of the undated ticks and boxes on which the fate of an item hangs; forget what is too old.

        Untagged evidence counts even where it is too old: it shows which projects it may belong to.
        """
        pairs = [
            (self._items[at], self._evidence[index])
            for at, found in self._found.items()
            for index in found
            if self._hangs_on(self._items[at], self._evidence[index])
        ]
        asked = {evidence.path for _, evidence in pairs} | {item.path for item, _ in pairs if item.raised is None}
        if asked:
            self._days = tick_days(asked)
            self._evidence = [
                dated(one, self._days) if one.day is None and one.path in asked else one for one in self._evidence
            ]
        for at, found in self._found.items():
            for index in [*found]:
                evidence = self._evidence[index]
                item = self._items[at]
                last = is_last_word(evidence, item, self._repeated)
                if evidence.project is not None and not last and too_early(evidence, item) is not None:
                    del found[index]

    def _hangs_on(self, item: Item, evidence: Evidence) -> bool:
        if evidence.path == item.path or (item.raised is not None and evidence.day is not None):
            return False
        if is_last_word(evidence, item, self._repeated):
            return False
        return item.id in self._finished or _is_other(item, evidence, self._repeated) is None

    def _apt_for(
        self, item: Item, found: Mapping[int, float], claims: Mapping[int, set[str]]
    ) -> Iterator[tuple[int, _Match]]:
        """The evidence that can be about this very item, with what leaves a doubt."""
        sure = item.id in self._finished
        for index, score in found.items():
            evidence = self._evidence[index]
            if sure and too_early(evidence, item) is None:
                yield index, _Match(evidence, score, tuple(filter(None, (_too_unlike(score),))))
            elif item.project is not None and len(claims[index]) > 1:
                continue  # another project can mean it, too
            elif is_last_word(evidence, item, self._repeated):
                yield index, _Match(evidence, score)
            elif refusal(item, evidence, self._repeated) is None:
                younger = added_later(evidence, item, self._days)
                doubts = (*_doubts(item, evidence, score), *((younger,) if younger else ()))
                yield index, _Match(evidence, score, doubts)

    def _all_ambiguous(self) -> dict[int, str]:
        """The evidence that could mean several open items which are not one piece of work."""
        meant: dict[int, list[Item]] = defaultdict(list)
        for at, apt in self.apt.items():
            for index, match in apt.items():
                if not match.doubts:
                    meant[index].append(self._items[at])
        said = ((index, _several(items, self._evidence[index])) for index, items in meant.items() if len(items) > 1)
        return {index: why for index, why in said if why}


def _distinct(evidence: Mapping[int, Evidence]) -> dict[int, Evidence]:
    """Of evidence that says the same in one place the first and the last, of which one is the oldest by git."""
    said: dict[Evidence, list[tuple[int, Evidence]]] = {}
    for number, one in sorted(evidence.items()):
        ends = said.setdefault(msgspec.structs.replace(one, line=0), [])
        ends[min(len(ends), 1) :] = [(number, one)]
    return dict(end for ends in said.values() for end in ends)


def _doubts(item: Item, evidence: Evidence, score: float) -> tuple[str, ...]:
    """Why evidence with the item's words may mean something else; more than one is no evidence."""
    words = may_be_unfinished(item, evidence) or _too_unlike(score)
    return tuple(filter(None, (words, two_contexts(item, evidence))))


def _too_unlike(score: float) -> str | None:
    return f"score {score:.1f} is below {RESOLVE_THRESHOLD:g}" if score < RESOLVE_THRESHOLD else None


def _side(one: Item | Evidence) -> matching.Side:
    return matching.Side(one.text, one.path, one.line, one.folded)


def _strength(match: _Match) -> tuple[int, float, int, str, int]:
    day = match.evidence.latest
    return (len(match.doubts), -match.score, -day.toordinal() if day else 0, match.evidence.path, match.evidence.line)


def _several(items: Sequence[Item], evidence: Evidence) -> str | None:
    """Name two open items that are not one piece of work; None when all of them are one.

    What a journal says twice ("Today", "Tomorrow") is one for the tick that carries it on in a newer journal.
    """
    kinds: dict[object, Item] = {}
    spots: dict[tuple[str, int], Item] = {}
    for item in sorted(items, key=canonical_key):
        same_spot = spots.setdefault(spot(item), item)
        if same_spot is not item and not _carried_on(same_spot, item, evidence):
            return f"may mean several: {same_spot.place} / {item.place}"
        kinds.setdefault((item.folded, item.own_list, item.context, item.due, item.candidates), item)
    for one, other in combinations(kinds.values(), 2):
        if two_items(one, other) or matching.refusal(_side(one), _side(other)):
            return f"may mean several: {one.place} / {other.place}"
    return None


def _carried_on(one: Item, other: Item, evidence: Evidence) -> bool:
    return one.project == other.project and is_newer_word(evidence, one) and is_newer_word(evidence, other)


def refusal(item: Item, evidence: Evidence, repeated: Repeated) -> str | None:
    """Why evidence with the item's words is not about this very item; None when it may be.

    Args:
        repeated: the texts that stand at several places of the vault.
    """
    if is_last_word(evidence, item, repeated):
        return None
    return too_early(evidence, item) or _is_other(item, evidence, repeated)


def is_last_word(evidence: Evidence, item: Item, repeated: Repeated) -> bool:
    """Whether an item was carried on in its row of hand-overs, with the same words, and is ticked in a newer one.

    Then however few words tell it; but a *Done* list is no list that was carried on, habits are done anew on each day,
    and what repeats has days of its own.
    """
    if item.recurrence or evidence.listed or not is_newer_word(evidence, item) or may_be_unfinished(item, evidence):
        return False
    apart = two_projects(item, evidence) or two_due_days(item.due, evidence.due) or two_contexts(item, evidence)
    return apart is None and not repeated.is_habit(item.folded.text, item.project)


def _is_other(item: Item, evidence: Evidence, repeated: Repeated) -> str | None:
    places = two_projects(item, evidence) or two_lists(item, evidence) or two_due_days(item.due, evidence.due)
    return places or unproven(item, evidence, repeated)
