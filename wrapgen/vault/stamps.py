"""Stamps: tell whether a file is unchanged without reading it again."""

from __future__ import annotations

import os
from typing import NamedTuple

# A file system's clock ticks as often as the kernel's timer, some only once in two seconds.
_TICK_NS = 50_000_000
_SLOW_TICK_NS = 2_000_000_000
_SECOND_NS = 1_000_000_000


class Stamp(NamedTuple):
    """What the file system says about a file.

    No program can set the time of the last change of the inode, so on POSIX a file with the same size and its old mtime
    put back is another one still. (On Windows that time is the file's birth: there, size, mtime and file number tell.)
    """

    size: int  # bytes
    mtime_ns: int  # last change of the content, nanoseconds
    ctime_ns: int  # last change of the inode, nanoseconds
    inode: int  # the file's number

    @classmethod
    def of(cls, status: os.stat_result) -> Stamp:
        """The stamp in what `os.stat` gives."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)

    def settled(self, now_ns: int) -> bool:
        """Whether the file was last changed so long ago that the next change must bear another time.

        A file that changes twice within one tick of the clock has one stamp and two contents (git calls that racily
        clean). One that was still young when it was read is read again the next time.

        Args:
            now_ns: a moment before the file was looked at, by the file system's own clock.
        """
        last = max(self.mtime_ns, self.ctime_ns)
        return last + (_TICK_NS if last % _SECOND_NS else _SLOW_TICK_NS) < now_ns


def entry_stamp(entry: os.DirEntry[str]) -> Stamp:
    """The stamp of a listed file, links followed.

    Raises:
        OSError: it is gone or cannot be looked at.
    """
    # What Windows keeps in the folder is not always up to date, and lacks the file's number.
    return Stamp.of(entry.stat() if os.name != "nt" else os.stat(entry.path))  # noqa: PTH116 - no Path for 10,000 files
