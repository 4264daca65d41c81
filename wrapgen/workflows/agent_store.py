"""The vault's store of sub-agents, and the project that a working folder means."""

import os
import platform
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue

from wrapgen.agents.context import StepRows
from wrapgen.agents.databases import DATABASE_FILE, STATEMENT_SECONDS, PostgresStore, SqliteStore, loaded
from wrapgen.agents.operations import Operation
from wrapgen.agents.rows import ProjectRow, Who
from wrapgen.agents.spool import Drained, Spool
from wrapgen.agents.store import Store
from wrapgen.errors import UnavailableError, WrapgenError
from wrapgen.vault.state import state_file
from wrapgen.whereabouts import main_checkout
from wrapgen.workflows.app import App

PATIENCE = 20.0  # seconds for another process that drains the spool
# A host waits for its hooks. What is not drained in this time waits on, and a server is asked for as long.
_HOOK_SECONDS = 0.15
_LONG_SECONDS = 600.0  # of a statement, for long operations such as deleting a million rows


def spool_of(app: App) -> Spool:
    """What waits for the store."""
    return Spool(app.root, team=app.store_address is not None)


def record(app: App, operation: Operation) -> tuple[object, UnavailableError | None]:
    """Keep an operation, and do it if that is possible now."""
    spool = spool_of(app)
    key = spool.append(operation)
    drained = drain(app, spool)
    return drained.done.get(key), None if key in drained.done else drained.trouble


def drain(app: App, spool: Spool) -> Drained:
    """Do what waits: in the vault's own store, and on the team's server."""
    with _stores(app) as (own, team):
        return spool.drain(own, team, patience=PATIENCE)


@contextmanager
def _stores(app: App, *, long: bool = False) -> Iterator[tuple[Store, Store | UnavailableError | None]]:
    """The vault's own store, and the team's, or why that cannot be used now; None without a team."""
    with own_store(app) as own:
        if app.store_address is None:
            yield own, None
            return
        try:
            server = team_store(app, long=long)
        except UnavailableError as error:
            yield own, error
            return
        with server:
            yield own, server


def own_store(app: App, busy_seconds: float | None = None) -> Store:
    """The vault's own store, which is created when missing; see `SqliteStore`."""
    return SqliteStore(app.root, shared=app.config.is_shared, busy_seconds=busy_seconds)


def team_store(app: App, *, long: bool = False) -> Store:
    """The store on the team's server; see `PostgresStore`."""
    return PostgresStore(app.store_address or "", statement_seconds=_LONG_SECONDS if long else STATEMENT_SECONDS)


@contextmanager
def whole_store(app: App, *, long: bool = False) -> Iterator[Store]:
    """The team's store or the vault's own, after all that waited; UnavailableError while something still waits."""
    with _stores(app, long=long) as (own, team):
        if isinstance(team, UnavailableError):
            raise team
        if trouble := spool_of(app).drain(own, team, patience=PATIENCE).trouble:
            raise trouble
        yield team or own


@contextmanager
def readable_store(app: App) -> Iterator[Store | None]:
    """The store to read from: while the team's server is down, only what was done on this computer, which is said."""
    spool = spool_of(app)
    if _is_unused(app, spool):
        yield None
        return
    with _stores(app) as (own, team):
        trouble = spool.drain(own, team, patience=PATIENCE).trouble
        if isinstance(team, UnavailableError):
            app.warn(f"only what this computer knows: {team}")
        elif trouble and team:
            raise trouble
        elif trouble:
            app.warn(f"something is not shown yet: {trouble}")
        yield team if isinstance(team, Store) else own


def _is_unused(app: App, spool: Spool) -> bool:
    return app.store_address is None and not state_file(app.root, DATABASE_FILE).exists() and spool.is_empty()


def look(app: App, asking: Who, project: str) -> tuple[StepRows, UnavailableError | None]:
    """What a new agent could be given, for a hook, as far as there is time; and why the team's server was not asked."""
    spool = spool_of(app)
    if _is_unused(app, spool):
        return StepRows(), None
    with own_store(app, _HOOK_SECONDS) as own:
        away = UnavailableError("not asked yet")
        spool.drain(own, None if app.store_address is None else away, seconds=_HOOK_SECONDS)
        found = own.find(asking, project)
    if app.store_address is None:
        return found, None
    with suppress(UnavailableError):
        loaded()  # how long that takes does not count
    answers: SimpleQueue[StepRows | WrapgenError] = SimpleQueue()
    # A server that is silent is left in its thread, which ends with the process.
    threading.Thread(target=lambda: answers.put(_asked(app, spool, asking, project)), daemon=True).start()
    try:
        answer = answers.get(timeout=_HOOK_SECONDS)
    except Empty:
        return found, UnavailableError("the team's server did not answer in time")
    if isinstance(answer, StepRows):
        return answer, None
    return found, answer if isinstance(answer, UnavailableError) else UnavailableError(str(answer))


def _asked(app: App, spool: Spool, asking: Who, project: str) -> StepRows | WrapgenError:
    try:
        with team_store(app) as server:
            with own_store(app, _HOOK_SECONDS) as own:
                spool.drain(own, server, seconds=_HOOK_SECONDS / 2)
            return server.find(asking, project)
    except WrapgenError as error:
        return error


def place_of(app: App, folder: Path) -> ProjectRow:
    """The project that a working folder belongs to.

    A configured project (`[projects.web] paths`, or `projects/web` of the vault) goes by its name; any other folder is
    a project by itself, of this computer alone: the checkout that it is in, worktrees counted as their main checkout.

    Args:
        folder: the working folder; sub-folders of a project belong to it.
    """
    # The same path on another computer is another project: every container has its /workspace.
    computer = "" if app.store_address is None else f"{platform.node()}:"
    folders = app.folders._replace(own=None)  # a vault that is one project by itself is one of this computer
    _, name = folders.project_of(str(folder))
    if name is not None:
        configured = next((path for path, project in folders.projects if project == name), None)
        return ProjectRow(
            id=name, name=name, path=computer + (configured or str(app.root.resolve() / "projects" / name))
        )
    real = os.path.realpath(folder)
    here = Path(main_checkout(real) or real)
    top = next((one for one in (here, *here.parents) if (one / ".git").exists()), here)
    path = f"{computer}{top}"
    return ProjectRow(id=path, name=top.name or path, path=path)
