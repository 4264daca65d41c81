"""Which vaults may reach outside themselves, and automatic runs act on: only those in the user's own list.

A `wrapgen.toml` may come with someone else's repository. It decides which files are read and written and which
templates run, so hooks ignore such a vault until the user runs `wrap trust`, and commands read nothing outside it.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from wrapgen.config import Config, UserConfig, load, user_config_path
from wrapgen.whereabouts import is_listed


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
