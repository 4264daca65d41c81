"""The cold log: everything said, tried and decided in a project, one record per line, append-only.

It is the source of COLD_TRACK.md, the hot track and the search index. A line that cannot be read (a crash in the middle
of it) stays where it is and is skipped; whatever it held comes again with the next snapshot of its transcript, because
a turn counts as known only when its line can be read.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from wrapgen.errors import WrapgenError, remedy
from wrapgen.tracks.entries import LogContents, SnapshotRecord, TombstoneRecord, WithdrawnRecord, decoded
from wrapgen.vault import disk, state

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from wrapgen.tracks.entries import Record

_BUFFER = 1 << 20
_BATCH = 1 << 20
_TAIL = 1 << 16
_ID = re.compile(rb'"id":"T([0-9]{1,9})"')


class _Known(msgspec.Struct, gc=False):
    """What must be known about a turn to tell whether it is in the log."""

    key: str
    digest: str
    at: str | None = None


_KNOWN = msgspec.json.Decoder(_Known)
_TURN = b'{"kind":"turn",'
_SNAPSHOT = b'{"kind":"snapshot",'


@dataclass(frozen=True, slots=True)
class Log:
    """A project's log.

    Args:
        path: its file, which need not exist.
    """

    path: Path
    root: Path

    def contents(self) -> LogContents:
        """Read the log without the words of its turns.

        Raises:
            WrapgenError: it is there but cannot be read.
        """
        found = LogContents()
        for _, line in self.lines():
            if line.startswith(_TURN) and (known := _known(line)):
                found.turn(known.key, known.digest, known.at)
            elif record := decoded(line):
                found.take(record)
            else:
                found.unreadable += 1
                # The id in an incomplete line may already have been shown.
                found.last_id = max([found.last_id, *(int(number) for number in _ID.findall(line))])
        return found

    def records(self) -> Iterator[tuple[int, Record]]:
        """Every record that can be read, with the byte that its line begins at.

        Raises:
            WrapgenError: the log is there but cannot be read.
        """
        for offset, line in self.lines():
            record = decoded(line)
            if record is not None:
                yield offset, record

    def tombstones(self) -> list[TombstoneRecord]:
        """The current tombstones, oldest first; turns are skipped undecoded.

        Raises:
            WrapgenError: the log is there but cannot be read.
        """
        found = LogContents()
        for _, line in self.lines():
            if not line.startswith(_TURN) and isinstance(record := decoded(line), TombstoneRecord | WithdrawnRecord):
                found.take(record)
        return found.standing

    def lines(self, start: int = 0) -> Iterator[tuple[int, bytes]]:
        """The lines that are not blank, with the byte that each begins at.

        Args:
            start: the byte to begin at, the first of a line.

        Raises:
            WrapgenError: the log is there but cannot be read.
        """
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
        """The newest snapshot, looked for from the end.

        Raises:
            WrapgenError: the log is there but cannot be read.
        """
        try:
            with disk.opened(self.path) as descriptor, open(descriptor, "rb", buffering=0, closefd=False) as file:
                end = file.seek(0, os.SEEK_END)
                rest = b""
                while end > 0:
                    start = file.seek(max(0, end - _TAIL))
                    rest = file.read(end - start) + rest
                    lines = rest.split(b"\n")
                    for line in reversed(lines[1:] if start else lines):
                        if line.startswith(_SNAPSHOT) and isinstance(record := decoded(line), SnapshotRecord):
                            return record
                    rest, end = lines[0], start
        except FileNotFoundError:
            return None
        except OSError as error:
            raise WrapgenError(
                f"cannot be read ({error.strerror or error})", where=str(self.path), next_step=remedy(error)
            ) from error
        return None

    def append(self, records: Iterable[Record]) -> None:
        """Add records to the end; the caller holds the tracks' lock.

        Args:
            records: in their order. A run that dies in between has added the first of them.

        Raises:
            PublishError: they cannot be written; what was in the log is untouched.
        """
        batch = bytearray()
        for record in records:
            batch += msgspec.json.encode(record)
            batch += b"\n"
            if len(batch) > _BATCH:
                state.append_lines(self.path, bytes(batch), root=self.root, durable=False)
                batch.clear()
        if batch:
            state.append_lines(self.path, bytes(batch), root=self.root)


def _known(line: bytes) -> _Known | None:
    try:
        return _KNOWN.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
