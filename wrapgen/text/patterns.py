"""Path patterns with dates and names in them: `journals/**/YYYY-MM-DD*.md`, `projects/<project>/todos.md`. PURE."""

import calendar
import re
from collections.abc import Iterator
from datetime import date
from functools import cached_property
from itertools import product
from typing import NamedTuple

import msgspec

from wrapgen.late_pattern import late

_ANY_NAME = "[^/]+"
_MONTHS = tuple(name.lower() for name in calendar.month_name[1:])
_WEEKDAYS = tuple(name.lower() for name in calendar.day_name)
_GROUPS = {
    "YYYY": ("year", r"\d{4}"),
    "YY": ("year", r"\d{2}"),
    "dddd": ("weekday", r"[^\W\d_]+"),  # in any language; it says nothing that the date does not
    "ddd": ("weekday", r"[^\W\d_]+\.?"),
    "MMMM": ("month", "(?i:" + "|".join(_MONTHS) + ")"),
    "MMM": ("month", "(?i:" + "|".join(name[:3] for name in _MONTHS) + ")"),
    "MM": ("month", r"\d{2}"),
    "M": ("month", r"\d{1,2}"),
    "DD": ("day", r"\d{2}"),
    "Do": ("day", r"\d{1,2}(?:st|nd|rd|th)"),
    "D": ("day", r"\d{1,2}"),
    "<project>": ("project", _ANY_NAME),
    "<task>": ("task", _ANY_NAME),
}
# Letters that are also those of a date are read as one only beside a year and where they stand by themselves; single
# ones only where nothing else says the month or the day: `To Do/YYYY-MM-DD.md` begins with a name.
_NAME = r"<project>|<task>|\?"
_TOKENS = late(_NAME)
_DATED_TOKENS = late(rf"YYYY|{_NAME}|(?<![A-Za-z])(?:MMMM|MMM|dddd|ddd)(?![A-Za-z])|MM|DD")
_SHORT_YEAR = late(r"(?<![A-Za-z])(?:YY([-_. ]?)MM\1DD|(?:DD([-_. ]?)MM|MM([-_. ]?)DD)(?:\2|\3)YY)(?![A-Za-z])")
_SHORT = r"(?<![A-Za-z])(?:{})(?![A-Za-z])"
_BRACES = late(r"\{([^{}]*)\}")
_CHOICE = late(r"<[^<>/]*>")
ANY_DEPTH = "**"
_OF_FOLDER = frozenset(("readme", "index", "_index"))
"""Notes that tell of their folder, and are named after no project."""


class Place(NamedTuple):
    """What a path says by matching a pattern."""

    day: date | None = None  # the date in the path; None when the pattern has none, or when `impossible` is set
    project: str | None = None
    task: str | None = None
    impossible: bool = False  # the path names a day that no calendar has


def foreign_syntax(glob: str) -> str | None:
    """What other tools' globs know and these do not, as the reason why a glob is refused; None when there is none."""
    if glob.startswith("!"):
        return "begins with `!`, which takes nothing back here"
    if "[" in glob or "]" in glob:
        return "holds `[` or `]`, and there are no classes of characters here"
    rest = _BRACES.sub("", glob)
    if "{" in rest or "}" in rest:
        return "holds a brace that is not closed, or one inside of another"
    unknown = [name for name in _CHOICE.findall(glob) if name not in _GROUPS]
    return f"holds `{unknown[0]}`, and only `<project>` and `<task>` are names" if unknown else None


class Pattern(msgspec.Struct, frozen=True, dict=True):
    """One pattern, relative to the vault, with forward slashes."""

    text: str

    @cached_property
    def segments(self) -> tuple[str, ...]:
        """The folders and the file name, one pattern each."""
        parts = [part for part in self.text.replace("\\", "/").split("/") if part not in ("", ".")]
        if parts and parts[-1] == ANY_DEPTH:
            parts.append("*")
        # Any depth below any depth is any depth, found in one way instead of many.
        return tuple(part for at, part in enumerate(parts) if part != ANY_DEPTH or parts[at - 1 : at] != [ANY_DEPTH])

    @cached_property
    def choices(self) -> "tuple[Pattern, ...]":
        """The patterns without braces that this one stands for."""
        pieces = _BRACES.split(self.text)
        if len(pieces) == 1:
            return (self,)
        several = [piece.split(",") if at % 2 else [piece] for at, piece in enumerate(pieces)]
        return tuple(Pattern("".join(chosen)) for chosen in product(*several))

    @cached_property
    def dated(self) -> bool:
        return "YYYY" in self.text or _SHORT_YEAR.search(self.text) is not None

    @cached_property
    def _tokens(self) -> re.Pattern[str]:
        # Without a year, `COMMENTS.md` and `TODO.md` are names and nothing else.
        if not self.dated:
            return _TOKENS
        if "YYYY" not in self.text:
            return re.compile(f"YY|{_DATED_TOKENS.pattern}")
        short = [*(["M"] if "MM" not in self.text else []), *(["Do", "D"] if "DD" not in self.text else [])]
        more = _SHORT.format("|".join(short))
        return re.compile(f"{_DATED_TOKENS.pattern}|{more}") if short else _DATED_TOKENS

    @cached_property
    def _whole(self) -> re.Pattern[str]:
        seen: dict[str, str] = {}
        parts = [self._regex(segment, seen) for segment in self.segments]
        joined = "/".join(parts).replace("(?:ANY)/", "(?:[^/]+/)*")
        return re.compile(joined)

    def _regex(self, segment: str, seen: dict[str, str]) -> str:
        if segment == ANY_DEPTH:
            return "(?:ANY)"
        first, *others = re.split(r"\*+", segment)
        out = self._between_stars(first, seen)
        for number, part in enumerate(others, 1):
            fits = self._between_stars(part, seen)
            if number == len(others) or _ANY_NAME in fits:
                out += f"[^/]*{fits}"
            else:
                # The first place where it fits is as good as any later one, so the others are never tried.
                out += f"(?>[^/]*?{fits})"
        return out

    def _between_stars(self, text: str, seen: dict[str, str]) -> str:
        out, end = "", 0
        for token in self._tokens.finditer(text):
            out += re.escape(text[end : token.start()])
            end = token.end()
            if token[0] == "?":
                out += "[^/]"
            else:
                name, what = _GROUPS[token[0]]
                # The same part of a date written the same way must say the same; in another way it is only skipped.
                again = f"(?P={name})" if seen.get(name) == token[0] else f"(?:{what})"
                out += again if name in seen else f"(?P<{name}>{what})"
                seen.setdefault(name, token[0])
        return out + re.escape(text[end:])

    def pieces(self, segment: str) -> Iterator[tuple[str, bool]]:
        """The pieces of a segment, each with whether it stands for something else than itself."""
        for at, run in enumerate(re.split(r"(\*+)", segment)):
            if at % 2:
                yield run, True
                continue
            end = 0
            for token in self._tokens.finditer(run):
                yield run[end : token.start()], False
                yield token[0], True
                end = token.end()
            yield run[end:], False

    @cached_property
    def literals(self) -> tuple[bool, ...]:
        return tuple("*" not in segment and self._tokens.search(segment) is None for segment in self.segments)

    @cached_property
    def segment_regexes(self) -> tuple[re.Pattern[str], ...]:
        """What fits each segment in full; dates and names are compared only over the whole path."""
        return tuple(re.compile(self._regex(segment, {})) for segment in self.segments)

    def match(self, path: str) -> Place | None:
        if len(self.choices) > 1:
            return next((place for one in self.choices if (place := one.match(path))), None)
        found = self._whole.fullmatch(path)
        if found is None:
            return None
        named = found.groupdict()
        day, impossible = None, False
        if "year" in named and "month" in named and "day" in named:
            try:
                year = int(named["year"]) + (2000 if len(named["year"]) == 2 else 0)
                day = date(year, _month(named["month"]), int(named["day"].rstrip("sthndr")))
            except ValueError:
                impossible = True
        project = named.get("project")
        if project and project.casefold() in _OF_FOLDER and self.segments[-1].startswith("<project>."):
            project = None
        return Place(day=day, project=project, task=named.get("task"), impossible=impossible)

    @cached_property
    def project_folder(self) -> tuple[str, ...] | None:
        """The segments up to the one that is a project's name, None when no segment is."""
        if "<project>" not in self.segments:
            return None
        return self.segments[: self.segments.index("<project>") + 1]

    def filled(self, day: date) -> str:
        """A path that fits, of a day: dates are put in, `**` is the usual year and month, other wildcards go."""
        whole = self.choices[0].text.replace(f"{ANY_DEPTH}/", f"{day:%Y/%m}/", 1).replace(f"{ANY_DEPTH}/", "")
        path = self._tokens.sub(lambda token: written(token[0], day), whole)
        return re.sub(r"[*?]", "", path)


def _month(written: str) -> int:
    if written.isdecimal():
        return int(written)
    return next(at for at, name in enumerate(_MONTHS, 1) if name.startswith(written.lower()))


def written(token: str, day: date) -> str:
    """A part of a date, as a token of a pattern has it; what is no token stays."""
    month = _MONTHS[day.month - 1].capitalize()
    weekday = _WEEKDAYS[day.weekday()].capitalize()
    ending = "th" if day.day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    dates = {
        "YYYY": f"{day:%Y}", "YY": f"{day:%y}", "MMMM": month, "MMM": month[:3], "MM": f"{day:%m}", "M": f"{day.month}",
        "DD": f"{day:%d}", "Do": f"{day.day}{ending}", "D": f"{day.day}", "dddd": weekday, "ddd": weekday[:3],
    }  # fmt: skip
    return dates.get(token, token)
