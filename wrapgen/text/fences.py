"""Code in Markdown: fences around lines, backticks within a line, and what is no code. PURE."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def fence_behind(line: str, fence: str = "") -> str:
    """The code fence that is open behind a line, "" for none; one with words behind it opens code and closes none."""
    found = _FENCE.match(line)
    if found is None or not fence:
        return found[1] if found else fence
    return "" if found[1].startswith(fence) and not line[found.end() :].strip() else fence


def code_spans(text: str) -> list[tuple[int, int]]:
    """Where inline code stands, as (start, end) with its backticks; in linear time."""
    runs = [(match.start(), match.end()) for match in re.finditer("`+", text)]
    spans: list[tuple[int, int]] = []
    last_of_length = {end - start: index for index, (start, end) in enumerate(runs)}
    closers: dict[int, list[int]] = {}
    for index, (start, end) in enumerate(runs):
        closers.setdefault(end - start, []).append(index)
    positions = dict.fromkeys(closers, 0)
    index = 0
    while index < len(runs):
        start, end = runs[index]
        length = end - start
        closing = None
        if last_of_length[length] > index:
            same, at = closers[length], positions[length]
            while same[at] <= index:
                at += 1
            positions[length], closing = at, same[at]
        if closing is None:
            index += 1
            continue
        spans.append((start, runs[closing][1]))
        index = closing + 1
    return spans


def without_comments(text: str) -> str:
    """Take HTML comments out; one that is not closed is text. Not a pattern: that would try every `<!--` to the end."""
    spans = code_spans(text) if "<!--" in text else []
    out, end = [], 0
    start = text.find("<!--")
    while start >= 0 and (close := text.find("-->", start + 4)) >= 0:
        if _overlaps(spans, start, start + 1):
            start = text.find("<!--", start + 4)
            continue
        out.append(text[end:start])
        end = close + 3
        start = text.find("<!--", end)
    return " ".join([*out, text[end:]])


def outside_code(pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str], text: str) -> str:
    """`pattern.sub` that leaves inline code alone."""
    if "`" not in text:
        return pattern.sub(replace, text)
    spans = code_spans(text)

    def guarded(match: re.Match[str]) -> str:
        return match[0] if _overlaps(spans, *match.span()) else replace(match)

    return pattern.sub(guarded, text)


def _overlaps(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a stretch of text has something in common with one of the spans, which are in order and apart."""
    before = bisect_left(spans, (end,))
    return before > 0 and spans[before - 1][1] > start
