"""Stage 3: open items that evidence shows to be finished. PURE.

In doubt an item stays open, and words alone prove nothing: what was done on Monday and raised again on Wednesday is
open. Evidence must be able to be later than the item, belong to its project and list, be about the same thing, say what
was done, and mean no other open item.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from wrapgen.config import RESOLVE_THRESHOLD
from wrapgen.ledger import Concern, Remark
from wrapgen.model import Because, Dropped, Evidence, Fate, Item
from wrapgen.notes import Kind
from wrapgen.pipeline import matching
from wrapgen.pipeline.blockers import with_blockers
from wrapgen.pipeline.blocking import Crowds
from wrapgen.pipeline.candidate_pairs import Pool, PossiblePlaces
from wrapgen.pipeline.later import added_later, too_early
from wrapgen.pipeline.places import spot, two_contexts, two_due_days, two_items, two_lists, two_projects
from wrapgen.pipeline.specific import Repeated, unproven
from wrapgen.pipeline.stage import canonical_key
from wrapgen.pipeline.tick_days import dated
from wrapgen.pipeline.unfinished import may_be_unfinished

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from wrapgen.pipeline.stage import Context, StageResult
    from wrapgen.pipeline.tick_days import TickDays

# So many equal entries of one list are looked at; the guard asks for their places too, so not one alone.
_MENTIONS = 20


def resolve(before: StageResult, context: Context) -> StageResult:
    """Drop what is done; remark what is probably done, and boxes that only the journal says are done."""
    repeated = Repeated((*before.kept, *before.evidence))
    proofs = _Proofs(before, repeated, context)
    kept: list[Item] = []
    dropped: list[Dropped] = []
    remarks = list(before.remarks)
    for position, item in enumerate(before.kept):
        best = None if item.id in context.decisions.kept else proofs.best(position)
        because = _because(best) if best else None
        if best and not best.doubts:
            dropped.append(Dropped(item, Fate.RESOLVED, because))
            if item.kind is not Kind.JOURNAL_NEXT:
                remarks.append(Remark(Concern.STALE_BOXES, item, because))
        else:
            kept.append(item)
            if best:
                remarks.append(Remark(Concern.PROBABLY_DONE, item, because))
    waiting = with_blockers(kept, before.backlog)
    return replace(before, kept=waiting, dropped=tuple(dropped), remarks=tuple(remarks), repeated=repeated)


def _because(match: _Match) -> Because:
    doubt = match.doubts[0] if match.doubts else None
    return Because(match.evidence.path, match.evidence.line, round(match.score, 1), doubt=doubt)


@dataclass(frozen=True, slots=True)
class _Match:
    """Evidence whose words mean the item's."""

    evidence: Evidence
    score: float
    doubts: tuple[str, ...] = ()  # why it is not believed; none when it resolves the item


class _Proofs:
    def __init__(self, before: StageResult, repeated: Repeated, context: Context) -> None:
        self._items = before.kept
        self._may_match = context.may_match
        telling = [one for one in before.evidence if context.may_match(one) and not one.is_ahead(context.today)]
        self._evidence = _a_few_of_each(telling)
        self._repeated = repeated
        self._config = context.config
        self._finished = context.decisions.finished
        self._matches = self._all_matches()
        self._days: Mapping[str, Mapping[int, date | None]] = {}
        self._date_ticks(context.tick_days)
        self._claims = self._all_claims()
        self._apt = [
            dict(self._apt_for(position)) if self._matches[position] else {} for position in range(len(self._items))
        ]
        self._ambiguous = self._all_ambiguous()

    def best(self, position: int) -> _Match | None:
        """The strongest evidence that may resolve an item: by doubts, score, newest day, place.

        What leaves more than one doubt is none.
        """
        if not self._apt[position]:
            return None
        sure = self._items[position].id in self._finished
        found = [
            replace(match, doubts=(*match.doubts, said)) if not sure and (said := self._ambiguous.get(index)) else match
            for index, match in self._apt[position].items()
        ]
        return min((match for match in found if len(match.doubts) <= 1), key=_strength, default=None)

    def _apt_for(self, position: int) -> Iterator[tuple[int, _Match]]:
        """The evidence that can be about this very item, with what leaves a doubt."""
        item = self._items[position]
        sure = item.id in self._finished
        for index, match in self._matches[position]:
            if sure and too_early(match.evidence, item) is None:
                yield index, replace(match, doubts=tuple(filter(None, (self._too_unlike(match.score),))))
            elif self._same_project(index, item) and refusal(item, match.evidence, self._repeated) is None:
                younger = added_later(match.evidence, item, self._days)
                doubts = (*self._doubts(item, match.evidence), *((younger,) if younger else ()))
                yield index, replace(match, doubts=doubts)

    def _too_unlike(self, score: float) -> str | None:
        least = RESOLVE_THRESHOLD
        return f"score {score:.1f} is below {least:g}" if score < least else None

    def _all_ambiguous(self) -> dict[int, str]:
        """The evidence that could mean several open items which are not one piece of work."""
        meant: dict[int, list[Item]] = defaultdict(list)
        for item, apt in zip(self._items, self._apt, strict=True):
            for index, match in apt.items():
                if not match.doubts:
                    meant[index].append(item)
        said = ((index, _several(items)) for index, items in meant.items() if len(items) > 1)
        return {index: why for index, why in said if why}

    def _all_matches(self) -> list[list[tuple[int, _Match]]]:
        places = PossiblePlaces(self._evidence)
        asking = [at for at, item in enumerate(self._items) if self._may_match(item) and not places.alone(item)]
        crowds = Crowds([*(self._items[at] for at in asking), *(self._evidence if asking else ())])
        pool = Pool(self._evidence, self._config.evidence_threshold, crowds)
        found: list[list[tuple[int, _Match]]] = [[] for _ in self._items]
        for at in sorted(asking, key=lambda at: len(self._items[at].folded.text)):
            item = self._items[at]
            for position in pool.query(item):
                evidence = self._evidence[position]
                if self._hopeless(item, evidence) or pool.apart(item, position):
                    continue
                if match := self._compare(item, evidence):
                    found[at].append((position, match))
        return found

    def _hopeless(self, item: Item, evidence: Evidence) -> bool:
        """Whether evidence proves nothing about an item and need not be held against its words, which takes long."""
        early = evidence.day is not None and too_early(evidence, item) is not None  # of others the day is not known yet
        if item.id in self._finished:
            return early
        if evidence.project is None and item.project is not None:
            return False  # it shows which projects the evidence may belong to
        return early or _is_other(item, evidence, self._repeated) is not None or len(self._doubts(item, evidence)) > 1

    def _doubts(self, item: Item, evidence: Evidence) -> tuple[str, ...]:
        """Why evidence with the item's words may mean something else; more than one is no evidence."""
        words = may_be_unfinished(item, evidence) or self._too_unlike(matching.similarity(item.folded, evidence.folded))
        return tuple(filter(None, (words, two_contexts(item, evidence))))

    def _is_too_old(self, evidence: Evidence, item: Item) -> bool:
        """Untagged evidence counts even where it is too old: it shows which projects it may belong to."""
        return evidence.project is not None and too_early(evidence, item) is not None

    def _date_ticks(self, tick_days: TickDays) -> None:
        """Find out the days of the undated ticks and boxes on which the fate of an item hangs."""
        pairs = [
            (item, match.evidence)
            for item, matches in zip(self._items, self._matches, strict=True)
            for _, match in matches
            if self._hangs_on(item, match.evidence)
        ]
        asked = {evidence.path for _, evidence in pairs} | {item.path for item, _ in pairs if item.raised is None}
        if asked:
            self._days = tick_days(asked)
            self._evidence = [
                dated(one, self._days) if one.day is None and one.path in asked else one for one in self._evidence
            ]
        self._matches = [
            [
                (index, replace(match, evidence=self._evidence[index]))
                for index, match in matches
                if not self._is_too_old(self._evidence[index], item)
            ]
            for item, matches in zip(self._items, self._matches, strict=True)
        ]

    def _hangs_on(self, item: Item, evidence: Evidence) -> bool:
        if evidence.path == item.path or (item.raised is not None and evidence.day is not None):
            return False
        return item.id in self._finished or _is_other(item, evidence, self._repeated) is None

    def _compare(self, item: Item, evidence: Evidence) -> _Match | None:
        if matching.refusal(_side(item), _side(evidence)) is not None:
            return None
        score = matching.similarity(item.folded, evidence.folded)
        return _Match(evidence, score)

    def _all_claims(self) -> dict[int, set[str]]:
        """The projects whose open items each piece of evidence matches."""
        claims: dict[int, set[str]] = defaultdict(set)
        for item, matches in zip(self._items, self._matches, strict=True):
            if item.project is not None:
                for position, _ in matches:
                    claims[position].add(item.project)
        return claims

    def _same_project(self, position: int, item: Item) -> bool:
        """Whether no other project can mean the evidence, too: the pool gives none of another one's own."""
        return item.project is None or len(self._claims[position]) == 1


def _a_few_of_each(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Evidence without what is said again and again at one place: its first mentions prove as much."""
    said: Counter[object] = Counter()
    kept: list[Evidence] = []
    for one in evidence:
        key = one.folded, one.project, one.path, one.block, one.day, one.latest, one.listed, one.context, one.due
        said[key] += 1
        if said[key] <= _MENTIONS:
            kept.append(one)
    return kept


def _side(one: Item | Evidence) -> matching.Side:
    return matching.Side(one.text, one.path, one.line, one.folded)


def _strength(match: _Match) -> tuple[int, float, int, str, int]:
    day = match.evidence.latest
    return (len(match.doubts), -match.score, -day.toordinal() if day else 0, match.evidence.path, match.evidence.line)


def _several(items: Sequence[Item]) -> str | None:
    """Name two open items that are not one piece of work; None when all of them are one."""
    kinds: dict[object, Item] = {}
    spots: dict[tuple[str, int], Item] = {}
    for item in sorted(items, key=canonical_key):
        same_spot = spots.setdefault(spot(item), item)
        if same_spot is not item:
            return f"may mean several: {same_spot.place} / {item.place}"
        kinds.setdefault((item.folded, item.own_list, item.context, item.due, item.candidates), item)
    for one, other in combinations(kinds.values(), 2):
        if two_items(one, other) or matching.refusal(_side(one), _side(other)):
            return f"may mean several: {one.place} / {other.place}"
    return None


def refusal(item: Item, evidence: Evidence, repeated: Repeated) -> str | None:
    """Why evidence with the item's words is not about this very item; None when it may be.

    Args:
        repeated: the texts that stand at several places of the vault.
    """
    return too_early(evidence, item) or _is_other(item, evidence, repeated)


def _is_other(item: Item, evidence: Evidence, repeated: Repeated) -> str | None:
    places = two_projects(item, evidence) or two_lists(item, evidence) or two_due_days(item.due, evidence.due)
    return places or unproven(item, evidence, repeated)
