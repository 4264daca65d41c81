"""The projects of a vault, for `wrap projects` and for everybody who asks whose an item is."""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from wrapgen.config import VAULT_FILE, Config
from wrapgen.config.schema import FolderName, Project
from wrapgen.errors import ConfigError, UsageError
from wrapgen.pipeline.projects import Projects
from wrapgen.session.follow_up import nearest
from wrapgen.text.file_names import may_hand_over
from wrapgen.vault.layout import project_folders
from wrapgen.workflows import user_config

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wrapgen.vault.index import Glance
    from wrapgen.workflows.app import App
    from wrapgen.workflows.vault_session import VaultSession

_LIST = re.compile(r"(?:.*[-_ .])?(?:plan|roadmap|backlog)s?\.md", re.IGNORECASE)


def known_projects(glance: Glance, config: Config) -> Projects:
    """The folders under `projects/`, the tables `[projects.*]`, and the vault's own."""
    inside = project_folders(glance.root, config)
    return Projects.known(glance.listing.projects, config.projects, config.project, inside)


@dataclass(frozen=True, slots=True)
class ProjectOverview:
    """A project as `wrap projects` shows it."""

    name: str
    own: bool  # whether the whole vault is about it
    paths: tuple[str, ...]  # working folders, as configured
    aliases: tuple[str, ...]
    list: str | None  # the file that a line of it goes to, None when it would have to be made
    items: int  # its open items, shown or not

    @property
    def record(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def overview(session: VaultSession) -> list[ProjectOverview]:
    """Every known project, by name."""
    config, known, places = session.app.config, session.projects, session.index.places
    items = Counter(one.project for one in session.collected.found.kept)
    sources = {one.path for one in session.contents.sources}
    rows: list[ProjectOverview] = []
    for name in sorted(set(known.names.values())):
        table = config.projects.get(name, Project())
        file = places.files.get((name, None))
        rows.append(
            ProjectOverview(
                name,
                name == known.own,
                table.paths,
                table.aliases,
                file if file in sources else None,
                items[name],
            )
        )
    return rows


def add(root: Path, config: Config, name: str, paths: Sequence[str]) -> list[str]:
    """Make a project known, with further working folders; gives all, relative to the vault where they are in it."""
    try:
        msgspec.convert(name, FolderName)
    except msgspec.ValidationError:
        raise UsageError(f"{name!r} cannot be a project's name; nothing was written") from None
    given = [_written(root, path) for path in paths]
    before = config.projects.get(name, Project())
    folders = list(dict.fromkeys([*before.paths, *given]))
    table = ({"paths": folders} if folders else {}) | ({"aliases": list(before.aliases)} if before.aliases else {})
    user_config.set_keys(root / VAULT_FILE, {"projects": {name: table}})
    return folders


def _written(root: Path, path: str) -> str:
    folder = Path(path).expanduser().resolve()
    if not folder.is_dir():
        raise UsageError(f"{path!r} is no folder; nothing was written")
    here = root.resolve()
    if folder == here:
        raise UsageError(
            f"{path!r} is the vault itself; nothing was written", next_step='Set `project = "NAME"` instead.'
        )
    return folder.relative_to(here).as_posix() if folder.is_relative_to(here) else str(folder)


def remove(root: Path, config: Config, name: str) -> None:
    """Take a project out of the configuration."""
    if name in config.projects:
        user_config.set_keys(root / VAULT_FILE, {"projects": {name: None}})
    elif name and name == config.project:
        user_config.set_keys(root / VAULT_FILE, {"project": ""})
    elif (root / "projects" / name).is_dir():
        raise ConfigError(f"{name} is a folder under projects/, not a table of {VAULT_FILE}; nothing was written")
    else:
        raise ConfigError(f"no project is called {name!r}{nearest(name, config.projects)}; nothing was written")


def lists_in(app: App, folders: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """The TODO, plan and progress files right in some folders that nothing reads, and whether they are in the vault."""
    read = {one.path for one in app.glance().listing.found}
    for folder in folders:
        try:
            names = sorted(os.listdir(app.root / Path(folder).expanduser()))  # noqa: PTH208 - names are enough
        except OSError:
            continue
        for name in names:
            path = f"{folder}/{name}"
            if name.lower().endswith(".md") and (may_hand_over(name) or _LIST.fullmatch(name)) and path not in read:
                yield path, not Path(folder).expanduser().is_absolute()
