"""Names of headings: which one means *Next*, *Done* or a session. PURE."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|【[^【】]*】|「[^「」]*」|『[^『』]*』|<[^<>]*>|《[^《》]*》")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_DATE = re.compile(r"\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{4}\s*[年년]\s*\d{1,2}\s*[月월]\s*\d{1,2}\s*[日일]")
_NUMBERING = re.compile(
    r"(?:§\s*)?\d+(?:\.\d+)*\s*[.):、]?\s+|§\s*\d+\S*\s*|[ivxlcdm]+[.)]\s+|[一二三四五六七八九十百]+[、.]\s*|\d+[.)、]\s*"
)
_MARKS = re.compile(r"[*_`~]")
# So many brackets inside of brackets, or numbers in a row, stand before or in a name at most.
_MOST_LAYERS = 20


def _undecorated(title: str) -> str:
    """A title without emphasis, emoji and numbering, in folded case."""
    text = unicodedata.normalize("NFKC", title).replace("’", "'").replace("‘", "'").casefold()
    text = _MARKS.sub("", _LINK.sub(r"\1", text))
    if not text.isascii():
        # Emoji are symbols (So) with modifiers (Sk), joiners (Cf) and the variation selector.
        kept = (char for char in text if char != "\ufe0f" and unicodedata.category(char) not in _SYMBOLS)
        text = "".join(kept)
    text = _edges(text)
    for _ in range(_MOST_LAYERS):
        number = _NUMBERING.match(text)
        if number is None or number.end() == len(text):
            break
        text = _edges(text[number.end() :])
    return text


_SYMBOLS = frozenset(("So", "Sk", "Cf"))


def _edges(text: str) -> str:
    return text.strip(" \t#:;,.!?-–—|=>→·•~…。：")


@lru_cache(maxsize=4096)
def fold_name(title: str) -> str:
    """A heading as it is compared with the configured names.

    Dropped are emoji, numbering (`4.`, `III.`, `§4`, `四、`), emphasis, the closing colon, bracketed parts and dates;
    case is folded, apostrophes are straight, hyphens are blanks.

    Args:
        title: the heading as written.
    """
    text = _DATE.sub(" ", _undecorated(title))
    for _ in range(_MOST_LAYERS):
        text, brackets = _BRACKETED.subn(" ", text)
        if not brackets:
            break
    return _edges(" ".join(_edges(text).replace("-", " ").split()))


@lru_cache(maxsize=4096)
def session_subject(title: str, names: tuple[str, ...]) -> str | None:
    """What a session heading is about: `Session: web work` is about `web work`.

    Args:
        title: the heading as written.
        names: the words that open such a heading.

    Returns:
        the words after the first, possibly none; None when the heading opens no session.
    """
    text = _undecorated(title)
    for name in names:
        rest = text.removeprefix(name.casefold())
        if rest != text and re.match(r"\s*(?:$|[#\d:(\[\-–—])", rest):
            return rest
    return None


def roles(sections: Iterable[tuple[str, int]], next_names: tuple[str, ...], done_names: tuple[str, ...]) -> list[str]:
    """What each section of a file is for: the innermost heading with a *Next* or *Done* name decides.

    Args:
        sections: title as written and index of the enclosing section (-1 for none), in the order of the file.
        next_names: the configured names of lists of open work.
        done_names: the configured names of lists of finished work.

    Returns:
        `next`, `done` or nothing for each section.
    """
    means = _meanings(next_names, done_names)
    found: list[str] = []
    for title, parent in sections:
        above = found[parent] if parent >= 0 else ""
        found.append(means.get(fold_name(title), above))
    return found


def within(sections: Iterable[tuple[str, int]], names: tuple[str, ...]) -> list[bool]:
    """Whether each section of a file has one of some names, or stands inside a section that has.

    Args:
        sections: as for `roles`.
        names: the configured names.
    """
    folded = frozenset(map(fold_name, names))
    found: list[bool] = []
    for title, parent in sections:
        found.append(fold_name(title) in folded or (parent >= 0 and found[parent]))
    return found


@lru_cache(maxsize=8)
def _meanings(next_names: tuple[str, ...], done_names: tuple[str, ...]) -> dict[str, str]:
    return {fold_name(name): "done" for name in done_names} | {fold_name(name): "next" for name in next_names}
