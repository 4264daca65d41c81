"""By what a file is known again without being read, and by what the cache is known to be of this program."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from wrapgen import __version__
from wrapgen.errors import WrapgenError
from wrapgen.regular_files import write_temporary
from wrapgen.vault.disk import make_private_folder
from wrapgen.vault.held import HeldFile, held

CACHE_FOLDER = ".wrapgen/cache"
# A file system's clock ticks as often as the kernel's timer, some only once in two seconds.
_TICK_NS = 50_000_000
_SLOW_TICK_NS = 2_000_000_000
_SECOND_NS = 1_000_000_000
NOTHING = msgspec.Raw(msgspec.msgpack.encode(None))


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


@cache
def program_key() -> str:
    """Identifies the program that wrote a file: its version, and the state of its own files when it began."""
    count = newest = 0
    folders = [os.fspath(Path(__file__).parent.parent)]
    while folders:  # on every run, and `os.walk` takes twice as long
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    count += 1
                    newest = max(newest, entry.stat().st_mtime_ns)
                elif entry.name != "__pycache__" and entry.is_dir():
                    folders.append(entry.path)
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
        say(f"{folder}: the cache cannot be written ({reason_of(error)})")
        return 0


def reason_of(error: OSError | WrapgenError) -> str:
    """Return an error's words without its place."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
