"""Notes read line by line, without a Markdown parser. PURE.

`read_plain` reads headings, lists at the margin, prose and fenced code, which make up a third of all notes, four times
faster than the parser and with the same result; at the first line that could mean anything else (indentation, tables,
quotes, HTML, rules, front matter, link definitions) it gives up. `read_nested` reads what the parser refuses: coarser
(no tables, no items over several lines), but it sees every list item at any depth, in time linear in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wrapgen.notes import Document, Entry
from wrapgen.text.blocks import fence_behind
from wrapgen.vault.markdown.boxes import LINE_BREAK, box_at, box_words, is_box
from wrapgen.vault.markdown.marks.item import ListedItems, open_mark, read_item
from wrapgen.vault.markdown.marks.state import MARKER
from wrapgen.vault.markdown.outline import BOLD_LINE_LEVEL, Outline, bold_title

NESTED_TOO_DEEPLY = "nested too deeply"

_HEADING = re.compile(r"(#{1,6}) +(\S.*)$")
_ITEM = re.compile(r"(?:[-*+]|([0-9]{1,9})[.)]) {1,4}(?! )(.*)$")
# Rules, underlines of headings, delimiter rows of tables, front matter; empty items and headings, items that hold code.
_OTHER = re.compile(r"[-=*_+|: ]+$|(?:[-*+]|[0-9]{1,9}[.)])(?: |$)|#{1,6} *$")
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
# What opens a block other than a paragraph inside of an item.
_BLOCK = re.compile(r"[<>]|#{1,6}(?: |$)|(?:[-*+]|[0-9]{1,9}[.)])(?: |$)|```|~~~|[-=*_+|: ]+$")
# A bracket at the start of a paragraph that is closed on its line and defines no link.
_NO_DEFINITION = re.compile(r"\[[^\]\\]*\](?!:)")
_ANY_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)$")
_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)")


def read_plain(text: str) -> Document | None:
    """What the parser would give for a file of plain notes; None for any other file."""
    text = text.replace("\r\n", "\n")
    if "\t" in text or "\r" in text or "\0" in text or "%%" in text:
        return None
    return _PlainNotes().read(text)


def read_nested(text: str) -> Document:
    """Every list item of a file that is nested too deeply to be parsed, each on its line; `trouble` says so."""
    outline = Outline()
    entries: list[Entry] = []
    empty: list[str] = []
    fence, comment = "", False
    for number, line in enumerate(LINE_BREAK.split(text), 1):
        if fence:
            fence = fence_behind(line.lstrip(" \t"), fence)
        elif comment or line.lstrip().startswith("<!--"):
            comment = "-->" not in line
        elif opening := fence_behind(line.lstrip(" \t")):
            fence = opening
        elif heading := _ANY_HEADING.match(line) if box_at(line) is None else None:
            outline.open(len(heading[1]), heading[2].rstrip(" \t#"), number)
        elif title := bold_title(line):
            outline.open(BOLD_LINE_LEVEL, title, number)
        elif content := _behind_bullets(line):
            entry = read_item(content, line=number, section=outline.current)
            if entry is None:
                empty += filter(None, (open_mark(content),))
            elif entry.box or line[:1] not in (" ", "\t"):
                outline.saw_list()
                entries.append(entry)
    return Document(outline.sections(), tuple(entries), NESTED_TOO_DEEPLY, tuple(empty))


def _behind_bullets(line: str) -> str:
    end = box_at(line) or 0
    while bullet := _BULLET.match(line, end):
        end = bullet.end()
    return line[end:] if end else ""


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
                _skip_code(lines, fence[0] if fence[2] else fence[1])
            elif not self._may_read(line, number):
                return None
        self._end_list()
        entries, empty = tuple(self._entries), tuple(self._empty)
        return Document(self._outline.sections(), entries, empty=empty, moves=self._outline.moves)

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
        if not item and box_words(line) is not None:
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


def _skip_code(lines: Iterator[tuple[int, str]], fence: str) -> None:
    """Pass over fenced code, to its end or that of the file."""
    closing = re.compile(rf" {{0,3}}{fence[0]}{{{len(fence)},}} *$")
    for _, line in lines:
        if closing.match(line):
            return
