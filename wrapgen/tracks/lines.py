"""Labelled lines, such as `Goal: ship it`. PURE."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.text.blocks import blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

# A label is short; marks of lists, headings and bold type may stand around it.
_LABELLED = re.compile(r"[^\w\n]{0,12}(?P<label>\w[^:：\n]{0,39})[:：][ \t*_]*(?P<rest>\S.*)")
_MARKS = " \t*_`"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A line behind its label; `start` is the offset of its words in the text."""

    text: str
    start: int


def labelled(text: str, labels: frozenset[str]) -> Iterator[Labelled]:
    """The lines with one of some labels, except in code and quotations.

    Args:
        labels: in lower case.
    """
    if not any(label in text.casefold() for label in labels):
        return
    for block in blocks(text):
        if block.shape == "row" or block.fenced:
            continue
        at = block.start
        for line in text[block.start : block.end].splitlines(keepends=True):
            match = _LABELLED.match(line)
            if match and match["label"].strip(_MARKS).casefold() in labels:
                yield Labelled(match["rest"].strip(_MARKS), at + match.start("rest"))
            at += len(line)
