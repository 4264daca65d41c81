"""What a look at somebody's notes proposes for `wrapgen.toml`, and date formats of other tools as globs. PURE."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from wrapgen.text.patterns import Pattern

Key = Literal["journals", "lists", "ignore"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """One glob."""

    key: Key  # of `[sources]`
    glob: str  # as it would stand there
    why: str  # what these files are, and who says so


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """What the settings of other tools say."""

    proposals: tuple[Proposal, ...] = ()  # where daily notes are, and what is none
    task_filter: str = ""  # what a line must hold to be a task; "" for nothing
    # what the characters in boxes mean: `open`, `done`, `cancelled` or `ignored`
    states: dict[str, str] = field(default_factory=dict)


def literal(path: str) -> str:
    """A path as a glob that fits it: what would mean something else is any character."""
    return re.sub(r"[\[\]{}<>*!]", "?", path)


def joined(*parts: str) -> str:
    """Folders and a name as one path; empty parts are left out."""
    return "/".join(part.strip("/") for part in parts if part.strip("/"))


class DateSyntax(NamedTuple):
    """How one library writes dates."""

    means: dict[str, str]  # its tokens as date parts of a glob; what else it prints is `*`
    tokens: re.Pattern[str]  # finds a quoted literal, which is the group `literal`, or the longest token


MOMENT = DateSyntax(
    {
        "YYYY": "YYYY", "Y": "YYYY", "y": "YYYY", "yyyy": "YYYY", "YY": "YY", "MMMM": "MMMM", "MMM": "MMM", "MM": "MM",
        "M": "M", "DD": "DD", "D": "D", "Do": "Do", "dddd": "dddd", "ddd": "ddd",
    },
    re.compile(
        r"\[(?P<literal>[^\[\]]*)\]|YYYYYY|YYYY|YY|Y|yyyy|y|MMMM|MMM|MM|Mo|M|DDDD|DDDo|DDD|DD|Do|D|dddd|ddd|dd|do|d"
        r"|gggg|gg|GGGG|GG|ww|wo|w|WW|Wo|W|Qo|Q|HH|H|hh|h|kk|k|mm|m|ss|s|A|a|X|x|e|E|LLLL|LLL|LL|L|llll|lll|ll|l|ZZ|Z"
    ),
)  # fmt: skip
JODA = DateSyntax(
    {
        "yyyy": "YYYY", "YYYY": "YYYY", "yy": "YY", "MMMM": "MMMM", "MMM": "MMM", "MM": "MM", "M": "M", "dd": "DD",
        "d": "D", "do": "Do", "EEEE": "dddd", "EEE": "ddd", "E": "ddd",
    },
    re.compile(r"'(?P<literal>[^']*)'|yyyy|YYYY|yy|MMMM|MMM|MM|M|do|dd|d|EEEE|EEE|E|ww|w|xxxx|HH|mm|ss|a"),
)  # fmt: skip
_YEAR = ("YYYY", "YY")
_MONTH = ("MMMM", "MMM", "MM", "M")
_DAY = ("DD", "Do", "D")


def glob_of(written: str, language: DateSyntax) -> str | None:
    """A date format, with folders, as a glob without the file's ending; None when that cannot say the whole day."""
    out, end = "", 0
    said: set[str] = set()
    for token in language.tokens.finditer(written):
        out += literal(written[end : token.start()])
        end = token.end()
        if token["literal"] is not None:
            out += literal(token["literal"])
            continue
        part = language.means.get(token[0], "*")
        said.add(part)
        out += part
    glob = re.sub(r"\*+", "*", out + literal(written[end:])).strip("/")
    whole = all(said.intersection(parts) for parts in (_YEAR, _MONTH, _DAY))
    return glob if whole and _can_be_read(last_part(glob), said - {"*"}) else None


def last_part(glob: str) -> str:
    """The part of a glob that suffices: its last name, when a whole date stands in it; people move notes about."""
    name = glob.rpartition("/")[2]
    tokens = {piece for piece, special in Pattern(name).pieces(name) if special}
    return name if all(tokens.intersection(parts) for parts in (_YEAR, _MONTH, _DAY)) else glob


def _can_be_read(glob: str, parts: set[str]) -> bool:
    """Whether the whole date can be read from the glob, with no part of it hidden by letters beside."""
    pattern = Pattern(glob)
    read = {piece for segment in pattern.segments for piece, special in pattern.pieces(segment) if special}
    hidden = {part for part in parts - read if part in re.findall(r"[A-Za-z]+", glob)}
    return not hidden and all(read.intersection(known) for known in (_YEAR, _MONTH, _DAY))
