"""The shared lock as it lies in the folder: who claims it, whether he still runs, and taking a dead one's claims away.

filelock's strict protocol: whoever wants the lock publishes a claim, a file under a name drawn at random, with his
process, his host (with the PID namespace, where it is not the first) and the start of his process; the holder has two.
Any claim keeps all others out, whoever left it; no clock and no age ever makes one void. A name is never used twice:
taking a claim away by its name cannot hit somebody who came later.
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
    """Whether a process still runs, as far as this one can know."""

    RUNS = "runs"
    GONE = "gone"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Owner:
    """Who claims the lock.

    Attributes:
        names: his claims.
        host: the name of his host.
        elsewhere: why this process cannot know whether he runs; empty when it can.
    """

    names: tuple[str, ...]
    pid: int
    host: str
    life: Life
    elsewhere: str = ""


def lock_files(root: Path) -> tuple[Path, ...]:
    """The files of all shared locks of a vault: its own, and those of single things in it."""
    others = (root / OTHER_LOCKS).glob(f"*.lock{_CLAIMS}")
    return (root / LOCK_FILE, *sorted(folder.with_name(folder.name.removesuffix(_CLAIMS)) for folder in others))


def owners(lock: Path) -> tuple[Owner, ...]:
    """Everybody who claims a shared lock, those who only wait for it too.

    Args:
        lock: the lock's file.

    Raises:
        WrapgenError: there is a claim that cannot be read.
    """
    try:
        claims = StrictSoftFileLock(lock).claims
    except SoftFileLockProtocolError as error:
        folder = lock.with_name(lock.name + _CLAIMS) / "claims"
        raise WrapgenError(
            f"a claim to the lock cannot be read ({error.reason})",
            where=str(folder / (error.claim_name or "")),
            next_step="Remove this file when no run of wrapgen is under way on any host.",
        ) from error
    by_token = sorted(claims, key=lambda one: (one.token, one.name))
    return tuple(_owner(list(group)) for _, group in groupby(by_token, key=lambda one: one.token))


def clear(lock: Path, owner: Owner) -> bool:
    """Take somebody's claims away.

    Args:
        lock: the lock's file.
        owner: whose.

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
    """Whether a claim's owner runs, and why that cannot be known.

    Only the kernel that he ran under can tell, and only to a process that sees the same processes.
    """
    try:
        # The library decides by these for its other locks; only this one has no public door to them.
        from filelock._identity import host_name, owner_is_stale, process_start_token
    except ImportError:
        return Life.UNKNOWN, "this version of filelock does not tell"
    if claim.hostname != host_name():
        same = host == socket.gethostname()
        return Life.UNKNOWN, "it ran in another container" if same else "it ran on another host"
    boot, now = ((token or 0) >> _BOOT for token in (claim.start, process_start_token(os.getpid())))
    if boot and now and boot != now:
        return Life.UNKNOWN, "it ran before this host was started, or on another host of the same name"
    return (Life.GONE if owner_is_stale(claim.pid, claim.hostname, claim.start) else Life.RUNS), ""
