"""Markdown text to a document: headings, list items, table rows, with their lines. PURE.

markdown-it's block rules alone find all of them (inline rules would cost half the time again). Plain notes (headings,
lists at the margin, prose, fenced code) are read line by line, four times faster and with the same result; at the first
line that could mean anything else, the parser takes over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from wrapgen.late_pattern import late
from wrapgen.notes import Document, Entry
from wrapgen.vault.markdown.boxes import Outline, begins_anew, bold_title, box_at, is_box, open_boxes, own_words
from wrapgen.vault.markdown.marks.item import ListedItems, open_mark, read_item
from wrapgen.vault.markdown.marks.state import MARKER
from wrapgen.vault.markdown.note import front_matter, with_own_status
from wrapgen.vault.markdown.token_reader import OBSIDIAN_COMMENT, TokenReader

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

NESTED_TOO_DEEPLY = "nested too deeply"

# A list takes two levels an indentation. markdown-it's presets stop at 20 and drop the rest in silence; Python's
# own limit of 1,000 frames allows some 300.
_MAX_LEVEL = 200
_SIGN = r"(?:[-*+>]|\d{1,9}[.)])(?=[ \t])"
# So many lists on one line are that deep; the parser would go over the rest of the line for each of them.
_DEEP_LINE = late(rf"^(?:[ \t]*{_SIGN}){{{_MAX_LEVEL // 2}}}(?=[^\r\n]*[^-*+_ \t\r\n])", re.MULTILINE)
# What is too much in front of a line's words: all behind forty blanks and signs but the last sign.
_TOO_DEEP = late(rf"^((?:[ \t]|{_SIGN}){{40}})[ \t]*+(?:{_SIGN}[ \t]++(?={_SIGN}))*+", re.MULTILINE)


class Tokens(NamedTuple):
    """The blocks of a file."""

    found: list[Token]
    trouble: str | None = None  # `NESTED_TOO_DEEPLY` when the deepest were read as less deep


def parse(text: str) -> Document:
    """Parse a file."""
    plain = read_plain(text)
    return read_tokens(tokenize(text), text) if plain is None else with_own_status(plain, text)


def tokenize(text: str) -> Tokens:
    """The blocks of a file; one that nests too deeply is read as if it were less deep, so that no line is lost."""
    if "%%" in text:
        text = OBSIDIAN_COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)  # no line moves
    markdown = _markdown(front_matter=front_matter(text) is not None)
    if not _DEEP_LINE.search(text):
        with suppress(RecursionError):
            tokens = markdown.parse(text)
            if all(token.level < _MAX_LEVEL - 1 for token in tokens):
                return Tokens(tokens)
    return Tokens(markdown.parse(_TOO_DEEP.sub(r"\1", text)), NESTED_TOO_DEEPLY)


def read_tokens(tokens: Tokens, text: str) -> Document:
    """The headings and entries among the blocks of a file, and whatever else shows a box."""
    return with_own_status(replace(TokenReader(text).read(tokens.found), trouble=tokens.trouble), text)


@lru_cache(maxsize=2)
def _markdown(*, front_matter: bool) -> MarkdownIt:
    # Plain notes need neither, and their import takes longer than reading some hundred of them.
    from markdown_it import MarkdownIt
    from mdit_py_plugins.front_matter import front_matter_plugin

    markdown = MarkdownIt("commonmark", {"maxNesting": _MAX_LEVEL}).enable("table")
    if front_matter:  # the plugin finds some in a list item on the first line, too
        markdown.use(front_matter_plugin)
    markdown.block.ruler.before("paragraph", "begins_anew", begins_anew, {"alt": ["paragraph", "blockquote"]})
    markdown.core.ruler.enableOnly(["normalize", "block"])
    return markdown


_HEADING = late(r"(#{1,6}) +(\S.*)$")
_ITEM = late(r"(?:[-*+]|([0-9]{1,9})[.)]) {1,4}(?! )(.*)$")
# Rules, underlines of headings, delimiter rows of tables, front matter; empty items and headings, items that hold code.
_OTHER = late(r"[-=*_+|: ]+$|(?:[-*+]|[0-9]{1,9}[.)])(?: |$)|#{1,6} *$")
_FENCE = late(r"(`{3,})[^`]*$|(~{3,})")
# What opens a block other than a paragraph inside of an item.
_BLOCK = late(r"[<>]|#{1,6}(?: |$)|(?:[-*+]|[0-9]{1,9}[.)])(?: |$)|```|~~~|[-=*_+|: ]+$")
# A bracket at the start of a paragraph that is closed on its line and defines no link.
_NO_DEFINITION = late(r"\[[^\]\\]*\](?!:)")


def read_plain(text: str) -> Document | None:
    """What the parser would give for a file of plain notes; None for any other file."""
    text = text.replace("\r\n", "\n")
    if "\t" in text or "\r" in text or "\0" in text or "%%" in text:
        return None
    return _PlainNotes().read(text)


class _PlainNotes:
    def __init__(self) -> None:
        self._outline = Outline()
        self._entries: list[Entry] = []
        # The paragraph that is open, at the margin or in an item, with the line where it begins.
        self._open: list[str] = []
        self._line = 0
        # The list that is open, with what its items begin with, and how many boxes had no words.
        self._list: ListedItems | None = None
        self._bullet = ""
        self._empty: list[str] = []
        self._code: list[str] = []

    def read(self, text: str) -> Document | None:
        lines = iter(enumerate(text.split("\n"), 1))
        for number, line in lines:
            if not line:
                self._close()
            elif line[0] == "#" and (heading := _HEADING.match(line)):
                title = heading[2].strip()
                if title.endswith("#") or MARKER.match(title) or box_at(line) is not None:
                    return None
                self._end_list()
                self._outline.open(len(heading[1]), title, number)
            elif line[0] in "`~" and (fence := _FENCE.match(line)):
                self._end_list()
                self._skip_code(lines, fence[0] if fence[2] else fence[1])
            elif not self._may_read(line, number):
                return None
        self._end_list()
        entries, empty, ignored = tuple(self._entries), tuple(self._empty), sum(1 for _ in open_boxes(self._code))
        return Document(
            self._outline.sections(), entries, empty=empty, ignored=ignored, paragraphs=self._outline.paragraphs
        )

    def _skip_code(self, lines: Iterator[tuple[int, str]], fence: str) -> None:
        """Pass over fenced code, to its end or that of the file."""
        closing = re.compile(rf" {{0,3}}{fence[0]}{{{len(fence)},}} *$")
        for _, line in lines:
            if closing.match(line):
                return
            self._code.append(line)

    def _may_read(self, line: str, number: int) -> bool:
        """Read a line of a list or of prose; returns False when it could be anything else."""
        if line[0].isspace():
            if line.strip(" "):
                return False
            self._close()
            return True
        item = _ITEM.match(line)
        # In a paragraph at the margin, a number other than 1 opens no list, unless a box is behind it.
        if item and (self._list or not self._open or item[1] is None or int(item[1]) == 1 or is_box(item[2])):
            return self._item(item, number)
        if not line[0].isalpha() and not item and (line[0] in "<>" or _OTHER.match(line)):
            return False
        if own_words(line) is not None:
            return False
        if self._open and (line[0] not in "*_" or bold_title(line) is None):
            self._open.append(line)
            return True
        self._end_list()
        self._open, self._line = [line], number
        return _opens_paragraph(line)

    def _item(self, item: re.Match[str], number: int) -> bool:
        text = item[2]
        if text[:1] not in ("", "[") and box_at(text) not in (None, 0):
            return False
        if not text or (not text[0].isalpha() and (_BLOCK.match(text) or not _opens_paragraph(text))):
            return False
        self._close()
        bullet = item[0][len(item[1] or "")]
        if self._list is None or bullet != self._bullet:
            self._end_list()
            self._outline.saw_list()
            self._list, self._bullet = ListedItems(self._entries), bullet
        self._open, self._line = [text], number
        return True

    def _close(self) -> None:
        if not self._open:
            return
        content = "\n".join(self._open).strip()
        self._open = []
        if self._list:
            entry = read_item(content, line=self._line, section=self._outline.current)
            if entry is not None:
                self._list.add(entry, content)
            elif mark := open_mark(content):
                self._empty.append(mark)
            return
        self._outline.saw_paragraph(content, self._line)

    def _end_list(self) -> None:
        self._close()
        if self._list:
            self._list.close()
            self._list = None


def _opens_paragraph(text: str) -> bool:
    return bool(text) and not text[0].isspace() and (text[0] != "[" or _NO_DEFINITION.match(text) is not None)
