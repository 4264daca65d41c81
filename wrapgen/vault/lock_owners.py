"""The shared lock's files: who claims it, whether they still run, and removing claims of dead processes.

filelock's strict protocol: a process that wants the lock publishes a claim, a randomly named file with its pid, its
host (with the PID namespace, where it is not the first) and its start time; the holder has two.
Any claim keeps all others out, no matter how old. Names are never reused, so removing a claim by name cannot hit a
later process.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING

from filelock import SoftFileLockProtocolError, StrictSoftFileLock

from wrapgen.errors import WrapgenError
from wrapgen.vault.lock import LOCK_FILE, OTHER_LOCKS

if TYPE_CHECKING:
    from pathlib import Path

    from filelock import StrictSoftFileClaim

_CLAIMS = ".filelock"
_NAMESPACE = "?pidns-"
_BOOT = 64  # a start token of Linux holds the boot's id above these bits


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
    """All claims to a shared lock, including those of waiting processes.

    Raises:
        WrapgenError: there is a claim that cannot be read.
    """
    try:
        claims = StrictSoftFileLock(lock).claims
    except SoftFileLockProtocolError as error:
        folder = lock.with_name(lock.name + _CLAIMS) / "claims"
        raise WrapgenError(
            f"a lock claim cannot be read ({error.reason})",
            where=str(folder / (error.claim_name or "")),
            next_step="Remove this file when wrapgen is not running on any host.",
        ) from error
    by_token = sorted(claims, key=lambda one: (one.token, one.name))
    return tuple(_owner(list(group)) for _, group in groupby(by_token, key=lambda one: one.token))


def clear(lock: Path, owner: Owner) -> bool:
    """Remove a process's claims.

    Returns:
        whether there was still one; somebody else may have cleared them, or their owner let go.

    Raises:
        OSError: the folder cannot be written.
    """
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
    """Whether a claim's owner runs, or why that cannot be known.

    Only its own kernel can tell, and only within the same PID namespace.
    """
    try:
        # The library uses these for its other locks, but has no public function for them.
        from filelock._identity import host_name, owner_is_stale, process_start_token
    except ImportError:
        return Life.UNKNOWN, "this version of filelock cannot tell"
    if claim.hostname != host_name():
        same = host == socket.gethostname()
        return Life.UNKNOWN, "it ran in another container" if same else "it ran on another host"
    boot, now = ((token or 0) >> _BOOT for token in (claim.start, process_start_token(os.getpid())))
    if boot and now and boot != now:
        return Life.UNKNOWN, "it ran before this host was last started, or on another host of the same name"
    return (Life.GONE if owner_is_stale(claim.pid, claim.hostname, claim.start) else Life.RUNS), ""
