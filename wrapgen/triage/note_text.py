"""A file that somebody quotes: where words stand in it, and what the line around them is. PURE."""

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate

from wrapgen.late_pattern import late
from wrapgen.notes import Document, Entry
from wrapgen.text.blocks import sentences
from wrapgen.text.display import one_line
from wrapgen.text.folding import fold
from wrapgen.text.headings import is_done
from wrapgen.text.words import content_words, quote_form
from wrapgen.triage.related import unrelated
from wrapgen.vault.markdown.parse import parse
from wrapgen.vault.markdown.todo_txt import is_todo_txt, parse_todo_txt

_LINE_BREAK = late("\r\n|\r|\n")
_MOST_LINES = 8  # over which a quote may go on, as a paragraph does
_STRUCK = late(r"[\s>]*+(?:(?:[-*+]|\d{1,9}[.)])\s*+)?(?:\[.\]\s*+)?~~.+~~[\s.:;,!]*+")
_FRONT = late(r"[\s>]*(?:#{1,6}\s+|(?:[-*+]|\d{1,9}[.)])\s+)?(?:\[.\]\s+)?")
_TICKED = late(r"[\s>]*(?:[-*+]|\d{1,9}[.)])\s+\[[xX]\]\s")
_LIST_MARK = late(r"[\s>]*(?:[-*+]|\d{1,9}[.)])\s")
_MOST_PLACES = 100


class NoteText:
    """The text of a file; what is asked for is worked out once."""

    def __init__(self, text: str, path: str = "") -> None:
        self.path = path
        self.lines: Sequence[str] = _LINE_BREAK.split(text)
        if self.lines[-1] == "":
            self.lines = self.lines[:-1]
        self._text = text

    @cached_property
    def document(self) -> Document:
        return parse_todo_txt(self._text) if is_todo_txt(self.path) else parse(self._text)

    @cached_property
    def _forms(self) -> list[str]:
        return [quote_form(line) for line in self.lines]

    @cached_property
    def _whole(self) -> tuple[str, list[int]]:
        """Return all lines as they are compared, one behind the other, and where each begins."""
        return "".join(self._forms), [0, *accumulate(map(len, self._forms))]

    def places(self, form: str) -> Iterator[int]:
        """Yield the lines in which a folded quote begins, from the top; it may go on in those that follow."""
        if not form:
            return
        whole, starts = self._whole
        at, before = whole.find(form), 0
        for _ in range(_MOST_PLACES):
            if at < 0:
                return
            line = bisect_right(starts, at)
            last = bisect_right(starts, at + len(form) - 1)
            if line != before and last - line < _MOST_LINES:
                yield line
            before = line
            at = whole.find(form, at + 1)

    def nearest(self, form: str, line: int) -> int | None:
        """Return the line nearest to another in which a folded quote begins; None where it stands nowhere."""
        return min(self.places(form), key=lambda one: (abs(one - line), one), default=None)

    @cached_property
    def _starts(self) -> dict[int, Entry]:
        return {entry.line: entry for entry in self.document.entries}

    def entries_around(self, line: int) -> list[Entry]:
        """Return the list items or rows that a line belongs to, the innermost first."""
        headings = {section.line for section in self.document.sections}
        found: list[Entry] = []
        indent, is_lazy = _indent(self.lines[line - 1]), line not in self._starts
        if own := self._starts.get(line):
            found.append(own)
        for number in range(line - 1, 0, -1):
            text = self.lines[number - 1]
            if not text.strip():
                is_lazy = False
                continue
            if number in headings and number not in self._starts:
                break
            width = _indent(text)
            if (entry := self._starts.get(number)) and (width < indent or is_lazy):
                found.append(entry)
                is_lazy = False
            if width < indent or entry:
                is_lazy = False
                indent = min(indent, width)
            if indent == 0 and not is_lazy:
                break
        return found

    def is_finished(self, line: int) -> bool:
        """Tell whether a line is ticked or struck through, or is part of the words of an item that is.

        A list item below a ticked one is a line of its own: what is left of finished work often stands there.
        """
        text = self.lines[line - 1]
        if _STRUCK.fullmatch(text) or _TICKED.match(text):
            return True
        heading = next((section.title for section in self.document.sections if section.line == line), None)
        if heading is not None:
            return is_done(heading)
        own = self._starts.get(line)
        if own is not None or _LIST_MARK.match(text):
            return own is not None and own.done
        return any(entry.done for entry in self.entries_around(line)[:1])

    def work(self, line: int, quote: str, text: str) -> str:
        """Return the words of the work that a quoted line names.

        Args:
            text: how somebody put it; it counts when it shares a word with what stands there.
        """
        around = self._paragraph(line)
        said = one_line(text)
        if said and not unrelated(said, [around]):
            return said
        entry = self._starts.get(line)
        if entry is not None:
            return entry.text
        heading = next((one.title for one in self.document.sections if one.line == line), None)
        if heading is not None:
            return one_line(heading)
        own = self.lines[line - 1]
        if own.strip().startswith("|"):
            return max(map(one_line, own.strip().strip("|").split("|")), key=lambda one: len(content_words(one)))
        form = quote_form(quote)
        spans = ((around[start:end], quote_form(around[start:end])) for start, end in sentences(around, 0, len(around)))
        found = next((one for one, folded in spans if form in folded or folded in form), around)
        return one_line(_FRONT.sub("", found, count=1)) or one_line(own)

    def _paragraph(self, line: int) -> str:
        """Return the paragraph of a line, up to blank lines, headings and other list items."""
        ends = {section.line for section in self.document.sections} | self._starts.keys()
        first = last = line
        if line not in ends:
            while first > 1 and self.lines[first - 2].strip() and first - 1 not in ends:
                first -= 1
            if first > 1 and first - 1 in self._starts:
                first -= 1
        is_heading = line in ends and line not in self._starts
        while not is_heading and last < len(self.lines) and self.lines[last].strip() and last + 1 not in ends:
            last += 1
        return "\n".join(self.lines[first - 1 : last])

    def headings(self, line: int) -> str:
        """Return the titles above a line, innermost first, one a line."""
        sections = self.document.sections
        at = max((at for at, one in enumerate(sections) if one.line <= line), default=-1)
        titles: list[str] = []
        while at >= 0:
            titles.append(sections[at].title)
            at = sections[at].parent
        return "\n".join(titles)

    def id_of(self, line: int) -> str:
        """Return the id of a line that is in no list, the same while its words and its file stay."""
        words = fold(_FRONT.sub("", self.lines[line - 1], count=1)).text
        return hashlib.sha256(f"said\0{self.path}\0{words}".encode("utf-8", "replace")).hexdigest()[:12]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t>"))
