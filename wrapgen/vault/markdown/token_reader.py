"""The blocks that markdown-it finds as a document: headings, list items, table rows, with their lines. PURE."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from wrapgen.late_pattern import late
from wrapgen.notes import Document, Entry
from wrapgen.text.display import shorten
from wrapgen.vault.markdown.boxes import LINE_BREAK, Outline, box_at, column, open_boxes, split_items
from wrapgen.vault.markdown.marks.item import ListedItems, open_mark, read_item
from wrapgen.vault.markdown.marks.state import DONE_MARKERS, MARKER, OPEN_MARKERS
from wrapgen.vault.markdown.marks.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from markdown_it.token import Token

    from wrapgen.vault.markdown.boxes import Indented

# What an item is nested in is kept with each item below: so many levels, and characters of each, tell enough.
_MAX_ABOVE, _LONGEST_ABOVE = 20, 60
# An item that ends so is not the work, but leads to the items below it.
_LEAD_IN = late(r"[:：][*_\s]*$")
_HIDING = frozenset(("fence", "code_block", "html_block", "front_matter"))
# A block between two lines of `%%` alone is a comment of Obsidian's.
OBSIDIAN_COMMENT = late(r"^%%[ \t]*\r?\n(?:(?!%%[ \t]*\r?$).*\n)*?%%[ \t]*\r?$", re.MULTILINE)


@dataclass(slots=True)
class _ListItem:
    line: int
    column: int  # how far its bullet is indented
    above: tuple[str, ...]  # texts of the items that it is nested in; none when it is no detail of one
    read: bool = False
    text: str = ""  # its words, once they are read
    entry: int | None = None  # its position among the entries


class TokenReader:
    """Walks the tokens once."""

    def __init__(self, text: str) -> None:
        self._lines = LINE_BREAK.split(text)
        # Lines in which a box is none: of code, HTML, quotes, front matter, comments.
        self._hidden: list[range] = [
            range(first, first + comment[0].count("\n") + 1)
            for comment in (OBSIDIAN_COMMENT.finditer(text) if "%%" in text else ())
            for first in [text.count("\n", 0, comment.start())]
        ]
        self._outline = Outline()
        self._entries: list[Entry] = []
        self._empty: list[str] = []
        self._empty_lines: set[int] = set()
        # Positions of entries that only lead to those below, and of headings that are tasks, with their section.
        self._leads: set[int] = set()
        self._headings: dict[int, int] = {}
        self._items: list[_ListItem] = []
        self._lists: list[ListedItems] = []
        # The quotes that are open, each with its lines and whether it is a callout; None before its first line is seen.
        self._quotes: list[tuple[range, bool | None]] = []
        self._last: Token | None = None
        self._table: dict[int, list[str]] | None = None  # cells of the table that is open, by line

    def read(self, tokens: list[Token]) -> Document:
        for token in tokens:
            if handle := self._handlers.get(token.type):
                handle(self, token)
            if token.type in _HIDING and token.map:
                self._hidden.append(range(*token.map))
            self._last = token
        titles = self._tasks_among_headings()
        sections = self._outline.sections(titles)
        ignored = self._read_on([section.line for section in sections])
        kept = [entry for at, entry in enumerate(self._entries) if at not in self._leads]
        kept.sort(key=lambda entry: entry.line)
        empty = tuple(self._empty)
        return Document(sections, tuple(kept), empty=empty, ignored=ignored, paragraphs=self._outline.paragraphs)

    def _tasks_among_headings(self) -> dict[int, str]:
        """The titles of headings that are tasks; one with a marker (`## TODO list`) rather heads what is below it."""
        sections = self._outline.sections()
        heads: set[int] = set()
        for entry in (one for at, one in enumerate(self._entries) if at not in self._headings):
            section = entry.section
            while section >= 0 and section not in heads:
                heads.add(section)
                section = sections[section].parent
        titles: dict[int, str] = {}
        for at, section in self._headings.items():
            if self._entries[at].mark in (*OPEN_MARKERS, *DONE_MARKERS) and section in heads:
                self._leads.add(at)
            else:
                titles[section] = self._entries[at].text
        return titles

    def _read_on(self, headings: list[int]) -> int:
        """Read the boxes that were passed over, and count those that are none."""
        read = {entry.line for at, entry in enumerate(self._entries) if at not in self._leads} | self._empty_lines
        ignored = 0
        for line, words in [one for one in open_boxes(self._lines) if one[0] not in read]:
            if any(line - 1 in lines for lines in self._hidden):
                ignored += 1
            elif entry := read_item(words, line=line, section=bisect_right(headings, line) - 1):
                self._entries.append(entry)
            else:
                self._empty.append(" ")
        return ignored

    def _open_item(self, token: Token) -> None:
        around = self._items[-1] if self._items else None
        above = (*around.above, around.text) if around else ()
        line = _line(token)
        indent = column(self._lines[line - 1])
        if around and around.line == line:
            indent = around.column + 1
            around.read = True  # it begins with a list: it has no words of its own
        self._items.append(_ListItem(line, indent, tuple(filter(None, above[-_MAX_ABOVE:]))))

    def _close_item(self, _: Token) -> None:
        self._items.pop()

    def _code(self, token: Token) -> None:
        """Items indented right below a heading: to CommonMark they are code, to outliners like Logseq its list."""
        if self._last is None or self._last.type != "heading_close":
            return
        words, items = split_items("\n" + re.sub("^", "    ", token.content.rstrip(), flags=re.MULTILINE), boxes=False)
        if not words and any(open_mark(item.text) for item in items):
            self._open_list(token)
            self._add_below(items, _line(token) - 1)
            self._close_list(token)

    def _open_quote(self, token: Token) -> None:
        self._quotes.append((range(*(token.map or (0, 0))), None))

    def _close_quote(self, _: Token) -> None:
        lines, callout = self._quotes.pop()
        if not callout:
            self._hidden.append(lines)

    def _open_list(self, _: Token) -> None:
        self._lists.append(ListedItems(self._entries))
        if not self._quotes:
            self._outline.saw_list()
        elif self._quotes[-1][1] is None:
            self._quotes[-1] = (self._quotes[-1][0], False)

    def _close_list(self, _: Token) -> None:
        self._lists.pop().close()

    def _open_table(self, _: Token) -> None:
        self._table = {}

    def _close_table(self, _: Token) -> None:
        table, self._table = [*(self._table or {}).items()], None
        if not table:
            return
        head, *rows = table
        if rows and not self._quotes:
            self._outline.saw_list()
        # A table that is indented into a list item is detail of that item, but for its boxes.
        entries = Table(head[1], rows, self._outline.current).entries()
        self._entries += (entry for entry in entries if not (self._items and entry.row))

    def _inline(self, token: Token) -> None:
        if self._quotes and not self._in_callout(token):
            if not self._items and self._table is None:
                self._outline.saw_quote(token.content, _line(token))
            return
        if self._table is not None:
            self._table.setdefault(_line(token), []).append(token.content)
        elif self._items:
            self._item(token)
        elif self._last and self._last.type == "heading_open":
            self._headline(token, int(self._last.tag[1]))
        else:
            self._paragraph(token)

    def _in_callout(self, token: Token) -> bool:
        """Whether the innermost quote is a callout (`> [!todo]`), whose boxes are read."""
        lines, callout = self._quotes[-1]
        if callout is None:
            callout = token.content.startswith("[!")
            self._quotes[-1] = (lines, callout)
        return callout and self._table is None

    def _item(self, token: Token) -> None:
        item = self._items[-1]
        first = item.read
        words, below = split_items(token.content, boxes=first, first=first)
        if not first:
            item.read = True
            item.text = self._add(words[box_at(words.partition("\n")[0]) or 0 :], item.line, item.above, of=item)
        self._add_below(below, _line(token))

    def _add(
        self, raw: str, line: int, above: tuple[str, ...], *, nested: bool = False, of: _ListItem | None = None
    ) -> str:
        """Add an item as far as it is one; returns its words."""
        entry = read_item(raw, line=line, section=self._outline.current, above=above)
        if entry is None:
            if mark := open_mark(raw):
                self._empty.append(mark)
                self._empty_lines.add(line)
            return ""
        led = of is not None and bool(above) and self._led(of, entry)
        signed = nested and entry.done and not self._quotes
        if entry.box or led or signed or not (nested or above or self._quotes):
            if of:
                of.entry = len(self._entries)
            self._lists[-1].add(entry, raw)
        return shorten(entry.text, _LONGEST_ABOVE).rstrip(":：")

    def _led(self, item: _ListItem, entry: Entry) -> bool:
        """Whether an item is one because the item that it is in only leads to it ("Before the release:")."""
        around = self._items[-2] if len(self._items) > 1 and self._items[-1] is item else None
        if around is None or around.entry is None or self._quotes:
            return False
        if entry.text.startswith("`") and not entry.box:
            return False  # names of what the work is done to
        lead = self._entries[around.entry]
        if not _LEAD_IN.search(lead.text) or (lead.box and not entry.box):
            return False
        if around.entry not in self._leads:
            self._leads.add(around.entry)
            if lead.box and not lead.done:
                self._empty.append(lead.mark)
                self._empty_lines.add(lead.line)
        return True

    def _add_below(self, items: Sequence[Indented], line: int) -> None:
        """Add the items among a paragraph's lines, each below those that are indented less."""
        inside = [(item.column, item.text) for item in self._items]
        for item in items:
            indent = column(self._lines[line + item.below - 1])
            while inside and inside[-1][0] >= indent:
                inside.pop()
            texts = tuple(text for _, text in inside if text)
            text = self._add(item.text, line + item.below, texts[-_MAX_ABOVE:], nested=True)
            inside.append((indent, text))

    def _headline(self, token: Token, level: int) -> None:
        if self._quotes:
            return
        title, line = split_items(token.content, boxes=True)[0], _line(token)
        words = title[box_at(title) or 0 :]
        self._outline.open(level, title, line)
        first = level == 1 and self._outline.current == 0
        marked = box_at(f"# {title}") is not None or (MARKER.match(title) and not first)
        entry = read_item(words, line=line, section=self._outline.around) if marked else None
        if entry is not None and entry.box:
            self._headings[len(self._entries)] = self._outline.current
            self._entries.append(entry)

    def _html(self, token: Token) -> None:
        """A comment at an item's start makes its whole line HTML; the words after it still belong to the item."""
        comment = token.content.lstrip().startswith("<!--") and "-->" in token.content
        if comment and self._items and not self._quotes:
            self._item(token)

    def _paragraph(self, token: Token) -> None:
        words, items = split_items(token.content, boxes=True, first=True)
        if words and not self._quotes:
            self._outline.saw_paragraph(words, _line(token))
        if not items:
            return
        if any(open_mark(item.text) for item in items):
            self._open_list(token)
        else:  # what is done leads nowhere
            self._lists.append(ListedItems(self._entries))
        self._add_below(items, _line(token))
        self._close_list(token)

    _handlers: ClassVar[dict[str, Callable[[TokenReader, Token], None]]] = {
        "inline": _inline,
        "html_block": _html,
        "code_block": _code,
        "list_item_open": _open_item,
        "list_item_close": _close_item,
        "blockquote_open": _open_quote,
        "blockquote_close": _close_quote,
        "bullet_list_open": _open_list,
        "ordered_list_open": _open_list,
        "bullet_list_close": _close_list,
        "ordered_list_close": _close_list,
        "table_open": _open_table,
        "table_close": _close_table,
    }


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1
