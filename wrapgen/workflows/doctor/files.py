"""Are the program's own files intact, private and free of what killed runs left, and is the lock free."""

import os
import shlex
import stat
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from wrapgen.errors import LockHeldError
from wrapgen.session import memory as records
from wrapgen.session.reading import Review
from wrapgen.text.display import count
from wrapgen.vault import cache, read_marks, state
from wrapgen.vault.disk import below
from wrapgen.vault.held import inside
from wrapgen.vault.leftovers import finish, left_over
from wrapgen.vault.lock import LOCK_FILE, OTHER_LOCKS, Life, Owner, clear, lock_files, owners
from wrapgen.vault.state import STATE_FOLDER
from wrapgen.workflows.app import App
from wrapgen.workflows.doctor.finding import Finding, Visit, ok, wrong
from wrapgen.workflows.item_picker import LISTED_FILE, LastList
from wrapgen.workflows.reader_run import READINGS_FILE, ReaderCall

_PRIVATE = (STATE_FOLDER, cache.CACHE_FOLDER, OTHER_LOCKS, os.path.dirname(LOCK_FILE))  # noqa: PTH120 - forward slashes
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_FIX = "wrap doctor --fix"
# A running process has temporary files for a few milliseconds.
_SECOND_LOOK = 0.3
# Runs hold the lock for a second at most; a holder is watched this long before it is called stuck.
_LONGEST_WATCH = 10.0
_POLL = 0.05
# The record types of state files; lines of other files only have to be JSON objects.
_KINDS: dict[str, type] = {
    records.PENDING_FILE: records.Pending,
    records.SKIPPED_FILE: records.Skip,
    records.RECEIPTS_FILE: records.Receipt,
    records.ELSEWHERE_FILE: records.Elsewhere,
    LISTED_FILE: LastList,
    records.CLONE_FILE: str,
    read_marks.FILE: read_marks.HostMarks,
    records.REVIEWS_FILE: Review,
    READINGS_FILE: ReaderCall,
}


def state_files(visit: Visit) -> Iterator[Finding]:
    """Unreadable lines: damaged by a crash, or edited by hand."""
    root = visit.app.root
    for file in sorted((root / STATE_FOLDER).glob("*.jsonl")):
        kind = _KINDS.get(file.name, dict[str, Any])
        stored: state.Stored[Any] = state.load(root, file.name, kind)
        if stored.unreadable:
            number = len(stored.unreadable)
            yield wrong(
                f"{count(number, 'line')} cannot be read",
                f"{STATE_FOLDER}/{file.name}:{stored.unreadable[0][0]}",
                _FIX,
                partial(_set_aside, visit.app, file.name, kind, number),
            )


def _set_aside(app: App, name: str, kind: type, number: int) -> Iterator[str]:
    if aside := state.set_aside(app.root, name, kind):
        yield f"moved {count(number, 'line')} of {state.STATE_FOLDER}/{name} to {aside.name}, as they were"


def left_behind(visit: Visit) -> Iterator[Finding]:
    """Leftovers of killed runs, whose user text is restored to its file, and damaged cache files."""
    root = visit.app.root
    if left := left_over(root):
        time.sleep(_SECOND_LOOK)
    for file in (one for one in left if one.exists()):
        name = file.relative_to(root).as_posix()
        yield wrong("left behind by an interrupted run", name, _FIX, partial(_put_in_order, file, root, name))
    inside(root / cache.CACHE_FOLDER, root)
    for file in cache.damaged(root):
        name = f"{cache.CACHE_FOLDER}/{file.name}"
        yield wrong("damaged", name, _FIX, partial(_delete, file, name))


def _delete(file: Path, name: str) -> Iterator[str]:
    file.unlink(missing_ok=True)
    yield f"deleted {name}"


def _put_in_order(file: Path, root: Path, name: str) -> Iterator[str]:
    if not file.exists():  # two files of one run are cleaned up together
        return
    rescued = finish(file, root)
    yield f"cleaned up after an interrupted run: {name}"
    for kept in rescued:
        yield f"text that could not be restored is kept in {kept.relative_to(root)}"


def private(visit: Visit) -> Iterator[Finding]:
    """Folders and files with conversation text that other users of this computer may read."""
    root = visit.app.root
    if os.name != "posix":
        yield ok("left to the system")
        return
    folders = [root / name for name in _PRIVATE if os.path.lexists(root / name)]
    for folder in folders:
        inside(folder, root)
    files = (Path(one.path) for one in below(root / STATE_FOLDER) if one.name != ".gitignore")
    modes = {path: stat.S_IMODE(path.lstat().st_mode) for path in (*folders, *files) if not path.is_symlink()}
    opened = {path: mode for path, mode in modes.items() if mode & _OTHERS}
    if opened:
        # A copied folder is readable with everything in it: report that once.
        (first, mode), *rest = opened.items()
        name = first.relative_to(root).as_posix()
        more = f", and {count(len(rest), 'other')}" if rest else ""
        yield wrong(f"readable by others ({mode:o}){more}", name, _FIX, partial(_close, opened, root))


def _close(opened: dict[Path, int], root: Path) -> Iterator[str]:
    for path, mode in opened.items():
        name = path.relative_to(root).as_posix()
        try:
            path.chmod(mode & ~_OTHERS)
        except OSError as error:
            yield f"could not make {name} private: {error.strerror or error}"
        else:
            yield f"made {name} private"


def lock(visit: Visit) -> Iterator[Finding]:
    """Who holds the lock, and whether they will release it."""
    app = visit.app
    # Claims to a shared lock are watched; clocks and ages are not trusted.
    files = lock_files(app.root) if app.config.is_shared else ()
    stuck = [one for file in files for one in _stuck_at(visit, file)]
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


def _stuck_at(visit: Visit, file: Path) -> Iterator[Finding]:
    watch = min(visit.app.config.lock_timeout, _LONGEST_WATCH)
    where = file.relative_to(visit.app.root).as_posix()
    for owner in _standing(file, watch):
        who = f"process {owner.pid} on {owner.host}"
        fix = partial(_clear, file, owner)
        match owner.life:
            case Life.GONE:
                yield wrong(f"held by {who}, which is gone", where, _FIX, fix)
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
    deadline = time.monotonic() + watch
    standing = {owner.names for owner in owners(file)}
    while True:
        now = [owner for owner in owners(file) if owner.life is Life.GONE or owner.names in standing]
        standing &= {owner.names for owner in now}
        if all(owner.life is Life.GONE for owner in now) or time.monotonic() >= deadline:
            return tuple(now)
        time.sleep(_POLL)


def _clear(file: Path, owner: Owner) -> Iterator[str]:
    if clear(file, owner):
        yield f"cleared the lock of process {owner.pid} on {owner.host}"
