"""The sentences of a turn, without code, quotations, tables and the host's own words. PURE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.text.blocks import LEAD_LEVEL, blocks
from wrapgen.text.sentences import statements
from wrapgen.text.words import Folded, masked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wrapgen.tracks.lexicon import TrackCues

_LONGEST = 600
"""Characters of a sentence; what is longer is data."""
_HOSTS_OWN = ("This session is being continued from a previous conversation", "[Request interrupted by user")
"""How the host begins its summary after a compaction, and marks an interrupted turn."""


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """A sentence.

    Attributes:
        said: folded, with code, quotations and paths blanked out: cues are looked up in it.
        start, end: its place in the turn's text.
        part: number of its paragraph or list item within the turn.
    """

    said: str
    start: int
    end: int
    part: int
    _folded: Folded
    _at: int
    _offset: int

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The place in the turn's text of a span of `said`, without the white space around it."""
        said = self.said[start:end]
        start, end = end - len(said.lstrip()), start + len(said.rstrip())
        first, last = self._folded.origin(self._at + start), self._folded.origin(self._at + end)
        return self._offset + first, self._offset + max(first, last)

    def words(self, start: int = 0, end: int | None = None) -> str:
        """A span of `said` folded, with what is blanked out in it."""
        end = len(self.said) if end is None else end
        return self._folded.text[self._at + start : self._at + end]

    def stated(self, cues: TrackCues) -> bool:
        """Whether it says how things are: questions and conditions do not."""
        return not self._asks(cues) and not cues["supposed"].found(self.said)

    def _asks(self, cues: TrackCues) -> bool:
        if self.said.endswith("?"):  # folding makes the full-width one a `?` too
            return not cues["telling"].found(self.said.rstrip("? "))
        return cues["asked"].found(self.said.rstrip(".。!~ "))


class TurnSentences:
    """The turns of a conversation as sentences; a turn is only cut into them when it is asked for."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._cut: dict[int, tuple[Sentence, ...]] = {}
        self._holding: dict[tuple[int, str], tuple[Sentence, ...]] = {}

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, place: int) -> tuple[Sentence, ...]:
        """The sentences of a turn, those left out that are too long for one."""
        if place not in self._cut:
            said = sentences(self._texts[place])
            self._cut[place] = tuple(one for one in said if len(one.said) <= _LONGEST)
        return self._cut[place]

    def places(self, cues: TrackCues, group: str) -> Iterator[int]:
        """The turns in which a cue is somewhere, be it in code."""
        return (place for place in range(len(self)) if self._may_hold(place, cues, group))

    def holding(self, place: int, cues: TrackCues, group: str) -> tuple[Sentence, ...]:
        """The sentences of a turn in which a cue stands."""
        key = place, group
        if key not in self._holding:
            said = self[place] if self._may_hold(place, cues, group) else ()
            self._holding[key] = tuple(one for one in said if cues[group].found(one.said))
        return self._holding[key]

    def _may_hold(self, place: int, cues: TrackCues, group: str) -> bool:
        return cues[group].found(self._texts[place].lower())


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a turn's paragraphs and list items, in order."""
    if hosts_own(text):
        return
    for number, block in enumerate(blocks(text)):
        if block.fenced or not (block.shape in ("prose", "item") or block.level == LEAD_LEVEL):
            continue
        folded = Folded(text[block.start : block.end])
        said = masked(folded.text)
        for start, end in statements(said):
            first, last = block.start + folded.origin(start), block.start + folded.origin(end)
            if first < last:  # a mark that combines with the next letter is not a sentence
                yield Sentence(said[start:end], first, last, number, folded, start, block.start)


def hosts_own(text: str) -> bool:
    """Whether a turn contains the host's own words: a summary, or a note that it was interrupted."""
    return text.startswith(_HOSTS_OWN)
