"""Stage 3: open items that evidence shows to be finished. PURE.

Words alone prove nothing: what was done on Monday and raised again on Wednesday is open. Evidence must be able to be
later than the item, and belong to its project.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.ledger import Concern, Remark
from wrapgen.model import Because, Dropped, Evidence, Fate, Item, Kind
from wrapgen.pipeline import matching
from wrapgen.pipeline.crowds import Crowds
from wrapgen.pipeline.pool import Pool
from wrapgen.pipeline.stage import Context, StageResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.config import Config

# So many equal entries of one list are looked at; the guard asks for their places too, so not one alone.
_MENTIONS = 20


def resolve(before: StageResult, context: Context) -> StageResult:
    """Drop what is done; remark what is probably done, and boxes that only the journal says are done."""
    proofs = _Proofs(before, context.config)
    kept: list[Item] = []
    dropped: list[Dropped] = []
    remarks = list(before.remarks)
    for position, item in enumerate(before.kept):
        best = None if item.id in context.decisions.kept else proofs.best(position)
        because = Because(best.evidence.path, best.evidence.line, round(best.score, 1)) if best else None
        if best and best.strong:
            dropped.append(Dropped(item, Fate.RESOLVED, because))
            if item.kind is not Kind.JOURNAL_NEXT:
                remarks.append(Remark(Concern.STALE_BOXES, item, because))
        else:
            kept.append(item)
            if best:
                remarks.append(Remark(Concern.PROBABLY_DONE, item, because))
    return StageResult(tuple(kept), tuple(dropped), before.evidence, tuple(remarks), before.unread)


@dataclass(frozen=True, slots=True)
class _Match:
    """Evidence whose words mean the item's: `strong` when they are enough to resolve it."""

    evidence: Evidence
    score: float
    strong: bool


class _Proofs:
    def __init__(self, before: StageResult, config: Config) -> None:
        self._items = before.kept
        self._evidence = _a_few_of_each(before.evidence)
        self._config = config
        self._matches = self._all_matches()
        self._claims = self._all_claims()

    def best(self, position: int) -> _Match | None:
        """The strongest evidence that may resolve an item: by strength, score, newest day, place."""
        item = self._items[position]
        valid = [
            match
            for index, match in self._matches[position]
            if self._same_project(index, item) and can_be_later(match.evidence, item)
        ]
        return min(valid, key=_strength, default=None)

    def _all_matches(self) -> list[list[tuple[int, _Match]]]:
        pool = Pool(self._evidence, self._config.evidence_threshold, Crowds((*self._items, *self._evidence)))
        found: list[list[tuple[int, _Match]]] = [[] for _ in self._items]
        for at in sorted(range(len(self._items)), key=lambda at: len(self._items[at].folded.text)):
            item = self._items[at]
            for position in pool.query(item):
                evidence = self._evidence[position]
                # Untagged evidence counts even where it is too old: it shows which projects it may belong to.
                if evidence.project is not None and not can_be_later(evidence, item):
                    continue
                if not pool.apart(item, position) and (match := self._compare(item, evidence)):
                    found[at].append((position, match))
        return found

    def _compare(self, item: Item, evidence: Evidence) -> _Match | None:
        if matching.refusal(_side(item), _side(evidence)) is not None:
            return None
        score = matching.similarity(item.folded, evidence.folded)
        return _Match(evidence, score, strong=score >= self._config.resolve_threshold)

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
        key = one.folded, one.project, one.path, one.block, one.day, one.latest, one.listed
        said[key] += 1
        if said[key] <= _MENTIONS:
            kept.append(one)
    return kept


def _side(one: Item | Evidence) -> matching.Side:
    return matching.Side(one.text, one.path, one.line, one.folded)


def _strength(match: _Match) -> tuple[bool, float, int, str, int]:
    day = match.evidence.latest
    return (not match.strong, -match.score, -day.toordinal() if day else 0, match.evidence.path, match.evidence.line)


def can_be_later(evidence: Evidence, item: Item) -> bool:
    """Whether work that was finished there can be the work that was still open here.

    Args:
        evidence: the finished entry.
        item: the open item.
    """
    latest = evidence.latest
    if item.recurrence is not None:
        own = item.due or item.raised
        if own is None or latest is None or latest < own:
            return False
    if evidence.path == item.path and not evidence.listed:
        return False  # somebody added it again below its tick
    if item.raised is None:
        return True
    if latest is None:
        return False
    if evidence.day is None:
        return item.raised <= latest
    if item.raised != evidence.day:
        return item.raised < evidence.day
    if item.block is None:
        return evidence.listed  # a box written down on the day that the journal says it was done
    return evidence.block is not None and item.block < evidence.block
