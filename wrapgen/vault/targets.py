"""Which file a line goes to: today's journal, a project's list, an active task's list."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from wrapgen.config import split_headings
from wrapgen.errors import ConfigError
from wrapgen.text.patterns import ANY_DEPTH, Pattern, written

_DATE_TOKENS = frozenset(("YYYY", "YY", "MMMM", "MMM", "MM", "M", "DD", "Do", "D", "dddd", "ddd"))
_WILD = {"?": ".", "<project>": "[^/]+", "<task>": "[^/]+"}

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date
    from pathlib import Path

    from wrapgen.config import Sources


def journal_of(day: date, sources: Sources, journals: Iterable[tuple[date | None, str]]) -> str:
    """The journal of a day: the existing one, else one in the newest's folder under the format that this has.

    Raises ConfigError when the newest note's name has what the configured format does not say.
    """
    known = [(one, path) for one, path in journals if one is not None]
    today = sorted(path for one, path in known if one == day)
    if today:
        return today[-1]
    if not known:
        return Pattern(sources.journals[0]).filled(day)
    old, newest = max(known)
    patterns = [one for text in sources.journals for one in Pattern(text).choices if one.match(newest)]
    dated = [pattern for pattern in patterns if pattern.dated]
    for pattern in dated:
        made = _renamed(pattern, newest, old, day)
        if made and (place := pattern.match(made)) and place.day == day:
            return made
    if dated:
        raise ConfigError(
            f"today's journal cannot be named: `sources.journals` has `{patterns[0].text}`, "
            f"and the newest note is `{newest}`",
            next_step="Make today's note in your editor and run again, or name the format in `sources.journals`.",
        )
    return Pattern(sources.journals[0]).filled(day)


def _renamed(pattern: Pattern, path: str, old: date, new: date) -> str | None:
    """A journal's path with every part of its date replaced; None where its name is not what the pattern writes."""
    parts, segments = path.split("/"), pattern.segments
    depth = len(parts) - len(segments) + segments.count(ANY_DEPTH)
    out: list[str] = []
    for segment in segments:
        if segment == ANY_DEPTH:
            out += [_folder_dates(old, new).get(part, part) for part in parts[len(out) : len(out) + depth]]
            continue
        made = _filled(pattern, segment, parts[len(out)], old, new)
        if made is None:
            return None
        out.append(made)
    return "/".join(out)


def _folder_dates(old: date, new: date) -> dict[str, str]:
    forms = ("%Y-%m-%d", "%Y-%m", "%Y_%m", "%Y.%m", "%Y", "%m", "%m-%B", "%m-%b", "%m %B", "%B", "%b", "%Y-W%V", "W%V")
    return {old.strftime(form): new.strftime(form) for form in reversed(forms)}


def _fits(text: str, day: date, *, special: bool) -> str:
    if not special:
        return re.escape(text)
    return re.escape(written(text, day)) if text in _DATE_TOKENS else f"({_WILD.get(text, '.*')})"


def _filled(pattern: Pattern, segment: str, name: str, old: date, new: date) -> str | None:
    pieces = list(pattern.pieces(segment))
    regex = "".join(_fits(text, old, special=special) for text, special in pieces)
    found = re.fullmatch(regex, name, re.IGNORECASE)
    if found is None:
        return None
    kept, behind, out = iter(found.groups()), False, ""
    for text, special in pieces:
        if text in _DATE_TOKENS and special:
            out, behind = out + written(text, new), True
        elif special:
            here = next(kept)
            weekday = here.strip(" -_,.()").casefold()
            same = next((form for form in ("dddd", "ddd") if weekday == written(form, old).casefold()), None)
            if same:
                out += re.sub(re.escape(weekday), written(same, new), here, flags=re.IGNORECASE)
            elif not behind or text != "*":
                out += here
        else:
            out += text
    out = re.sub(r"(?<![\s_,-])[\s_,-]++(?=\.\w+$)", "", out)
    return out.lower() if name.islower() else out


def project_list(sources: Sources, project: str) -> str:
    """A project's own list, relative to the vault."""
    return _named(sources.project_todos, project)


def task_list(sources: Sources, project: str, task: str) -> str:
    """An active task's list, relative to the vault."""
    return _named(sources.active_todos, project).replace("<task>", task)


def _named(globs: tuple[str, ...], project: str) -> str:
    path, _ = split_headings(globs[0])
    return re.sub(r"[*?]", "", path.replace(f"{ANY_DEPTH}/", "").replace("<project>", project))


def active_tasks(root: Path, sources: Sources, projects: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """The folders of each project's active tasks, by name, whether they hold a list yet or not."""
    tasks: dict[str, tuple[str, ...]] = {}
    for project in projects:
        above = _named(sources.active_todos, project).partition("<task>")[0]
        try:
            with os.scandir(root / above) as entries:
                names = [entry.name for entry in entries if entry.is_dir() and not entry.name.startswith(".")]
        except OSError:
            names = []
        tasks[project] = tuple(sorted(names))
    return tasks
