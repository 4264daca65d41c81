"""The displaced file of a replacement: kept beside the new one until it certainly has no unique text.

Its name encodes the contents of both, so that the next run can finish an interrupted one.
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
from wrapgen.vault.held import held
from wrapgen.vault.swap import Writers
from wrapgen.vault.temporary import write_all

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.vault.held import HeldFile

RESCUED = ".wrapgen/state/rescued"
_ENDING = ".wrapgen-swap"
_NAME = re.compile(rf"([0-9a-f]{{16}})-(\d+)\.([0-9a-f]{{16}})-(\d+)\.[0-9a-f]+{re.escape(_ENDING)}")
_PRIVATE = 0o600


def name_for(target: HeldFile, new: bytes, former: bytes) -> HeldFile:
    """A name beside a file that encodes what replaces what."""
    what = ".".join(f"{disk.digest(data)}-{len(data)}" for data in (new, former))
    return target.with_name(f"{disk.stem(target.name)}{what}.{secrets.token_hex(4)}{_ENDING}")


def displace(target: HeldFile, temporary: HeldFile, new: bytes, former: bytes, descriptor: int) -> HeldFile | None:
    """Replace a file by another one, in one step.

    Args:
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


def _must_name(target: HeldFile, descriptor: int) -> None:
    """Check again at the last moment: a program that reads back a displaced file finds ours."""
    if not target.is_open_as(descriptor):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(target.path))


def _second_name(target: HeldFile, new: bytes, former: bytes) -> HeldFile | None:
    kept = name_for(target, new, former)
    try:
        target.link(kept)
    except OSError:
        return None
    return kept


def swap_back(aside: HeldFile, target: HeldFile, root: Path, new: bytes, descriptor: int) -> tuple[Path, ...]:
    """Restore a displaced file; what was appended to the new one meanwhile is carried over.

    Args:
        descriptor: the displaced file, opened; a lease on it is given up as soon as it has its place back, so that
            nobody who waits for that reads what was there in between.

    Returns:
        where words are kept that could not be carried over.
    """
    if swap.exchange(aside, target):
        ours: HeldFile | None = aside
    else:
        ours = _second_name(target, new, b"")
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
        text
    it has just written.

    Args:
        descriptor: the file that was read, opened.

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
            return _move(file, kept)
    except (OSError, WrapgenError):
        return file.path


def _move(file: HeldFile, kept: HeldFile) -> Path:
    """Move a file, private to the user from then on, be it to another file system; where it is in the end."""
    try:
        if os.name == "posix":
            with file.opened() as descriptor:
                os.fchmod(descriptor, _PRIVATE)
        try:
            file.rename(kept)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            _copy(whole(file), kept)
            file.unlink()
        kept.sync_folder()
    except OSError:
        return kept.path if kept.exists() and not file.exists() else file.path
    return kept.path


def _copy(data: bytes, kept: HeldFile) -> None:
    descriptor = kept.open(os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
    try:
        write_all(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def whole(file: HeldFile) -> bytes:
    """What a file holds.

    Raises:
        OSError: it cannot be read, or is not a regular file.
    """
    with file.opened() as descriptor:
        return disk.content(descriptor)


def recover(target: HeldFile, root: Path) -> tuple[Path, ...]:
    """Finish what a killed run began with a file; under the vault's lock.

    A displaced or unused file is removed when its content matches its name. What was appended to it is carried over; a
    file that another program put in its place is restored.

    Returns:
        where words are kept that could not be put back.

    Raises:
        OSError: a file cannot be read or written; all of them stand as they did.
    """
    rescued: list[Path] = []
    for aside in disk.beside(target, _ENDING):
        said = _NAME.fullmatch(aside.name.removeprefix(disk.stem(target.name)))
        if said is None:
            continue
        with aside.opened() as descriptor:
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


def _carry(target: HeldFile, base: bytes, tail: bytes) -> None:
    """Append what was appended to the displaced file, unless the killed run has done so."""
    if not tail:
        return
    try:
        present = whole(target)
    except FileNotFoundError:
        temporary = disk.write_beside(target, base + tail, None)
        swap.place(temporary, target)
        return
    if present.count(tail) <= base.count(tail):
        append(target, tail)


def _restore(aside: HeldFile, target: HeldFile, root: Path, descriptor: int, *, new: str) -> tuple[Path, ...]:
    """An editor's file that was displaced just as it appeared: it is the latest version."""
    try:
        present = whole(target)
    except FileNotFoundError:
        swap.place(aside, target)
        return ()
    if disk.digest(present) == new:
        return give_back(aside, target, root, present, descriptor)
    return (rescue(aside, target, root),)
