"""The file that a new one took the place of: kept beside it until it is certain that nobody's words are only there.

Its name says what the two held, so that the next run can finish what a killed one began.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from wrapgen.errors import WrapgenError
from wrapgen.vault import disk, files, swap
from wrapgen.vault.swap import Writers

if TYPE_CHECKING:
    from pathlib import Path

RESCUED = ".wrapgen/state/rescued"
_ENDING = ".wrapgen-swap"
_NAME = re.compile(rf"([0-9a-f]{{16}})-(\d+)\.([0-9a-f]{{16}})-(\d+)\.[0-9a-f]+{re.escape(_ENDING)}")
_PRIVATE = 0o600


def name_for(target: Path, new: bytes, former: bytes) -> Path:
    """A name beside a file that says what is to replace what."""
    what = ".".join(f"{disk.digest(data)}-{len(data)}" for data in (new, former))
    return target.with_name(f"{disk.stem(target)}{what}.{secrets.token_hex(4)}{_ENDING}")


def displace(target: Path, temporary: Path, new: bytes, former: bytes, descriptor: int) -> Path | None:
    """Put a file in the place of another one, in one step.

    Args:
        target: the file to be replaced.
        temporary: the file beside it that takes its place.
        new: what that one holds.
        former: what the file held when it was read.
        descriptor: the file, opened; no other one is displaced if that can be known before.

    Returns:
        where the displaced file is now; None where the file system can neither exchange nor link files.

    Raises:
        FileNotFoundError: it has lost its place, to nothing or to another file; nothing is changed.
        OSError: the folder cannot be written, or a file is gone; nothing is changed.
    """
    aside = name_for(target, new, former)
    temporary.rename(aside)
    try:
        _must_name(target, descriptor)
        if swap.exchange(aside, target):
            return aside
        kept = _second_name(target, new, former)
        aside.replace(target)
    except BaseException:
        forget(aside)
        raise
    return kept


def _must_name(target: Path, descriptor: int) -> None:
    """Look once more in the last moment: who saved a file, and reads it back while it is displaced, finds ours."""
    if not disk.names(target, descriptor):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(target))


def _second_name(target: Path, new: bytes, former: bytes) -> Path | None:
    kept = name_for(target, new, former)
    try:
        kept.hardlink_to(target)
    except OSError:
        return None
    return kept


def swap_back(aside: Path, target: Path, root: Path, new: bytes, descriptor: int) -> tuple[Path, ...]:
    """Give a displaced file its place back; what somebody appended to the new one meanwhile is carried over.

    Args:
        aside: the displaced file.
        target: the place.
        root: the vault.
        new: what was put there.
        descriptor: the displaced file, opened; a lease on it is given up as soon as it has its place back, so that
            nobody who waits for that reads what stood there in between.

    Returns:
        where words are kept that could not be carried over.
    """
    if swap.exchange(aside, target):
        ours: Path | None = aside
    else:
        ours = _second_name(target, new, b"")
        aside.replace(target)
    swap.give_up(descriptor)
    if ours is None:
        return ()
    with disk.opened(ours) as opened:
        late, writers = swap.settled(opened, displaced=True)
        if writers is Writers.SOME or not late.startswith(new):
            return (rescue(ours, target, root),)
        if late != new:
            append(target, late[len(new) :])
        forget(ours)
    return ()


def give_back(aside: Path, target: Path, root: Path, new: bytes, descriptor: int) -> tuple[Path, ...]:
    """Swap back a file that somebody put there in the very moment that the one read from it was to be displaced.

    A copy is kept: who reads his file back before it has its place again finds ours, and may save it without the words
    that he had just written.

    Args:
        aside: the displaced file.
        target: the place.
        root: the vault.
        new: what was put there.
        descriptor: the file that was read, opened.

    Returns:
        where words are kept.
    """
    with ExitStack() as stack:
        saved: int | None = None
        with suppress(OSError):  # a pipe, say: what he put there gets its place back, with a copy or without
            saved = stack.enter_context(disk.opened(aside))
        kept = swap_back(aside, target, root, new, descriptor)
        if saved is None:
            return kept
        copy = disk.write_beside(target, disk.content(saved), None, private=True)
    return (*kept, rescue(copy, target, root))


def append(target: Path, tail: bytes) -> None:
    """Append to a file in place, so that others who append at the same moment lose nothing either.

    Raises:
        OSError: it cannot be written; nothing is appended.
    """
    descriptor = os.open(target, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))
    try:
        disk.append(descriptor, tail)
    finally:
        os.close(descriptor)


def forget(file: Path) -> None:
    """Remove a file that holds nothing that does not stand elsewhere; one that stays is removed by the next run."""
    with suppress(OSError):
        file.unlink()


def rescue(file: Path, target: Path, root: Path) -> Path:
    """Keep a file whose words could not be put back: `.wrapgen/state/rescued`, for its owner's eyes only.

    Returns:
        where it is now; where it was when it cannot be moved.
    """
    folder = root / RESCUED
    kept = folder / f"{target.name}.{secrets.token_hex(4)}"
    try:
        files.make_private_folder(folder, root)
        file.chmod(_PRIVATE)
        try:
            file.rename(kept)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            _copy(file, kept)
            file.unlink()
        disk.sync_folder(folder)
    except (OSError, WrapgenError):
        return kept if kept.exists() and not file.exists() else file
    return kept


def _copy(file: Path, kept: Path) -> None:
    descriptor = os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), _PRIVATE)
    try:
        disk.write(descriptor, disk.whole(file))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def recover(target: Path, root: Path) -> tuple[Path, ...]:
    """Finish what a killed run began with a file; under the vault's lock.

    A file that was displaced, or never got its place, is removed when it holds nothing else than its name says. What
    somebody appended to it is carried over; what somebody else wrote in its place gets that place back.

    Returns:
        where words are kept that could not be put back.

    Raises:
        OSError: a file cannot be read or written; all of them stand as they did.
    """
    rescued: list[Path] = []
    for aside in disk.beside(target, _ENDING):
        said = _NAME.fullmatch(aside.name.removeprefix(disk.stem(target)))
        if said is None:
            continue
        with disk.opened(aside) as descriptor:
            data, writers = swap.settled(descriptor, displaced=True)
            known = [
                size
                for name, size in ((said[3], int(said[4])), (said[1], int(said[2])))
                if disk.digest(data[:size]) == name and (size or not data)
            ]
            if not known:
                rescued += _restore(aside, target, root, descriptor, new=said[1])
                continue
            _carry(target, data[: known[0]], data[known[0] :])
            if writers is Writers.SOME:
                rescued.append(rescue(aside, target, root))
            else:
                forget(aside)
    return tuple(rescued)


def _carry(target: Path, base: bytes, tail: bytes) -> None:
    """Append what somebody appended to the displaced file, unless the killed run has done so."""
    if not tail:
        return
    try:
        present = disk.whole(target)
    except FileNotFoundError:
        temporary = disk.write_beside(target, base + tail, None)
        swap.place(temporary, target)
        return
    if present.count(tail) <= base.count(tail):
        append(target, tail)


def _restore(aside: Path, target: Path, root: Path, descriptor: int, *, new: str) -> tuple[Path, ...]:
    """An editor's file that was displaced in the moment that it appeared: it is what stood there last."""
    try:
        present = disk.whole(target)
    except FileNotFoundError:
        swap.place(aside, target)
        return ()
    if disk.digest(present) == new:
        return give_back(aside, target, root, present, descriptor)
    return (rescue(aside, target, root),)
