"""Stage: apply the verdicts of whoever judged, before any rule looks at the items. PURE.

What is no work or put off is aside like what is snoozed (`rank`); what was said to be open goes on like all others.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

import msgspec

from wrapgen.ledger import Outcome
from wrapgen.model import Because, Fate, Item, Judged, SaidNext, TriageVerdict
from wrapgen.pipeline.stage import Context, StageResult

TRIAGE = "triage"
"""Who took an item away, in the audit."""


def judged(before: StageResult, context: Context) -> StageResult:
    """Drop what was judged to be done, or to be the same as another open item."""
    verdicts, said = context.decisions.judged, context.decisions.said
    before = replace(before, said=said)
    if not verdicts:
        return before
    here = {one.id: one for one in before.kept}
    dropped: dict[str, Outcome] = {}
    merged: dict[str, list[Item]] = defaultdict(list)
    for item in before.kept:
        last = _last(item, verdicts, here)
        verdict = verdicts.get(last.id)
        if verdict and verdict.verdict is TriageVerdict.DONE:
            dropped[item.id] = Outcome(item, Fate.RESOLVED, because=_because(last, verdict))
        elif last.id != item.id:
            dropped[item.id] = Outcome(
                item, Fate.DUPLICATE, because=Because(last.path, last.line, 100.0, last.id, by=TRIAGE)
            )  # fmt: skip
            merged[last.id].append(item)
    kept = tuple(_with(one, merged[one.id]) for one in before.kept if one.id not in dropped)
    said = with_kept(said, {one.id: first for first, others in merged.items() for one in others})
    return replace(before, kept=kept, dropped=tuple(dropped.values()), said=said)


def with_kept(said: Mapping[str, SaidNext], kept: Mapping[str, str]) -> Mapping[str, SaidNext]:
    """Return what was said to be next by the items that are kept; a merged item's saying is that of the kept one."""
    if said.keys().isdisjoint(kept):
        return said
    found: dict[str, SaidNext] = {}
    for key, one in said.items():
        found.setdefault(kept.get(key, key), one)
    return found


def _last(item: Item, verdicts: Mapping[str, Judged], here: Mapping[str, Item]) -> Item:
    """The item that stays for one, by what was said to be the same; itself where nothing was, or in a circle."""
    met = {item.id}
    last = item
    while (said := verdicts.get(last.id)) and said.verdict is TriageVerdict.SAME_AS and said.other in here:
        if said.other in met:
            return item
        met.add(said.other)
        last = here[said.other]
    return last


def _because(item: Item, verdict: Judged) -> Because:
    path, _, line = verdict.at.rpartition(":")
    if path and line.isdecimal():
        return Because(path, int(line), 100.0, by=TRIAGE)
    return Because(item.path, item.line, 100.0, by=TRIAGE)


def _with(item: Item, merged: list[Item]) -> Item:
    if not merged:
        return item
    each = [item, *merged]
    due = min((one.due for one in each if one.due is not None), default=None)
    priority = min((one.priority for one in each if one.priority is not None), default=None)
    places = tuple((one.path, one.line) for one in merged)
    return msgspec.structs.replace(item, twins=(*item.twins, *places), due=due, priority=priority)
