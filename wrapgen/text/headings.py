"""Names of headings: which one means *Next*, *Done* or a session. PURE."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|【[^【】]*】|「[^「」]*」|『[^『』]*』|<[^<>]*>|《[^《》]*》")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_DATE = re.compile(r"\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{4}\s*[年년]\s*\d{1,2}\s*[月월]\s*\d{1,2}\s*[日일]")
_NUMBERING = re.compile(
    r"(?:§\s*)?\d+(?:\.\d+)*\s*[.):、]?\s+|§\s*\d+\S*\s*|[ivxlcdm]+[.)]\s+|[一二三四五六七八九十百]+[、.]\s*|\d+[.)、]\s*"
)
_MARKS = re.compile(r"[*_`~]")
_JOINED = re.compile(r"(?<!\s)\s*[/&]\s*|(?<!\s)\s+and\s+|(?<!\s)\s*和\s*")
# At most this many nested brackets or leading numbers are removed from a name.
_MOST_LAYERS = 20


def _undecorated(title: str) -> str:
    """A title without emphasis, emoji and numbering, in folded case."""
    text = unicodedata.normalize("NFKC", title).replace("’", "'").replace("‘", "'").casefold()
    text = _MARKS.sub("", _LINK.sub(r"\1", text))
    if not text.isascii():
        # Emoji are symbols (So) with modifiers (Sk), joiners (Cf), keycaps (Me) and the variation selector.
        kept = (char for char in text if char != "\ufe0f" and unicodedata.category(char) not in _SYMBOLS)
        text = "".join(kept)
    text = _edges(text)
    for _ in range(_MOST_LAYERS):
        number = _NUMBERING.match(text)
        if number is None or number.end() == len(text):
            break
        text = _edges(text[number.end() :])
    return text


_SYMBOLS = frozenset(("So", "Sk", "Cf", "Me"))


def _edges(text: str) -> str:
    return text.strip(" \t#:;,.!?-–—|=>→·•~…。：")


@lru_cache(maxsize=4096)
def fold_name(title: str) -> str:
    """A heading as it is compared with the configured names.

    Dropped are emoji, numbering (`4.`, `III.`, `§4`, `四、`), emphasis, the closing colon, bracketed parts and dates;
    case is folded, apostrophes are straight, hyphens are blanks.
    """
    text = _DATE.sub(" ", _undecorated(title))
    for _ in range(_MOST_LAYERS):
        text, brackets = _BRACKETED.subn(" ", text)
        if not brackets:
            break
    return _edges(" ".join(_edges(text).replace("-", " ").split()))


@lru_cache(maxsize=4096)
def day_named(title: str) -> date | None:
    """The day that a heading names first: `2026-04-24`, `[[2026-04-24]] Friday`, `2026년 4월 24일`."""
    if (named := _DATE.search(title)) is None:
        return None
    try:
        return date(*map(int, re.findall(r"\d+", named[0])))
    except ValueError:  # no calendar has it
        return None


@lru_cache(maxsize=4096)
def session_subject(title: str, names: tuple[str, ...]) -> str | None:
    """What a session heading is about: `Session: web work` is about `web work`."""
    text = _undecorated(title)
    for name in names:
        rest = text.removeprefix(name.casefold())
        if rest != text and re.match(r"\s*(?:$|[#\d:(\[\-–—])", rest):
            return rest
    return None


class Heading(Protocol):
    """A heading as the parser gives it."""

    @property
    def level(self) -> int:
        """1 to 6; 7 for a line of bold text alone."""

    @property
    def title(self) -> str:
        """As written."""

    @property
    def parent(self) -> int:
        """Index of the enclosing one, -1 at the top."""


class Names(Protocol):
    """The configured names of headings."""

    @property
    def next(self) -> tuple[str, ...]:
        """Of lists of open work."""

    @property
    def done(self) -> tuple[str, ...]:
        """Of lists of finished work."""

    @property
    def backlog(self) -> tuple[str, ...]:
        """Of lists of what is not next."""


NEXT, DONE = "next", "done"


def roles(sections: Sequence[Heading], names: Names) -> list[str]:
    """What each section of a file is for: the innermost heading with a *Next*, *Done* or *Backlog* name decides.

    The title of a file opens no list of open work, or every line of a file called `TODO` would be an item.
    """
    means = _meanings(names.next, names.done, names.backlog)
    found: list[str] = []
    for at, section in enumerate(sections):
        above = found[section.parent] if section.parent >= 0 else ""
        own = _meaning(section.title, means)
        title = at == 0 and section.level == 1 and own == NEXT
        found.append(above if own is None or title else own)
    return found


def has_role(title: str, names: Names) -> bool:
    """Whether a heading has a *Next*, *Done* or *Backlog* name."""
    return _meaning(title, _meanings(names.next, names.done, names.backlog)) is not None


def _meaning(title: str, means: dict[str, str]) -> str | None:
    """What a title means; of two names that are joined, the first with a meaning counts."""
    name = fold_name(title)
    own = means.get(name)
    if own is None and (parts := _JOINED.split(name))[1:]:
        own = next((means[part] for part in parts if part in means), None)
    return own


def within(sections: Iterable[tuple[str, int]], names: tuple[str, ...]) -> list[bool]:
    """Whether each section of a file has one of some names, or is inside a section that has."""
    folded = frozenset(map(fold_name, names))
    found: list[bool] = []
    for title, parent in sections:
        found.append(fold_name(title) in folded or (parent >= 0 and found[parent]))
    return found


@lru_cache(maxsize=8)
def _meanings(next_names: tuple[str, ...], done_names: tuple[str, ...], backlog: tuple[str, ...]) -> dict[str, str]:
    meanings = {fold_name(name): "" for name in backlog} | {fold_name(name): DONE for name in done_names}
    return meanings | {fold_name(name): NEXT for name in next_names}
