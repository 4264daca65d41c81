"""Whether letters look like a secret that a machine made or somebody thought out, or like words, code or a gap to fill.

Words and names are pieces of four letters and more; in a random string letters change case or turn into a digit at
every second place.
"""

from __future__ import annotations

import re

_SOLID = re.compile(r"[A-Za-z0-9]+")
_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_PIECE = 3.3  # letters; random strings have shorter pieces in the mean
_PIECE_MIXED = 2.6  # the same where signs stand between
_WORD = 20  # letters; a longer piece is no word
_SOLID_LEAST = 12  # letters without a sign between; words are joined by signs
_SOLID_LONG = 16  # from here on two numbers inside are enough
_MIXED = re.compile(r"(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9]).{16}")
_GAP = re.compile(r"x{4}|0{8}|\*{3}|\.{3}|example|your|placeholder|redacted|change_?me|<|\$\{|\{\{", re.IGNORECASE)
_CODE = re.compile(
    r"[$%<{(\[*]|[~.]{0,2}/|[A-Za-z_][\w-]*(?:(?:\.|::|->)[A-Za-z_]\w*)+\Z|.*passw(?:or)?d", re.IGNORECASE
)


def is_gap(text: str) -> bool:
    """Whether it only stands where a secret would: `ghp_xxxx`, `<token>`, `YOUR_KEY`."""
    return _GAP.search(text) is not None


def is_random(text: str) -> bool:
    """Whether a machine made it."""
    if is_gap(text):
        return False
    solid = max(_SOLID.findall(text), key=len, default="")
    if len(solid) < _SOLID_LEAST:
        return _MIXED.match(text) is not None and _mean(_PIECES.findall(text)) < _PIECE_MIXED
    pieces = _PIECES.findall(solid)
    if solid.isdecimal():
        return False
    if _mean(pieces) < _PIECE or max(map(len, pieces)) > _WORD:
        return True
    return len(solid) >= _SOLID_LONG and sum(piece.isdecimal() for piece in pieces) >= 2


def is_password(text: str) -> bool:
    """Whether somebody thought it out: letters with digits or signs among them, and no piece of code."""
    if is_gap(text) or _CODE.match(text):
        return False
    letters = any(one.isalpha() for one in text)
    signs = any(one in "!@#^&*+?~$%" for one in text)
    return letters and (signs or any(one.isdecimal() for one in text))


def _mean(pieces: list[str]) -> float:
    return sum(map(len, pieces)) / len(pieces)
