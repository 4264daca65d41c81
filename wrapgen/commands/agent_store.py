"""The vault's store of sub-agents, and the project that a working folder means."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.agents.sqlite import DATABASE_FILE, open_sqlite
from wrapgen.agents.store import Place, Store
from wrapgen.vault.state import state_file

if TYPE_CHECKING:
    from wrapgen.commands.app import App


def open_store(app: App) -> Store:
    """The vault's store, made when it is missing.

    Raises:
        NoVaultError: there is no vault.
        ConfigError: its configuration is broken.
        StoreError: the store cannot be opened or written, is damaged, or is one of a newer wrapgen.
        PublishError: its folder cannot be made.
    """
    return Store(open_sqlite(app.root, shared=app.config.lock == "shared"))


def existing_store(app: App) -> Store | None:
    """The vault's store, None when nothing was ever written into it; raises what `open_store` raises."""
    return open_store(app) if state_file(app.root, DATABASE_FILE).exists() else None


def place_of(app: App, folder: Path) -> Place:
    """The project that a working folder belongs to.

    A configured project (`[projects.web] paths`, or `projects/web` of the vault) goes by its name; any other folder is
    a project by itself: the checkout that it is in, worktrees counted as their main checkout.

    Args:
        app: the vault.
        folder: the working folder; sub-folders of a project belong to it.
    """
    from wrapgen.session.discover import Folders, main_checkout

    folders = Folders.of(app.root, app.config.projects)
    _, name = folders.project_of(str(folder))
    if name is not None:
        configured = next((str(path) for path, project in folders.projects if project == name), None)
        return Place(name, name, configured or str(folders.vault / "projects" / name))
    real = Path(os.path.realpath(folder))
    here = main_checkout(real) or real
    top = next((one for one in (here, *here.parents) if (one / ".git").exists()), here)
    return Place(str(top), top.name or str(top), str(top))
