"""The cache of parsed files: many small files, so that a change of one note costs little."""

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


class Record(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A parsed file.

    Attributes:
        stamp: by what its content is known.
        troubles: what was wrong although it was read.
        document: the document, packed.
    """

    stamp: Stamp
    troubles: tuple[str, ...]
    document: msgspec.Raw


class ParsedFiles:
    """Parsed files by path, read from the disk when they are asked for.

    Args:
        root: the vault.
        key: what parsing depends on, files aside.
        say: told in one line what is wrong with the cache.
    """

    def __init__(self, root: Path, key: str, say: Callable[[str], None]) -> None:
        self._root = root
        self._key = key
        self._say = say
        self._shards: dict[int, dict[str, Record]] = {}
        self._changed: set[int] = set()

    def get(self, path: str, stamp: Stamp) -> Record | None:
        """A file as it was parsed, None when it is another file by now, or not known."""
        record = self._shard(path).get(path)
        return record if record is not None and record.stamp == stamp else None

    def put(self, path: str, record: Record) -> None:
        """Remember a file."""
        self._shard(path)[path] = record
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

    def _shard(self, path: str) -> dict[str, Record]:
        number = _number(path)
        if number not in self._shards:
            self._shards[number] = self._file(number).load() or {}
        return self._shards[number]

    def _file(self, number: int) -> CacheFile[dict[str, Record]]:
        return CacheFile(self._root, f"parsed-{number:02d}", dict[str, Record], self._key, self._say)


def _number(path: str) -> int:
    return zlib.crc32(path.encode("utf-8", "surrogatepass")) % _SHARDS
