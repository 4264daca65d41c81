"""What was read of each conversation: the next run reads what is new in them, and passes over nothing else.

A conversation is known by where it is, and as it was by its size and its first and last bytes. Its time of change
proves nothing: it may be that of a copy, or of a clock that was wrong.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

import msgspec

from wrapgen.vault import disk, state

FILE = "conversations.jsonl"
ELSEWHERE = ""
"""The root of conversations that no host's folder holds."""
_ENDS = 4_096  # bytes
_MOST_ELSEWHERE = 2_000  # nothing else says which of them are gone


class ReadMark(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A conversation as it was when it was last looked at."""

    size: int  # bytes; what was read of it ends there
    changed: int = 0  # its time of change, in nanoseconds: while that and the size stay, it is not even opened
    # digest of its first and last bytes; "" if nothing was read: another vault's, or old at the first run
    ends: str = ""

    def is_read(self, path: str, size: int, changed: int) -> bool:
        """Whether a conversation that was read is still the same, however often it was copied or touched."""
        return self.size == size and (self.changed == changed or self.ends == _ends_of(path, size))


class HostMarks(msgspec.Struct):
    """The conversations in one host's folder."""

    root: str  # the folder; `ELSEWHERE` for all conversations in no host's folder
    judged: str  # by which folders of the vault those not read were found to be another vault's, as a digest
    marks: dict[str, ReadMark] = {}  # by `key_of`


def key_of(name: str) -> str:
    """What a conversation is filed under: folders of other projects are nothing that a vault must name."""
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def mark_of(path: Path) -> ReadMark:
    """What a file is now; what is appended from here on has not been read."""
    status = os.stat(path)  # noqa: PTH116 - before its bytes: one that grows in between is read once more
    return ReadMark(status.st_size, status.st_mtime_ns, _ends_of(os.fspath(path), status.st_size))


def _ends_of(path: str, size: int) -> str:
    with disk.opened(path) as descriptor:
        digest = blake2b(os.read(descriptor, min(_ENDS, size)), digest_size=8)
        os.lseek(descriptor, max(0, size - _ENDS), os.SEEK_SET)
        digest.update(os.read(descriptor, min(_ENDS, size)))
    return digest.hexdigest()


def load(root: Path) -> dict[str, HostMarks]:
    """What is remembered, by the hosts' folders; a line that cannot be read is a folder never looked at."""
    return {one.root: one for one in state.load(root, FILE, HostMarks).records}


def save(root: Path, lines: Iterable[HostMarks]) -> None:
    """Replace what is remembered; the caller holds the vault's lock."""
    kept = list(lines)
    for one in kept:
        if one.root == ELSEWHERE:
            one.marks = dict(list(one.marks.items())[-_MOST_ELSEWHERE:])
    state.save(root, FILE, kept, keep=state.load(root, FILE, HostMarks).unreadable)
