"""What was made of each file, kept in `.wrapgen/cache/` so that only what changed is read again.

Only a cache: if it is deleted, damaged, of another version or not writable, that only costs time. A file is known by
its stamp, without reading it again.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable, Container
from functools import cache
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from wrapgen import __version__
from wrapgen.errors import WrapgenError
from wrapgen.regular_files import ENDING, put, write_temporary
from wrapgen.vault import disk, headline
from wrapgen.vault.disk import make_private_folder
from wrapgen.vault.held import HeldFile, held, inside

CACHE_FOLDER = ".wrapgen/cache"
_MAGIC = b"wrapgen cache 1\n"
# So many, so that a change of one note costs little.
_SHARDS = 32
# A file system's clock ticks as often as the kernel's timer, some only once in two seconds.
_TICK_NS = 50_000_000
_SLOW_TICK_NS = 2_000_000_000
_SECOND_NS = 1_000_000_000
NOTHING = msgspec.Raw(msgspec.msgpack.encode(None))

T = TypeVar("T")


class Stamp(NamedTuple):
    """What the file system says about a file.

    No program can set the time of the last change of the inode, so on POSIX a file with the same size and its old mtime
    put back is another one still. (On Windows that time is the file's birth: there, size, mtime and file number tell.)
    """

    size: int  # bytes
    mtime_ns: int  # last change of the content, nanoseconds
    ctime_ns: int  # last change of the inode, nanoseconds
    inode: int  # the file's number

    def settled(self, now_ns: int) -> bool:
        """Whether the file was last changed so long ago that the next change must bear another time.

        A file that changes twice within one tick of the clock has one stamp and two contents (git calls that racily
        clean). One that was still young at `now_ns`, just before it was looked at, is read again the next time.
        """
        last = max(self.mtime_ns, self.ctime_ns)
        return last + (_TICK_NS if last % _SECOND_NS else _SLOW_TICK_NS) < now_ns


def entry_stamp(entry: os.DirEntry[str]) -> Stamp:
    """The stamp of a listed file, links followed; OSError when it is gone or cannot be looked at."""
    # What Windows keeps in the folder is not always up to date, and lacks the file's number.
    status = entry.stat() if os.name != "nt" else os.stat(entry.path)  # noqa: PTH116 - no Path for 10,000 files
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


class FileReading(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What came of reading a file."""

    stamp: Stamp  # identifies its content
    packed: msgspec.Raw  # its document; nothing where that is not kept
    troubles: tuple[str, ...] = ()  # what was wrong with it
    readable: bool = True  # whether it could be read; if not, `troubles` says why, and nothing was made of it
    made: msgspec.Raw = NOTHING  # what was made of its document: a source's entries, the counts of any other note
    made_by: str = ""  # what that depends on, the file aside; "" for nothing made


class CacheFile(Generic[T]):
    """One file of the cache, worthless under another key; `say` is told in one line what was wrong with it."""

    def __init__(self, root: Path, name: str, kind: type[T], key: str, say: Callable[[str], None]) -> None:
        self._root = root
        self.path = root / CACHE_FOLDER / name
        # Behind the checksum: what it depends on, and what it holds.
        self._decoder = msgspec.msgpack.Decoder[tuple[str, T]](tuple[str, kind])  # type: ignore[valid-type]
        self._key = key
        self._say = say

    def load(self) -> T | None:
        """Read the file; None when there is no usable one."""
        try:
            data = disk.whole(self.path)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._say(f"{self.path.parent}: the cache cannot be read ({_reason(error)}); the notes are parsed again")
            return None
        try:
            key, value = self._decoder.decode(_body(data))
        except (ValueError, msgspec.MsgspecError, RecursionError):
            self._say(f"{self.path.parent}: the cache is damaged; the notes are parsed again")
            return None
        return value if key == self._key else None

    def save(self, value: T) -> None:
        """Replace the file in one step; failures are ignored."""
        try:
            make_private_folder(self.path.parent, self._root)
            body = msgspec.msgpack.encode((self._key, value))
            with held(self.path, self._root) as file:
                put(file.at, _MAGIC + zlib.crc32(body).to_bytes(4, "big"), body, folder=file.folder)
        except (OSError, WrapgenError) as error:
            self._say(f"{self.path.parent}: the cache cannot be written ({_reason(error)})")


class CachedFiles:
    """Files by path, in many small cache files, which are read when they are asked for; as `CacheFile`."""

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
        """Write what changed, of the files that there are; the caller holds the vault's lock."""
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


def damaged(root: Path) -> list[Path]:
    """Cache files that no version can use; a temporary one is removed by whoever takes the lock next."""
    folder = inside(root / CACHE_FOLDER, root)
    whole = {".gitignore", *((Path(headline.FILE).name,) if headline.counts(str(root)) else ())}
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    return [one for one in files if not (one.name in whole or one.name.endswith(ENDING) or _is_whole(one))]


def _is_whole(file: Path) -> bool:
    try:
        _body(disk.whole(file))
    except (OSError, ValueError):
        return False
    return True


def _body(data: bytes) -> memoryview:
    """What is behind the checksum; ValueError when it is not what was written."""
    head = len(_MAGIC) + 4
    body = memoryview(data)[head:]
    if len(data) <= head or not data.startswith(_MAGIC) or zlib.crc32(body) != int.from_bytes(data[len(_MAGIC) : head]):
        raise ValueError
    return body


@cache
def program_key() -> str:
    """Identifies the program that wrote a file: its version, and the state of its own files when it began."""
    count = newest = 0
    for folder, _, names in os.walk(Path(__file__).parent.parent):
        for name in names:
            if name.endswith(".py"):
                count += 1
                newest = max(newest, os.stat(f"{folder}/{name}").st_mtime_ns)  # noqa: PTH116 - on every run
    return f"{__version__} {count} {newest}"


def time_zone() -> object:
    """What determines the local day of a file's last change."""
    return (time.tzname, time.timezone, time.altzone, os.environ.get("TZ", ""))


def clock(root: Path, say: Callable[[str], None]) -> int:
    """The current time in nanoseconds, by the vault's file system; 0 when unknown: then nothing is remembered."""
    folder = root / CACHE_FOLDER
    try:
        make_private_folder(folder, root)
        with held(folder / "clock.", root) as file:
            probe = HeldFile(folder / write_temporary(file.at, (), folder=file.folder), file.folder)
            try:
                return probe.stat().st_mtime_ns
            finally:
                probe.unlink()
    except (OSError, WrapgenError) as error:
        say(f"{folder}: the cache cannot be written ({_reason(error)})")
        return 0


def _reason(error: OSError | WrapgenError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
