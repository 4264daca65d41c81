"""What a vault brings along that goes beyond its notes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wrapgen.dashboard.render import USER_TEMPLATES
from wrapgen.text import count
from wrapgen.vault import told

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wrapgen.config import Config


def reach(root: Path, config: Config) -> Iterator[str]:
    """What somebody should know before he trusts a vault, one line each.

    Args:
        root: the vault.
        config: its configuration.
    """
    if config.follow:
        yield f"reads files outside of it, through links in {', '.join(config.follow)}"
    for name, project in config.projects.items():
        if project.paths:
            yield f"reads conversations held in {', '.join(project.paths)} (project {name})"
    if named := sum(1 for _ in told.transcripts(str(root))):
        yield f"names {count(named, 'conversation')} to be read, wherever they are"
    if os.path.lexists(root / USER_TEMPLATES):
        yield f"has templates of its own in {USER_TEMPLATES}"
