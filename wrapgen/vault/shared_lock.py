"""The lock of a folder that several computers share, where kernel locks may not work between them.

It consists of files only (filelock's strict protocol). A process that wants it publishes a claim, a randomly named file
with its pid, its host (with the PID namespace, where it is not the first) and its start time; the holder has two. Any
claim keeps all others out, no matter how old, until `wrap doctor --fix`. Names are never reused, so removing a claim by
name cannot hit a later process.
"""

from __future__ import annotations

import socket
import tempfile
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import (
    MarkerSoftFileLock,
    SoftFileLock,
    SoftFileLockProtocolError,
    StrictSoftFileClaim,
    StrictSoftFileLock,
    Timeout,
)

from wrapgen.errors import PublishError, WrapgenError
from wrapgen.vault.lock import LOCK_FILE, OTHER_LOCKS

if TYPE_CHECKING:
    from collections.abc import Callable

_COPY_SECONDS = 0.2  # several tries: the first of them breaks the lock of a process that is gone
_POLL_SECONDS = 0.02
_CLAIMS = ".filelock"
_NAMESPACE = "?pidns-"
_BOOT = 64  # a start token of Linux holds the boot's id above these bits


def take(path: Path, seconds: float) -> Callable[[], None] | None:
    """Take the lock; what releases it, None when somebody else had it all the time."""
    lock = StrictSoftFileLock(path)
    try:
        lock.acquire(timeout=seconds, poll_interval=_POLL_SECONDS)
    except Timeout:
        return None
    except SoftFileLockProtocolError as error:
        raise PublishError(
            f"the lock cannot be taken ({error.reason})", where=str(path), next_step="Run `wrap doctor`."
        ) from error
    return lock.release


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
