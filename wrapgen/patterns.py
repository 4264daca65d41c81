"""Path patterns with dates and names in them: `journals/**/YYYY-MM-DD*.md`, `projects/<project>/todos.md`. PURE."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

_TOKENS = re.compile(r"YYYY|MM|DD|<project>|<task>|\?")
_ANY_NAME = "[^/]+"
_GROUPS = {
    "YYYY": ("year", r"\d{4}"),
    "MM": ("month", r"\d{2}"),
    "DD": ("day", r"\d{2}"),
    "<project>": ("project", _ANY_NAME),
    "<task>": ("task", _ANY_NAME),
}
ANY_DEPTH = "**"


class Place(NamedTuple):
    """What a path says by matching a pattern.

    Attributes:
        day: the date in the path; None when the pattern has none, or when `impossible` is set.
        impossible: the path names a day that no calendar has.
    """

    day: date | None = None
    project: str | None = None
    task: str | None = None
    impossible: bool = False


@dataclass(frozen=True)
class Pattern:
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
    def _whole(self) -> re.Pattern[str]:
        seen: set[str] = set()
        parts = [self._regex(segment, seen) for segment in self.segments]
        joined = "/".join(parts).replace("(?:ANY)/", "(?:[^/]+/)*")
        return re.compile(joined)

    def _regex(self, segment: str, seen: set[str]) -> str:
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

    def _between_stars(self, text: str, seen: set[str]) -> str:
        out, end = "", 0
        for token in _TOKENS.finditer(text):
            out += re.escape(text[end : token.start()])
            end = token.end()
            if token[0] == "?":
                out += "[^/]"
            else:
                name, what = _GROUPS[token[0]]
                out += f"(?P={name})" if name in seen else f"(?P<{name}>{what})"
                seen.add(name)
        return out + re.escape(text[end:])

    def segment_matches(self, index: int, name: str) -> bool:
        """Whether a file or folder name fits one segment (dates and names are compared only over the whole path)."""
        return self._takes_any[index] or self._segment_regexes[index].fullmatch(name) is not None

    @cached_property
    def _takes_any(self) -> tuple[bool, ...]:
        return tuple(segment in ("<project>", "<task>", "*") for segment in self.segments)

    @cached_property
    def literals(self) -> tuple[bool, ...]:
        """Which segments are plain names."""
        return tuple("*" not in segment and _TOKENS.search(segment) is None for segment in self.segments)

    @cached_property
    def _segment_regexes(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(self._regex(segment, set())) for segment in self.segments)

    def match(self, path: str) -> Place | None:
        """Read a path.

        Args:
            path: relative to the vault, with forward slashes.

        Returns:
            what the path says, None when it does not fit the pattern.
        """
        found = self._whole.fullmatch(path)
        if found is None:
            return None
        named = found.groupdict()
        day, impossible = None, False
        if "year" in named and "month" in named and "day" in named:
            try:
                day = date(int(named["year"]), int(named["month"]), int(named["day"]))
            except ValueError:
                impossible = True
        return Place(day=day, project=named.get("project"), task=named.get("task"), impossible=impossible)

    def place(self, path: str) -> Place | None:
        """Read a path whose segments are known to fit, one by one; `match` for any other.

        Args:
            path: relative to the vault, with forward slashes.

        Returns:
            what the path says, None when it does not fit the pattern as a whole.
        """
        if self._names is None:
            return self.match(path)
        project, task = self._names
        parts = path.split("/")
        return Place(None, parts[project] if project >= 0 else None, parts[task] if task >= 0 else None)

    @cached_property
    def _names(self) -> tuple[int, int] | None:
        """Which segments are the project's and the task's name, -1 for none; None when there is more to it."""
        alone = all(literal or any_ for literal, any_ in zip(self.literals, self._takes_any, strict=True))
        if not alone or self.segments.count("<project>") > 1 or self.segments.count("<task>") > 1:
            return None
        project, task = (self.segments.index(name) if name in self.segments else -1 for name in ("<project>", "<task>"))
        return project, task

    @cached_property
    def project_folder(self) -> tuple[str, ...] | None:
        """The segments up to the one that is a project's name, None when no segment is."""
        if "<project>" not in self.segments:
            return None
        return self.segments[: self.segments.index("<project>") + 1]
