"""Where sentences stand in a text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_SENTENCE_END = re.compile(r"(?:[.!?](?=[\s\"')*_]|$)|[。！？])[\"')*_」』”]*")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|Mr|Dr|St|v\d+)|\b[A-Z]|(?:^|\s)\d{1,3})$")
_STATEMENT_END = re.compile(r"[.!?](?=[\s\"')\]*]|$)|[。！？；;!?]|\n|…(?=\s|$)")
_HARD_WRAP = 60  # characters. Exports wrap lines that are at least so long.


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at its edges."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of the sentences of a paragraph; a long line that goes on in lower case was wrapped and ends none."""
    begin = start
    at = start
    while at < end:
        newline = text.find("\n", at, end)
        stop = end if newline < 0 else newline
        for match in _SENTENCE_END.finditer(text, at, stop):
            if text[match.start()] == "." and _ABBREVIATION.search(text, max(begin, match.start() - 8), match.start()):
                continue
            yield from _span(text, begin, match.end())
            begin = match.end()
        following = text[stop + 1 : stop + 3].lstrip()
        wrapped = stop - at >= _HARD_WRAP and following[:1].islower()
        if not wrapped:
            yield from _span(text, begin, stop)
            begin = stop
        at = stop + 1
    yield from _span(text, begin, end)


def statements(said: str) -> Iterator[tuple[int, int]]:
    """Spans of the sentences of a paragraph in which code, quotations and paths are blanked out.

    Without those a full stop ends a sentence wherever one may follow, and so do a semicolon and a line break.
    """
    at = 0
    for end in (*(match.end() for match in _STATEMENT_END.finditer(said)), len(said)):
        yield from _span(said, at, end)
        at = end


def _span(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    begin, end = trimmed(text, begin, end)
    if end > begin:
        yield begin, end
