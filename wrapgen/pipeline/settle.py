"""The stages that decide about the items of all files together, one after the other. PURE.

Apart from `run`, as a look at notes that did not change knows what the stages decided and need not load them.
"""

from __future__ import annotations

from wrapgen.ledger import Concern, Outcome, Remark
from wrapgen.model import Fate
from wrapgen.pipeline.dedup import dedup
from wrapgen.pipeline.expire import expire
from wrapgen.pipeline.judged import judged
from wrapgen.pipeline.rank import rank
from wrapgen.pipeline.resolve import resolve
from wrapgen.pipeline.run import Fates
from wrapgen.pipeline.stage import Context, Stage, StageResult, canonical_key, checked

# `collected.COLLECTING` finds the items.
STAGES: tuple[Stage, ...] = (judged, resolve, expire, dedup, rank)


def settle(found: StageResult, context: Context) -> Fates:
    """Let the stages decide about items, and check the ledger after each.

    Raises:
        LedgerError: a stage lost, made up or doubled an item.
    """
    result = found
    outcomes: list[Outcome] = []
    for stage in STAGES:
        result = checked(stage, result, context)
        outcomes += [Outcome(one.item, one.fate, because=one.because) for one in result.dropped]
    outcomes += [Outcome(item, Fate.SHOWN, rank=number) for number, item in enumerate(result.kept, 1)]
    ordered = _ordered(outcomes)
    return Fates(ordered, relevant(result.remarks, ordered))


def _ordered(outcomes: list[Outcome]) -> tuple[Outcome, ...]:
    shown = [one for one in outcomes if one.fate is Fate.SHOWN]
    overflow = [one for one in outcomes if one.fate is Fate.OVERFLOW]
    rest = [one for one in outcomes if one.fate not in (Fate.SHOWN, Fate.OVERFLOW)]
    return (*shown, *overflow, *sorted(rest, key=lambda one: canonical_key(one.item)))


def relevant(remarks: tuple[Remark, ...], outcomes: tuple[Outcome, ...]) -> tuple[Remark, ...]:
    """Leave out remarks that no longer matter: a tag for an item that is done, expired or merged."""
    gone = {one.item.id for one in outcomes if one.fate not in (Fate.SHOWN, Fate.OVERFLOW)}
    # An untagged item has the project of the tagged ones that were merged into it.
    tagged = {one.item.id for one in outcomes if one.item.project is not None}
    irrelevant = {Concern.UNTAGGED: gone | tagged, Concern.PROBABLY_DONE: gone}
    kept = [one for one in remarks if one.item.id not in irrelevant.get(one.concern, ())]
    return tuple(sorted(kept, key=lambda one: (one.item.path, one.item.line)))
