"""Which open or finished entry of the vault already holds something that was said. PURE.

The same matching, guard and index as for items against items; only the rule of time differs: a follow-up that was
said in May is not held by what was done in March.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.folding import fold
from wrapgen.model import Because, Evidence, Item
from wrapgen.pipeline import matching
from wrapgen.pipeline.similar import SimilarityIndex

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from wrapgen.config import Config


@dataclass(frozen=True, slots=True)
class Statement:
    """Something that was said.

    Attributes:
        day: when it was said; None when nobody knows, then anything that was ever done holds it.
    """

    text: str
    project: str | None
    day: date | None


class Holdings:
    """Everything durable, ready to be asked.

    Args:
        items: the open items of all sources, tagged.
        evidence: the finished ones, tagged.
        config: names the threshold of a match.
    """

    def __init__(self, items: Sequence[Item], evidence: Sequence[Evidence], config: Config) -> None:
        self._entries: list[Item | Evidence] = [*items, *evidence]
        self._index = SimilarityIndex([entry.folded for entry in self._entries], config.dedup_threshold)

    def holder(self, statement: Statement) -> Because | None:
        """The entry that holds a statement, the most alike first; None when it is in no durable source."""
        folded = fold(statement.text)
        side = matching.Side(statement.text, folded=folded)
        found = [
            Because(entry.path, entry.line, round(matching.similarity(folded, entry.folded), 1))
            for entry in map(self._entries.__getitem__, self._index.query(folded))
            if _can_hold(entry, statement)
            and matching.refusal(side, matching.Side(entry.text, folded=entry.folded)) is None
        ]
        return min(found, key=lambda one: (-one.score, one.path, one.line), default=None)


def _can_hold(entry: Item | Evidence, statement: Statement) -> bool:
    if None not in (entry.project, statement.project) and entry.project != statement.project:
        return False
    if isinstance(entry, Item) or statement.day is None:
        return True
    return entry.latest is not None and entry.latest >= statement.day
