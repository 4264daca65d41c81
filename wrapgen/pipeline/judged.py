"""Stage: apply the verdicts of whoever judged, before any rule looks at the items. PURE.

What is no work or put off leaves here, so that a line that nobody judged is not merged into one that is aside.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from datetime import date

import msgspec

from wrapgen.ledger import Outcome
from wrapgen.model import Because, Fate, Item, Judged, SaidNext, TriageVerdict
from wrapgen.pipeline.hand_overs import row_of
from wrapgen.pipeline.stage import Context, StageResult

TRIAGE = "triage"
"""Who took an item away, in the audit."""
ASIDE = (TriageVerdict.NOT_WORK, TriageVerdict.PARKED)


def judged(before: StageResult, context: Context) -> StageResult:
    """Drop what was judged to be done, to be no work or put off, or to be the same as another open item."""
    said = context.decisions.said
    before = replace(before, said=said)
    if not context.decisions.judged:
        return before
    verdicts = Verdicts(context.decisions.judged, said, context.today)
    here = {one.id: one for one in before.kept}
    dropped: dict[str, Outcome] = {}
    merged: dict[str, list[Item]] = defaultdict(list)
    for item in before.kept:
        last = verdicts.last(item, here)
        verdict = verdicts.on(last)
        if verdict and verdict.verdict is TriageVerdict.DONE:
            dropped[item.id] = Outcome(item, Fate.RESOLVED, because=_because(last, verdict))
        elif verdict and verdict.verdict in ASIDE:
            dropped[item.id] = Outcome(item, Fate.OVERFLOW, why=f"not shown: {_why(verdict)}", is_set_aside=True)
        elif last.id != item.id:
            because = Because(last.path, last.line, 100.0, last.id, by=TRIAGE)
            dropped[item.id] = Outcome(item, Fate.DUPLICATE, because=because)
            merged[last.id].append(item)
    kept = tuple(_with(one, merged[one.id]) for one in before.kept if one.id not in dropped)
    said = with_kept(said, {one.id: first for first, others in merged.items() for one in others})
    return replace(before, kept=kept, dropped=tuple(dropped.values()), said=said)


class Verdicts:
    """The verdicts that still hold."""

    def __init__(self, each: Mapping[str, Judged], said: Mapping[str, SaidNext], today: date) -> None:
        self._each, self._said, self._today = each, said, today
        self._by_row = {(one.row, one.words): one for one in each.values() if one.row and one.verdict in ASIDE}

    def on(self, item: Item) -> Judged | None:
        """Return the verdict on an item: its own, else that on the same words in another file of its row."""
        own = self._each.get(item.id)
        if own is not None and own.holds(item, self._today):
            return own
        if not self._by_row or item.id in self._said:
            return None
        found = self._by_row.get((row_of(item), item.folded.text))
        return found if found and (found.until is None or found.until > self._today) else None

    def last(self, item: Item, here: Mapping[str, Item]) -> Item:
        """Return the item that stays for one, by what was said to be the same; itself where that goes in a circle."""
        met = {item.id}
        last = item
        while (said := self.on(last)) and said.verdict is TriageVerdict.SAME_AS and said.other in here:
            if said.other in met:
                return item
            met.add(said.other)
            last = here[said.other]
        return last


def with_kept(said: Mapping[str, SaidNext], kept: Mapping[str, str]) -> Mapping[str, SaidNext]:
    """Return what was said to be next by the items that are kept; a merged item's saying is that of the kept one."""
    if said.keys().isdisjoint(kept):
        return said
    found: dict[str, SaidNext] = {}
    for key, one in said.items():
        found.setdefault(kept.get(key, key), one)
    return found


def _why(verdict: Judged) -> str:
    if verdict.verdict is TriageVerdict.NOT_WORK:
        return f"no work: judged by {verdict.by} on {verdict.on}"
    until = f" until {verdict.until}" if verdict.until else ""
    return f"parked{until}: judged by {verdict.by} on {verdict.on}"


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
