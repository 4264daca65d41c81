"""Markdown text to a document: headings, list items, table rows, with their lines. PURE.

markdown-it's block rules alone find all of them (inline rules would cost half the time again). Nothing in code,
quotes, HTML or front matter is an entry.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from wrapgen.notes import Document, Entry
from wrapgen.text.display import shorten
from wrapgen.vault.markdown import marks
from wrapgen.vault.markdown.boxes import begins_anew, split_items, with_ignored
from wrapgen.vault.markdown.lines import read_nested, read_plain
from wrapgen.vault.markdown.outline import BOLD_LINE_LEVEL, Outline, bold_title, is_aside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from wrapgen.vault.markdown.boxes import Indented

# A list takes two levels an indentation. markdown-it's presets stop at 20 and drop the rest in silence; Python's
# own limit of 1,000 frames allows some 300.
_MAX_LEVEL = 200
# So many lists on one line are that deep; the parser would go over the rest of the line for each of them.
_DEEP_LINE = re.compile(
    rf"^(?:[ \t]*(?:[-*+]|\d{{1,9}}[.)])(?=[ \t])){{{_MAX_LEVEL // 2}}}(?=[^\r\n]*[^-*+_ \t\r\n])", re.MULTILINE
)
# What an item is nested in is kept with each item below: so many levels, and characters of each, tell enough.
_MAX_ABOVE, _LONGEST_ABOVE = 20, 60
# A block between two lines of `%%` alone is a comment of Obsidian's.
_OBSIDIAN_COMMENT = re.compile(r"^%%[ \t]*\r?\n(?:(?!%%[ \t]*\r?$).*\n)*?%%[ \t]*\r?$", re.MULTILINE)


def parse(text: str) -> Document:
    """Parse a file.

    Returns:
        the document; its `trouble` says so when the file nests too deeply to be parsed and was read by lines.
    """
    return with_ignored(_parsed(text), text)


def _parsed(text: str) -> Document:
    plain = read_plain(text)
    if plain is not None:
        return plain
    tokens = tokenize(text)
    return read_nested(text) if tokens is None else read_tokens(tokens)


def tokenize(text: str) -> list[Token] | None:
    """The blocks of a file, or None when it is nested too deeply."""
    if _DEEP_LINE.search(text):
        return None
    if "%%" in text:
        text = _OBSIDIAN_COMMENT.sub(_blanked, text)
    try:
        tokens = _markdown(front_matter=text.startswith("---")).parse(text)
    except RecursionError:
        return None
    return None if any(token.level >= _MAX_LEVEL - 1 for token in tokens) else tokens


def read_tokens(tokens: list[Token]) -> Document:
    """The headings and entries among the blocks of a file."""
    return _TokenReader().read(tokens)


def _blanked(comment: re.Match[str]) -> str:
    """The line breaks of a comment: what stands below keeps its lines."""
    return "\n" * comment[0].count("\n")


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


@dataclass(slots=True)
class _ListItem:
    """An item that is open."""

    line: int
    above: tuple[str, ...]  # texts of the items that it is nested in; none when it is no detail of one
    read: bool = False
    text: str = ""  # its words, once they are read


class _TokenReader:
    """Walks the tokens once."""

    def __init__(self) -> None:
        self._outline = Outline()
        self._entries: list[Entry] = []
        self._empty: list[str] = []
        self._items: list[_ListItem] = []
        self._lists: list[marks.ListedItems] = []
        # Whether each quote that is open is a callout; None before its first line is seen.
        self._quotes: list[bool | None] = []
        self._heading: Token | None = None
        self._last: Token | None = None
        self._right_below: Token | None = None
        self._table: marks.Table | None = None
        self._row: list[str] | None = None
        self._row_line = 0
        self._in_head = False

    def read(self, tokens: list[Token]) -> Document:
        for token in tokens:
            handle = self._handlers.get(token.type)
            if handle is not None:
                handle(self, token)
            self._last = token
        return Document(self._outline.sections(), tuple(self._entries), empty=tuple(self._empty))

    def _open_item(self, token: Token) -> None:
        above = (*self._items[-1].above, self._items[-1].text) if self._items else ()
        self._items.append(_ListItem(_line(token), tuple(filter(None, above[-_MAX_ABOVE:]))))

    def _close_item(self, _: Token) -> None:
        self._items.pop()

    def _open_heading(self, token: Token) -> None:
        self._heading = token

    def _close_heading(self, token: Token) -> None:
        self._heading = None
        self._right_below = token

    def _code(self, token: Token) -> None:
        """Items indented right below a heading: to CommonMark they are code, to outliners like Logseq its list."""
        if self._right_below is not self._last:
            return
        words, items = split_items("\n" + re.sub("^", "    ", token.content.rstrip(), flags=re.MULTILINE), boxes=False)
        if not words and any(marks.open_mark(item.text) for item in items):
            self._open_list(token)
            self._add_below(items, _line(token) - 1, ())
            self._close_list(token)

    def _open_quote(self, _: Token) -> None:
        self._quotes.append(None)

    def _close_quote(self, _: Token) -> None:
        self._quotes.pop()

    def _open_list(self, _: Token) -> None:
        self._lists.append(marks.ListedItems(self._entries))
        if not self._quotes:
            self._outline.saw_list()
        elif self._quotes[-1] is None:
            self._quotes[-1] = False

    def _close_list(self, _: Token) -> None:
        self._lists.pop().close()

    def _open_body(self, _: Token) -> None:
        if not self._quotes:
            self._outline.saw_list()

    def _open_row(self, token: Token) -> None:
        self._row = []
        self._row_line = _line(token)

    def _close_row(self, _: Token) -> None:
        cells, self._row = self._row, None
        # A table that is indented into a list item is detail of that item.
        if not cells or self._items:
            return
        if self._in_head:
            self._table = marks.Table(cells, self._outline.current)
        elif self._table is not None:
            self._table.add(self._row_line, cells)

    def _open_head(self, _: Token) -> None:
        self._in_head = True

    def _close_head(self, _: Token) -> None:
        self._in_head = False

    def _close_table(self, _: Token) -> None:
        table, self._table = self._table, None
        if table is not None:
            self._entries += table.entries()

    def _inline(self, token: Token) -> None:
        if self._quotes and not self._in_callout(token):
            return
        if self._row is not None:
            self._row.append(token.content)
        elif self._items:
            self._item(token)
        elif self._quotes:
            return
        elif self._heading is not None:
            self._outline.open(int(self._heading.tag[1]), token.content, _line(token))
        else:
            self._paragraph(token)

    def _in_callout(self, token: Token) -> bool:
        """Whether the innermost quote is a callout (`> [!todo]`), whose boxes are read."""
        if self._quotes[-1] is None:
            self._quotes[-1] = token.content.startswith("[!")
        return bool(self._quotes[-1]) and self._row is None

    def _item(self, token: Token) -> None:
        item = self._items[-1]
        if item.read:
            return
        item.read = True
        words, below = split_items(token.content, boxes=False)
        item.text = self._add(words, item.line, item.above)
        self._add_below(below, _line(token), tuple(filter(None, (*item.above, item.text))))

    def _add(self, raw: str, line: int, above: tuple[str, ...], *, nested: bool = False) -> str:
        """Add an item as far as it is one; returns its words."""
        entry = marks.read_item(raw, line=line, section=self._outline.current, above=above)
        if entry is None:
            if mark := marks.open_mark(raw):
                self._empty.append(mark)
            return ""
        if entry.box or not (nested or above or self._quotes):
            self._lists[-1].add(entry, raw)
        return shorten(entry.text, _LONGEST_ABOVE)

    def _add_below(self, items: Sequence[Indented], line: int, above: tuple[str, ...]) -> None:
        """Add the items that are indented into a paragraph, each below those that are indented less."""
        inside: list[tuple[int, str]] = []
        for item in items:
            while inside and inside[-1][0] >= item.indent:
                inside.pop()
            texts = filter(None, (*above, *(text for _, text in inside)))
            text = self._add(item.text, line + item.below, tuple(texts)[-_MAX_ABOVE:], nested=True)
            inside.append((item.indent, text))

    def _html(self, token: Token) -> None:
        """A comment at an item's start makes its whole line HTML; the words after it still belong to the item."""
        comment = token.content.lstrip().startswith("<!--") and "-->" in token.content
        if comment and self._items and not self._quotes:
            self._item(token)

    def _paragraph(self, token: Token) -> None:
        words, items = split_items(token.content, boxes=True)
        aside = is_aside(words)
        for number, line in enumerate(words.split("\n"), _line(token)):
            if title := bold_title(line):
                self._outline.open(BOLD_LINE_LEVEL, title, number)
            elif not aside:
                self._outline.saw_prose()
        if items:
            self._open_list(token)
            self._add_below(items, _line(token), ())
            self._close_list(token)

    _handlers: ClassVar[dict[str, Callable[[_TokenReader, Token], None]]] = {
        "inline": _inline,
        "html_block": _html,
        "code_block": _code,
        "list_item_open": _open_item,
        "list_item_close": _close_item,
        "heading_open": _open_heading,
        "heading_close": _close_heading,
        "blockquote_open": _open_quote,
        "blockquote_close": _close_quote,
        "bullet_list_open": _open_list,
        "ordered_list_open": _open_list,
        "bullet_list_close": _close_list,
        "ordered_list_close": _close_list,
        "tbody_open": _open_body,
        "table_close": _close_table,
        "thead_open": _open_head,
        "thead_close": _close_head,
        "tr_open": _open_row,
        "tr_close": _close_row,
    }


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1
