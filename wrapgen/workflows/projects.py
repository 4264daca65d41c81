"""The projects of a vault, for `wrap projects` and for everybody who asks whose an item is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.pipeline.projects import Projects
from wrapgen.vault.layout import project_folders

if TYPE_CHECKING:
    from wrapgen.config import Config
    from wrapgen.vault.index import Glance


def known_projects(glance: Glance, config: Config) -> Projects:
    """The folders under `projects/`, the tables `[projects.*]`, and the vault's own."""
    inside = project_folders(glance.root, config)
    return Projects.known(glance.listing.projects, config.projects, config.project, inside)
