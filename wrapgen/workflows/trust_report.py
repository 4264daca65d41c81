"""What a vault contains that goes beyond notes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wrapgen.config import VAULT_FILE, Config, load
from wrapgen.dashboard.render import USER_TEMPLATES
from wrapgen.text.display import count
from wrapgen.vault import session_registry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def reach(root: Path) -> Iterator[str]:
    """What a user should know before trusting a vault, one line each."""
    config = load(root / VAULT_FILE, Config)
    if config.follow:
        yield f"reads files outside of it, through links in {', '.join(config.follow)}"
    for name, project in config.projects.items():
        if project.paths:
            yield f"reads conversations held in {', '.join(project.paths)} (project {name})"
    if named := sum(1 for _ in session_registry.transcripts(str(root))):
        yield f"names {count(named, 'conversation')} to read, wherever they are"
    if os.path.lexists(root / USER_TEMPLATES):
        yield f"has templates of its own in {USER_TEMPLATES}"
