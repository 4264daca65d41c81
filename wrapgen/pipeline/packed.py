"""What the stages decided, packed: fates by the places of the items that they decided about. PURE."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from wrapgen.ledger import Concern, Outcome, Remark
from wrapgen.model import Because, Fate, Item
from wrapgen.pipeline.run import Fates

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wrapgen.pipeline.stage import StageResult

_FATES, _CONCERNS = tuple(Fate), tuple(Concern)


class PackedFates(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the stages decided, from which the outcomes are rebuilt ten times faster.

    A place is that of an item among the collected ones, then the backlog, then `changed`.
    """

    changed: list[Item]  # items that a stage changed, such as one that took over the days of its duplicates
    places: list[int]  # of the items of all outcomes, in their order
    fates: list[int]  # of the same, as numbers
    because: dict[int, Because]  # the reasons of some, by their number among the outcomes
    remarked: list[int]  # places of the items of all remarks, in their order
    concerns: list[int]  # of the same, as numbers
    evidence: dict[int, Because]  # the reasons of some, by their number among the remarks


def pack(settled: Fates, found: StageResult) -> PackedFates:
    """Pack what the stages decided.

    Args:
        found: what they decided about.
    """
    known = [*found.kept, *found.backlog]
    place_of = {id(item): place for place, item in enumerate(known)}

    def place(item: Item) -> int:
        if id(item) not in place_of:
            place_of[id(item)] = len(known)
            known.append(item)
        return place_of[id(item)]

    return PackedFates(
        places=[place(one.item) for one in settled.outcomes],
        fates=[_FATES.index(one.fate) for one in settled.outcomes],
        because=_reasons(settled.outcomes),
        remarked=[place(one.item) for one in settled.remarks],
        concerns=[_CONCERNS.index(one.concern) for one in settled.remarks],
        evidence=_reasons(settled.remarks),
        changed=known[len(found.kept) + len(found.backlog) :],
    )


def _reasons(some: Iterable[Outcome | Remark]) -> dict[int, Because]:
    return {at: one.because for at, one in enumerate(some) if one.because}


def unpack(packed: PackedFates, found: StageResult) -> Fates:
    """What was packed.

    Args:
        found: the same as it was packed with.

    Raises:
        LookupError: it was packed with something else.
    """
    items: Sequence[Item] = (*found.kept, *found.backlog, *packed.changed)
    because, evidence = packed.because.get, packed.evidence.get
    outcomes = []
    rank = 0
    for at, (place, number) in enumerate(zip(packed.places, packed.fates, strict=True)):
        fate = _FATES[number]
        rank += fate is Fate.SHOWN
        outcomes.append(Outcome(items[place], fate, rank if fate is Fate.SHOWN else None, because(at)))
    remarks = [
        Remark(_CONCERNS[number], items[place], evidence(at))
        for at, (place, number) in enumerate(zip(packed.remarked, packed.concerns, strict=True))
    ]
    return Fates(tuple(outcomes), tuple(remarks))
