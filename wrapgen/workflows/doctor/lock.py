"""Is the lock free, or held by a process that will never release it."""

from __future__ import annotations

import shlex
import time
from functools import partial
from typing import TYPE_CHECKING

from wrapgen.errors import LockHeldError
from wrapgen.vault.lock import LOCK_FILE
from wrapgen.workflows.doctor.finding import ok, wrong

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wrapgen.vault.lock import Owner
    from wrapgen.workflows.doctor.finding import Finding, Visit

# Runs hold the lock for a second at most; a holder is watched this long before it is called stuck.
_LONGEST_WATCH = 10.0
_POLL = 0.05


def lock(visit: Visit) -> Iterator[Finding]:
    """Who holds the lock, and whether they will release it."""
    app = visit.app
    stuck = list(_stuck(visit)) if app.config.is_shared else []
    if stuck:
        yield from stuck
    elif not (app.root / LOCK_FILE).exists():
        yield ok("free")
    else:
        try:
            with app.locked():
                yield ok("free")
        except LockHeldError as error:
            yield wrong(error.what, LOCK_FILE, error.next_step or "")


def _stuck(visit: Visit) -> Iterator[Finding]:
    """Claims to the shared lock that are not released; clocks and ages are not trusted."""
    from wrapgen.vault.lock import lock_files

    for file in lock_files(visit.app.root):
        yield from _stuck_at(visit, file)


def _stuck_at(visit: Visit, file: Path) -> Iterator[Finding]:
    from wrapgen.vault.lock import Life

    watch = min(visit.app.config.lock_timeout, _LONGEST_WATCH)
    where = file.relative_to(visit.app.root).as_posix()
    for owner in _standing(file, watch):
        who = f"process {owner.pid} on {owner.host}"
        fix = partial(_clear, file, owner)
        match owner.life:
            case Life.GONE:
                yield wrong(f"held by {who}, which is gone", where, "wrap doctor --fix", fix)
            case Life.RUNS:
                what = f"held for more than {watch:g} seconds by {who}, which is running"
                yield wrong(what, where, "wait for it to finish, or end it; then run wrap doctor --fix")
            case Life.UNKNOWN:
                what = f"held for more than {watch:g} seconds by {who}; {owner.elsewhere}, so it may still run"
                mend = (
                    f"run wrap doctor --fix there; if that host is gone for good: "
                    f"wrap doctor --fix --host {shlex.quote(owner.host)}"
                )
                yield wrong(what, where, mend, fix if visit.gone == owner.host else None)


def _standing(file: Path, watch: float) -> tuple[Owner, ...]:
    """Claims of dead processes, and claims that persisted while they were watched."""
    from wrapgen.vault.lock import Life, owners

    deadline = time.monotonic() + watch
    standing = {owner.names for owner in owners(file)}
    while True:
        now = [owner for owner in owners(file) if owner.life is Life.GONE or owner.names in standing]
        standing &= {owner.names for owner in now}
        if all(owner.life is Life.GONE for owner in now) or time.monotonic() >= deadline:
            return tuple(now)
        time.sleep(_POLL)


def _clear(file: Path, owner: Owner) -> Iterator[str]:
    from wrapgen.vault.lock import clear

    if clear(file, owner):
        yield f"cleared the lock of process {owner.pid} on {owner.host}"
