"""A turn's text as blocks: headings, list items, table rows, paragraphs; where fences and sentences stand.

This is not a Markdown parser: chats contain half-closed fences, bold lines as headings, numbered headings and
hard-wrapped exports, and what matters here is only which line heads which. Every rule looks at one line, so the time
is linear in the length of the text.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from wrapgen.late_pattern import late

_SENTENCE_END = late(r"(?:[.!?](?=[\s\"')*_]|$)|[。！？])[\"')*_」』”]*")
_ABBREVIATION = late(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|Mr|Dr|St|v\d+)|\b[A-Z]|(?:^|\s)\d{1,3})$")
_STATEMENT_END = late(r"[.!?](?=[\s\"')\]*]|$)|[。！？；;!?]|\n|…(?=\s|$)")
_HARD_WRAP = 60  # characters. Exports wrap lines that are at least so long.


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at its edges."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of the sentences of a paragraph; a long line that goes on in lower case was wrapped and ends none."""
    begin = start
    at = start
    while at < end:
        newline = text.find("\n", at, end)
        stop = end if newline < 0 else newline
        for match in _SENTENCE_END.finditer(text, at, stop):
            if text[match.start()] == "." and _ABBREVIATION.search(text, max(begin, match.start() - 8), match.start()):
                continue
            yield from _span(text, begin, match.end())
            begin = match.end()
        following = text[stop + 1 : stop + 3].lstrip()
        wrapped = stop - at >= _HARD_WRAP and following[:1].islower()
        if not wrapped:
            yield from _span(text, begin, stop)
            begin = stop
        at = stop + 1
    yield from _span(text, begin, end)


def statements(said: str) -> Iterator[tuple[int, int]]:
    """Spans of the sentences of a paragraph in which code, quotations and paths are blanked out.

    Without those a full stop ends a sentence wherever one may follow, and so do a semicolon and a line break.
    """
    at = 0
    for end in (*(match.end() for match in _STATEMENT_END.finditer(said)), len(said)):
        yield from _span(said, at, end)
        at = end


def _span(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    begin, end = trimmed(text, begin, end)
    if end > begin:
        yield begin, end


_FENCE = late(r" {0,3}(`{3,}|~{3,})")


def fence_behind(line: str, fence: str = "") -> str:
    """The code fence that is open behind a line, "" for none; one with words behind it opens code and closes none."""
    found = _FENCE.match(line)
    if found is None or not fence:
        return found[1] if found else fence
    return "" if found[1].startswith(fence) and not line[found.end() :].strip() else fence


def code_spans(text: str) -> list[tuple[int, int]]:
    """Where inline code stands, as (start, end) with its backticks; in linear time."""
    runs = [match.span() for match in re.finditer("`+", text)]
    last_of_length = {end - start: index for index, (start, end) in enumerate(runs)}
    spans: list[tuple[int, int]] = []
    index = 0
    while index < len(runs):
        start, end = runs[index]
        for closing in range(index + 1, last_of_length[end - start] + 1):
            if runs[closing][1] - runs[closing][0] == end - start:
                spans.append((start, runs[closing][1]))
                index = closing
                break
        index += 1
    return spans


def without_comments(text: str) -> str:
    """Take HTML comments out; one that is not closed is text. Not a pattern: that would try every `<!--` to the end."""
    spans = code_spans(text) if "<!--" in text else []
    out, end = [], 0
    start = text.find("<!--")
    while start >= 0 and (close := text.find("-->", start + 4)) >= 0:
        if _overlaps(spans, start, start + 1):
            start = text.find("<!--", start + 4)
            continue
        out.append(text[end:start])
        end = close + 3
        start = text.find("<!--", end)
    return " ".join([*out, text[end:]])


def outside_code(pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str], text: str) -> str:
    """`pattern.sub` that leaves inline code alone."""
    if "`" not in text:
        return pattern.sub(replace, text)
    spans = code_spans(text)

    def guarded(match: re.Match[str]) -> str:
        return match[0] if _overlaps(spans, *match.span()) else replace(match)

    return pattern.sub(guarded, text)


def _overlaps(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a stretch of text has something in common with one of the spans, which are in order and apart."""
    before = bisect_left(spans, (end,))
    return before > 0 and spans[before - 1][1] > start


Shape = Literal["heading", "item", "row", "prose", "rule"]

BOLD_LEVEL = 7  # level of a line that is bold as a whole: below every `#` heading
LEAD_LEVEL = 8  # level of a plain line that ends in a colon and introduces a list

_LINE_LIMIT = 4_000  # characters. A longer line is data somebody pasted, not something said.
_LEAD_LIMIT = 160
_HEADING = late(r" {0,3}(#{1,6})[ \t]+(.*)")
_ITEM = late(
    r"(?P<indent>[ \t]*)(?P<mark>[-*+•‣▪▫◦●○·–—]|\(?\d{1,3}[.)、．]|[①-⑳]|[a-zA-Z][.)](?=[ \t]))"
    r"(?P<gap>[ \t]+|(?=\*\*|[\u1100-\uffef]))(?P<rest>\S.*)"
)
_BOX = late(
    r"\[(?P<open>[ _~/-]?)(?P<shut>[xX✓✔!]?)\](?!\()[ \t]*|(?P<empty>[☐□◻⬜🔲])\s*|(?P<full>[☑✅✔✓🗹])\ufe0f?\s*"
)
_BARE_BOX = late(r"[ \t]*(?:\[[ xX]\](?!\()|[☐□◻⬜🔲☑✅])")
_FENCED_BOX = late(r"[ \t]*(?:[-*+][ \t]+)?\[[ xX]\](?!\()")
_BOLD_LINE = late(
    r"[^\w*_`|]{0,12}(?:\*\*|__)(?P<text>[^*\n]{1,160})(?:\*\*|__)"
    r"[ \t]*+(?P<after>\([^)]{0,80}\))?[ \t]*+[:：]?[ \t]*+$"
)
_NUMBER = late(r"\d{1,3}")
_CIRCLED = {chr(0x2460 + n): n + 1 for n in range(20)}
_LAST_SENTENCE = late(r"(?:[.!?][\"')*]{0,3}\s+|[。！？]\s*|\n)(?=\S)")
_RULE = late(r"[ \t]*(?:[-*_=─━][ \t]*){3,}$")
_OPENERS = frozenset("-*+•‣▪▫◦●○·–—#>|`~[☐□◻⬜🔲☑✅①②③④⑤⑥⑦⑧⑨⑩")


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a turn."""

    shape: Shape
    start: int  # offset into the turn's text of the piece's words, marks left out
    end: int
    level: int = 0  # headings 1..8 (see `BOLD_LEVEL`, `LEAD_LEVEL`); items their indentation in columns
    number: int | None = None
    checked: bool | None = None
    fenced: bool = False  # the piece is inside a code fence (only checklists are taken from there)
    lists: int = 0  # running number of the unbroken list an item belongs to within its turn


def blocks(text: str) -> Iterator[Block]:
    """The pieces of a turn in order; code, quotes and overlong lines are left out."""
    splitter = _Splitter(text)
    for start, end in _line_spans(text):
        yield from splitter.line(start, end)
    yield from splitter.end_prose()


class _Splitter:
    def __init__(self, text: str) -> None:
        self._text = text
        self._fence = ""
        self._lists = 0
        self._prose: tuple[int, int] | None = None

    def line(self, start: int, end: int) -> Iterator[Block]:
        line = self._text[start:end]
        fence = fence_behind(line.lstrip(" \t>"), self._fence)
        if fence != self._fence:
            yield from self.end_prose()
            self._fence = fence
        elif self._fence:
            yield from self._in_fence(line, start)
        else:
            yield from self._outside(line, start, end)

    def end_prose(self) -> Iterator[Block]:
        if self._prose:
            yield from _prose(self._text, *self._prose)
            self._prose = None

    def _in_fence(self, line: str, start: int) -> Iterator[Block]:
        item = _item(line, start, self._lists) if _FENCED_BOX.match(line) else None
        if item:
            yield replace(item, number=None, fenced=True)

    def _outside(self, line: str, start: int, end: int) -> Iterator[Block]:
        stripped = line.strip()
        rule = _RULE.match(line) is not None
        said = bool(stripped) and len(line) <= _LINE_LIMIT and stripped[0] != ">" and not rule
        block = _structure(line, start, self._lists) if said else None
        if said and block is None and not _divides(line):
            # Hard-wrapped exports: a line that opens nothing continues the paragraph above it.
            grows = self._prose is not None and end - self._prose[0] <= _LINE_LIMIT
            self._prose = (self._prose[0], end) if self._prose and grows else (start, end)
            if stripped.endswith((":", "：")):
                yield from self.end_prose()
            return
        yield from self.end_prose()
        if rule and stripped:
            block = Block("rule", start, end)
        if block:
            self._lists += block.shape != "item"
            yield block


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
    item = _item(line, start, lists)
    if item:
        return item
    if ("**" in line or "__" in line) and _BOLD_LINE.match(line.strip()):
        return _trimmed("heading", line, start, 0, BOLD_LEVEL)
    if line.lstrip().startswith("|") and line.count("|") > 2 and not _divides(line):
        return _trimmed("row", line, start, 0, 0)
    return None


def _divides(line: str) -> bool:
    return "|" in line and "-" in line and not line.strip(" \t:|-")


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
    return replace(block, number=number, checked=checked, lists=lists)


def _prose(text: str, start: int, end: int) -> Iterator[Block]:
    """A paragraph; when it ends in a colon, its last sentence heads what follows."""
    line = text[start:end]
    if line.rstrip().endswith((":", "：")):
        cut = max((match.end() for match in _LAST_SENTENCE.finditer(line)), default=0)
        if len(line) - cut <= _LEAD_LIMIT:
            if cut:
                yield _trimmed("prose", line[:cut], start, 0, 0)
            yield _trimmed("heading", line[cut:], start + cut, 0, LEAD_LEVEL)
            return
    yield _trimmed("prose", line, start, 0, 0)


def _trimmed(shape: Shape, line: str, start: int, begin: int, level: int) -> Block:
    begin, end = trimmed(line, begin, len(line))
    return Block(shape, start + begin, start + end, level)
