"""Reads an untrusted state: invalid fields count as missing. PURE.

The methods of a state's own classes may raise anything, so the built-in types' methods are called instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from wrapgen.text.display import ELLIPSIS, without_controls
from wrapgen.text.tokens import utf16_beginning, utf16_length

# Tag characters spell words that no screen shows and a model reads.
_HIDDEN = re.compile("[\U000e0000-\U000e007f]")


def field(record: object, *names: str) -> object:
    """The first of some fields of a mapping that has a value; None when there is none, or reading it fails."""
    try:
        if not isinstance(record, Mapping):
            return None
        return next((value for name in names if (value := record.get(name)) is not None), None)
    except Exception:
        return None


def elements(value: object) -> tuple[object, ...]:
    """The elements of a list or tuple; nothing of anything else, such as a text or an endless generator."""
    try:
        if isinstance(value, list):
            return tuple(list.__getitem__(value, slice(None)))
        return tuple.__getitem__(value, slice(None)) if isinstance(value, tuple) else ()
    except Exception:
        return ()


def words(value: object, limit: int | None = None) -> str:
    """A text on one line without control characters, cut to so many UTF-16 units; anything else gives none."""
    try:
        if not isinstance(value, str):
            return ""
    except Exception:
        return ""
    text = str.__str__(value)
    lines = text.splitlines()
    if lines != [text]:
        text = " ".join(filter(None, map(str.strip, lines)))
    text = _HIDDEN.sub("", without_controls(text.replace("\t", " ")))
    return text if limit is None else cut(text, limit)


def cut(text: str, limit: int) -> str:
    """Cut a text to so many UTF-16 units, the `…` that marks the cut included."""
    return text if utf16_length(text) <= limit else utf16_beginning(text, limit - 1) + ELLIPSIS
