"""Files that nothing reads, since their names are only nearly those of sources: `todo.md`, `2026-11-2.md`."""

from __future__ import annotations

import calendar
import os
import re
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import OSA

from wrapgen.config import KEYS, LeftOut, pattern_of
from wrapgen.late_pattern import late
from wrapgen.text.patterns import ANY_DEPTH, Pattern
from wrapgen.whereabouts import VAULT_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from wrapgen.config import Config
    from wrapgen.text.file_names import ConflictCopy

_ENDINGS = (".md", ".markdown", ".mdown", ".mdwn", ".mkd", ".mkdn", ".mdx", ".txt", ".text")
_NO_LETTER = late(r"[\W_]+")
_SHORTEST = 4  # letters of a name that one with another letter may still mean
_MONTHS = [name.casefold() for name in calendar.month_abbr]
_DATES = (
    re.compile(r"(?P<y>\d{4})(?P<s>[-_. ]?)(?P<m>\d{2})(?P=s)(?P<d>\d{2})(?!\d)"),
    re.compile(r"(?P<y>\d{4})[-_. ](?P<m>\d{1,2}|[a-z]{3,9})[-_. ](?P<d>\d{1,2})(?!\d)", re.IGNORECASE),
    re.compile(r"(?P<d>\d{1,2})[-_. ](?P<m>\d{1,2}|[a-z]{3,9})[-_. ](?P<y>\d{4})(?!\d)", re.IGNORECASE),
    re.compile(r"(?P<y>\d{2})[-_.](?P<m>\d{2})[-_.](?P<d>\d{2})(?!\d)"),
)
_CENTURY = 2000
_LAST_MONTH = 12


class NearName(NamedTuple):
    """A file that nothing reads, and that is nearly named like what is read."""

    path: str
    key: str  # of `[sources]`
    meant: str  # the path by which it would be read


def near_names(root: Path, config: Config, copies: Iterable[ConflictCopy] = ()) -> list[NearName]:
    """Look for such files in the folders of the sources, and in those that are nearly named like them; by path."""
    known = {one.path for one in copies}
    patterns = [
        (key, one) for key in KEYS.values() for glob in getattr(config.sources, key) for one in pattern_of(glob).choices
    ]
    left_out = LeftOut(config)
    found: list[NearName] = []
    deep = [one for _, one in patterns if len(one.segments) > 1]
    for path in _files(root, lambda top: any(not one.literals[0] or _is_near(top, one.segments[0]) for one in deep)):
        if path in known or left_out.takes(path) or any(one.match(path) for _, one in patterns):
            continue
        meant = ((key, right) for key, one in patterns if (right := _corrected(path, one)))
        if first := next(meant, None):
            found.append(NearName(path, *first))
    return sorted(found)


def _files(root: Path, wanted: Callable[[str], bool]) -> Iterator[str]:
    todo = [""]
    while todo:
        folder = todo.pop()
        with suppress(OSError), os.scandir(root / folder) as entries:
            listed = [one for one in entries if not one.name.startswith(".")]
            if folder and any(one.name == VAULT_FILE for one in listed):
                continue
            for entry in listed:
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_dir(follow_symlinks=False):
                    todo += [path] if folder or wanted(entry.name) else []
                elif entry.is_file(follow_symlinks=False):
                    yield path


def _corrected(path: str, pattern: Pattern) -> str | None:
    """The path as the pattern wants it; None when it is not near to that."""
    *folders, name = path.split("/")
    for at, segment in enumerate(pattern.segments[: len(folders)]):
        if segment == ANY_DEPTH:
            break
        if pattern.literals[at] and _is_near(folders[at], segment):
            folders[at] = segment
    last = pattern.segments[-1]
    if pattern.literals[-1]:
        right = last if _is_near(name, last) else None
    else:
        right = _dated(name, pattern) if pattern.dated else None
    meant = "/".join((*folders, right)) if right else None
    return meant if meant and meant != path and pattern.match(meant) else None


def _is_near(name: str, right: str) -> bool:
    """Whether a name is the right one but for case, ending, marks between its words, or one letter."""
    said, wanted = (_NO_LETTER.sub("", _stem(one).casefold()) for one in (name, right))
    return said == wanted or (len(wanted) >= _SHORTEST and OSA.distance(said, wanted) <= 1)


def _stem(name: str) -> str:
    while (stem := name.rstrip()).lower().endswith(_ENDINGS):
        name = stem[: stem.rindex(".")]
    return stem


def _dated(name: str, pattern: Pattern) -> str | None:
    """A file name with its date as the pattern writes it; None when it begins with no date, or is no text."""
    stem = _stem(name)
    for form in _DATES:
        found = form.match(stem)
        day = _day(found) if found else None
        if found is None or day is None:
            continue
        rest = stem[found.end() :]
        if "." in rest and len(stem) == len(name):  # a picture, a sheet
            return None
        parts = {"YYYY": f"{day:%Y}", "MM": f"{day:%m}", "DD": f"{day:%d}", "*": rest}
        pieces = list(pattern.pieces(pattern.segments[-1]))
        return "".join(parts.get(text, text) if stands_for else text for text, stands_for in pieces)
    return None


def _day(found: re.Match[str]) -> date | None:
    year, month, day = (found[one] for one in ("y", "m", "d"))
    begins, days = month[:3].casefold(), int(day)
    number = int(month) if month.isdecimal() else _MONTHS.index(begins) if begins in _MONTHS else 0
    if number > _LAST_MONTH >= days:  # month before day, as in America
        number, days = days, number
    try:
        return date(int(year) + (_CENTURY if len(year) == 2 else 0), number, days)
    except ValueError:
        return None
