"""Parsed files, kept in `.wrapgen/cache/` so that only what changed is read again.

Only a cache: whatever is wrong with it, deleted, torn, of another version or not writable, costs time and nothing else.
"""

from __future__ import annotations

import os
import secrets
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

from wrapgen import __version__
from wrapgen.errors import WrapgenError
from wrapgen.vault import disk, headline
from wrapgen.vault.files import make_private_folder

if TYPE_CHECKING:
    from collections.abc import Callable

CACHE_FOLDER = ".wrapgen/cache"
_MAGIC = b"wrapgen cache 1\n"

T = TypeVar("T")


class Stored(msgspec.Struct, Generic[T], array_like=True, gc=False):
    """What stands in a cache file behind its checksum: what it depends on, and what it holds."""

    key: str
    value: T


class CacheFile(Generic[T]):
    """One file of the cache.

    Args:
        root: the vault.
        name: the file's name.
        kind: what it holds.
        key: what its content depends on, files aside; another key makes it worthless.
        say: told in one line what was wrong with the file, or why it could not be written.
    """

    def __init__(self, root: Path, name: str, kind: type[T], key: str, say: Callable[[str], None]) -> None:
        self._root = root
        self.path = root / CACHE_FOLDER / name
        self._kind = kind
        self._key = key
        self._say = say

    def load(self) -> T | None:
        """Read the file; None when there is none that can be used."""
        try:
            data = disk.whole(self.path)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._say(f"{self.path.parent}: the cache cannot be read ({_reason(error)}); what it held is read anew")
            return None
        try:
            stored = _unpacked(data, self._kind)
        except (ValueError, msgspec.MsgspecError, RecursionError):
            self._say(f"{self.path.parent}: the cache is damaged; what it held is read anew")
            return None
        return stored.value if stored.key == self._key else None

    def save(self, value: T) -> None:
        """Replace the file in one step; where that is not possible, nothing happens."""
        temporary = self.path.with_name(f"{self.path.name}.{os.getpid()}.{secrets.token_hex(4)}{disk.TEMPORARY}")
        try:
            make_private_folder(self.path.parent, self._root)
            body = msgspec.msgpack.encode(Stored(self._key, value))
            # The words of the notes stand in it, which may be private.
            with open(temporary, "xb", opener=_private) as file:
                file.write(_MAGIC + zlib.crc32(body).to_bytes(4, "big"))
                file.write(body)
            temporary.replace(self.path)
        except (OSError, WrapgenError) as error:
            with suppress(OSError):
                temporary.unlink()
            self._say(f"{self.path.parent}: the cache cannot be written ({_reason(error)})")


def damaged(root: Path) -> list[Path]:
    """The files of a vault's cache that cannot be used by any version: torn, or not written by the program.

    Args:
        root: the vault.
    """
    whole = {root / headline.FILE} if headline.counts(str(root)) else set()
    rest = (file for file in _files(root) if file not in whole and not file.name.endswith(disk.TEMPORARY))
    return [file for file in rest if not _is_whole(file)]


def left_over(root: Path) -> list[Path]:
    """The temporary files in a vault's cache; the vault's lock keeps out those that still write them."""
    return [file for file in _files(root) if file.name.endswith(disk.TEMPORARY)]


def _files(root: Path) -> list[Path]:
    folder = root / CACHE_FOLDER
    return sorted(file for file in folder.iterdir() if file.name != ".gitignore") if folder.is_dir() else []


def _is_whole(file: Path) -> bool:
    try:
        _body(disk.whole(file))
    except (OSError, ValueError):
        return False
    return True


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _unpacked(data: bytes, kind: type[T]) -> Stored[T]:
    return msgspec.msgpack.decode(_body(data), type=Stored[kind])  # type: ignore[valid-type]


def _body(data: bytes) -> memoryview:
    """What stands behind the checksum; ValueError when it is not what was written."""
    head = len(_MAGIC) + 4
    body = memoryview(data)[head:]
    if len(data) <= head or not data.startswith(_MAGIC) or zlib.crc32(body) != int.from_bytes(data[len(_MAGIC) : head]):
        raise ValueError
    return body


def program_key() -> str:
    """Which program wrote a file: its version, and the state of its own files (a checkout changes within a version)."""
    count = newest = 0
    for folder, _, names in os.walk(Path(__file__).parent.parent):
        for name in names:
            if name.endswith(".py"):
                count += 1
                newest = max(newest, os.stat(f"{folder}/{name}").st_mtime_ns)  # noqa: PTH116 - on every run
    return f"{__version__} {count} {newest}"


def clock(root: Path, say: Callable[[str], None]) -> int:
    """What time it is by the file system that the vault is on.

    Args:
        root: the vault.
        say: told why that cannot be found out.

    Returns:
        nanoseconds; 0 when it cannot be found out, then nothing is young enough to be remembered.
    """
    probe = root / CACHE_FOLDER / f"clock.{os.getpid()}.{secrets.token_hex(4)}{disk.TEMPORARY}"
    try:
        make_private_folder(probe.parent, root)
        probe.touch(exist_ok=False)
        try:
            return probe.stat().st_mtime_ns
        finally:
            probe.unlink()
    except (OSError, WrapgenError) as error:
        say(f"{probe.parent}: the cache cannot be written ({_reason(error)})")
        return 0


def _reason(error: OSError | WrapgenError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
