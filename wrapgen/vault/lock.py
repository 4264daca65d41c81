"""One writer at a time: the vault's lock, and the locks of single files in it.

A kernel lock (the one that filelock's `FileLock` takes, which takes longer to load than a vault without changes takes
to look at) vanishes with its holder, so a killed run never blocks the next one. Where several computers share the
folder, `vault.shared_lock` takes its place. Either way the holder writes its name beside the lock, for the message of
a run that times out.
"""

from __future__ import annotations

import errno
import json
import os
import platform
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from wrapgen.config import VAULT_FILE, Config
from wrapgen.errors import LockHeldError, PublishError
from wrapgen.regular_files import NO_LINKS, lock, make
from wrapgen.text.display import visible
from wrapgen.vault import disk
from wrapgen.vault.cache import CACHE_FOLDER
from wrapgen.vault.disk import make_private_folder
from wrapgen.vault.held import held, inside
from wrapgen.vault.state import STATE_FOLDER

LOCK_FILE = ".agents/locks/active-status.lock"
OTHER_LOCKS = ".wrapgen/locks"  # of single things
_POLL_SECONDS = 0.02
_LOCK_MODE = 0o644
_OPEN = os.O_RDWR | NO_LINKS | getattr(os, "O_NONBLOCK", 0)
_NO_KERNEL_LOCKS = (errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP)


@contextmanager
def vault_lock(root: Path, config: Config) -> Iterator[None]:
    """Hold the vault's lock; raises what `file_lock` raises."""
    wait = LockWait("the vault", config.lock_timeout, "lock_timeout")
    with file_lock(root / LOCK_FILE, wait, root=root, shared=config.is_shared):
        _clear_up(root, config)
        yield


class LockWait(NamedTuple):
    """How long to wait for a lock, and what to say about it."""

    what: str  # what is locked
    seconds: float  # how long to wait, 0 for one try
    setting: str = ""  # what sets the time; empty when nothing does


@contextmanager
def file_lock(path: Path, wait: LockWait, *, root: Path, shared: bool = False) -> Iterator[None]:
    """Hold the lock of a file; its folder is made when missing.

    Raises LockHeldError when another process held it all the time, PublishError when the lock file cannot be made.
    """
    make_private_folder(path.parent, root)
    holder = path.with_name(path.name + ".holder")
    deadline = time.monotonic() + wait.seconds
    try:
        _wait_for_folder(path, deadline, wait.seconds)
        release = _taken_shared(path, deadline) if shared else _taken(path, root, deadline)
    except OSError as error:
        raise _not_taken(path, error) from error
    if release is None:
        longer = f", or raise `{wait.setting}`" if wait.setting else ""
        gone = " `wrap doctor --fix` clears a lock left by a dead process." if shared else ""
        raise LockHeldError(
            f"{wait.what} is locked by {_named(holder)}; waited {wait.seconds:g} seconds",
            where=str(path),
            next_step=f"Wait for it to finish and run again{longer}.{gone}",
        )
    try:
        _sign(holder)
        yield
    finally:
        with suppress(OSError):
            holder.unlink()
        with suppress(OSError):  # if releasing fails, the end of the process releases it
            release()


def _taken(path: Path, root: Path, deadline: float) -> Callable[[], None] | None:
    """Take the kernel's lock; what releases it, None when somebody else had it all the time."""
    while True:
        with suppress(FileNotFoundError):  # whoever had it may have removed the file
            _make(path, root)
            descriptor = os.open(path, _OPEN)
            try:
                is_ours = lock(descriptor)
                if is_ours and os.path.samestat(os.fstat(descriptor), os.lstat(path)):
                    return partial(os.close, descriptor)
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)
            if is_ours:
                continue
        if time.monotonic() >= deadline:
            return None
        time.sleep(_POLL_SECONDS)


def _taken_shared(path: Path, deadline: float) -> Callable[[], None] | None:
    from wrapgen.vault.shared_lock import take

    if _is_empty(path):  # a kernel lock's, from before `lock = "shared"` was set
        path.unlink(missing_ok=True)
    return take(path, max(0.0, deadline - time.monotonic()))


def _not_taken(path: Path, error: OSError) -> PublishError:
    if error.errno in _NO_KERNEL_LOCKS:
        step = f'This file system has no kernel locks: write `lock = "shared"` into {VAULT_FILE}.'
        return PublishError(f"the lock cannot be taken ({error.strerror or error})", where=str(path), next_step=step)
    return disk.cannot("the lock cannot be taken", path, error)


def _make(path: Path, root: Path) -> None:
    """Make a kernel lock's file as other files are: one that root makes must not keep out the vault's owner."""
    if not os.path.lexists(path):
        with held(path, root) as file, suppress(FileExistsError):
            os.close(make(file.at, os.O_RDWR | os.O_CREAT | os.O_EXCL, _LOCK_MODE, file.folder))


def _clear_up(root: Path, config: Config) -> None:
    """Remove the temporary files that killed runs left; who writes one without the lock can do without it."""
    with suppress(PublishError):  # a link outside the vault is reported when something is written there
        disk.sweep(inside(root / config.output, root).parent)
    disk.sweep(root / STATE_FOLDER)
    disk.sweep(root / CACHE_FOLDER)


def _sign(holder: Path) -> None:
    record = {"pid": os.getpid(), "host": platform.node(), "since": time.strftime("%Y-%m-%dT%H:%M:%S%z")}
    with suppress(OSError):  # the name is only informative; the lock is what counts
        holder.unlink(missing_ok=True)
        with holder.open("x", encoding="utf-8") as file:  # a link that is there is not followed
            file.write(json.dumps(record) + "\n")


def _named(holder: Path) -> str:
    try:
        record = json.loads(disk.whole(holder))
        return f"process {int(record['pid'])} on {visible(str(record['host']))} since {visible(str(record['since']))}"
    except (OSError, ValueError, TypeError, KeyError):
        return "another process"


def _wait_for_folder(path: Path, deadline: float, timeout: float) -> None:
    """Other tools lock by creating a folder of this name, with a manifest that identifies them."""
    while path.is_dir():
        if time.monotonic() >= deadline:
            raise LockHeldError(
                f"another tool holds the lock: the lock is a folder{_manifest(path)}; waited {timeout:g} seconds",
                where=str(path),
                next_step="Wait for that tool to finish, or remove the folder if it is gone.",
            )
        time.sleep(_POLL_SECONDS)


def _is_empty(path: Path) -> bool:
    try:
        status = path.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size == 0


def _manifest(folder: Path) -> str:
    """The first readable file in another tool's lock folder, on one line."""
    with suppress(OSError):
        for file in sorted(folder.iterdir()):
            if file.is_file():
                with disk.opened(file) as descriptor:
                    words = disk.content(descriptor, 400).decode("utf-8", "replace")
                return f" with the manifest {visible(file.name)}: {visible(' '.join(words.split()))}"
    return ""
