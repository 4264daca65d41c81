"""The snapshots of a vault: written one at a time, replaced in one step, the former ones kept beside, archived.

At no moment does a stage have no file: the previous snapshot is copied before the new one takes its place, and what is
beyond the number to keep goes last. A run that dies in between leaves a gap in the numbers, or a former
snapshot that is the latest one as well; the next run closes the one and does not add the other again.
"""

import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from wrapgen.config import Config
from wrapgen.config.task_ids import EXAMPLE, is_task_id
from wrapgen.errors import PublishError, SnapshotError, UsageError, WrapgenError, remedy
from wrapgen.stage import context
from wrapgen.stage.compose import parse
from wrapgen.stage.context import CommandContext, Taken
from wrapgen.stage.record import CAP, ENDING, StageSnapshot
from wrapgen.vault import disk
from wrapgen.vault.disk import make_private_folder
from wrapgen.vault.held import HeldFile, held, inside

LOCK_SECONDS = 60.0
LOCK_VARIABLE = "WRAPGEN_SNAPSHOT_LOCK_TIMEOUT"
# Larger files are no snapshots; somewhat above the cap, to recognise a snapshot that a person added to.
_MOST_READ = 8 * CAP
_KEPT = 3  # previous snapshots of a task


class StoredSnapshot(NamedTuple):
    """A snapshot in its file."""

    path: Path
    snapshot: StageSnapshot  # what it says
    context: CommandContext  # where it was taken, as far as that is known


class Former(NamedTuple):
    """A previous snapshot's file; 1 is the newest."""

    number: int
    path: Path


@dataclass(frozen=True, slots=True)
class Snapshots:
    """The snapshots of a vault.

    What takes a task raises `SnapshotError` when it is no task's id, or its file is not what it should be; what locks
    or writes, `LockHeldError` and `PublishError`: the former one stands.
    """

    root: Path
    config: Config
    lock_seconds: float = LOCK_SECONDS

    @property
    def folder(self) -> Path:
        return self.root / self.config.stage.dir

    def id_of(self, text: str) -> str:
        """A task's id as its file is named: `#12`, as forges count issues, is `issue-12`."""
        pattern = self.config.stage.task_id_pattern
        number = re.fullmatch(r"#?([0-9]{1,9})", text)
        issue = f"issue-{number[1]}" if number else text
        return issue if is_task_id(issue, pattern) and not is_task_id(text, pattern) else text

    def path(self, task: str) -> Path:
        """The file of a task's latest snapshot; no file is looked at."""
        pattern = self.config.stage.task_id_pattern
        if not is_task_id(task, pattern):
            known = f"{EXAMPLE} ({pattern})" if is_task_id(EXAMPLE, pattern) else pattern
            raise SnapshotError(
                f"{task!r} is not a task id", next_step=f"Ids look like {known}, see `stage.task_id_pattern`."
            )
        return self.folder / f"{task}{ENDING}"

    def write(self, task: str, data: bytes, taken_at: CommandContext) -> tuple[Path, WrapgenError | None]:
        """Make data from `compose` the latest; returns the file, and why `taken_at` could not be kept if so."""
        path = self.path(task)
        with self.locked(task):
            self._make_folder(path.parent)
            self.refuse_others(path)
            forgotten = None
            try:
                context.remember(self.root, Taken(task=task, digest=disk.digest(data), context=taken_at))
            except WrapgenError as error:
                forgotten = error
            words = "cannot be written; the previous snapshot is unchanged"
            with disk.refused(words, path), held(path, self.root) as latest:
                disk.remove_leftovers(latest)
                self._replace(latest, data)
        return path, forgotten

    def read(self, task: str, known: Mapping[str, CommandContext] | None = None) -> StoredSnapshot | None:
        """A task's latest snapshot, checked; readers of many give what is `known` of where they were taken."""
        path = self.path(task)
        data = self._content(path)
        return None if data is None else self._stored(path, data, task, known)

    def read_former(self, task: str, number: int) -> StoredSnapshot | None:
        """A previous snapshot, checked; None when there is none of this number."""
        for former in self.formers(task):
            if former.number == number and (data := self._content(former.path)) is not None:
                return self._stored(former.path, data, task, None)
        return None

    def formers(self, task: str) -> list[Former]:
        """A task's former snapshots, newest first; one that is the latest as well is none."""
        latest = self._content(self.path(task))
        found = self.numbered(task)
        if found and latest is not None and self._content(found[0].path) == latest:
            found = found[1:]
        return found

    def tasks(self) -> list[str]:
        try:
            names = [path.name for path in self.folder.iterdir()]
        except OSError:
            return []
        ids = [name.removesuffix(ENDING) for name in names if name.endswith(ENDING)]
        return sorted(one for one in ids if is_task_id(one, self.config.stage.task_id_pattern))

    @contextmanager
    def locked(self, task: str) -> Iterator[None]:
        from wrapgen.vault.lock import OTHER_LOCKS, LockWait, file_lock  # late: reading needs no lock

        file = self.root / OTHER_LOCKS / f"stage-{task}.lock"
        wait = LockWait(f"the snapshot of {task}", self.lock_seconds, LOCK_VARIABLE)
        shared = self.config.is_shared
        with file_lock(file, wait, root=self.root, shared=shared):
            yield
            if not shared:
                # One file a task would be left forever. Who waits for this one sees that it lost its name, and
                # takes the next.
                with suppress(OSError):
                    file.unlink()

    def _make_folder(self, folder: Path) -> None:
        """Snapshots contain conversation text: the folder is private, and ignored by git if created here."""
        make_private_folder(folder, self.root, ignored=folder)
        mode = stat.S_IMODE(folder.stat().st_mode)
        if os.name == "posix" and mode & 0o077:
            with disk.refused("cannot be made private; nothing was written", folder):
                folder.chmod(0o700)

    @staticmethod
    def refuse_others(path: Path) -> None:
        with suppress(FileNotFoundError):
            mode = path.lstat().st_mode
            if not stat.S_ISREG(mode):
                kind = "a symbolic link" if stat.S_ISLNK(mode) else "a folder" if stat.S_ISDIR(mode) else "no file"
                raise PublishError(
                    f"is {kind}, so no snapshot is written there", where=str(path), next_step="Move it away."
                )

    def _replace(self, latest: HeldFile, data: bytes) -> None:
        path = latest.path
        former = self._content(path)
        if former == data:
            return
        with disk.replacing(latest, data, private=True):
            if former is not None:
                self._make_former(latest, former)
        latest.sync_folder()
        for _, old in self.numbered(path.name.removesuffix(ENDING))[_KEPT:]:
            with suppress(OSError):  # the new one is in place; the next run tries again
                latest.with_name(old.name).unlink()

    def _make_former(self, latest: HeldFile, data: bytes) -> None:
        """Copy the latest snapshot as number 1; the others move up as far as the first gap."""
        path = latest.path
        numbered = dict(self.numbered(path.name.removesuffix(ENDING)))
        if 1 in numbered and self._content(numbered[1]) == data:
            return
        gap = next(number for number in range(1, len(numbered) + 2) if number not in numbered)
        for number in range(gap - 1, 0, -1):
            latest.with_name(numbered[number].name).rename(latest.with_name(_former(path, number + 1).name))
        disk.write_beside(latest, data, None, private=True).place(latest.with_name(_former(path, 1).name))

    def numbered(self, task: str) -> list[Former]:
        """The files of a task's former snapshots by number, whatever they hold."""
        name = re.compile(rf"{re.escape(task)}\.([1-9][0-9]{{0,5}}){re.escape(ENDING)}")
        try:
            entries = list(self.folder.iterdir())
        except OSError:
            return []
        return sorted(Former(int(found[1]), entry) for entry in entries if (found := name.fullmatch(entry.name)))

    def _content(self, path: Path) -> bytes | None:
        """The bytes of a snapshot's file, None when there is none or only behind a link that leads outside."""
        try:
            inside(path.parent, self.root)
            with disk.opened(path, follow=False) as descriptor:
                return disk.content(descriptor, _MOST_READ)
        except FileNotFoundError:
            return None
        except PublishError:
            what = "is behind a symbolic link that leads outside the vault, so it is not read"
            raise SnapshotError(what, where=str(path), next_step="Remove the link.") from None
        except OSError as error:
            raise SnapshotError(
                f"cannot be read ({error.strerror or error})", where=str(path), next_step=remedy(error)
            ) from error

    def _stored(self, path: Path, data: bytes, task: str, known: Mapping[str, CommandContext] | None) -> StoredSnapshot:
        try:
            snapshot = parse(data, task, self.config.stage)
        except SnapshotError as error:
            raise SnapshotError(
                f"is not a valid snapshot: it {error.what}",
                where=str(path),
                next_step="Read it yourself, then write the stage again with `wrap stage write`.",
            ) from None
        if known is None:
            known = context.contexts(self.root)
        return StoredSnapshot(path, snapshot, known.get(disk.digest(data), CommandContext()))


def _former(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name.removesuffix(ENDING)}.{number}{ENDING}")


ARCHIVE_FOLDER = "archive"
_AREA = re.compile(r"\w[\w -]{0,62}\w|\w")


class Moved(NamedTuple):
    """A file that was moved."""

    source: Path
    target: Path


def archive(snapshots: Snapshots, task: str, area: str) -> list[Moved]:
    """Move a finished task's snapshots, the latest and the former ones, never over another file.

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
        name = _free(folder, _final(task), latest)
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


def _free(folder: Path, name: str, latest: Path) -> str:
    """The name for a set of snapshots whose last stage is not there yet, or was just being moved there."""
    number, found = 1, name
    while os.path.lexists(there := folder / f"{found}.md"):
        with suppress(OSError):
            if os.path.samestat(there.lstat(), latest.lstat()):
                break
        number += 1
        found = f"{name}-{number}"
    return found


def _move(source: HeldFile, folder: HeldFile, name: str, number: int) -> Moved:
    """Move a file, 0 for the latest; a number that is taken already goes up, unless a run died while it took it."""
    while (target := folder.with_name(f"{name}.{number}.md" if number else f"{name}.md")).exists():
        if os.path.samestat(source.stat(), target.stat()):
            source.unlink()
            break
        number += 1
    else:
        source.place(target)
    target.sync_folder()
    source.sync_folder()
    return Moved(source.path, target.path)
