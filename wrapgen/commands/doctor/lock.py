"""Is the lock free, or held by somebody who will never let go."""

from __future__ import annotations

import shlex
import time
from functools import partial
from typing import TYPE_CHECKING

from wrapgen.commands.doctor.finding import ok, wrong
from wrapgen.errors import LockHeldError
from wrapgen.vault.lock import LOCK_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wrapgen.commands.doctor.finding import Finding, Visit
    from wrapgen.vault.claims import Owner

# Runs hold the lock for a second at most; this long, at most, one is watched before it is called stuck.
_LONGEST_WATCH = 10.0
_POLL = 0.05


def lock(visit: Visit) -> Iterator[Finding]:
    """Who holds the lock, and whether he will let go."""
    app = visit.app
    stuck = list(_stuck(visit)) if app.config.lock == "shared" else []
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
    """Those who claim the shared lock and do not let go; nobody is told by a clock or by an age."""
    from wrapgen.vault.claims import lock_files

    for file in lock_files(visit.app.root):
        yield from _stuck_at(visit, file)


def _stuck_at(visit: Visit, file: Path) -> Iterator[Finding]:
    from wrapgen.vault.claims import Life

    watch = min(visit.app.config.lock_timeout, _LONGEST_WATCH)
    where = file.relative_to(visit.app.root).as_posix()
    for owner in _standing(file, watch):
        who = f"process {owner.pid} on {owner.host}"
        fix = partial(_clear, file, owner)
        match owner.life:
            case Life.GONE:
                yield wrong(f"held by {who}, which is gone", where, "wrap doctor --fix", fix)
            case Life.RUNS:
                what = f"held by {who}, which runs, for more than {watch:g} seconds"
                yield wrong(what, where, "let it finish, or end it; then run wrap doctor --fix")
            case Life.UNKNOWN:
                what = f"held by {who} for more than {watch:g} seconds; {owner.elsewhere}, so it may still run"
                mend = (
                    f"run wrap doctor --fix there; when that is gone for good: "
                    f"wrap doctor --fix --host {shlex.quote(owner.host)}"
                )
                yield wrong(what, where, mend, fix if visit.gone == owner.host else None)


def _standing(file: Path, watch: float) -> tuple[Owner, ...]:
    """Those of the dead, and those who claimed the lock all the time that they were watched."""
    from wrapgen.vault.claims import Life, owners

    deadline = time.monotonic() + watch
    standing = {owner.names for owner in owners(file)}
    while True:
        now = [owner for owner in owners(file) if owner.life is Life.GONE or owner.names in standing]
        standing &= {owner.names for owner in now}
        if all(owner.life is Life.GONE for owner in now) or time.monotonic() >= deadline:
            return tuple(now)
        time.sleep(_POLL)


def _clear(file: Path, owner: Owner) -> Iterator[str]:
    from wrapgen.vault.claims import clear

    if clear(file, owner):
        yield f"cleared the lock of process {owner.pid} on {owner.host}"
