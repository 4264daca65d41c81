"""Writes a file where it is: one with several names, or with attributes that no other file can be given.

A crash may leave it half-written. So what it held and what it is to hold are kept beside it until both are on the disk,
and the next run puts back what it held.
"""

from __future__ import annotations

import os
import re
import secrets
from itertools import zip_longest
from typing import TYPE_CHECKING

from wrapgen.vault import disk, swap
from wrapgen.vault.swap import Writers
from wrapgen.vault.swap_recovery import forget, rescue, whole
from wrapgen.vault.temporary import write_all

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.vault.held import HeldFile

_ENDING = ".wrapgen-both"
_NAME = re.compile(rf"([0-9a-f]{{16}})-(\d+)\.[0-9a-f]+{re.escape(_ENDING)}")


def overwrite(target: HeldFile, former: bytes, new: bytes) -> bool | None:
    """Write a file in place.

    Args:
        former: what it held when it was read.

    Returns:
        whether it is written; False when it changed meanwhile, None when another program has it open.

    Raises:
        OSError: it cannot be written; it holds what it held, or what is kept beside it tells the next run.
    """
    both = _keep(target, former, new)
    with target.opened(os.O_RDWR) as descriptor:
        users = swap.sole_user(descriptor)
        if users is Writers.SOME or disk.content(descriptor) != former or not target.is_open_as(descriptor):
            forget(both)
            return None if users is Writers.SOME else False
        try:
            _put(descriptor, former, new)
        except OSError:
            _put(descriptor, new, former)
            forget(both)
            raise
    forget(both)
    return True


def _keep(target: HeldFile, former: bytes, new: bytes) -> HeldFile:
    data = former + new
    name = f"{disk.stem(target.name)}{disk.digest(data)}-{len(former)}.{secrets.token_hex(4)}{_ENDING}"
    both = target.with_name(name)
    with disk.replacing(both, data, private=True):
        pass
    target.sync_folder()
    return both


def _put(descriptor: int, present: bytes, wanted: bytes) -> None:
    """What is longer goes first: a full disk refuses that before anything is overwritten."""
    for begin, data in ((len(present), wanted[len(present) :]), (0, wanted[: len(present)])):
        os.lseek(descriptor, begin, os.SEEK_SET)
        write_all(descriptor, data)
    os.ftruncate(descriptor, len(wanted))
    os.fsync(descriptor)


def recover(target: HeldFile, root: Path) -> tuple[Path, ...]:
    """Put back what a file held that a killed run left half-written; under the vault's lock.

    Returns:
        where the two texts are kept when somebody has changed it since.

    Raises:
        OSError: a file cannot be read or written; all of them stand as they did.
    """
    rescued: list[Path] = []
    for both in disk.beside(target, _ENDING):
        said = _NAME.fullmatch(both.name.removeprefix(disk.stem(target.name)))
        if said is None:
            continue
        data = whole(both)
        former, new = data[: int(said[2])], data[int(said[2]) :]
        if disk.digest(data) != said[1] or not _put_back(target, former, new):
            rescued.append(rescue(both, target, root))
        else:
            forget(both)
    return tuple(rescued)


def _put_back(target: HeldFile, former: bytes, new: bytes) -> bool:
    """Whether the file is whole now; False when it holds neither, and nothing in between."""
    try:
        with target.opened(os.O_RDWR) as descriptor:
            present = disk.content(descriptor)
            if present not in (former, new):
                if not _is_between(present, former, new):
                    return False
                _put(descriptor, present, former)
            return True
    except FileNotFoundError:
        return False


def _is_between(present: bytes, former: bytes, new: bytes) -> bool:
    """Whether each byte is one that the file held or was to hold, or one that never reached the disk."""
    known = zip_longest(former, new)
    return min(len(former), len(new)) <= len(present) <= max(len(former), len(new)) and all(
        byte in (*pair, 0) for byte, pair in zip(present, known, strict=False)
    )
