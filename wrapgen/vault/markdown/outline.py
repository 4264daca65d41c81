"""The headings that are open while a file is read from top to bottom. PURE."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wrapgen.notes import Section

if TYPE_CHECKING:
    from collections.abc import Mapping

# A line of bold text alone ranks below every heading.
BOLD_LINE_LEVEL = 7
_BOLD_LINE = re.compile(r"(\*\*|__)(?=\S)(?P<title>(?:(?!\1).)+)\1\s*[:：]?$")


def bold_title(line: str) -> str | None:
    """The title of a line that is bold text alone, such as `**Next:**`; None for any other line."""
    line = line.strip()
    match = _BOLD_LINE.match(line) if line.startswith(("**", "__")) else None
    return match["title"] if match else None


# A footer in italics, a link alone on its line: they lead to nothing that anybody left to do.
_ASIDE = re.compile(
    r"(?:\*(?![\s*])[^*\n]+\*|_(?![\s_])[^_\n]+_|!?\[\[[^\[\]]+\]\]|!?\[[^\[\]]*\]\([^()\s]*\)|<?https?://\S+)[\s.]*$"
)


def is_aside(paragraph: str) -> bool:
    """Whether a paragraph is a footer in italics or a lone link, so no prose that somebody must read."""
    return paragraph[:1] in "*_![<h" and _ASIDE.match(paragraph) is not None


class Outline:
    """Collects the sections of one file."""

    def __init__(self) -> None:
        self._sections: list[Section] = []
        self._open: list[int] = []
        self._prose: set[int] = set()

    @property
    def current(self) -> int:
        """Index of the innermost open section, -1 above the first heading."""
        return self._open[-1] if self._open else -1

    @property
    def around(self) -> int:
        """Index of the section around the innermost open one."""
        return self._open[-2] if len(self._open) > 1 else -1

    def open(self, level: int, title: str, line: int) -> None:
        """Open a section, closing those of the same or a lower rank."""
        while self._open and self._sections[self._open[-1]].level >= level:
            self._open.pop()
        self._sections.append(Section(level=level, title=title, line=line, parent=self.current))
        self._open.append(len(self._sections) - 1)

    def saw_prose(self) -> None:
        """Prose is right below the innermost heading."""
        self._prose.add(self.current)

    def saw_list(self) -> None:
        """A list or table follows: the prose before it in any open section was its lead-in."""
        self._prose.difference_update(self._open)

    def sections(self, titles: Mapping[int, str] | None = None) -> tuple[Section, ...]:
        """All sections, once the file is read; `titles` are of those that are tasks, without their box."""
        own = titles or {}
        return tuple(
            Section(section.level, own.get(index, section.title), section.line, section.parent, index in self._prose)
            for index, section in enumerate(self._sections)
        )
