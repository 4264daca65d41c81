"""What is text however it looks: inline code and HTML comments. PURE."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from wrapgen.text.fences import code_spans

if TYPE_CHECKING:
    import re
    from collections.abc import Callable


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
