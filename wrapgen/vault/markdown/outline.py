"""The headings that are open while a file is read from top to bottom. PURE."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec.structs import replace

from wrapgen.notes import LEADING_LINE_LEVEL, Entry, Section
from wrapgen.text.hand_over_names import says_nothing
from wrapgen.text.headings import next_move, says_next
from wrapgen.vault.markdown.marks.item import read_item

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


_PLAIN_TITLES = frozenset(("action items", "next steps", "next actions", "follow ups", "open items", "open tasks"))


def is_plain_title(paragraph: str) -> bool:
    """Whether a paragraph is but the name of a list, as meeting notes are pasted: `Action items`."""
    return paragraph[:1].isupper() and paragraph.replace("-", " ").casefold() in _PLAIN_TITLES


_FEW_WORDS = 8  # of a line that names the list below it; what is longer is a sentence


def leading_title(paragraph: str) -> str | None:
    """What a paragraph in front of a list says to come next: `Next steps:`; None for any other."""
    line = paragraph.rpartition("\n")[2].strip()
    title = line.rstrip(":：")
    if title == line or bold_title(line) or len(title.split()) > _FEW_WORDS:
        return None
    return title if says_next(title) and not title.casefold().startswith("priority") else None


class Outline:
    """Collects the sections of one file."""

    def __init__(self) -> None:
        self._sections: list[Section] = []
        self._open: list[int] = []
        self._prose: set[int] = set()
        self._begun: set[int] = set()  # the sections that have words or a list right below
        self._moves: list[Entry] = []
        self._lead: tuple[str, int] | None = None  # of the paragraph right above
        self._led = -1  # the section that such a paragraph opened

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
        self._lead = None
        while self._open and self._sections[self._open[-1]].level >= level:
            self._open.pop()
        self._sections.append(Section(level=level, title=title, line=line, parent=self.current))
        self._open.append(len(self._sections) - 1)

    def saw_paragraph(self, words: str, line: int) -> None:
        """A paragraph at the margin: lines of bold text open sections, all others are prose."""
        if self._led == self.current >= 0:
            self._open.pop()
        aside = is_aside(words)
        move: list[str] = []
        name = ""
        for number, text in enumerate(words.split("\n"), line):
            if title := bold_title(text) or (words if is_plain_title(words) else None):
                self._end_move(move, name, number)
                self.open(BOLD_LINE_LEVEL, title, number)
            elif not aside:
                led = next_move(text)
                first = self.current >= 0 and self.current not in self._begun
                if led or (move and text.startswith("**")):
                    self._end_move(move, name, number)
                    move, name = [led[1]] if led else [], led[0] if led else ""
                elif move or (first and says_next(self._sections[self.current].title)):
                    move.append(text)
                self._prose.add(self.current)
                self._begun.add(self.current)
        last = line + words.count("\n")
        self._end_move(move, name, last + 1)
        lead = leading_title(words)
        self._lead = (lead, last) if lead else None

    def _end_move(self, move: list[str], name: str, behind: int) -> None:
        """Keep what a paragraph says to come next; one that ends in a colon leads to something else."""
        text = "\n".join(move).strip()
        entry = read_item(text, line=behind - len(move), section=self.current) if text else None
        move.clear()
        if entry and not (entry.done or text.endswith((":", "：", ":**")) or says_nothing(text) or is_aside(text)):
            self._moves.append(replace(entry, mark=name))

    def saw_list(self) -> None:
        """A list or table follows: the prose before it in any open section was its lead-in."""
        if self._lead:
            self.open(LEADING_LINE_LEVEL, *self._lead)
            self._led = self.current
        self._prose.difference_update(self._open)
        self._begun.add(self.current)
        self._moves = [one for one in self._moves if one.mark or one.section not in self._open]

    @property
    def moves(self) -> tuple[Entry, ...]:
        """The paragraphs that say what comes next; see `Document`."""
        return tuple(self._moves)

    def sections(self, titles: Mapping[int, str] | None = None) -> tuple[Section, ...]:
        """All sections, once the file is read; `titles` are of those that are tasks, without their box."""
        own = titles or {}
        return tuple(
            Section(section.level, own.get(index, section.title), section.line, section.parent, index in self._prose)
            for index, section in enumerate(self._sections)
        )
