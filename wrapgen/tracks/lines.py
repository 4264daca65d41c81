"""What a turn says in sentences and labelled lines, without code, quotations, tables and the host's own words. PURE."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wrapgen.text.blocks import LEAD_LEVEL, blocks, statements
from wrapgen.text.words import Folded, masked

# A label is short; marks of lists, headings and bold type may stand around it.
_LABELLED = re.compile(r"[^\w\n]{0,12}(?P<label>\w[^:：\n]{0,39})[:：][ \t*_]*(?P<rest>\S.*)")
_MARKS = " \t*_`"
_LONGEST = 600  # characters of a sentence; what is longer is data
HOSTS_OWN = ("This session is being continued from a previous conversation", "[Request interrupted by user")
"""How the host begins its summary after a compaction, and marks an interrupted turn."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a turn, as it was said, folded, and folded with code, quotations and paths blanked out."""

    raw: str
    folded: str  # `said` has its offsets
    said: str

    def words(self, start: int, end: int) -> str:
        folded = Folded(self.raw)
        return self.raw[folded.origin(start) : folded.origin(end)]


def labelled(text: str, labels: frozenset[str]) -> Iterator[str]:
    """What stands behind one of some labels (in lower case) that a line begins with."""
    folded = text.casefold()
    if text.startswith(HOSTS_OWN) or not any(label in folded for label in labels):
        return
    for block in blocks(text):
        if block.shape == "row" or block.fenced:
            continue
        for line in text[block.start : block.end].splitlines():
            match = _LABELLED.match(line)
            if match and match["label"].strip(_MARKS).casefold() in labels:
                yield match["rest"].strip(_MARKS)


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a turn's paragraphs and list items, in order."""
    if text.startswith(HOSTS_OWN):
        return
    for block in blocks(text):
        if block.fenced or not (block.shape in ("prose", "item") or block.level == LEAD_LEVEL):
            continue
        folded = Folded(text[block.start : block.end])
        said = masked(folded.text)
        for start, end in statements(said):
            raw = folded.raw[folded.origin(start) : folded.origin(end)]
            if raw and end - start <= _LONGEST:  # a mark that combines with the next letter is not a sentence
                yield Sentence(raw, folded.text[start:end], said[start:end])
