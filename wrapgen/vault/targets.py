"""Which file a line goes to: today's journal, a project's list, an active task's list."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from wrapgen.text.patterns import ANY_DEPTH, Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date
    from pathlib import Path

    from wrapgen.config import Sources
    from wrapgen.notes import Source


def journal_of(day: date, sources: Sources, journals: Sequence[Source]) -> str:
    """The journal of a day: the existing one, else one named like the newest, else by the first pattern.

    Returns:
        its path relative to the vault.
    """
    today = sorted(one.path for one in journals if one.day == day)
    if today:
        return today[-1]
    dated = [one for one in journals if one.day is not None]
    if dated:
        newest = max(dated, key=lambda one: (one.day, one.path))
        for text in sources.journals:
            if Pattern(text).match(newest.path) and (path := _moved(newest, day)) and Pattern(text).match(path):
                return path
    return Pattern(sources.journals[0]).filled(day)


def _moved(journal: Source, day: date) -> str | None:
    """A journal's path with its date replaced, in the folders too; what follows the date in the name is dropped."""
    old = journal.day
    if old is None:
        return None
    *folders, name = journal.path.split("/")
    forms = ("%Y-%m-%d", "%Y_%m_%d", "%Y.%m.%d", "%Y%m%d", "%m-%d", "%m_%d", "%m%d", "%d")
    form = next((form for form in forms if name.startswith(old.strftime(form))), None)
    if form is None:
        return None
    parts = {old.strftime(part): day.strftime(part) for part in ("%Y-%m", "%Y_%m", "%Y", "%m")}
    return "/".join([*(parts.get(folder, folder) for folder in folders), f"{day.strftime(form)}.md"])


def project_list(sources: Sources, project: str) -> str:
    """A project's own list, relative to the vault."""
    return _named(sources.project_todos, project)


def task_list(sources: Sources, project: str, task: str) -> str:
    """An active task's list, relative to the vault."""
    return _named(sources.active_todos, project).replace("<task>", task)


def _named(globs: tuple[str, ...], project: str) -> str:
    return re.sub(r"[*?]", "", globs[0].replace(f"{ANY_DEPTH}/", "").replace("<project>", project))


def active_tasks(root: Path, sources: Sources, projects: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """The folders of each project's active tasks, by name, whether they hold a list yet or not.

    Args:
        projects: names of the known projects.
    """
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
