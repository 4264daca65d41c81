"""Stage: items that somebody who can judge has taken away, before any rule looks at them (spec 9). PURE.

What was put off is hidden like what is snoozed (`rank`); what was said to be open goes on like all others.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

import msgspec

from wrapgen.ledger import Outcome
from wrapgen.model import Because, Fate, Item, Judged, TriageVerdict
from wrapgen.pipeline.stage import Context, StageResult

TRIAGE = "triage"
"""Who took an item away, in the audit."""
_AWAY = (TriageVerdict.DONE, TriageVerdict.NOT_WORK)


def judged(before: StageResult, context: Context) -> StageResult:
    """Drop what was judged to be done, to be no work, or to be the same as another open item."""
    verdicts = context.decisions.judged
    if not verdicts:
        return before
    here = {one.id: one for one in before.kept}
    dropped: dict[str, Outcome] = {}
    merged: dict[str, list[Item]] = defaultdict(list)
    for item in before.kept:
        last = _last(item, verdicts, here)
        verdict = verdicts.get(last.id)
        if verdict and verdict.verdict in _AWAY:
            dropped[item.id] = Outcome(item, Fate.RESOLVED, because=_because(last, verdict))
        elif last.id != item.id:
            dropped[item.id] = Outcome(
                item, Fate.DUPLICATE, because=Because(last.path, last.line, 100.0, last.id, by=TRIAGE)
            )  # fmt: skip
            merged[last.id].append(item)
    kept = tuple(_with(one, merged[one.id]) for one in before.kept if one.id not in dropped)
    return replace(before, kept=kept, dropped=tuple(dropped.values()))


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
