"""A turn's text as blocks: headings, list items, table rows, paragraphs; code and quotes are known as such.

This is not a Markdown parser: chats hold half-closed fences, bold lines in a heading's place, numbered headings and
hard-wrapped exports, and what matters here is only which line heads which. Every rule looks at one line, so the time
is linear in the length of the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Shape = Literal["heading", "item", "row", "prose", "rule"]

BOLD_LEVEL = 7
"""Level of a line that is bold as a whole: below every `#` heading."""
LEAD_LEVEL = 8
"""Level of a plain line that ends in a colon and introduces a list."""

_LINE_LIMIT = 4_000
"""Characters. A longer line is data somebody pasted, not something said."""
_LEAD_LIMIT = 160
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})(.*)")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_ITEM = re.compile(
    r"(?P<indent>[ \t]*)(?P<mark>[-*+•‣▪▫◦●○·–—]|\(?\d{1,3}[.)、．]|[①-⑳]|[a-zA-Z][.)](?=[ \t]))"
    r"(?P<gap>[ \t]+|(?=\*\*|[\u1100-\uffef]))(?P<rest>\S.*)"
)
_BOX = re.compile(
    r"\[(?P<open>[ _~/-]?)(?P<shut>[xX✓✔!]?)\](?!\()[ \t]*|(?P<empty>[☐□◻⬜🔲])\s*|(?P<full>[☑✅✔✓🗹])\ufe0f?\s*"
)
_BARE_BOX = re.compile(r"[ \t]*(?:\[[ xX]\](?!\()|[☐□◻⬜🔲☑✅])")
_BOLD_LINE = re.compile(
    r"[^\w*_`|]{0,12}(?:\*\*|__)(?P<text>[^*\n]{1,160})(?:\*\*|__)[ \t]*(?P<after>\([^)]{0,80}\))?[ \t]*[:：]?[ \t]*$"
)
_NUMBER = re.compile(r"\d{1,3}")
_CIRCLED = {chr(0x2460 + n): n + 1 for n in range(20)}
_RULE = re.compile(r"[ \t]*(?:[-*_=─━][ \t]*){3,}$")
_DIVIDER = re.compile(r"[ \t]*\|?[ \t:|-]+\|[ \t:|-]*$")
_OPENERS = frozenset("-*+•‣▪▫◦●○·–—#>|`~[☐□◻⬜🔲☑✅①②③④⑤⑥⑦⑧⑨⑩")


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a turn.

    Args:
        shape: what kind of piece it is.
        start: offset into the turn's text of the piece's words, marks left out.
        end: offset behind its words.
        level: headings 1..8 (see `BOLD_LEVEL`, `LEAD_LEVEL`); items their indentation in columns.
        number: an item's number in its list, or None.
        checked: state of an item's checkbox; None without one.
        fenced: the piece stands inside a code fence (only checklists are taken from there).
        lists: running number of the unbroken list an item belongs to within its turn.
    """

    shape: Shape
    start: int
    end: int
    level: int = 0
    number: int | None = None
    checked: bool | None = None
    fenced: bool = False
    lists: int = 0


def blocks(text: str) -> Iterator[Block]:
    """The pieces of a turn in order; code, quotes and overlong lines are left out.

    Args:
        text: the turn's text.
    """
    fence = ""
    lists = 0
    prose: tuple[int, int] | None = None
    for start, end in _line_spans(text):
        line = text[start:end]
        fenced = _FENCE.match(line)
        if fenced and (not fence or (fenced[1].startswith(fence) and not fenced[2].strip())):
            if prose:
                yield _prose(text, *prose)
                prose = None
            fence = "" if fence else fenced[1]
            continue
        stripped = line.strip()
        block = None
        if fence:
            block = _item(line, start, lists) if _BARE_BOX.match(line) else None
            if block:
                yield Block("item", block.start, block.end, block.level, None, block.checked, fenced=True, lists=lists)
            continue
        plain = stripped and len(line) <= _LINE_LIMIT and stripped[0] != ">" and not _RULE.match(line)
        if plain:
            block = _structure(line, start, lists)
        if block is None and plain and not _DIVIDER.match(line):
            # Hard-wrapped exports: a line that opens nothing continues the paragraph above it.
            prose = (prose[0], end) if prose and end - prose[0] <= _LINE_LIMIT else (start, end)
            if stripped.endswith((":", "：")) and len(stripped) <= _LEAD_LIMIT:
                yield _prose(text, *prose)
                prose = None
            continue
        if prose:
            yield _prose(text, *prose)
            prose = None
        if stripped and _RULE.match(line):
            block = Block("rule", start, end)
        if block is None:
            continue
        if block.shape != "item":
            lists += 1
        yield block
    if prose:
        yield _prose(text, *prose)


def _line_spans(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield at, end
        at = end + 1


def _structure(line: str, start: int, lists: int) -> Block | None:
    heading = _HEADING.match(line)
    if heading:
        return _trimmed("heading", line, start, heading.start(2), len(heading[1]))
    bold = _BOLD_LINE.match(line.strip()) if "**" in line or "__" in line else None
    if bold:
        return _trimmed("heading", line, start, 0, BOLD_LEVEL)
    item = _item(line, start, lists)
    if item:
        return item
    if line.lstrip().startswith("|") and line.count("|") > 2 and not _DIVIDER.match(line):
        return _trimmed("row", line, start, 0, 0)
    return None


def _item(line: str, start: int, lists: int) -> Block | None:
    if line.lstrip()[:1] not in _OPENERS and not line.lstrip()[:4].strip("(").rstrip()[:1].isalnum():
        return None
    match = _ITEM.match(line)
    number: int | None = None
    if match:
        level = len(match["indent"].expandtabs(4))
        begin = match.start("rest")
        digits = _NUMBER.search(match["mark"])
        number = int(digits[0]) if digits else _CIRCLED.get(match["mark"])
    elif _BARE_BOX.match(line):
        begin = len(line) - len(line.lstrip())
        level = begin
    else:
        return None
    checked: bool | None = None
    box = _BOX.match(line, begin)
    if box:
        checked = bool(box["shut"] or box["full"])
        begin = box.end()
    block = _trimmed("item", line, start, begin, level)
    return Block("item", block.start, block.end, level, number, checked, lists=lists)


def _prose(text: str, start: int, end: int) -> Block:
    line = text[start:end]
    if line.rstrip().endswith((":", "：")) and len(line.strip()) <= _LEAD_LIMIT:
        return _trimmed("heading", line, start, 0, LEAD_LEVEL)
    return _trimmed("prose", line, start, 0, 0)


def _trimmed(shape: Shape, line: str, start: int, begin: int, level: int) -> Block:
    while begin < len(line) and line[begin].isspace():
        begin += 1
    end = len(line)
    while end > begin and line[end - 1].isspace():
        end -= 1
    return Block(shape, start + begin, start + end, level)
