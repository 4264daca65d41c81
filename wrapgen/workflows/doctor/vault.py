"""The vault and what wrapgen keeps in it: is it there, valid, trusted, read; intact, private and not locked."""

import os
import shlex
import stat
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wrapgen.agents.databases import DATABASE_FILE
from wrapgen.agents.spool import FILE
from wrapgen.agents.store import KEEP_DAYS, Store
from wrapgen.config import (
    VAULT_FILE,
    Config,
    UserConfig,
    load,
    shown_address,
    user_config_path,
)
from wrapgen.dashboard.balance import not_read
from wrapgen.dashboard.render import USER_TEMPLATES
from wrapgen.errors import LockHeldError, UnavailableError
from wrapgen.model import Fate
from wrapgen.session import memory as records
from wrapgen.session.reading import Review
from wrapgen.text.display import count
from wrapgen.vault import cache, entry_index, state
from wrapgen.vault.detect.detect import detect
from wrapgen.vault.disk import below
from wrapgen.vault.held import inside
from wrapgen.vault.index import in_order
from wrapgen.vault.layout import is_trusted
from wrapgen.vault.leftovers import finish, left_over
from wrapgen.vault.lock import LOCK_FILE, OTHER_LOCKS
from wrapgen.vault.near_names import near_names
from wrapgen.vault.shared_lock import Life, Owner, clear, lock_files, owners
from wrapgen.vault.state import STATE_FOLDER, state_file
from wrapgen.workflows.agent_store import drain, own_store, spool_of, team_store
from wrapgen.workflows.app import App
from wrapgen.workflows.doctor.finding import Finding, Visit, note, ok, warning, wrong
from wrapgen.workflows.listed import LISTED_FILE, LastList
from wrapgen.workflows.reader_run import READINGS_FILE, ReaderCall
from wrapgen.workflows.rebuild import page
from wrapgen.workflows.team_queue import team_address
from wrapgen.workflows.unread_sessions import MARKS_FILE, HostMarks
from wrapgen.workflows.user_config import reach

_NAMED = 20
_FIX = "wrap doctor --fix"


def vault(visit: Visit) -> Iterator[Finding]:
    """The vault; where there is none, the error says so."""
    yield ok(f"found at {visit.app.root}")


def own_file(_: Visit) -> Iterator[Finding]:
    """The user's configuration, and whether what it names still exists."""
    path, gone = user_config_path(), list[str]()
    own = load(path, UserConfig, gone.append)
    yield from map(warning, gone)
    default = own.default_vault
    if default and not _is_vault(default):
        mend = f"wrap init --default {shlex.quote(default)}"
        yield wrong(f"`default_vault` is {default}, which is not a vault", str(path), mend)
    for one in own.trusted_vaults:
        if not _is_vault(one):
            mend = f"wrap trust --remove {shlex.quote(one)}"
            yield warning(f"{one} is trusted but no longer a vault", str(path), mend)


def _is_vault(folder: str) -> bool:
    return (Path(folder).expanduser() / VAULT_FILE).is_file()


def configuration(visit: Visit) -> Iterator[Finding]:
    """The vault's configuration; a broken one raises the error that names its line."""
    gone = list[str]()
    load(visit.app.root / VAULT_FILE, Config, gone.append)
    yield from map(warning, gone)
    yield ok("valid", VAULT_FILE)


def trust(visit: Visit) -> Iterator[Finding]:
    """Whether hooks may act on the vault, and what it contains besides notes."""
    if is_trusted(visit.app.root):
        yield ok("hooks act on this vault")
        return
    yield warning("hooks ignore this vault until it is trusted", mend="wrap trust")
    for line in reach(visit.app.root):
        yield note(f"before you trust it: it {line}")


def sources(visit: Visit) -> Iterator[Finding]:
    """Open boxes that no source reads, patterns of the user that no file fits, and files that nearly fit one."""
    glance = visit.app.glance()
    sentence, _, command = not_read(glance.unread_boxes).rpartition(": ")
    if sentence:
        yield warning(sentence, mend=command)
    troubles = in_order({*visit.session.collected.troubles, *glance.unread.troubles})
    for trouble in [one for one in troubles if one.unread][:_NAMED]:
        yield warning(f"nobody knows what is open in it: {trouble.error}", trouble.path)
    for gone in visit.session.collected.drifted:
        yield warning(gone.error.removesuffix(": wrap sources"), gone.path, mend="wrap sources")
    for new in detect(glance).proposals:
        if new.key == "hand_overs":
            mend = f"wrap sources add {shlex.quote(new.glob)} --as hand_overs"
            yield warning(
                f"reads like what one session leaves to the next ({new.why}), and is not read", new.glob, mend
            )
    for copy in glance.listing.copies[:_NAMED]:
        mend = f"bring what differs into {copy.original}, then delete the copy"
        yield warning(f"a conflict copy of {copy.original}, not read", copy.path, mend)
    near = near_names(visit.app.root, visit.app.config, glance.listing.copies)
    for one in near[:_NAMED]:
        yield warning("not read, though nearly named like a source", one.path, f"rename it if you mean {one.meant}")
    if more := near[_NAMED:]:
        yield warning(f"{count(len(more), 'more file')} nearly named like a source", mend="wrap sources --json")


def templates(visit: Visit) -> Iterator[Finding]:
    """Whether the dashboard can be rendered; a template that cannot raises the error that names its line."""
    page(visit.session, visit.session.run)
    own = os.path.lexists(visit.app.root / USER_TEMPLATES)
    yield ok("the vault's own templates render" if own else "the built-in template renders")


def waiting(visit: Visit) -> Iterator[Finding]:
    """Pending follow-ups and expired items."""
    if visit.app.config.pending == "store":
        team_address(visit.app)
    if pending := len(visit.session.memory.pending):
        yield note(f"{count(pending, 'follow-up')} pending", mend="wrap route")
    if expired := len(visit.session.run.of(Fate.EXPIRED)):
        yield note(f"{count(expired, 'item')} expired", mend="wrap list --expired")


_INSTALL = "pip install 'wrapgen[postgres]'"


def store(visit: Visit) -> Iterator[Finding]:
    """The store of sub-agents: the team's server, what is queued for it, and what is past its retention."""
    yield from _server(visit.app)
    for opened, where in _databases(visit.app):
        with opened() as one:
            number = one.old(visit.app.now)
        if number:
            what = f"{count(number, 'row')} about sub-agents older than {KEEP_DAYS} days"
            yield note(what, where, _FIX, partial(_forget, visit.app, opened, where))


def _server(app: App) -> Iterator[Finding]:
    spool = spool_of(app)
    own = f"{STATE_FOLDER}/{FILE}"
    if refused := spool.refused():
        yield warning(f"{count(len(refused), 'change')} rejected by the store, kept only here: {refused[-1]}", own)
    number = spool.waiting()
    waits = f"{count(number, 'change')} of sub-agents {'waits' if number == 1 else 'wait'} here" if number else ""
    if app.store_address is None:
        if waits:
            yield note(waits, own, _FIX, partial(_send, app, number))
        return
    where = shown_address(app.store_address)
    if find_spec("psycopg") is None:
        yield wrong("; ".join(filter(None, ("psycopg is not installed", waits))), where, _INSTALL)
    elif trouble := _away(app):
        mend = f"{trouble.next_step or ''} Then {_FIX} sends what is waiting.".strip()
        yield wrong("; ".join(filter(None, (trouble.what, waits))), where, mend)
    elif waits:
        yield wrong(waits, where, _FIX, partial(_send, app, number))
    else:
        yield ok("answers", where)


def _away(app: App) -> UnavailableError | None:
    try:
        team_store(app).close()
    except UnavailableError as error:
        return error
    return None


def _send(app: App, number: int) -> Iterator[str]:
    spool = spool_of(app)
    drained = drain(app, spool)
    if left := spool.waiting():
        why = f" ({drained.trouble.what})" if drained.trouble else ": set agents.store or WRAPGEN_STORE again"
        app.warn(f"{count(left, 'change')} of sub-agents {'waits' if left == 1 else 'wait'} on{why}")
    yield f"stored {count(number - left, 'change')} of sub-agents"


def _databases(app: App) -> Iterator[tuple[Callable[[], Store], str]]:
    if state_file(app.root, DATABASE_FILE).exists():
        yield partial(own_store, app), f"{STATE_FOLDER}/{DATABASE_FILE}"
    if app.store_address is not None and find_spec("psycopg") is not None and _away(app) is None:
        yield partial(team_store, app, long=True), shown_address(app.store_address)


def _forget(app: App, opened: Callable[[], Store], where: str) -> Iterator[str]:
    with opened() as store:
        gone = store.expire(app.now)
    yield f"forgot {count(sum(gone.values()), 'row')} about sub-agents from {where}: too old"


_PRIVATE = (STATE_FOLDER, cache.CACHE_FOLDER, OTHER_LOCKS, os.path.dirname(LOCK_FILE))  # noqa: PTH120 - forward slashes
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
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
    MARKS_FILE: HostMarks,
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
    for file in entry_index.damaged(root):
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
