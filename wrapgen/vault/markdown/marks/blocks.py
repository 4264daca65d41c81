"""Lines below an item's first one that are no words: Logseq's properties, Org's drawers and clocks. PURE."""

from __future__ import annotations

import re
from bisect import bisect_right

_DRAWER = re.compile(r"[ \t]*:[A-Z][A-Z0-9_-]*:[ \t]*$")
_DRAWER_END = re.compile(r"[ \t]*:END:[ \t]*$")
_PROPERTY = re.compile(r"[ \t]*[A-Za-z][\w./?-]*::(?:[ \t]|$)")
# What Dataview writes on a line of its own and means the item; it is read like the same in brackets.
_FIELD = re.compile(r"[ \t]*(due|scheduled|start|created|completion|cancelled|priority|repeat)::[ \t]*([^\[\]()]*)$")
_CLOCK = re.compile(r"[ \t]*CLOCK:[ \t]*\[")


def words_of(raw: str) -> str:
    """An item's first paragraph without the lines that are properties, drawers or clocks.

    Args:
        raw: the paragraph as written, without its bullet.
    """
    if ":" not in raw or ("::" not in raw and "\n" not in raw):
        return raw
    lines = raw.split("\n")
    ends = [at for at, line in enumerate(lines) if _DRAWER_END.match(line)]
    kept: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if at and ends and ends[-1] > at and _DRAWER.match(line):
            at = ends[bisect_right(ends, at)] + 1
            continue
        if at and (field := _FIELD.match(line)):
            kept.append(f"[{field[1]}:: {field[2]}]")
        elif not _PROPERTY.match(line) and not (at and _CLOCK.match(line)):
            kept.append(line)
        at += 1
    return "\n".join(kept)
