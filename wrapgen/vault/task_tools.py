"""Programs that keep one note a task: in which folders, and how they spell that it is done.

By the settings of Backlog.md and TaskNotes, else by what stands in the notes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from wrapgen.regular_files import object_of, text_of
from wrapgen.vault.detect.proposal import Proposal, joined, literal
from wrapgen.vault.markdown.note import is_closed, is_task_note, properties

_BACKLOG = ("config.yml", "config.yaml", "backlog.config.yml")
_TASK_NOTES = ".obsidian/plugins/tasknotes/data.json"
_LARGEST = 1 << 20  # bytes
# So many notes of a folder that are tasks say that they all are; so many that are none, that they are not.
_FEWEST, _MOST_OTHERS = 5, 20
_HEAD = 4_000  # bytes in which front matter ends


def done_status(root: Path, path: str) -> str:
    """The status that the own program of a task's note gives to what is done; "" where none says so."""
    for folder in PurePosixPath(path).parents:
        if statuses := _statuses_beside(root / folder):
            return statuses[-1]
    listed = object_of(root / _TASK_NOTES).get("customStatuses")
    done = [one for one in listed if _completes(one)] if isinstance(listed, list) else []
    usual = [one for one in done if is_closed(one["value"])]
    return str((usual or done)[0]["value"]) if done else ""


def _statuses_beside(folder: Path) -> tuple[str, ...]:
    """The statuses of the tasks in a folder of Backlog.md, in its order; nothing where no settings of it are near."""
    for place in (folder, folder.parent):
        for name in _BACKLOG:
            if statuses := properties(text_of(place / name, _LARGEST)).get("statuses"):
                return statuses
    return ()


def _completes(status: object) -> bool:
    return isinstance(status, dict) and status.get("isCompleted") is True and isinstance(status.get("value"), str)


def task_folders(root: Path, paths: Iterable[str]) -> Iterator[Proposal]:
    """What such folders would be read as, each by one glob."""
    folder = object_of(root / _TASK_NOTES).get("tasksFolder")
    if isinstance(folder, str) and (folder := folder.strip("/")):
        yield Proposal("lists", joined(literal(folder), "**/*.md"), "tasks of TaskNotes")
    notes: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        notes[path.rpartition("/")[0]].append(path)
    for folder, within in notes.items():
        of_backlog = bool(folder) and _statuses_beside(root / folder) and folder.endswith(("/tasks", "/completed"))
        if of_backlog or _are_tasks(root, within):
            why = "tasks of Backlog.md" if of_backlog else "notes that are tasks"
            yield Proposal("lists", joined(literal(folder), "*.md"), why)


def _are_tasks(root: Path, paths: list[str]) -> bool:
    tasks = 0
    for seen, path in enumerate(paths if len(paths) >= _FEWEST else (), 1):
        tasks += is_task_note(text_of(root / path, _HEAD))
        if tasks >= _FEWEST:
            return True
        if seen - tasks >= _MOST_OTHERS:
            return False
    return False
