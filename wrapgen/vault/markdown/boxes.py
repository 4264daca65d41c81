"""Lines that mean more than CommonMark sees in them: bold titles, and boxes that it takes for words. PURE.

To CommonMark, a line right below a list item, a table or a quote may still belong to it, a list may begin inside a
paragraph with the number 1 only, and what is indented by four blanks more than a paragraph is always part of it. Who
writes `**Next:**`, `2. [ ] ship` or a deeply indented `- [ ] child` there means a heading or an item.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from wrapgen.vault.markdown.marks.state import BALLOTS, BOX
from wrapgen.vault.markdown.outline import bold_title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.rules_block import StateBlock

    from wrapgen.notes import Document

_NUMBER = re.compile(r"\d{1,9}[.)][ \t]+")
_INDENTED = re.compile(r"(?P<indent>[ \t]+)(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+(?=\[))(?=\S)")
_OPEN_BOX = re.compile(
    r"^[ \t>\u200b]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+(?:\[[^\d\[\]xX✓✔✅☑-]?\](?=\s|$)|\[[ \u3000]\](?![(\[:]))",
    re.MULTILINE,
)


def begins_anew(state: StateBlock, line: int, _: int, silent: bool) -> bool:
    """Whether a line ends the paragraph, quote or table above it: a rule of markdown-it's that makes no block."""
    if not silent:
        return False
    start = state.bMarks[line]
    if state.src.startswith(("**", "__"), start):
        return bold_title(state.src[start : state.eMarks[line]]) is not None
    number = _NUMBER.match(state.src, start + state.tShift[line])
    return number is not None and is_box(state.src[number.end() : state.eMarks[line]])


def is_box(text: str) -> bool:
    """Whether a text begins with a checkbox."""
    return text[:1] == "[" and BOX.match(text) is not None


class Indented(NamedTuple):
    """An item in the lines of a paragraph that are indented too far for CommonMark to see it."""

    below: int  # how many lines below the paragraph's first
    indent: int  # how far it is indented
    text: str  # its words as written, without bullet


def split_items(content: str, *, boxes: bool) -> tuple[str, list[Indented]]:
    """The words of a paragraph, and the items that are indented into it.

    Args:
        boxes: whether nothing but a box tells an item; in an item, any bullet does.
    """
    if "\n " not in content and "\n\t" not in content:
        return content, []
    lines = content.split("\n")
    starts = [*_starts(lines, boxes=boxes)]
    if not starts:
        return content, []
    ends = [*(at for at, _ in starts[1:]), len(lines)]
    items = [
        Indented(at, len(found["indent"].expandtabs(4)), "\n".join([lines[at][found.end() :], *lines[at + 1 : end]]))
        for (at, found), end in zip(starts, ends, strict=True)
    ]
    return "\n".join(lines[: starts[0][0]]), items


def _starts(lines: list[str], *, boxes: bool) -> Iterator[tuple[int, re.Match[str]]]:
    for at, line in enumerate(lines[1:], 1):
        found = _INDENTED.match(line)
        if found and (not boxes or is_box(line[found.end() :])):
            yield at, found


def with_ignored(document: Document, text: str) -> Document:
    """Count the open boxes that are no items, in code, quotes, comments and front matter.

    They are what is left of a plain count of lines, so that no box can be missed whatever the parser made of it.
    """
    if "[" not in text:
        return document
    boxes = len(_OPEN_BOX.findall(text))
    if not boxes:
        return document
    marks = [*[entry.mark for entry in document.entries if not entry.done], *document.empty]
    read = len([mark for mark in marks if len(mark) == 1 and mark not in BALLOTS])
    return replace(document, ignored=max(0, boxes - read))
