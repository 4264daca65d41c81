"""What is kept beside a file while it is changed, until it certainly has no unique text; the next run finishes it.

The name of a displaced file (`.wrapgen-swap`) encodes the contents of both. Of a file that is written where it is, both
contents are kept in one (`.wrapgen-both`).
"""

from __future__ import annotations

import errno
import os
import re
import secrets
from contextlib import ExitStack, suppress
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.errors import WrapgenError
from wrapgen.vault import disk, files, swap
from wrapgen.vault.held import held
from wrapgen.vault.swap import Writers
from wrapgen.vault.temporary import write_all

if TYPE_CHECKING:
    from wrapgen.vault.held import HeldFile

RESCUED = ".wrapgen/state/rescued"
_SWAP, _BOTH = ".wrapgen-swap", ".wrapgen-both"
_DISPLACED = re.compile(rf"([0-9a-f]{{16}})-(\d+)\.([0-9a-f]{{16}})-(\d+)\.[0-9a-f]+{re.escape(_SWAP)}")
_KEPT = re.compile(rf"([0-9a-f]{{16}})-(\d+)\.[0-9a-f]+{re.escape(_BOTH)}")
_LEFT = re.compile(
    rf"\.(?P<target>.+)\.(?:\d+\.[0-9a-f]{{8}}\.wrapgen-tmp|{_DISPLACED.pattern}|{_KEPT.pattern})", re.DOTALL
)
_PRIVATE = 0o600


def name_for(target: HeldFile, new: bytes, former: bytes) -> HeldFile:
    """A name beside a file that encodes what replaces what."""
    what = ".".join(f"{disk.digest(data)}-{len(data)}" for data in (new, former))
    return target.with_name(f"{disk.stem(target.name)}{what}.{secrets.token_hex(4)}{_SWAP}")


def swap_back(aside: HeldFile, target: HeldFile, root: Path, new: bytes, descriptor: int) -> tuple[Path, ...]:
    """Restore a displaced file; what was appended to the new one meanwhile is carried over.

    Args:
        descriptor: the displaced file, opened; a lease on it is given up as soon as it has its place back, so that
            nobody who waits for that reads what was there in between.

    Returns:
        where words are kept that could not be carried over.
    """
    ours = aside if swap.exchange(aside, target) else None
    if ours is None:
        aside.replace(target)
    swap.give_up(descriptor)
    if ours is None:
        return ()
    with ours.opened() as opened:
        late, writers = swap.settled(opened, displaced=True)
        if writers is Writers.SOME or not late.startswith(new):
            return (rescue(ours, target, root),)
        if late != new:
            append(target, late[len(new) :])
        forget(ours)
    return ()


def give_back(aside: HeldFile, target: HeldFile, root: Path, new: bytes, descriptor: int) -> tuple[Path, ...]:
    """Swap back a file that somebody put there in the very moment that the one read from it was to be displaced.

    A copy is kept: a program that reads its file back before it is restored finds ours, and may save it without the
    text it has just written.

    Returns:
        where words are kept.
    """
    with ExitStack() as stack:
        saved: int | None = None
        with suppress(OSError):  # a pipe, for example: it is restored, with or without a copy
            saved = stack.enter_context(aside.opened())
        kept = swap_back(aside, target, root, new, descriptor)
        if saved is None:
            return kept
        copy = disk.write_beside(target, disk.content(saved), None, private=True)
    return (*kept, rescue(copy, target, root))


def append(target: HeldFile, tail: bytes) -> None:
    """Append to a file in place, so that concurrent appends by others are not lost either.

    Raises:
        OSError: it cannot be written; nothing is appended.
    """
    with target.opened(os.O_RDWR | os.O_APPEND) as descriptor:
        disk.append(descriptor, tail)


def forget(file: HeldFile) -> None:
    """Remove a file with no content of its own; if that fails, the next run removes it."""
    with suppress(OSError):
        file.unlink()


def rescue(file: HeldFile, target: HeldFile, root: Path) -> Path:
    """Keep a file whose text could not be restored, in `.wrapgen/state/rescued`, private to the user.

    Returns:
        where it is now; where it was when it cannot be moved.
    """
    keep = root / RESCUED / f"{target.name}.{secrets.token_hex(4)}"
    try:
        files.make_private_folder(keep.parent, root)
        with held(keep, root) as kept:
            try:
                if os.name == "posix":
                    with file.opened() as descriptor:
                        os.fchmod(descriptor, _PRIVATE)
                _move(file, kept)
                kept.sync_folder()
            except OSError:
                return kept.path if kept.exists() and not file.exists() else file.path
            return kept.path
    except (OSError, WrapgenError):
        return file.path


def _move(file: HeldFile, kept: HeldFile) -> None:
    try:
        file.rename(kept)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        disk.write_beside(kept, _whole(file), None, private=True).rename(kept)
        file.unlink()


def _whole(file: HeldFile) -> bytes:
    with file.opened() as descriptor:
        return disk.content(descriptor)


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


def recover(target: HeldFile, root: Path) -> tuple[Path, ...]:
    """Finish what a killed run began with a file; under the vault's lock.

    Temporary files are removed, and what has no words of its own. What was appended to a displaced file is carried
    over; a file that another program put in its place is restored, and one that is half-written is put back.

    Returns:
        where words are kept that could not be put back.

    Raises:
        OSError: a file cannot be read or written; all of them stand as they did.
    """
    rescued: list[Path] = []
    for left in disk.beside(target):
        name = left.name.removeprefix(disk.stem(target.name))
        if name.endswith(disk.ENDING):
            forget(left)
        elif said := _DISPLACED.fullmatch(name):
            rescued += _settle(left, target, root, said)
        elif said := _KEPT.fullmatch(name):
            data = _whole(left)
            former, new = data[: int(said[2])], data[int(said[2]) :]
            if disk.digest(data) != said[1] or not _put_back(target, former, new):
                rescued.append(rescue(left, target, root))
            else:
                forget(left)
    return tuple(rescued)


def _settle(aside: HeldFile, target: HeldFile, root: Path, said: re.Match[str]) -> tuple[Path, ...]:
    """A displaced or unused file; those that hold what their name says have no words of their own."""
    with aside.opened() as descriptor:
        data, writers = swap.settled(descriptor, displaced=True)
        for name, size in ((said[3], int(said[4])), (said[1], int(said[2]))):
            if disk.digest(data[:size]) == name and (size or not data):
                _carry(target, data[:size], data[size:])
                if writers is Writers.SOME:
                    return (rescue(aside, target, root),)
                forget(aside)
                return ()
        # An editor's file that was displaced just as it appeared: it is the latest version.
        try:
            present = _whole(target)
        except FileNotFoundError:
            swap.place(aside, target)
            return ()
        if disk.digest(present) == said[1]:
            return give_back(aside, target, root, present, descriptor)
        return (rescue(aside, target, root),)


def _carry(target: HeldFile, base: bytes, tail: bytes) -> None:
    """Append what was appended to the displaced file, unless the killed run has done so."""
    if not tail:
        return
    try:
        present = _whole(target)
    except FileNotFoundError:
        swap.place(disk.write_beside(target, base + tail, None), target)
        return
    if present.count(tail) <= base.count(tail):
        append(target, tail)


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
    return [Path(one.path) for one in disk.below(root, leave_out=".git") if _LEFT.fullmatch(one.name)]


def finish(leftover: Path, root: Path) -> tuple[Path, ...]:
    """Finish what a killed run began with a file; the caller holds the vault's lock.

    Returns:
        where words are kept that could not be given back to their file.

    Raises:
        OSError: a file cannot be read or written.
        PublishError: a link leads outside the vault.
    """
    said = _LEFT.fullmatch(leftover.name)
    assert said is not None
    stem = f".{said['target']}."
    # A leftover of a file with a very long name does not contain that name.
    like = (file for file in leftover.parent.iterdir() if disk.stem(file.name) == stem)
    with held(next(like, leftover.with_name(said["target"])), root) as target:
        return recover(target, root)
