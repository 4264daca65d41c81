"""Which open or finished entry of the vault already covers a follow-up. PURE.

The same matching and guard as for items against items; only the rule of time differs: a follow-up that was
said in May is not held by what was done in March.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from wrapgen.config import Config
from wrapgen.model import Because, Evidence, Item
from wrapgen.pipeline import matching
from wrapgen.pipeline.tick_days import TickDays, dated, of_files
from wrapgen.text.folding import fold


@dataclass(frozen=True, slots=True)
class SaidText:
    """Something that was said."""

    text: str
    project: str | None
    day: date | None  # when it was said; None when nobody knows, then anything that was ever done holds it


class Holdings:
    """Everything durable, for look-ups.

    Args:
        items: the open items of all sources, tagged.
        evidence: the finished ones, tagged.
        config: names the threshold of a match.
        tick_days: gives the days of undated ticks.
    """

    def __init__(
        self, items: Sequence[Item], evidence: Sequence[Evidence], config: Config, tick_days: TickDays = of_files
    ) -> None:
        self._entries: list[Item | Evidence] = [*items, *evidence]
        self._tick_days = tick_days
        self._days: dict[str, Mapping[int, date | None]] = {}
        self._texts = [entry.folded.text for entry in self._entries]
        self._least = config.dedup_threshold

    def holder(self, statement: SaidText) -> Because | None:
        """The entry that covers a statement, the best match; None when it is in no durable source."""
        folded = fold(statement.text)
        side = matching.Side(statement.text, folded=folded)
        found = [
            Because(entry.path, entry.line, round(matching.similarity(folded, entry.folded), 1))
            for entry in (self._entries[at] for at in matching.alike(folded.text, self._texts, self._least))
            if self._can_hold(entry, statement)
            and matching.refusal(side, matching.Side(entry.text, folded=entry.folded)) is None
        ]
        return min(found, key=lambda one: (-one.score, one.path, one.line), default=None)

    def _can_hold(self, entry: Item | Evidence, statement: SaidText) -> bool:
        if None not in (entry.project, statement.project) and entry.project != statement.project:
            return False
        if isinstance(entry, Item) or statement.day is None:
            return True
        if entry.day is None and entry.path not in self._days:
            self._days |= self._tick_days([entry.path])
        latest = (entry if entry.day else dated(entry, self._days)).latest
        return latest is not None and latest >= statement.day
