"""Lines of styled text, cut and broken to the size of a screen. PURE.

Widths are those of terminal cells: a Korean, Chinese or Japanese character takes two.
"""

from dataclasses import dataclass

from wcwidth import wcwidth

from wrapgen.text.display import ELLIPSIS

Line = tuple[tuple[str, str], ...]  # pairs of a style class and a text, as the drawing library takes them


@dataclass(frozen=True, slots=True)
class Size:
    """The available columns and lines."""

    width: int
    height: int


def cells(text: str) -> int:
    """How many columns a text takes."""
    return len(text) if text.isascii() else sum(max(wcwidth(character), 0) for character in text)


def cut(text: str, width: int) -> str:
    """Cut a text to a number of columns, `…` included."""
    if cells(text) <= width:
        return text
    return text[: _fitting(text, width - 1)].rstrip() + ELLIPSIS


def cut_middle(path: str, width: int) -> str:
    """Cut a path to a number of columns in its middle: both ends are the most informative."""
    if cells(path) <= width:
        return path
    tail = path[len(path) - _fitting(path[::-1], (width - 1) * 2 // 3) :]
    return cut(path, max(width - cells(tail), 1)) + tail


def wrap(text: str, width: int, most: int) -> list[str]:
    """Break one line of text into lines of so many columns, at blanks where there are some, `most` lines at most."""
    width = max(width, 2)
    lines: list[str] = []
    while text:
        if len(lines) == most - 1:
            return [*lines, cut(text, width)]
        end = max(_fitting(text, width), 1)
        if end < len(text):
            # Without a blank in its second half, as in Chinese or a long path, a line is broken where it is full.
            blank = text.rfind(" ", 0, end + 1)
            end = blank if blank > end // 2 else end
        lines.append(text[:end].rstrip())
        text = text[end:].lstrip()
    return lines or [""]


def _fitting(text: str, width: int) -> int:
    """How many characters of a text fit into a number of columns."""
    taken = 0
    for position, character in enumerate(text):
        taken += max(wcwidth(character), 0)
        if taken > width:
            return position
    return len(text)
