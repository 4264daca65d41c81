"""Lines that mean more than CommonMark sees in them: bold titles, and boxes that it takes for words. PURE.

To CommonMark, a line right below a list item, a table or a quote may still belong to it, a list may begin inside a
paragraph with the number 1 only, what is indented by four blanks more than a paragraph is always part of it, and no
blank but a space or a tab indents. Who writes `**Next:**`, `2. [ ] ship`, `-[ ] call` or a deeply indented `- [ ] b`
there means a heading or an item: whatever line shows a box to a person is one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.vault.markdown.marks.state import BALLOTS, BLANKS, BOX, MARKER, state_of
from wrapgen.vault.markdown.outline import bold_title

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.rules_block import StateBlock

LINE_BREAK = re.compile("\r\n|\r|\n")
_NUMBER = re.compile(r"\d{1,9}[.)][ \t]+")
_INDENTED = re.compile(r"[ \t]+(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+(?=\[))(?=\S)")
_BOX, _MARKER = (re.sub(r"\(\?P<\w+>", "(?:", pattern.pattern) for pattern in (BOX, MARKER))
_MARK = rf"(?:[-*+•‣▪▫◦●○·–—→]|\(?\d+[.)．、]|[a-zA-Z][.)]|\#{{1,6}}(?=[{BLANKS}]))"
# Behind a list mark or in a heading any box is one; without, one that is empty or ticked and has words behind it.
_BOXED = re.compile(
    rf"(?P<lead>[{BLANKS}>]*(?:(?P<mark>{_MARK})[{BLANKS}>]*)*)"
    rf"(?=[{BALLOTS}]|(?(mark)(?:{_BOX})|[\[［][ \u3000xX×ｘＸ][\]］][{BLANKS}]+[^{BLANKS}]))"
)
# A headline of Org below the first level, which CommonMark takes for words.
_ORG = re.compile(rf"(?P<lead>\*{{2,9}}[ \t]+)(?={_MARKER})")
_CELL = re.compile(rf"\|[{BLANKS}]*(?:{_MARK}[{BLANKS}]*)*(?P<box>{_BOX}|<input\b)", re.IGNORECASE)
_MAY_SHOW_BOX = re.compile(rf"[\[［{BALLOTS}]|\*\*[ \t]|<input", re.IGNORECASE)
_WIDE, _NO_WIDTH = "\u3000", "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad\u180e"


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


def box_at(line: str) -> int | None:
    """Where the box or Org's marker stands on a line that shows one, None for any other line."""
    if line.startswith("- [ ] "):  # by far the most
        return 2
    if not _MAY_SHOW_BOX.search(line):
        return None
    found = _BOXED.match(line) or _ORG.match(line)
    return found.end("lead") if found else None


def column(line: str) -> int:
    """How far a line is indented, as a person sees it."""
    if org := _ORG.match(line):
        return line.index(" ", 0, org.end()) if " " in org[0] else len(org[0])
    width = 0
    for char in line:
        if char == "\t":
            width += 4 - width % 4
        elif char == _WIDE:
            width += 2
        elif char.isspace() or char == ">":
            width += 1
        elif char not in _NO_WIDTH:
            break
    return width


def box_words(line: str) -> str | None:
    """What a line says from its box on, of a row of a table what its cell says; None for one that shows none."""
    if not _MAY_SHOW_BOX.search(line):
        return None
    if (at := box_at(line)) is not None:
        return line[at:]
    if not line.lstrip("> \t").startswith("|") or (cell := _CELL.search(line)) is None:
        return None
    rest = line[cell.end("box") :].partition("|")[0].rpartition(">")[2]
    others = [*line[: cell.start()].split("|"), *line[cell.end("box") :].partition("|")[2].split("|")]
    box = cell["box"] if cell["box"][0] in "[［" else "[ ]"
    return f"{box} {rest.strip() or max(others, key=len, default='').strip()}"


def open_boxes(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines that show an open box, counted from 1, and what they say from the box on."""
    for number, line in enumerate(lines, 1):
        if (words := box_words(line)) is not None and not state_of(words).done:
            yield number, words


class Indented(NamedTuple):
    """An item in the lines of a paragraph, which CommonMark does not see."""

    below: int  # how many lines below the paragraph's first
    text: str  # its words as written, without bullet


def split_items(content: str, *, boxes: bool, first: bool = False) -> tuple[str, list[Indented]]:
    """The words of a paragraph, and the items among its lines.

    Args:
        boxes: whether nothing but a box tells an item; in an item, any bullet that is indented does.
        first: whether the first line may be one, too.
    """
    if "\n" not in content and not first:
        return content, []
    lines = content.split("\n")
    starts: list[tuple[int, str]] = []
    for at, line in enumerate(lines[not first :], not first):
        words = box_words(line)
        if words is None and not boxes and (found := _INDENTED.match(line)):
            words = line[found.end() :]
        if words is not None:
            starts.append((at, words))
    if not starts:
        return content, []
    ends = [*(at for at, _ in starts[1:]), len(lines)]
    items = [
        Indented(at, "\n".join([words, *lines[at + 1 : end]])) for (at, words), end in zip(starts, ends, strict=True)
    ]
    return "\n".join(lines[: starts[0][0]]), items
