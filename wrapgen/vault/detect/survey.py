"""What stands where in notes that nobody has declared: the headings with lists below them, by file or row. PURE."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from wrapgen.notes import Document
from wrapgen.text.headings import NEXT, Names, roles
from wrapgen.vault.detect.proposal import joined, literal

_LINES = 2  # of what stands below a heading that are shown
_SHORT = 6  # headings of a file whose prose may be work whatever they are called
_DAY = re.compile(r"(?<!\d)\d{4}([-_.]?)\d{2}\1\d{2}(?!\d)")
_NUMBER = re.compile(r"\d+")
# Folders that hold days, months and years only: `2026`, `2026-04`, `04-April`, `Q2`.
TIME = re.compile(r"\d{1,4}([-_. ]?\d{1,2})?([-_. ]?\w{3,9})?|(\d{4}-)?[QW]\d{1,2}")
_FAMILY = {True: 2, False: 4}  # files that make one, by whether they are dated
_DATE_PARTS = re.compile(r"YY|MM|DD")


class Heading(NamedTuple):
    """A heading, and what stands right below it."""

    text: str
    line: int
    open: int = 0  # open boxes
    ticked: int = 0
    items: int = 0  # other list items, and paragraphs below a name of what is next
    lines: tuple[str, ...] = ()  # the first of it that is not done
    is_next: bool = False  # whether its name says that what is below is next


def weight(heading: Heading) -> tuple[bool, int, int]:
    """Sort key of the headings of a file: what is next first, then where most stands."""
    return not heading.is_next, -heading.open - heading.items, heading.line


class SurveyedFile(NamedTuple):
    """A file with lists, or a family of dated or numbered files."""

    path: str  # of a family the glob that fits it
    changed: date | None  # the newest change
    commits: int  # of the last ones, how many touched it
    headings: tuple[Heading, ...]  # of a family those of its newest file
    newest: str = ""  # of a family its newest file
    number: int = 1  # how many files it is

    @property
    def open(self) -> int:
        return sum(one.open for one in self.headings)


class Touched(NamedTuple):
    """What the last commits, or else the disk, say of one file."""

    commits: int
    changed: date | None


def row_glob(path: str) -> tuple[str, bool]:
    """Return the glob of the dated or numbered files that a file may belong to, and whether they are dated.

    Returns:
        ("", False) for a file whose name says neither.
    """
    *folders, name = path.split("/")
    stem, dot, ending = name.rpartition(".")
    if dated := _DAY.search(stem):
        while folders and TIME.fullmatch(folders[-1]):
            folders.pop()
        way = "**" if len(folders) < path.count("/") else ""
        before, mark = literal(stem[: dated.start()]), dated[1]
        day = "*" if _DATE_PARTS.search(before) else f"YYYY{mark}MM{mark}DD*"
        return joined(literal("/".join(folders)), way, f"{before}{day}{dot}{ending}"), True
    if numbers := [*_NUMBER.finditer(stem)]:
        last = numbers[-1]
        return joined(literal("/".join(folders)), f"{literal(stem[: last.start()])}*{dot}{ending}"), False
    return "", False


def survey(documents: Mapping[str, Document], touched: Mapping[str, Touched], names: Names) -> list[SurveyedFile]:
    """Return the files that hold lists, those first that are most lived in; families of files are one each."""
    single: list[SurveyedFile] = []
    families: dict[tuple[str, bool], list[SurveyedFile]] = {}
    for path, document in documents.items():
        headings = tuple(_headings(document, names))
        if headings:
            what = touched.get(path, Touched(0, None))
            found = SurveyedFile(path, what.changed, what.commits, headings)
            row = row_glob(path)
            (families.setdefault(row, []) if row[0] else single).append(found)
    for (glob, dated), members in families.items():
        single += [_family(glob, members)] if len(members) >= _FAMILY[dated] else members
    return sorted(single, key=_liveliness)


def _liveliness(one: SurveyedFile) -> tuple[int, int, bool, int, int, str]:
    day = one.changed.toordinal() if one.changed else 0
    is_next = any(heading.is_next for heading in one.headings)
    return -one.commits, -day, not is_next, one.path.count("/"), -one.open, one.path


def _family(glob: str, members: Sequence[SurveyedFile]) -> SurveyedFile:
    newest = max(members, key=lambda one: (number_of(one.path), one.changed or date.min, one.path))
    changed = max((one.changed for one in members if one.changed), default=None)
    commits = max(one.commits for one in members)
    return SurveyedFile(glob, changed, commits, newest.headings, newest.path, len(members))


def number_of(path: str) -> int:
    """Return the day that a file's name says as a number, else its last number; 0 for none."""
    name = path.rpartition("/")[2]
    dated = _DAY.search(name)
    numbers = [re.sub(r"\D", "", dated[0])] if dated else re.findall(r"\d{1,9}", name)
    return int(numbers[-1]) if numbers else 0


_OPEN, _TICKED, _PLAIN = range(3)


def _headings(document: Document, names: Names) -> Iterator[Heading]:
    means = roles(document.sections, names)
    below: dict[int, list[tuple[str, int]]] = {}
    for entry in document.entries:
        is_next = entry.section >= 0 and means[entry.section] == NEXT
        if entry.box or not entry.row or is_next:
            kind = _TICKED if entry.done else _OPEN if entry.box else _PLAIN
            below.setdefault(entry.section, []).append((entry.text, kind))
    listed = {*below}
    for entry in (one.entry for one in document.paragraphs):
        told = len(document.sections) <= _SHORT or means[entry.section] == NEXT
        if told and entry.section not in listed:
            below.setdefault(entry.section, []).append((entry.text, _PLAIN))
    for section, lines in sorted(below.items()):
        heading = document.sections[section] if section >= 0 else None
        counts = [sum(kind == wanted for _, kind in lines) for wanted in (_OPEN, _TICKED, _PLAIN)]
        first = tuple(text for text, kind in lines if kind != _TICKED)[:_LINES]
        is_next = heading is not None and means[section] == NEXT
        title, line = (heading.title, heading.line) if heading else ("", 0)
        yield Heading(title, line, counts[_OPEN], counts[_TICKED], counts[_PLAIN], first, is_next)
