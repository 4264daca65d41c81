"""One writer at a time: the vault's lock, and those of single things in it.

A kernel lock (filelock) vanishes with its holder, so a killed run never blocks the next one. Where several computers
share the folder, kernel locks may not reach from one to the other: the shared lock is made of files alone (see
`wrapgen.vault.claims`), and what a killed run leaves stays until `wrap doctor --fix`. Either way the holder writes its
name beside the lock, for the message that the next one prints when it has waited in vain.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import stat
import time
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, NamedTuple

from filelock import BaseFileLock, FileLock, SoftFileLockProtocolError, StrictSoftFileLock, Timeout

from wrapgen.config import VAULT_FILE
from wrapgen.errors import LockHeldError, PublishError
from wrapgen.text import visible
from wrapgen.vault import disk
from wrapgen.vault.cache import CACHE_FOLDER
from wrapgen.vault.files import make_private_folder
from wrapgen.vault.state import STATE_FOLDER
from wrapgen.vault.turns import in_turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wrapgen.config import Config

LOCK_FILE = ".agents/locks/active-status.lock"
OTHER_LOCKS = ".wrapgen/locks"  # of single things
_POLL_SECONDS = 0.02
_NO_KERNEL_LOCKS = (errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP)


@contextmanager
def vault_lock(root: Path, config: Config) -> Iterator[None]:
    """Hold the vault's lock.

    Args:
        root: the vault.
        config: says which kind of lock, and how many seconds to wait.

    Raises:
        LockHeldError: another process held it all the time.
        PublishError: the lock file cannot be made.
    """
    wait = Wait("the vault", config.lock_timeout, "lock_timeout")
    with file_lock(root / LOCK_FILE, wait, root=root, shared=config.lock == "shared", queue=True):
        _clear_up(root, config)
        yield


class Wait(NamedTuple):
    """How long to wait for a lock, and what to say about it.

    Attributes:
        what: what is locked.
        seconds: how long to wait, 0 for one try.
        setting: what sets the time; empty when nothing does.
    """

    what: str
    seconds: float
    setting: str = ""


@contextmanager
def file_lock(path: Path, wait: Wait, *, root: Path, shared: bool = False, queue: bool = False) -> Iterator[None]:
    """Hold the lock that a file stands for.

    Args:
        path: the lock file; its folder is made when missing.
        wait: how long to wait.
        root: the vault.
        shared: whether it lies on a network file system, which has no locks of a kernel.
        queue: whether many may wait for it, who then get it in the order of coming; a file more stays beside it. None
            where it is shared.

    Raises:
        LockHeldError: another process held it all the time.
        PublishError: the lock file cannot be made.
    """
    make_private_folder(path.parent, root)
    holder = path.with_name(path.name + ".holder")
    deadline = time.monotonic() + wait.seconds
    lock: BaseFileLock = StrictSoftFileLock(path) if shared else FileLock(path, fallback_to_soft=False)
    try:
        _wait_for_folder(path, deadline, wait.seconds)
        if shared:
            _retire_kernel_lock(path, deadline)
        with in_turn(path.with_name(path.name + ".queue"), deadline) if queue and not shared else nullcontext():
            lock.acquire(timeout=max(0.0, deadline - time.monotonic()), poll_interval=_POLL_SECONDS)
    except Timeout:
        longer = f", or raise `{wait.setting}`" if wait.setting else ""
        gone = " `wrap doctor --fix` clears the lock of a process that is gone." if shared else ""
        raise LockHeldError(
            f"{wait.what} is locked by {_named(holder)}; waited {wait.seconds:g} seconds",
            where=str(path),
            next_step=f"Let it finish and run again{longer}.{gone}",
        ) from None
    except SoftFileLockProtocolError as error:
        raise PublishError(
            f"the lock cannot be taken ({error.reason})", where=str(path), next_step="Run `wrap doctor`."
        ) from error
    except OSError as error:
        if error.errno in _NO_KERNEL_LOCKS:
            step = f'This file system has no kernel locks: write `lock = "shared"` into {VAULT_FILE}.'
            raise PublishError(
                f"the lock cannot be taken ({error.strerror or error})", where=str(path), next_step=step
            ) from error
        raise disk.cannot("the lock cannot be taken", path, error) from error
    try:
        _sign(holder)
        yield
    finally:
        with suppress(OSError):
            holder.unlink()
        with suppress(OSError):  # what the disk does not give back, the end of the process does
            lock.release()


def _clear_up(root: Path, config: Config) -> None:
    """Remove the temporary files that killed runs left; whoever holds the lock is the only one who writes any."""
    with suppress(PublishError):  # a link out of the vault is told when something is to be written there
        disk.sweep(disk.inside(root / config.output, root).parent)
    disk.sweep(root / STATE_FOLDER)
    disk.sweep(root / CACHE_FOLDER)


def _sign(holder: Path) -> None:
    record = {"pid": os.getpid(), "host": socket.gethostname(), "since": time.strftime("%Y-%m-%dT%H:%M:%S%z")}
    with suppress(OSError):  # the name is a courtesy, the lock is what counts
        holder.unlink(missing_ok=True)
        with holder.open("x", encoding="utf-8") as file:  # a link that stands there is not followed
            file.write(json.dumps(record) + "\n")


def _named(holder: Path) -> str:
    try:
        record = json.loads(disk.whole(holder))
        return f"process {int(record['pid'])} on {visible(str(record['host']))} since {visible(str(record['since']))}"
    except (OSError, ValueError, TypeError, KeyError):
        return "another process"


def _wait_for_folder(path: Path, deadline: float, timeout: float) -> None:
    """Other tools lock by making a folder of this name, with a manifest in it that says who they are."""
    while path.is_dir():
        if time.monotonic() >= deadline:
            raise LockHeldError(
                f"another tool holds the lock: the lock is a folder{_manifest(path)}; waited {timeout:g} seconds",
                where=str(path),
                next_step="Let that tool finish, or remove the folder if it is gone.",
            )
        time.sleep(_POLL_SECONDS)


def _retire_kernel_lock(path: Path, deadline: float) -> None:
    """Remove the empty file of a kernel lock, from before `lock = "shared"` was set: it is in the shared lock's way.

    Raises:
        Timeout: a run from before that still holds it.
        OSError: it cannot be removed.
    """
    if not _is_empty(path):
        return
    try:
        with FileLock(path, timeout=max(0.0, deadline - time.monotonic()), fallback_to_soft=False):
            if _is_empty(path):
                path.unlink()
    except OSError as error:
        if error.errno not in _NO_KERNEL_LOCKS:
            raise
        path.unlink(missing_ok=True)


def _is_empty(path: Path) -> bool:
    try:
        status = path.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size == 0


def _manifest(folder: Path) -> str:
    """The first readable file in another tool's lock folder, named and quoted on one line."""
    with suppress(OSError):
        for file in sorted(folder.iterdir()):
            if file.is_file():
                with disk.opened(file) as descriptor:
                    words = disk.content(descriptor, 400).decode("utf-8", "replace")
                return f" with the manifest {visible(file.name)}: {visible(' '.join(words.split()))}"
    return ""
