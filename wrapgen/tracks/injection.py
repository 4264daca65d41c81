"""The hot track for the next context: the most important first, within a number of characters. PURE."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wrapgen.text.fences import fence_behind
from wrapgen.text.tokens import utf16_length
from wrapgen.tracks.labels import in_all_languages
from wrapgen.tracks.user_lines import BEGIN, END

if TYPE_CHECKING:
    from collections.abc import Sequence

# Most important first; sections with other names were added by people, and come second.
_ORDER = ("state", "by_hand", "tombstones", "decisions", "interfaces")
_SECOND = 1
_HEADING = re.compile(r"##\s++(?:\d++\.\s*+(?=.))?(.*\S)")


def by_importance(text: str) -> list[str]:
    """The lines of a hot track, the most important section first, without head, rules, blank lines and footer."""
    sections: list[tuple[int, list[str]]] = []
    fence = ""
    for line in text.splitlines():
        heading = None if fence else _HEADING.match(line)
        if heading:
            sections.append((_rank(heading[1]), [line]))
            continue
        fence = fence_behind(line, fence)
        if sections and line.strip() and line.strip() not in {"---", BEGIN, END} and not _is_footer(line):
            sections[-1][1].append(line)
    ordered = sorted(sections, key=lambda section: section[0])
    return [line for _, lines in ordered if len(lines) > 1 for line in lines]


def within(lines: Sequence[str], characters: int) -> tuple[list[str], int]:
    """As many lines from the first on as have room in so many UTF-16 units, and how many have none."""
    for number, line in enumerate(lines):
        characters -= utf16_length(line) + 1
        if characters < 0:
            return list(lines[:number]), len(lines) - number
    return list(lines), 0


def _rank(title: str) -> int:
    return next((rank for rank, name in enumerate(_ORDER) if title in in_all_languages(name)), _SECOND)


def _is_footer(line: str) -> bool:
    return any(line.startswith(f"*{name}: ~") for name in in_all_languages("tokens"))
