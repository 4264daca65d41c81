"""A finished task's snapshots, moved among the vault's archives: never copied, never over another file."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.errors import PublishError, UsageError
from wrapgen.vault import disk, swap
from wrapgen.vault.files import make_private_folder

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.stage.store import Snapshots

ARCHIVE_FOLDER = "archive"
GENERAL = "general"
_AREA = re.compile(r"\w[\w -]{0,62}\w|\w")


class Moved(NamedTuple):
    """A file that was moved."""

    source: Path
    target: Path


def archive(snapshots: Snapshots, task: str, area: str = GENERAL) -> list[Moved]:
    """Move a task's snapshots, the latest and the former ones.

    The former ones go first: a run that dies in between is finished by the next one, which begins with what is left.

    Args:
        snapshots: the vault's snapshots.
        task: the task.
        area: the folder of the archive, one name.

    Returns:
        what was moved, empty when there was nothing.

    Raises:
        SnapshotError: that is no task id.
        UsageError: the area is not the name of a folder.
        LockHeldError: others were writing it all the time.
        PublishError: they cannot be moved.
    """
    latest = snapshots.path(task)
    if not _AREA.fullmatch(area):
        raise UsageError(f"{area!r} is no name of a folder", next_step="Use letters, digits, - and _.")
    folder = snapshots.root / ARCHIVE_FOLDER / area / "snapshots"
    with snapshots.locked(task):
        disk.inside(snapshots.folder, snapshots.root)
        snapshots.refuse_others(latest)
        sources = [(f".{former.number}", former.path) for former in snapshots.numbered(task)]
        sources += [("", latest)] if latest.exists() else []
        if not sources:
            return []
        make_private_folder(folder, snapshots.root, ignored=folder)
        disk.remove_leftovers(latest)
        name = _free(folder, _final(task))
        moved = []
        try:
            for suffix, source in sources:
                moved.append(_move(source, folder, name, suffix))
            disk.sync_folder(folder)
            disk.sync_folder(snapshots.folder)
        except OSError as error:
            raise disk.cannot("cannot be moved; every snapshot stands in one of the two", folder, error) from error
        return moved


def last_archived(snapshots: Snapshots, task: str) -> Path | None:
    """The newest latest snapshot of a task among the vault's archives, None when there is none.

    Args:
        snapshots: the vault's snapshots.
        task: the task.

    Raises:
        SnapshotError: that is no task id.
    """
    snapshots.path(task)
    name = re.compile(rf"{re.escape(_final(task))}(-[0-9]+)?\.md")
    try:
        folder = snapshots.root / ARCHIVE_FOLDER
        disk.inside(folder, snapshots.root)
        found = [file for file in folder.glob(f"*/snapshots/{_final(task)}*.md") if name.fullmatch(file.name)]
        return max(found, key=lambda file: file.stat().st_mtime_ns, default=None)
    except (OSError, PublishError):  # this is said beside another trouble, and must not hide it
        return None


def _final(task: str) -> str:
    return f"{task}-final-stage"


def _free(folder: Path, name: str) -> str:
    """The name for a set of snapshots whose last stage is not there yet."""
    number = 1
    while os.path.lexists(folder / f"{_numbered(name, number)}.md"):
        number += 1
    return _numbered(name, number)


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"


def _move(source: Path, folder: Path, name: str, suffix: str) -> Moved:
    """Move a file; a name that is taken already (by a run that died) gets the next number."""
    number = int(suffix[1:] or 0)
    while True:
        target = folder / (f"{name}.{number}.md" if suffix else f"{name}.md")
        try:
            swap.place(source, target)
        except FileExistsError:
            if not suffix:
                raise
            number += 1
        else:
            return Moved(source, target)
