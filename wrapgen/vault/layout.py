"""Where the vault is, and whether it may reach outside itself.

A `wrapgen.toml` may come with someone else's repository. It decides which files are read and written and which
templates run, so hooks ignore such a vault until it is in the user's own list (`wrap trust`), and commands read nothing
outside it.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from wrapgen.config import VAULT_FILE, Config, UserConfig, load, user_config_path
from wrapgen.errors import NoVaultError, NoVaultHereError
from wrapgen.whereabouts import VAULT_VARIABLE, is_listed, main_vault, nearest_vault, vault_owning


def find_vault(named: Path | None) -> Path:
    """The vault to work on, as an absolute path.

    That named on the command line, by `$WRAPGEN_VAULT`, the nearest folder from here upwards that has `wrapgen.toml`
    (of a linked worktree the main checkout's), the trusted vault that names this folder as a project's, the user's own
    default.
    """
    if named is not None:
        return _must_be_vault(named, "--vault")
    if variable := os.environ.get(VAULT_VARIABLE):
        return _must_be_vault(Path(variable), f"${VAULT_VARIABLE}")
    here = Path.cwd()
    if nearest := nearest_vault(str(here)):
        return Path(nearest)
    own = load(user_config_path(), UserConfig)
    if owning := vault_owning(str(here), own.trusted_vaults):
        return Path(owning)
    if own.default_vault:
        return _must_be_vault(Path(own.default_vault).expanduser(), f"default_vault of {user_config_path()}")
    raise NoVaultHereError(
        f"no vault here: no {VAULT_FILE} in this folder or above it",
        where=str(here),
        next_step="Run `wrap init` to set up wrapgen in this folder, or name a vault with `wrap --vault DIR`.",
    )


def project_folders(root: Path, config: Config) -> dict[str, str]:
    """The projects of folders of the vault that `paths` of `[projects.*]` name, by the path relative to the vault."""
    above = os.path.join(os.path.abspath(root), "")  # noqa: PTH118
    found: dict[str, str] = {}
    for name, project in config.projects.items():
        for path in project.paths:
            folder = os.path.abspath(os.path.join(above, os.path.expanduser(path)))  # noqa: PTH111, PTH118
            if folder.startswith(above):
                found[folder.removeprefix(above).replace(os.sep, "/")] = name
    return found


def _must_be_vault(folder: Path, said_by: str) -> Path:
    if (folder / VAULT_FILE).is_file():
        return Path(main_vault(os.path.abspath(folder)))
    what = f"has no {VAULT_FILE}" if folder.is_dir() else "is not a folder"
    raise NoVaultError(
        f"{what}, so it is not a vault (named by {said_by})",
        where=str(folder),
        next_step=f"Run `wrap init {folder}` to set it up, or name another.",
    )


def is_trusted(vault: Path) -> bool:
    """Whether automatic runs may act on a vault; ConfigError when the user's own file is broken."""
    return is_listed(str(vault), load(user_config_path(), UserConfig).trusted_vaults)


def outward_keys(config: Config) -> list[str]:
    """The keys by which a vault reads outside itself, as far as they are set."""
    keys = [f"projects.{name}.paths" for name, project in config.projects.items() if project.paths]
    return ["follow", *keys] if config.follow else keys


def confined(config: Config) -> Config:
    """A configuration without what reads outside the vault."""
    projects = {name: msgspec.structs.replace(one, paths=()) for name, one in config.projects.items()}
    return msgspec.structs.replace(config, follow=(), projects=projects)
