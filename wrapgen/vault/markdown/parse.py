"""Markdown text to a document: headings, list items, table rows, with their lines. PURE.

markdown-it's block rules alone find all of them (inline rules would cost half the time again). Nothing in code,
quotes, HTML or front matter is an entry.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from wrapgen.model import Document, Entry
from wrapgen.vault.markdown import marks
from wrapgen.vault.markdown.lines import parse_lines
from wrapgen.vault.markdown.outline import BOLD_LINE_LEVEL, Outline, bold_title
from wrapgen.vault.markdown.plain import parse_plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# A list takes two levels an indentation. markdown-it's presets stop at 20 and drop the rest in silence; Python's
# own limit of 1,000 frames allows some 300.
_MAX_LEVEL = 200
# So many lists on one line are that deep; the parser would go over the rest of the line for each of them.
_DEEP_LINE = re.compile(
    rf"^(?:[ \t]*(?:[-*+]|\d{{1,9}}[.)])(?=[ \t])){{{_MAX_LEVEL // 2}}}(?=[^\r\n]*[^-*+_ \t\r\n])", re.MULTILINE
)


def parse(text: str) -> Document:
    """Parse a file.

    Args:
        text: the file's text, without byte order mark; any line endings.

    Returns:
        the document; its `trouble` says so when the file nests too deeply to be parsed and was read by lines.
    """
    plain = parse_plain(text)
    if plain is not None:
        return plain
    tokens = tokenize(text)
    return parse_lines(text) if tokens is None else read_tokens(tokens)


def tokenize(text: str) -> list[Token] | None:
    """The blocks of a file, or None when it nests too deeply.

    Args:
        text: as for `parse`.
    """
    if _DEEP_LINE.search(text):
        return None
    try:
        tokens = _markdown(front_matter=text.startswith("---")).parse(text)
    except RecursionError:
        return None
    return None if any(token.level >= _MAX_LEVEL - 1 for token in tokens) else tokens


def read_tokens(tokens: list[Token]) -> Document:
    """The headings and entries among the blocks of a file."""
    return _Reader().read(tokens)


@lru_cache(maxsize=2)
def _markdown(*, front_matter: bool) -> MarkdownIt:
    # Plain notes need neither, and their import takes longer than reading some hundred of them.
    from markdown_it import MarkdownIt
    from mdit_py_plugins.front_matter import front_matter_plugin

    markdown = MarkdownIt("commonmark", {"maxNesting": _MAX_LEVEL}).enable("table")
    if front_matter:  # the plugin finds some in a list item on the first line, too
        markdown.use(front_matter_plugin)
    markdown.core.ruler.enableOnly(["normalize", "block"])
    return markdown


@dataclass(slots=True)
class _ListItem:
    """An item that is open: `alone` when no enclosing item has words, so that it is nobody's detail."""

    line: int
    alone: bool
    read: bool = False
    worded: bool = False


class _Reader:
    """Walks the tokens once."""

    def __init__(self) -> None:
        self._outline = Outline()
        self._entries: list[Entry] = []
        self._items: list[_ListItem] = []
        self._quotes = 0
        self._heading: Token | None = None
        self._row: list[str] | None = None
        self._row_line = 0
        self._in_head = False

    def read(self, tokens: list[Token]) -> Document:
        for token in tokens:
            handle = self._handlers.get(token.type)
            if handle is not None:
                handle(self, token)
        return Document(sections=self._outline.sections(), entries=tuple(self._entries))

    def _open_item(self, token: Token) -> None:
        alone = not any(item.worded for item in self._items)
        self._items.append(_ListItem(_line(token), alone))

    def _close_item(self, _: Token) -> None:
        self._items.pop()

    def _open_heading(self, token: Token) -> None:
        self._heading = token

    def _close_heading(self, _: Token) -> None:
        self._heading = None

    def _open_quote(self, _: Token) -> None:
        self._quotes += 1

    def _close_quote(self, _: Token) -> None:
        self._quotes -= 1

    def _open_list(self, _: Token) -> None:
        if not self._quotes:
            self._outline.saw_list()

    def _open_row(self, token: Token) -> None:
        self._row = []
        self._row_line = _line(token)

    def _close_row(self, token: Token) -> None:
        cells, self._row = self._row, None
        # A row of a table that is indented into a list item is detail of that item.
        if not cells or self._in_head or self._items:
            return
        entry = marks.read_row(cells, line=self._row_line, section=self._outline.current)
        if entry is not None:
            self._entries.append(entry)

    def _open_head(self, _: Token) -> None:
        self._in_head = True

    def _close_head(self, _: Token) -> None:
        self._in_head = False

    def _inline(self, token: Token) -> None:
        if self._quotes:
            return
        if self._row is not None:
            self._row.append(token.content)
        elif self._items:
            self._item(token)
        elif self._heading is not None:
            self._outline.open(int(self._heading.tag[1]), token.content, _line(token))
        else:
            self._paragraph(token)

    def _item(self, token: Token) -> None:
        item = self._items[-1]
        if item.read:
            return
        item.read = True
        entry = marks.read_item(token.content, line=item.line, section=self._outline.current)
        if entry is not None:
            item.worded = True
            if item.alone or entry.box:
                self._entries.append(entry)

    def _html(self, token: Token) -> None:
        """A comment at an item's start makes its whole line HTML; the words behind it are the item's all the same."""
        comment = token.content.lstrip().startswith("<!--") and "-->" in token.content
        if comment and self._items and not self._quotes:
            self._item(token)

    def _paragraph(self, token: Token) -> None:
        for number, line in enumerate(token.content.split("\n"), _line(token)):
            if title := bold_title(line):
                self._outline.open(BOLD_LINE_LEVEL, title, number)
            else:
                self._outline.saw_prose()

    _handlers: ClassVar[dict[str, Callable[[_Reader, Token], None]]] = {
        "inline": _inline,
        "html_block": _html,
        "list_item_open": _open_item,
        "list_item_close": _close_item,
        "heading_open": _open_heading,
        "heading_close": _close_heading,
        "blockquote_open": _open_quote,
        "blockquote_close": _close_quote,
        "bullet_list_open": _open_list,
        "ordered_list_open": _open_list,
        "tbody_open": _open_list,
        "thead_open": _open_head,
        "thead_close": _close_head,
        "tr_open": _open_row,
        "tr_close": _close_row,
    }


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1
