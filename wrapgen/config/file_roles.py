r"""What a file, or a section of it, is by `[sources]`: `docs/STATE.md#Next`, `handoffs/*.md`. PURE.

A heading is compared as it is written: marks of Markdown and repeated blanks are dropped, case is ignored, and nothing
else. `*` stands for any words, a second `#` for a section within a section, `\#` and `\*` for themselves.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from wrapgen.config.schema import Sources
from wrapgen.late_pattern import late
from wrapgen.notes import Kind
from wrapgen.text.patterns import ANY_DEPTH, Pattern
from wrapgen.text.wildcards import words_pattern

SECTION_KEYS = ("hand_overs", "lists", "project_todos", "ignore")
"""The keys of `[sources]` in which a section can be named."""
_KINDS_BY_KEY = {
    "journals": Kind.JOURNAL_NEXT,
    "active_todos": Kind.ACTIVE_TODOS,
    "project_todos": Kind.PROJECT_TODOS,
    "progress": Kind.PROGRESS,
    "hand_overs": Kind.HAND_OVERS,
    "lists": Kind.LISTS,
    "ignore": None,
}
"""In the order in which a file belongs to the first kind that names it."""
_DAY = late(r"\d{4}[-_.]?\d\d[-_.]?\d\d")
_YEAR = late(r"(?:19|20)\d\d")
_MARK = late(r"(?<!\\)#")
_LINK = late(r"!?\[([^\[\]]*)\]\([^()]*\)")
_MARKDOWN = late(r"\*\*|__|~~|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")


class SectionRole(NamedTuple):
    """What the sections of a file with some heading are."""

    kind: Kind | None  # None: no work
    headings: tuple[re.Pattern[str], ...]  # of the section, and of those within it
    row: str = ""  # the row of hand-overs that it belongs to


class FileRole(NamedTuple):
    """What a file is."""

    whole: bool = True  # whether the file has a role as a whole; else only its sections have
    row: str = ""  # the row of hand-overs that it belongs to
    sections: tuple[SectionRole, ...] = ()


_PLAIN = FileRole()


def split_headings(glob: str) -> tuple[str, tuple[str, ...]]:
    """Return the path of a glob of `[sources]`, and the headings behind it, outermost first."""
    path, *headings = _MARK.split(glob)
    return path.replace("\\#", "#"), tuple(headings)


@lru_cache(maxsize=1024)
def pattern_of(glob: str) -> Pattern:
    """Return what fits the files of a glob of `[sources]`, whatever headings it names in them."""
    return Pattern(split_headings(glob)[0])


@lru_cache(maxsize=4096)
def heading_as_compared(title: str) -> str:
    """Return a heading without marks of Markdown and repeated blanks, in folded case."""
    return _without_marks(title).rstrip(":：").rstrip()


def _without_marks(words: str) -> str:
    return " ".join(_MARKDOWN.sub("", _LINK.sub(r"\1", words.replace("\\", ""))).split()).casefold()


@lru_cache(maxsize=1024)
def heading_pattern(named: str) -> re.Pattern[str]:
    """Return what fits the compared form of every heading that a configured one means."""
    return re.compile(words_pattern(named.rstrip().rstrip(":："), _without_marks), re.DOTALL)


def escaped_heading(title: str) -> str:
    """Return a heading as it is written behind a path: what would stand for something else is escaped."""
    return re.sub(r"([#*])", r"\\\1", " ".join(title.split()))


def role_of(path: str, sources: Sources) -> FileRole:
    """Return what a file is as a whole, and which of its sections are something else."""
    whole = False
    row = ""
    sections: list[SectionRole] = []
    for entry in _compiled(sources):
        if entry.pattern.match(path) is None:
            continue
        own_row = _row_of(entry, path) if entry.kind is Kind.HAND_OVERS else ""
        if entry.headings:
            sections.append(SectionRole(entry.kind, entry.headings, own_row))
        elif entry.kind is not None:
            row = row or ("" if whole else own_row)
            whole = True
    return FileRole(whole, row, tuple(sections)) if sections or row else _PLAIN


def section_globs(sources: Sources) -> tuple[str, ...]:
    """Return the globs of sources that name a section."""
    keys = (key for key in SECTION_KEYS if key != "ignore")
    return tuple(glob for key in keys for glob in getattr(sources, key) if split_headings(glob)[1])


def names_section(glob: str, titles: Sequence[str]) -> bool:
    """Tell whether a glob names a section, which is given by its heading and those around it, outermost first."""
    *around, own = map(heading_pattern, split_headings(glob)[1])
    *above, title = map(heading_as_compared, titles)
    rest = iter(above)
    return own.fullmatch(title) is not None and all(any(one.fullmatch(each) for each in rest) for one in around)


def declared_by(path: str, kind: Kind | None, titles: Sequence[str], sources: Sources) -> tuple[str, str]:
    """Return the key and the glob of `[sources]` by which a line is of its kind; empty texts for none.

    Args:
        kind: None for what is left out.
        titles: the headings above the line, outermost first; a glob that names one of them goes before its file's.
    """
    compared = [heading_as_compared(title) for title in titles]
    keys = [key for key, one in _KINDS_BY_KEY.items() if one is kind]
    globs = [(key, glob) for key in keys for glob in getattr(sources, key) if pattern_of(glob).match(path)]
    for key, glob in sorted(globs, key=lambda one: -len(split_headings(one[1])[1])):
        above = iter(compared)
        if all(any(heading_pattern(named).fullmatch(title) for title in above) for named in split_headings(glob)[1]):
            return key, glob
    return "", ""


class _Glob(NamedTuple):
    text: str
    kind: Kind | None
    pattern: Pattern
    headings: tuple[re.Pattern[str], ...]
    folders: re.Pattern[str] | None  # its groups are the folders that stars stand for


@lru_cache(maxsize=8)
def _compiled(sources: Sources) -> tuple[_Glob, ...]:
    found: list[_Glob] = []
    if not sources.hand_overs and not any("#" in glob for key in SECTION_KEYS for glob in getattr(sources, key)):
        return ()
    for key, kind in _KINDS_BY_KEY.items():
        for glob in getattr(sources, key):
            path, headings = split_headings(glob)
            if key == "ignore" and not headings:
                continue
            found += (
                _Glob(glob, kind, one, tuple(map(heading_pattern, headings)), _starred_folders(one))
                for one in Pattern(path).choices
            )
    return tuple(found)


def _starred_folders(pattern: Pattern) -> re.Pattern[str] | None:
    *folders, _ = pattern.segments or ("",)
    if not any("*" in one and one != ANY_DEPTH for one in folders):
        return None
    parts = ["(?:[^/]+/)*" if one == ANY_DEPTH else "([^/]+)/" if "*" in one else "[^/]+/" for one in folders]
    return re.compile("".join(parts) + "[^/]+")


def _row_of(entry: _Glob, path: str) -> str:
    """Return the row of a file: its glob, its project, and the folders of no day that stand for the stars of it.

    What stands below the folder of a year is of its date, in whatever language: `2026/Juin/11-06-2026.md`.
    """
    place = entry.pattern.match(path)
    found = entry.folders.fullmatch(path) if entry.folders else None
    undated = takewhile(lambda one: not _YEAR.fullmatch(one), found.groups() if found else ())
    folders = [one for one in undated if not _DAY.search(one)]
    return "\n".join((entry.text, *filter(None, (place and place.project, *folders))))
