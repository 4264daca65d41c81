"""What reads much like an item and yet is another piece of work, and which rule says so. PURE."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wrapgen.model import Evidence
from wrapgen.pipeline import matching
from wrapgen.pipeline.resolve import can_be_later

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.config import Config
    from wrapgen.model import Item

# How many are named: more would hide the item that was asked for.
_NAMED = 5


class Refused(NamedTuple):
    """An entry that is alike enough, but not taken for the same work.

    Attributes:
        path: its file.
        line: its first line, 1-based.
        text: its words.
        score: similarity, 0 to 100.
        done: whether it is finished work, which would have resolved the item; else it would have been merged.
        rule: what refused, and what differs.
    """

    path: str
    line: int
    text: str
    score: float
    done: bool
    rule: str


def refused(item: Item, entries: Sequence[Item | Evidence], config: Config) -> tuple[Refused, ...]:
    """Name what an item was not merged with, and what did not resolve it, although the words are alike.

    Args:
        item: the item.
        entries: all items and evidence of the vault, tagged.
        config: names the thresholds.

    Returns:
        the most similar ones first.
    """
    near = matching.alike(item.folded.text, [entry.folded.text for entry in entries], config.evidence_threshold)
    found: list[Refused] = []
    for entry in (entries[at] for at in near):
        score = matching.similarity(item.folded, entry.folded)
        done = isinstance(entry, Evidence)
        itself = (entry.path, entry.line) == (item.path, item.line)
        if itself or (not done and score < config.dedup_threshold):
            continue
        if rule := _refusal(item, entry):
            found.append(Refused(entry.path, entry.line, entry.text, score, done, rule))
    return tuple(sorted(found, key=lambda one: (-one.score, one.path, one.line))[:_NAMED])


def _refusal(item: Item, entry: Item | Evidence) -> str | None:
    sides = [matching.Side(one.text, one.path, one.line, one.folded) for one in (item, entry)]
    if rule := matching.refusal(*sides):
        return rule
    if item.project and entry.project and item.project != entry.project:
        return f"other project: {item.project} / {entry.project}"
    if isinstance(entry, Evidence) and not can_be_later(entry, item):
        return f"finished too early: {entry.latest or 'no date'}"
    return None
