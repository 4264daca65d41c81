"""Code in Markdown: fences around lines, backticks within a line."""

from __future__ import annotations

import re

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def fence_behind(line: str, fence: str = "") -> str:
    """The code fence that is open behind a line, "" for none; one with words behind it opens code and closes none.

    Args:
        line: the line, without what else may stand before a fence where it comes from, such as a list's indentation.
        fence: the one that is open before it.
    """
    found = _FENCE.match(line)
    if found is None or not fence:
        return found[1] if found else fence
    return "" if found[1].startswith(fence) and not line[found.end() :].strip() else fence


def code_spans(text: str) -> list[tuple[int, int]]:
    """Where inline code stands, as (start, end) with its backticks; in linear time.

    Args:
        text: one paragraph of Markdown.
    """
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
