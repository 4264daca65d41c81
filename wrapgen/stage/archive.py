"""Moves a finished task's snapshots to the vault's archives: never copied, never over another file."""

import os
import re
from pathlib import Path
from typing import NamedTuple

from wrapgen.errors import PublishError, UsageError
from wrapgen.stage.store import Snapshots
from wrapgen.vault import disk
from wrapgen.vault.files import make_private_folder
from wrapgen.vault.held import HeldFile, held, inside

ARCHIVE_FOLDER = "archive"
GENERAL = "general"
_AREA = re.compile(r"\w[\w -]{0,62}\w|\w")


class Moved(NamedTuple):
    """A file that was moved."""

    source: Path
    target: Path


def archive(snapshots: Snapshots, task: str, area: str = GENERAL) -> list[Moved]:
    """Move a task's snapshots, the latest and the former ones; returns what was moved.

    Former ones go first, so that an interrupted run is finished by the next one. Raises `SnapshotError` and
    `UsageError` for a wrong task or area, `LockHeldError` and `PublishError`.
    """
    latest = snapshots.path(task)
    if not _AREA.fullmatch(area):
        raise UsageError(f"{area!r} is not a valid folder name", next_step="Use letters, digits, - and _.")
    folder = snapshots.root / ARCHIVE_FOLDER / area / "snapshots"
    with snapshots.locked(task):
        inside(snapshots.folder, snapshots.root)
        snapshots.refuse_others(latest)
        sources = [(former.number, former.path) for former in snapshots.numbered(task)]
        sources += [(0, latest)] if latest.exists() else []
        if not sources:
            return []
        make_private_folder(folder, snapshots.root, ignored=folder)
        name = _free(folder, _final(task))
        try:
            with held(latest, snapshots.root) as here, held(folder / latest.name, snapshots.root) as there:
                disk.remove_leftovers(here)
                return [_move(here.with_name(file.name), there, name, number) for number, file in sources]
        except OSError as error:
            raise disk.cannot(
                "cannot be moved; every snapshot is still in one of the two folders", folder, error
            ) from error


def last_archived(snapshots: Snapshots, task: str) -> Path | None:
    """The newest latest snapshot of a task among the archives, None when there is none."""
    snapshots.path(task)
    name = re.compile(rf"{re.escape(_final(task))}(-[0-9]+)?\.md")
    try:
        folder = snapshots.root / ARCHIVE_FOLDER
        inside(folder, snapshots.root)
        found = [file for file in folder.glob(f"*/snapshots/{_final(task)}*.md") if name.fullmatch(file.name)]
        return max(found, key=lambda file: file.stat().st_mtime_ns, default=None)
    except (OSError, PublishError):  # this is reported besides another error, and must not hide it
        return None


def _final(task: str) -> str:
    return f"{task}-final-stage"


def _free(folder: Path, name: str) -> str:
    """The name for a set of snapshots whose last stage is not there yet."""
    number = 1
    while os.path.lexists(folder / f"{name}{f'-{number}' if number > 1 else ''}.md"):
        number += 1
    return name if number == 1 else f"{name}-{number}"


def _move(source: HeldFile, folder: HeldFile, name: str, number: int) -> Moved:
    """Move a file, 0 for the latest; a number that is taken already (by a run that died) goes up."""
    while (target := folder.with_name(f"{name}.{number}.md" if number else f"{name}.md")).exists():
        number += 1
    source.place(target)
    target.sync_folder()
    source.sync_folder()
    return Moved(source.path, target.path)
