"""The cold log of a project, and where its tracks are: `.claude/context/`, private to the user and ignored by git.

The log holds everything said, tried and decided, one record per line, append-only.
It is the source of COLD_TRACK.md, the hot track and every search. A line that cannot be read (a crash in the middle
of it) stays where it is and is skipped; whatever it held comes again with the next snapshot of its transcript, because
a turn counts as known only when its line can be read.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from wrapgen.errors import WrapgenError, remedy
from wrapgen.late_pattern import late
from wrapgen.tracks.hot import COLD_FILE
from wrapgen.tracks.record import LogContents, Record, SnapshotRecord, Tombstone, WithdrawnRecord, decoded
from wrapgen.tracks.user_lines import MOVED_FILE
from wrapgen.vault import disk, state
from wrapgen.vault.disk import make_private_folder

CONTEXT_FOLDER = ".claude/context"
HOT_FILE = "HOT_TRACK.md"
LOG_FILE = "cold.jsonl"
OWN_FOLDER = ".wrapgen"
LOCK_FILE = f"{OWN_FOLDER}/track.lock"
_IGNORE = ".gitignore"
# In a folder that was there before, whose other files are none of ours.
_IGNORED = "".join(
    f"{name}\n" for name in (HOT_FILE, COLD_FILE, "*.former-*.md", MOVED_FILE, LOG_FILE, f"{OWN_FOLDER}/", ".*")
)
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def context_folder(project: Path) -> Path:
    """The folder of a project's tracks."""
    return project / CONTEXT_FOLDER


def nearest_project(folder: Path) -> Path | None:
    """The project whose tracks a folder belongs to: the folder itself or the nearest one above that has a log."""
    with suppress(OSError, ValueError):  # a name too long, or with a null character: a transcript can say anything
        return next((one for one in (folder, *folder.parents) if (context_folder(one) / LOG_FILE).is_file()), None)
    return None


def make_context_folder(project: Path) -> Path:
    """Make the folder of a project's tracks, private and inside the project; raises `PublishError`."""
    folder = context_folder(project)
    make_private_folder(folder, project, ignored=folder)
    with disk.refused("the folder cannot be made private; nothing was written", folder):
        ignore = folder / _IGNORE
        if not ignore.exists() or ignore.stat().st_size == 0:
            ignore.write_text(_IGNORED, encoding="utf-8")
        if os.name == "posix" and stat.S_IMODE(folder.stat().st_mode) & _OTHERS:
            folder.chmod(0o700)
    return folder


_BUFFER = 1 << 20
_BATCH = 1 << 20
_ID = late(rb'"id":"T([0-9]{1,9})"')
_TURN = b'{"kind":"turn",'
_SNAPSHOT = b'{"kind":"snapshot",'


@dataclass(frozen=True, slots=True)
class Log:
    """A project's log; its file need not exist. What reads it raises WrapgenError when it cannot be read."""

    path: Path
    root: Path

    def contents(self) -> LogContents:
        """Read the log without the words of its turns."""
        found = LogContents()
        for _, line in self.lines():
            if record := decoded(line):
                found.take(record)
            else:
                # The id in an incomplete line may already have been shown.
                found.last_id = max([found.last_id, *(int(number) for number in _ID.findall(line))])
        return found

    def records(self, start: int = 0) -> Iterator[tuple[int, Record]]:
        """Every record that can be read, with the byte that its line begins at, from a byte on that begins one."""
        for offset, line in self.lines(start):
            record = decoded(line)
            if record is not None:
                yield offset, record

    def dead_ends(self) -> list[Tombstone]:
        """The dead ends that somebody vouches for, oldest first; turns are skipped undecoded."""
        found = LogContents()
        for _, line in self.lines():
            if not line.startswith(_TURN) and isinstance(record := decoded(line), Tombstone | WithdrawnRecord):
                found.take(record)
        return [one for one in found.standing if not one.asked]

    def lines(self, start: int = 0) -> Iterator[tuple[int, bytes]]:
        """The lines that are not blank, with the byte that each begins at, from a byte on that begins one."""
        try:
            with disk.opened(self.path) as descriptor, open(descriptor, "rb", buffering=_BUFFER, closefd=False) as file:
                file.seek(start)
                offset = start
                for line in file:
                    if not line.isspace():
                        yield offset, line
                    offset += len(line)
        except FileNotFoundError:
            return
        except OSError as error:
            raise WrapgenError(
                f"cannot be read ({error.strerror or error})", where=str(self.path), next_step=remedy(error)
            ) from error

    def last_snapshot(self) -> SnapshotRecord | None:
        found = None
        for _, line in self.lines():
            if line.startswith(_SNAPSHOT) and isinstance(record := decoded(line), SnapshotRecord):
                found = record
        return found

    def append(self, records: Iterable[Record]) -> None:
        """Add records in their order; the caller holds the tracks' lock. What was in the log stays if that fails."""
        batch = bytearray()
        for record in records:
            batch += msgspec.json.encode(record)
            batch += b"\n"
            if len(batch) > _BATCH:
                state.append_lines(self.path, bytes(batch), root=self.root, durable=False)
                batch.clear()
        if batch:
            state.append_lines(self.path, bytes(batch), root=self.root)
