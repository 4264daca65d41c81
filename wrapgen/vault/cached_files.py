"""What was made of each file, cached in many small files, so that a change of one note costs little."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import msgspec

from wrapgen.vault.cache import CacheFile
from wrapgen.vault.stamps import Stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Container
    from pathlib import Path

_SHARDS = 32


NO_DOCUMENT = msgspec.Raw(msgspec.msgpack.encode(None))


class FileReading(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What came of reading a file."""

    stamp: Stamp  # identifies its content
    packed: msgspec.Raw  # its document; nothing where that is not kept
    troubles: tuple[str, ...] = ()  # what was wrong with it
    readable: bool = True  # whether it could be read; if not, `troubles` says why, and nothing was made of it
    made: bytes = b""  # what was made of its document: a source's entries, the counts of any other note; packed
    made_by: str = ""  # what that depends on, the file aside; "" for nothing made


class CachedFiles:
    """Files by path, read from the disk when they are asked for.

    Args:
        key: what that depends on, files aside.
        say: called with one line about a problem with the cache.
    """

    def __init__(self, root: Path, key: str, say: Callable[[str], None]) -> None:
        self._root = root
        self._key = key
        self._say = say
        self._shards: dict[int, dict[str, FileReading]] = {}
        self._changed: set[int] = set()

    def get(self, path: str, stamp: Stamp) -> FileReading | None:
        """A file, None when it has changed since, or is unknown."""
        record = self._shard(path).get(path)
        return record if record is not None and record.stamp == stamp else None

    def put(self, path: str, reading: FileReading) -> None:
        """Remember a file that could be read."""
        self._shard(path)[path] = reading
        self._changed.add(_number(path))

    def save(self, paths: Container[str]) -> None:
        """Write what changed; the caller holds the vault's lock.

        Args:
            paths: the files that there are; others are forgotten where a cache file is written anyhow.
        """
        for number in sorted(self._changed):
            records = {path: record for path, record in self._shards[number].items() if path in paths}
            self._file(number).save(records)
        self._changed.clear()

    def _shard(self, path: str) -> dict[str, FileReading]:
        number = _number(path)
        if number not in self._shards:
            self._shards[number] = self._file(number).load() or {}
        return self._shards[number]

    def _file(self, number: int) -> CacheFile[dict[str, FileReading]]:
        return CacheFile(self._root, f"files-{number:02d}", dict[str, FileReading], self._key, self._say)


def _number(path: str) -> int:
    return zlib.crc32(path.encode("utf-8", "surrogatepass")) % _SHARDS
