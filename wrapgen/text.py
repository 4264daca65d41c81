"""Text as people see it: nothing invisible, nothing cut in the middle of a character."""

from __future__ import annotations

import re

# C0 and C1 controls drive terminals; the bidirectional and line separators let text pretend to be other text
# (Trojan Source, CVE-2021-42574). Zero-width joiners stay: emoji and Indic scripts need them.
_BEYOND_C0 = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff"
_UNSAFE = re.compile(f"[\x00-\x1f{_BEYOND_C0}]")
_UNSAFE_IN_JSON = re.compile(f"[{_BEYOND_C0}]")
# Two neighbours that never belong to one character: printable ASCII, Hangul syllables, kana, Han.
_APART = re.compile("[ -~ぁ-ゖ゠-ヿ一-鿿가-힣]{2}")

_HANGUL = re.compile("[\uac00-\ud7af\u1100-\u11ff]")
_KANA = re.compile("[\u3040-\u30ff]")
_HAN = re.compile("[\u3400-\u9fff]")

ELLIPSIS = "…"


def visible(text: str) -> str:
    r"""Show characters that a screen would obey or hide as escapes such as `\x1b`.

    Args:
        text: any text; a line break counts as a control character too.
    """
    return _UNSAFE.sub(_escape, text)


def without_controls(text: str) -> str:
    """Leave out the characters that a screen would obey or hide.

    Args:
        text: any text; a line break counts as a control character too.
    """
    return _UNSAFE.sub("", text)


def visible_json(document: str) -> str:
    r"""Write a JSON document in characters that no screen obeys or hides; it says the same.

    Args:
        document: as an encoder gives it: below U+0020 there is nothing but white space between its parts.
    """
    return _UNSAFE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", document)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def shorten(text: str, limit: int) -> str:
    """Cut a text to at most `limit` characters and mark the cut with `…`.

    Args:
        text: the text to cut.
        limit: number of characters to keep, at least 1; the ellipsis comes on top.
    """
    return text if len(text) <= limit else beginning(text, limit).rstrip() + ELLIPSIS


def beginning(text: str, limit: int) -> str:
    """The longest beginning of a text that ends between two characters as people see them (UAX #29).

    Args:
        text: the text to cut.
        limit: how many code points it may have at most, 0 or more.

    Returns:
        the beginning; nothing when the first character alone is longer.
    """
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


def count(number: int, noun: str) -> str:
    """A number with its noun, `1 file` or `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def language_of(text: str) -> str:
    """`ko`, `ja`, `zh` or `en`, by script: Hangul, then kana, then Han characters, then anything else."""
    sample = text[:20_000]
    hangul = len(_HANGUL.findall(sample))
    kana = len(_KANA.findall(sample))
    han = len(_HAN.findall(sample))
    if hangul + kana + han < max(2, len(sample) // 50):
        return "en"
    if hangul >= kana + han:
        return "ko"
    return "ja" if kana * 20 > han else "zh"


def code_spans(text: str) -> list[tuple[int, int]]:
    """Where inline code stands, as (start, end) with its backticks; in linear time.

    Args:
        text: one paragraph of Markdown.
    """
    runs = [(match.start(), match.end()) for match in re.finditer("`+", text)]
    spans: list[tuple[int, int]] = []
    last_of_length = {end - start: index for index, (start, end) in enumerate(runs)}
    closers: dict[int, list[int]] = {}
    for index, (start, end) in enumerate(runs):
        closers.setdefault(end - start, []).append(index)
    positions = dict.fromkeys(closers, 0)
    index = 0
    while index < len(runs):
        start, end = runs[index]
        length = end - start
        closing = None
        if last_of_length[length] > index:
            same, at = closers[length], positions[length]
            while same[at] <= index:
                at += 1
            positions[length], closing = at, same[at]
        if closing is None:
            index += 1
            continue
        spans.append((start, runs[closing][1]))
        index = closing + 1
    return spans
