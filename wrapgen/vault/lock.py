"""One writer at a time: the vault's lock, and the locks of single files in it.

A kernel lock (filelock) vanishes with its holder, so a killed run never blocks the next one. Where several computers
share the folder, kernel locks may not work between them: the shared lock (filelock's strict protocol) consists of files
only. A process that wants it publishes a claim, a randomly named file with its pid, its host (with the PID namespace,
where it is not the first) and its start time; the holder has two. Any claim keeps all others out, no matter how old,
until `wrap doctor --fix`. Names are never reused, so removing a claim by name cannot hit a later process. Either way
the holder writes its name beside the lock, for the message of a run that times out.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from filelock import (
    BaseFileLock,
    FileLock,
    MarkerSoftFileLock,
    SoftFileLock,
    SoftFileLockProtocolError,
    StrictSoftFileClaim,
    StrictSoftFileLock,
    Timeout,
)

from wrapgen.config import VAULT_FILE, Config
from wrapgen.errors import LockHeldError, PublishError, WrapgenError
from wrapgen.regular_files import make
from wrapgen.text.display import visible
from wrapgen.vault import disk
from wrapgen.vault.cache import CACHE_FOLDER
from wrapgen.vault.disk import make_private_folder
from wrapgen.vault.held import held, inside
from wrapgen.vault.state import STATE_FOLDER

LOCK_FILE = ".agents/locks/active-status.lock"
OTHER_LOCKS = ".wrapgen/locks"  # of single things
_POLL_SECONDS = 0.02
_COPY_SECONDS = 0.2  # several tries: the first of them breaks the lock of a process that is gone
_LOCK_MODE = 0o644
_CLAIMS = ".filelock"
_NAMESPACE = "?pidns-"
_BOOT = 64  # a start token of Linux holds the boot's id above these bits
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
    lock: BaseFileLock = StrictSoftFileLock(path) if shared else FileLock(path, fallback_to_soft=False)
    try:
        _wait_for_folder(path, deadline, wait.seconds)
        if not shared:
            _make(path, root)
        elif _is_empty(path):  # a kernel lock's, from before `lock = "shared"` was set
            path.unlink(missing_ok=True)
        lock.acquire(timeout=max(0.0, deadline - time.monotonic()), poll_interval=_POLL_SECONDS)
    except Timeout:
        longer = f", or raise `{wait.setting}`" if wait.setting else ""
        gone = " `wrap doctor --fix` clears a lock left by a dead process." if shared else ""
        raise LockHeldError(
            f"{wait.what} is locked by {_named(holder)}; waited {wait.seconds:g} seconds",
            where=str(path),
            next_step=f"Wait for it to finish and run again{longer}.{gone}",
        ) from None
    except SoftFileLockProtocolError as error:
        raise PublishError(
            f"the lock cannot be taken ({error.reason})", where=str(path), next_step="Run `wrap doctor`."
        ) from error
    except OSError as error:
        raise _not_taken(path, error) from error
    try:
        _sign(holder)
        yield
    finally:
        with suppress(OSError):
            holder.unlink()
        with suppress(OSError):  # if releasing fails, the end of the process releases it
            lock.release()


def _not_taken(path: Path, error: OSError) -> PublishError:
    if error.errno in _NO_KERNEL_LOCKS:
        step = f'This file system has no kernel locks: write `lock = "shared"` into {VAULT_FILE}.'
        return PublishError(f"the lock cannot be taken ({error.strerror or error})", where=str(path), next_step=step)
    return disk.cannot("the lock cannot be taken", path, error)


def _make(path: Path, root: Path) -> None:
    """Make a kernel lock's file as other files are: filelock's, made by root, would keep out the vault's owner."""
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
    record = {"pid": os.getpid(), "host": socket.gethostname(), "since": time.strftime("%Y-%m-%dT%H:%M:%S%z")}
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


class Life(Enum):
    """Whether a process still runs, as far as can be known here."""

    RUNS = "runs"
    GONE = "gone"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Owner:
    """Who claims the lock."""

    names: tuple[str, ...]  # its claims
    pid: int
    host: str  # the name of its host
    life: Life
    elsewhere: str = ""  # why this process cannot know whether it runs; empty when it can


def lock_files(root: Path) -> tuple[Path, ...]:
    """The files of all shared locks of a vault: its own, and those of single things in it."""
    others = (root / OTHER_LOCKS).glob(f"*.lock{_CLAIMS}")
    return (root / LOCK_FILE, *sorted(folder.with_name(folder.name.removesuffix(_CLAIMS)) for folder in others))


def owners(lock: Path) -> tuple[Owner, ...]:
    """All claims to a shared lock, including those of waiting processes; WrapgenError where one cannot be read."""
    folder = lock.with_name(lock.name + _CLAIMS) / "claims"
    try:
        claims = StrictSoftFileLock(lock).claims
    except SoftFileLockProtocolError as error:
        raise WrapgenError(
            f"a lock claim cannot be read ({error.reason})",
            where=str(folder / (error.claim_name or "")),
            next_step="Remove this file when wrapgen is not running on any host.",
        ) from error
    by_token = sorted(claims, key=lambda one: (one.token, one.name))
    found = [_owner(list(group)) for _, group in groupby(by_token, key=lambda one: one.token)]
    # Whoever released the lock and ended while its life was looked up has left nothing.
    return tuple(one for one in found if any((folder / name).exists() for name in one.names))


def clear(lock: Path, owner: Owner) -> bool:
    """Remove a process's claims; whether there was still one."""
    claimed = StrictSoftFileLock(lock)
    cleared = False
    for name in owner.names:
        try:
            claimed.force_break(name)
            cleared = True
        except FileNotFoundError:
            continue
    return cleared


def _owner(claims: list[StrictSoftFileClaim]) -> Owner:
    first = claims[0]
    host = first.hostname.partition(_NAMESPACE)[0]
    life, elsewhere = _life(first, host)
    return Owner(tuple(one.name for one in claims), first.pid, host, life, elsewhere)


def _life(claim: StrictSoftFileClaim, host: str) -> tuple[Life, str]:
    """Tell whether a claim's owner runs, or why that cannot be known.

    Only its own kernel can tell, and only within the same PID namespace. A lock that is broken when its owner is gone
    does tell: a copy of the claim is put in its place, and taken if possible.
    """
    with tempfile.TemporaryDirectory() as folder:
        own = MarkerSoftFileLock(Path(folder, "own"))
        with own:
            here = own.owner
        if here is None or claim.hostname != here.hostname:
            same = host == socket.gethostname()
            return Life.UNKNOWN, "it ran in another container" if same else "it ran on another host"
        boot, now = ((token or 0) >> _BOOT for token in (claim.start, here.start))
        if boot and now and boot != now:
            return Life.UNKNOWN, "it ran before this host was last started, or on another host of the same name"
        copy = Path(folder, "copy")
        copy.write_text("".join(f"{word}\n" for word in (claim.pid, claim.hostname, claim.start) if word is not None))
        try:
            with SoftFileLock(copy, timeout=_COPY_SECONDS, poll_interval=_POLL_SECONDS):
                return Life.GONE, ""
        except Timeout:
            return Life.RUNS, ""
