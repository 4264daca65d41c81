"""What reads much like an item and yet is another piece of work, and which rule says so. PURE."""

from collections.abc import Sequence
from typing import NamedTuple

from wrapgen.model import Evidence, Item
from wrapgen.pipeline import dedup, matching, resolve
from wrapgen.pipeline.places import two_contexts, two_projects
from wrapgen.pipeline.specific import Repeated
from wrapgen.pipeline.stage import Context
from wrapgen.pipeline.tick_days import added_later, dated
from wrapgen.pipeline.unfinished import may_be_unfinished

# How many are named: more would hide the item that was asked for.
_NAMED = 5


class NearMiss(NamedTuple):
    """An entry that is alike enough, but not taken for the same work."""

    path: str  # its file
    line: int  # its first line, 1-based
    text: str  # its words
    score: float  # similarity, 0 to 100
    done: bool  # whether it is finished work, which would have resolved the item; else it would have been merged
    rule: str  # what refused, and what differs


def refused(item: Item, entries: Sequence[Item | Evidence], context: Context) -> tuple[NearMiss, ...]:
    """Name what an item was not merged with, and what did not resolve it, although the words are alike.

    Args:
        entries: all items and evidence of the vault, tagged.
        context: names the thresholds and the day, and gives the days of undated ticks.

    Returns:
        the most similar ones first.
    """
    config = context.config
    near = matching.alike(item.folded.text, [entry.folded.text for entry in entries], config.evidence_threshold)
    found: list[NearMiss] = []
    repeated = Repeated(entries)
    for entry in (entries[at] for at in near):
        score = matching.similarity(item.folded, entry.folded)
        done = isinstance(entry, Evidence)
        itself = (entry.path, entry.line) == (item.path, item.line)
        if itself or (not done and score < config.dedup_threshold):
            continue
        if rule := _refusal(item, entry, repeated, context) or _claimed(
            item, entry, entries, config.evidence_threshold
        ):
            found.append(NearMiss(entry.path, entry.line, entry.text, score, done, rule))
    return tuple(sorted(found, key=lambda one: (-one.score, one.path, one.line))[:_NAMED])


def _refusal(item: Item, entry: Item | Evidence, repeated: Repeated, context: Context) -> str | None:
    if other := _guard(item, entry) or two_projects(item, entry):
        return other
    if isinstance(entry, Evidence):
        if entry.is_ahead(context.today):
            return f"no proof before its day: {entry.day}"
        days = context.tick_days({item.path, entry.path}) if None in (item.raised, entry.day) else {}
        if entry.day is None:
            entry = dated(entry, days)
        doubt = may_be_unfinished(item, entry) or two_contexts(item, entry)
        return resolve.refusal(item, entry, repeated) or doubt or added_later(entry, item, days)
    return dedup.refusal(item, entry, repeated)


def _guard(one: Item | Evidence, other: Item | Evidence) -> str | None:
    return matching.refusal(*(matching.Side(each.text, each.path, each.line, each.folded) for each in (one, other)))


def _claimed(item: Item, entry: Item | Evidence, entries: Sequence[Item | Evidence], cutoff: float) -> str | None:
    """Refuse finished work of no project that another project's open item can claim as well."""
    if isinstance(entry, Item) or entry.project is not None or item.project is None:
        return None
    rivals = [one for one in entries if isinstance(one, Item) and one.project not in (None, item.project)]
    for at in sorted(matching.alike(entry.folded.text, [one.folded.text for one in rivals], cutoff)):
        if _guard(rivals[at], entry) is None:
            return f"may mean several projects: {item.project} / {rivals[at].project} ({rivals[at].place})"
    return None
