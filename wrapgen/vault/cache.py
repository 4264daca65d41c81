"""Parsed files, kept in `.wrapgen/cache/` so that only what changed is read again.

Only a cache: if it is deleted, damaged, of another version or not writable, that only costs time.
"""

from __future__ import annotations

import os
import time
import zlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

from wrapgen import __version__
from wrapgen.errors import WrapgenError
from wrapgen.vault import disk, headline
from wrapgen.vault.files import make_private_folder
from wrapgen.vault.held import HeldFile, held
from wrapgen.vault.temporary import ENDING, put, write_temporary

if TYPE_CHECKING:
    from collections.abc import Callable

CACHE_FOLDER = ".wrapgen/cache"
_MAGIC = b"wrapgen cache 1\n"

T = TypeVar("T")


class CacheRecord(msgspec.Struct, Generic[T], array_like=True, gc=False):
    """What is in a cache file behind its checksum: what it depends on, and what it holds."""

    key: str
    value: T


class CacheFile(Generic[T]):
    """One file of the cache.

    Args:
        key: what its content depends on, files aside; another key makes it worthless.
        say: called with one line about a damaged file, or why it could not be written.
    """

    def __init__(self, root: Path, name: str, kind: type[T], key: str, say: Callable[[str], None]) -> None:
        self._root = root
        self.path = root / CACHE_FOLDER / name
        self._kind = kind
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
            stored = _unpacked(data, self._kind)
        except (ValueError, msgspec.MsgspecError, RecursionError):
            self._say(f"{self.path.parent}: the cache is damaged; the notes are parsed again")
            return None
        return stored.value if stored.key == self._key else None

    def save(self, value: T) -> None:
        """Replace the file in one step; failures are ignored."""
        try:
            make_private_folder(self.path.parent, self._root)
            body = msgspec.msgpack.encode(CacheRecord(self._key, value))
            with held(self.path, self._root) as file:
                put(file.at, _MAGIC + zlib.crc32(body).to_bytes(4, "big"), body, folder=file.folder)
        except (OSError, WrapgenError) as error:
            self._say(f"{self.path.parent}: the cache cannot be written ({_reason(error)})")


def damaged(root: Path) -> list[Path]:
    """Cache files that no version can use: damaged, or not written by the program."""
    whole = {root / headline.FILE} if headline.counts(str(root)) else set()
    rest = (file for file in _files(root) if file not in whole and not file.name.endswith(ENDING))
    return [file for file in rest if not _is_whole(file)]


def left_over(root: Path) -> list[Path]:
    """The temporary files in a vault's cache; the vault's lock keeps out those that still write them."""
    return [file for file in _files(root) if file.name.endswith(ENDING)]


def _files(root: Path) -> list[Path]:
    folder = root / CACHE_FOLDER
    return sorted(file for file in folder.iterdir() if file.name != ".gitignore") if folder.is_dir() else []


def _is_whole(file: Path) -> bool:
    try:
        _body(disk.whole(file))
    except (OSError, ValueError):
        return False
    return True


def _unpacked(data: bytes, kind: type[T]) -> CacheRecord[T]:
    return msgspec.msgpack.decode(_body(data), type=CacheRecord[kind])  # type: ignore[valid-type]


def _body(data: bytes) -> memoryview:
    """What is behind the checksum; ValueError when it is not what was written."""
    head = len(_MAGIC) + 4
    body = memoryview(data)[head:]
    if len(data) <= head or not data.startswith(_MAGIC) or zlib.crc32(body) != int.from_bytes(data[len(_MAGIC) : head]):
        raise ValueError
    return body


@cache
def program_key() -> str:
    """Identifies the program that wrote a file: its version, and the state of its own files.

    Of those that run: what is installed beside a running process is another program.
    """
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
    """The current time according to the vault's file system.

    Args:
        say: called with the reason if that cannot be found out.

    Returns:
        nanoseconds; 0 when it cannot be found out, then nothing is young enough to be remembered.
    """
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
