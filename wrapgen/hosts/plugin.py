"""wrapgen as a plugin of Claude Code: the files of a marketplace with one plugin in it. PURE.

Form: docs/plugins-reference.md and docs/plugin-marketplaces.md of Claude Code (2026-08-22).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wrapgen.hosts.host import CLAUDE

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "wrapgen"
MARKETPLACE = ".claude-plugin/marketplace.json"
_DESCRIPTION = "Keeps the follow-ups of coding sessions in plain Markdown notes, with every item accounted for."
_OWNER = {"name": "The wrapgen founders"}


def plugin_files(program: tuple[str, ...], skills: Mapping[str, str], version: str) -> dict[str, str]:
    """The texts of a marketplace's files by path; the host looks for a new one by its version."""
    plugin = {
        "name": NAME,
        "version": version,
        "description": _DESCRIPTION,
        "author": _OWNER,
        "license": "MIT",
        "keywords": ["markdown", "notes", "follow-ups", "dashboard"],
    }
    marketplace = {
        "name": NAME,
        "owner": _OWNER,
        "metadata": {"description": _DESCRIPTION, "version": version},
        "plugins": [{"name": NAME, "source": f"./{NAME}", "description": _DESCRIPTION, "version": version}],
    }
    events = [event for event in CLAUDE.events if not event.on_request]
    hooks = {
        "description": "Saves the follow-ups of a session, and shows them at the next start.",
        "hooks": {event.name: [CLAUDE.group(event, program)] for event in events},
    }
    return {
        MARKETPLACE: _json(marketplace),
        f"{NAME}/.claude-plugin/plugin.json": _json(plugin),
        f"{NAME}/hooks/hooks.json": _json(hooks),
        **{f"{NAME}/skills/{name}/SKILL.md": text for name, text in skills.items()},
    }


def is_ours(marketplace: bytes) -> bool:
    """Whether a marketplace file is one of ours."""
    try:
        said = json.loads(marketplace)
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and said.get("name") == NAME


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
