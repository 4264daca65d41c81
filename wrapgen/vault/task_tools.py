"""How the programs that keep one note a task spell that it is done: Backlog.md and TaskNotes, by their own settings."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

from wrapgen.regular_files import whole
from wrapgen.vault.markdown.note import is_closed, properties

_BACKLOG = ("config.yml", "config.yaml", "backlog.config.yml")
TASK_NOTES = ".obsidian/plugins/tasknotes/data.json"
_LARGEST = 1 << 20  # bytes


def done_status(root: Path, path: str) -> str:
    """The status that the own program of a task's note gives to what is done; "" where none says so."""
    for folder in PurePosixPath(path).parents:
        if statuses := statuses_beside(root / folder):
            return statuses[-1]
    try:
        said = json.loads(_text(root / TASK_NOTES) or "{}")
    except (ValueError, RecursionError):
        return ""
    listed = said.get("customStatuses") if isinstance(said, dict) else None
    done = [one for one in listed if _completes(one)] if isinstance(listed, list) else []
    usual = [one for one in done if is_closed(one["value"])]
    return str((usual or done)[0]["value"]) if done else ""


def statuses_beside(folder: Path) -> tuple[str, ...]:
    """The statuses of the tasks in a folder of Backlog.md, in its order; nothing where no settings of it are near."""
    for place in (folder, folder.parent):
        for name in _BACKLOG:
            if statuses := properties(_text(place / name)).get("statuses"):
                return statuses
    return ()


def _completes(status: object) -> bool:
    return isinstance(status, dict) and status.get("isCompleted") is True and isinstance(status.get("value"), str)


def _text(file: Path) -> str:
    try:
        return whole(str(file), _LARGEST).decode("utf-8-sig", "replace")
    except OSError:
        return ""
