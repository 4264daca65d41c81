"""Facts that help to judge an item: never verdicts. PURE."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from wrapgen.late_pattern import late
from wrapgen.text.display import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wrapgen.model import Evidence, Item

_LONGEST = 160
_IDENTIFIER = late(
    r"(?:(?<![\w/-])(?:[A-Z][A-Z0-9]+-\d+|#\d{2,})|(?:(?<![\w./-])|(?<=://))[\w.-]++/[\w./-]*\w|(?<![\w/-])\w+_\w+)"
    r"(?![\w/-])|`([^`\n]{4,80})`"
)


@dataclass(frozen=True, slots=True)
class Hint:
    """One fact."""

    kind: Literal["note_status", "like_done", "newer_list"]
    text: str
    at: str  # `path:line`

    def as_json(self) -> dict[str, str]:
        return {"kind": self.kind, "text": shorten(self.text, _LONGEST), "at": self.at}


class FinishedLines:
    """The finished lines of the notes, looked up by the words of an open one."""

    def __init__(self, evidence: Iterable[Evidence]) -> None:
        self._by_words: dict[str, list[Evidence]] = defaultdict(list)
        for one in evidence:
            for key in (one.folded.text, *identifiers(one.text)):
                self._by_words[key].append(one)

    def like(self, item: Item) -> list[Hint]:
        """Return the newest finished line with the very words of an item, or with an identifier that it names."""
        found = [one for key in (item.folded.text, *identifiers(item.text)) for one in self._by_words.get(key, ())]
        others = [one for one in found if (one.path, one.line) != (item.path, item.line)]
        newest = sorted(others, key=lambda one: (-(one.day.toordinal() if one.day else 0), one.path, one.line))
        return [
            Hint("like_done", f"{one.day or ''} {one.text}".strip(), f"{one.path}:{one.line}") for one in newest[:1]
        ]


def identifiers(text: str) -> list[str]:
    """Return the tickets, paths and code that a text names."""
    return [found[1] or found[0] for found in _IDENTIFIER.finditer(text)]


_STATUS = late(r"[-*>\s]*+(?:status|state|상태|状态|ステータス|estado|статус)\W{0,6}[:：]\s*(.+)", re.IGNORECASE)
_HEAD = 15  # lines in which a note says how it stands


def note_status(path: str, lines: Sequence[str]) -> list[Hint]:
    """Return what a note says of itself in its first lines."""
    for number, line in enumerate(lines[:_HEAD], 1):
        if found := _STATUS.match(line):
            return [Hint("note_status", found[0].strip(), f"{path}:{number}")]
    return []
