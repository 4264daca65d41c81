"""What killed runs leave beside a file, and what is kept of others' words; the next run puts it in order.

A file with several names is written where it is: until that is on the disk, what it held and what it is to hold are
kept beside it in one file (`.wrapgen-both`).
"""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path

from wrapgen.errors import WrapgenError
from wrapgen.late_pattern import late
from wrapgen.regular_files import write_all
from wrapgen.vault import disk
from wrapgen.vault.held import HeldFile, held

RESCUED = ".wrapgen/state/rescued"
_BOTH = ".wrapgen-both"
_KEPT = late(rf"([0-9a-f]{{16}})-(\d+)\.[0-9a-f]+{re.escape(_BOTH)}")
_LEFT = late(rf"\.(?P<target>.+)\.(?:\d+\.[0-9a-f]{{8}}\.wrapgen-tmp|{_KEPT.pattern})", re.DOTALL)


def forget(file: HeldFile) -> None:
    """Remove a file with no content of its own; if that fails, the next run removes it."""
    with suppress(OSError):
        file.unlink()


def rescue(target: HeldFile, data: bytes, root: Path) -> Path:
    """Keep words of somebody's that could not be put back into a file, private to the user; where they are now.

    Raises OSError or WrapgenError when they cannot be kept.
    """
    keep = root / RESCUED / f"{target.name}.{secrets.token_hex(4)}"
    disk.make_private_folder(keep.parent, root)
    with held(keep, root) as kept:
        disk.write_beside(kept, data, None, private=True).rename(kept)
        kept.sync_folder()
    return keep


def keep_both(target: HeldFile, former: bytes, new: bytes) -> HeldFile:
    """Keep what a file holds and what it is to hold beside it, before it is written in place."""
    data = former + new
    name = f"{disk.stem(target.name)}{disk.digest(data)}-{len(former)}.{secrets.token_hex(4)}{_BOTH}"
    both = target.with_name(name)
    disk.write_beside(both, data, None, private=True).replace(both)
    target.sync_folder()
    return both


def overwrite(descriptor: int, present: bytes, wanted: bytes) -> None:
    """Write an open file anew. What is longer goes first: a full disk refuses that before anything is overwritten."""
    for begin, data in ((len(present), wanted[len(present) :]), (0, wanted[: len(present)])):
        os.lseek(descriptor, begin, os.SEEK_SET)
        write_all(descriptor, data)
    os.ftruncate(descriptor, len(wanted))
    os.fsync(descriptor)


def recover(target: HeldFile, root: Path) -> list[Path]:
    """Finish what a killed run began with a file: temporary files go, one that is half-written is put back.

    Returns where both texts are kept of a file that somebody has changed since. Raises OSError when a file cannot be
    read or written; then all stand as they did.
    """
    rescued: list[Path] = []
    for left in disk.beside(target):
        name = left.name.removeprefix(disk.stem(target.name))
        if name.endswith(disk.ENDING):
            forget(left)
        elif said := _KEPT.fullmatch(name):
            with left.opened() as descriptor:
                data = disk.content(descriptor)
            former, new = data[: int(said[2])], data[int(said[2]) :]
            if disk.digest(data) != said[1] or not _put_back(target, former, new):
                try:
                    rescued.append(rescue(target, data, root))
                except (OSError, WrapgenError):
                    rescued.append(left.path)
                    continue
            forget(left)
    return rescued


def _put_back(target: HeldFile, former: bytes, new: bytes) -> bool:
    """Give a half-written file what it held; whether it is whole now."""
    try:
        with target.opened(os.O_RDWR) as descriptor:
            present = disk.content(descriptor)
            if present in (former, new):
                return True
            # Each byte is one that it held or was to hold, or one that never reached the disk: else somebody wrote it.
            known = zip(present, zip_longest(former, new), strict=False)
            lengths = sorted((len(former), len(new)))
            if not lengths[0] <= len(present) <= lengths[1] or any(byte not in (*pair, 0) for byte, pair in known):
                return False
            overwrite(descriptor, present, former)
            return True
    except FileNotFoundError:
        return False


def left_over(root: Path) -> list[Path]:
    """All that killed runs left beside the notes. A running process may still own some, so call it under the lock."""
    return [Path(one.path) for one in disk.below(root, leave_out=(".git",)) if _LEFT.fullmatch(one.name)]


def finish(leftover: Path, root: Path) -> list[Path]:
    """As `recover`, for the file that a leftover belongs to; PublishError where a link leads out of the vault."""
    said = _LEFT.fullmatch(leftover.name)
    assert said is not None
    stem = f".{said['target']}."
    # A leftover of a file with a very long name does not contain that name.
    like = (file for file in leftover.parent.iterdir() if disk.stem(file.name) == stem)
    with held(next(like, leftover.with_name(said["target"])), root) as target:
        return recover(target, root)
