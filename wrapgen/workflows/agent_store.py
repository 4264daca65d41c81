"""The vault's store of sub-agents, and the project that a working folder means."""

from __future__ import annotations

import os
import platform
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.agents.operations import WorkFolder
from wrapgen.agents.spool import Spool
from wrapgen.agents.sqlite import DATABASE_FILE, open_sqlite
from wrapgen.agents.store import Store
from wrapgen.agents.timeouts import OF_A_COMMAND, Timeouts
from wrapgen.errors import StoreError, UnavailableError
from wrapgen.vault.state import state_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.agents.team import TeamStore
    from wrapgen.workflows.app import App


def open_store(app: App, timeouts: Timeouts = OF_A_COMMAND) -> Store | TeamStore:
    """The store to write to: the team's, or the vault's own, which is created when missing.

    What waits because it was locked before is stored first.

    Args:
        timeouts: how long to wait for the team's server; while it is down, everything is kept in the vault. A bound for
            everything is one for the vault's own store, too.

    Raises:
        NoVaultError: there is no vault.
        ConfigError: a configuration is broken.
        StoreError: the store cannot be opened or written, is damaged, or is one of a newer wrapgen.
        PublishError: its folder cannot be made.
    """
    shared = app.config.is_shared
    store: Store | TeamStore
    if app.store_address is None:
        store = Store(open_sqlite(app.root, shared=shared, at_most=timeouts.total))
    else:
        from wrapgen.agents.team import TeamStore

        store = TeamStore(app.root, app.store_address, shared=shared, timeouts=timeouts)
    with suppress(StoreError, OSError):  # it stays in the spool, and so does everything behind it
        spool_of(app).take_up(store, timeouts.total)
    return store


def spool_of(app: App) -> Spool:
    """What waits because the store was locked."""
    return Spool(app.root)


@contextmanager
def whole_store(app: App, timeouts: Timeouts = OF_A_COMMAND) -> Iterator[Store]:
    """The store itself, for what cannot be queued: the team's, after sending everything queued, or the vault's own.

    Args:
        timeouts: how long to wait for the team's server.

    Raises:
        UnavailableError: the team's server is down.
        WrapgenError: what `open_store` raises.
    """
    with open_store(app, timeouts) as store:
        yield store if isinstance(store, Store) else store.server()


@contextmanager
def readable_store(app: App) -> Iterator[Store | None]:
    """The store to read from: while the team's server is down, only what was done on this computer.

    Args:
        app: the vault; it is said where something may be missing.

    Returns:
        None when nothing was ever written into it.

    Raises:
        WrapgenError: what `open_store` raises.
    """
    if app.store_address is None and not (state_file(app.root, DATABASE_FILE).exists() or spool_of(app).waiting()):
        yield None
        return
    with open_store(app) as store:
        if isinstance(store, Store):
            yield store
            return
        try:
            found = store.server()
        except UnavailableError as error:
            app.warn(f"only what this computer knows: {error}")
            found = store.here
        yield found


def waiting(app: App) -> tuple[int, list[str]]:
    """How many changes are queued for the team's server, and why others were rejected.

    Raises:
        StoreError: the vault's own store cannot be used.
    """
    from wrapgen.agents.outbox import Outbox

    if not state_file(app.root, DATABASE_FILE).exists():
        return 0, []
    with Store(open_sqlite(app.root, shared=app.config.is_shared)) as store:
        outbox = Outbox(store.database)
        return outbox.waiting(), outbox.refused()


def send_waiting(app: App) -> int:
    """Store what waits because the store was locked, and send what is queued for the team's server, if there is one.

    Returns:
        how many changes waited for the server.

    Raises:
        UnavailableError: the server is down.
        WrapgenError: what `open_store` raises.
    """
    if spool_of(app).waiting():
        with open_store(app):
            pass
    number = waiting(app)[0] if app.store_address is not None else 0
    if number:
        with whole_store(app):
            pass
    return number


def place_of(app: App, folder: Path) -> WorkFolder:
    """The project that a working folder belongs to.

    A configured project (`[projects.web] paths`, or `projects/web` of the vault) goes by its name; any other folder is
    a project by itself, of this computer alone: the checkout that it is in, worktrees counted as their main checkout.

    Args:
        folder: the working folder; sub-folders of a project belong to it.
    """
    from wrapgen.session.discover import Folders
    from wrapgen.whereabouts import main_checkout

    # The same path on another computer is another project: every container has its /workspace.
    computer = "" if app.store_address is None else f"{platform.node()}:"
    folders = Folders.of(app.root, app.config.projects)
    _, name = folders.project_of(str(folder))
    if name is not None:
        configured = next((str(path) for path, project in folders.projects if project == name), None)
        return WorkFolder(name, name, computer + (configured or str(folders.vault / "projects" / name)))
    real = os.path.realpath(folder)
    here = Path(main_checkout(real) or real)
    top = next((one for one in (here, *here.parents) if (one / ".git").exists()), here)
    path = f"{computer}{top}"
    return WorkFolder(path, top.name or path, path)
