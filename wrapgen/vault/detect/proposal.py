"""What a look at somebody's notes proposes for `wrapgen.toml`, and date formats of other tools as globs. PURE."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal, NamedTuple

from wrapgen.text.patterns import Pattern, written

if TYPE_CHECKING:
    from wrapgen.vault.detect.hand_overs import NextName

Key = Literal["journals", "lists", "ignore"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """One glob."""

    key: Key  # of `[sources]`
    glob: str  # as it would stand there
    why: str  # what these files are, and who says so


class FoundProjects(NamedTuple):
    """The projects that are proposed: several folders, or one name for all."""

    folders: dict[str, str]  # by name, the folder relative to the vault
    own: str = ""


class Detected(NamedTuple):
    """What was found, or what the settings of one tool say."""

    proposals: tuple[Proposal, ...] = ()  # globs that find something that is not read yet, or leave something out
    task_filter: str = ""  # what a line must hold to be a task; "" for nothing
    # what the characters in boxes mean: `open`, `done`, `cancelled` or `ignored`; never written to
    states: dict[str, str] = {}  # noqa: RUF012
    next_names: tuple[NextName, ...] = ()  # headings that are to count as *Next* names
    projects: FoundProjects = FoundProjects({})  # those that are to be known

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write."""
        return not (self.proposals or self.next_names or self.projects.folders or self.projects.own)


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
# One on which no two parts of a date are written alike.
_SAMPLE = date(2031, 10, 28)


def glob_of(said: str, language: DateSyntax) -> str | None:
    """A date format, with folders, as a glob without the file's ending; None when that cannot say the whole day."""
    glob, example, end = "", "", 0
    for token in language.tokens.finditer(said):
        plain = said[end : token.start()] + (token["literal"] or "")
        part = "" if token["literal"] is not None else language.means.get(token[0], "*")
        glob += literal(plain) + part
        example += plain + written(part, _SAMPLE)
        end = token.end()
    glob = re.sub(r"\*+", "*", glob + literal(said[end:])).strip("/")
    return glob if _tells_day(glob, (example + said[end:]).strip("/")) else None


def last_part(glob: str) -> str:
    """The part of a glob that suffices: its last name, when a whole date stands in it; people move notes about."""
    name = glob.rpartition("/")[2]
    return name if _tells_day(name, Pattern(name.replace("?", "-")).filled(_SAMPLE)) else glob


def _tells_day(glob: str, path: str) -> bool:
    """Whether a glob reads the sample's day in its path."""
    place = Pattern(glob).match(path)
    return place is not None and place.day == _SAMPLE
