"""Folders in which each note is a task: by the settings of Backlog.md and TaskNotes, else by what stands in them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from wrapgen.regular_files import whole
from wrapgen.vault.detect.proposal import Proposal, joined, literal
from wrapgen.vault.markdown.note import is_task_note
from wrapgen.vault.task_tools import TASK_NOTES, statuses_beside

# So many notes of a folder that are tasks say that they all are; so many that are none, that they are not.
_FEWEST, _MOST_OTHERS = 5, 20
_HEAD = 4_000  # bytes in which front matter ends


def task_folders(root: Path, paths: Iterable[str]) -> Iterator[Proposal]:
    """What such folders would be read as, each by one glob.

    Args:
        root: the folder that becomes a vault.
        paths: of Markdown files, relative to it.
    """
    if folder := _of_task_notes(root):
        yield Proposal("lists", joined(literal(folder), "**/*.md"), "tasks of TaskNotes")
    notes: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        notes[path.rpartition("/")[0]].append(path)
    for folder, within in notes.items():
        of_backlog = bool(folder) and statuses_beside(root / folder) and folder.endswith(("/tasks", "/completed"))
        if of_backlog or _are_tasks(root, within):
            why = "tasks of Backlog.md" if of_backlog else "notes that are tasks"
            yield Proposal("lists", joined(literal(folder), "*.md"), why)


def _are_tasks(root: Path, paths: list[str]) -> bool:
    tasks = 0
    for seen, path in enumerate(paths if len(paths) >= _FEWEST else (), 1):
        with suppress(OSError):
            tasks += is_task_note(whole(root / path, _HEAD).decode("utf-8-sig", "replace"))
        if tasks >= _FEWEST:
            return True
        if seen - tasks >= _MOST_OTHERS:
            return False
    return False


def _of_task_notes(root: Path) -> str:
    try:
        said = json.loads(whole(root / TASK_NOTES, 1 << 20))
    except (OSError, ValueError, RecursionError):
        return ""
    folder = said.get("tasksFolder") if isinstance(said, dict) else None
    return folder.strip("/") if isinstance(folder, str) else ""
