"""Text as people see it: nothing invisible, nothing cut in the middle of a character."""

import re
from datetime import date
from typing import NamedTuple

from wrapgen.late_pattern import late

# C0 and C1 controls drive terminals; the bidirectional and line separators let text pretend to be other text
# (Trojan Source, CVE-2021-42574). Zero-width joiners stay: emoji and Indic scripts need them.
_BEYOND_C0 = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff"
_UNSAFE = late(f"[\x00-\x1f{_BEYOND_C0}]")
_UNSAFE_IN_JSON = late(f"[{_BEYOND_C0}]")
# Two neighbours that never belong to one character: printable ASCII, Hangul syllables, kana, Han.
_APART = late("[ -~ぁ-ゖ゠-ヿ一-鿿가-힣]{2}")

ELLIPSIS = "…"


def visible(text: str) -> str:
    r"""Show characters that a screen would obey or hide as escapes such as `\x1b`."""
    return _UNSAFE.sub(_escape, text)


def without_controls(text: str) -> str:
    """Leave out the characters that a screen would obey or hide."""
    return _UNSAFE.sub("", text)


def visible_json(document: str) -> str:
    """An encoder's JSON in characters that no screen obeys or hides; it says the same."""
    if document.isascii() and "\x7f" not in document:  # nothing to be written differently, in megabytes of it
        return document
    return _UNSAFE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", document)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def shorten(text: str, limit: int) -> str:
    """Cut a text to at most `limit` characters and mark the cut with `…`."""
    return text if len(text) <= limit else beginning(text, limit).rstrip() + ELLIPSIS


def beginning(text: str, limit: int) -> str:
    """The longest beginning of a text that ends between two characters as people see them (UAX #29)."""
    if len(text) <= limit or _APART.match(text, limit - 1):
        return text[:limit]
    from wcwidth import iter_graphemes

    end = 0
    # Whether a character ends somewhere depends on what stands before, and on one code point behind.
    for grapheme in iter_graphemes(text[: limit + 1]):
        if end + len(grapheme) > limit:
            break
        end += len(grapheme)
    return text[:end]


def one_line(text: str) -> str:
    """Join the lines of a text by single blanks."""
    return " ".join(text.split())


def visible_line(text: str) -> str:
    """A text on one line, with nothing in it that a screen would obey."""
    return visible(one_line(text))


_MARKED = late(
    r"(?<![\\`])(?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|(?<!\\)(?P<strong>\*{2,3})(?=[^\s*])(?P<loud>(?:`[^`]*`|[^`])+?)(?<=\S)(?P=strong)(?!\*)"
    r"|(?<![\\\w*])\*(?=[^\s*])(?P<said>(?:`[^`]*`|[^*`])+?)(?<=\S)\*(?![\w*])"
)
_MOST_MARKED = 2_000  # characters: unfinished marks cost the square of a text's length


def without_marks(text: str) -> str:
    """The words of a line of Markdown without the stars and backticks around them; what pairs with nothing stays."""
    if ("*" not in text and "`" not in text) or len(text) > _MOST_MARKED:
        return text
    return _MARKED.sub(lambda found: found["code"] or without_marks(found["loud"] or found["said"]), text)


def count(number: int, noun: str) -> str:
    """A number with its noun, `1 file` or `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def age(raised: date, today: date) -> str:
    """Return how long ago a day was: `new`, `1 day`, `12 days`; `today` would be read as a due day."""
    days = (today - raised).days
    if days < 0:
        return f"from {raised}"
    return "new" if days == 0 else count(days, "day")


Line = tuple[tuple[str, str], ...]  # pairs of a style class and a text, as the drawing library takes them


class Size(NamedTuple):
    """The available columns and lines."""

    width: int
    height: int


def cells(text: str) -> int:
    """How many columns a text takes."""
    if text.isascii():
        return len(text)
    from wcwidth import wcwidth  # 28 modules, which no hook needs

    return sum(max(wcwidth(character), 0) for character in text)


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
        taken += cells(character)
        if taken > width:
            return position
    return len(text)
