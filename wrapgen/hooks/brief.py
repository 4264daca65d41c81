"""The brief of a session for its sub-agents. It takes a whole reading of the vault, so it is made beforehand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wrapgen.vault.hookfiles import HOOKS_FOLDER, folder_of, forget_old, put_json

if TYPE_CHECKING:
    from wrapgen.commands.app import App

_FOLDER = "brief"
_KEPT_SECONDS = 7 * 86_400
_LARGEST = 1 << 20  # bytes
_LEAST = 100  # tokens; the empty block takes some 70


def remember_state(app: App, cwd: str) -> None:
    """Keep what is known of the session in a folder.

    Args:
        app: the vault.
        cwd: the session's working folder.

    Raises:
        OSError: it cannot be written.
        WrapgenError: the vault cannot be read, or the folder cannot be made.
    """
    from wrapgen.commands.briefing import known_state

    folder = folder_of(str(app.root), _FOLDER)
    put_json(f"{folder}/{_name(cwd)}", known_state(app, Path(cwd)))
    forget_old(folder, _KEPT_SECONDS)


def brief(app: App, cwd: str, tokens: int, units: int) -> str | None:
    """What a sub-agent must know of the session; "" when there is no room for it.

    Args:
        app: the vault.
        cwd: the session's working folder.
        tokens: at most.
        units: UTF-16 units at most.

    Returns:
        None when nothing was kept for this folder yet.
    """
    state = _state(str(app.root), cwd)
    if state is None:
        return None
    if tokens < _LEAST:
        return ""
    from wrapgen.brief.prompt import SNAPSHOT_MAX_TOKENS, fitted
    from wrapgen.brief.snapshot import create_snapshot
    from wrapgen.commands.language import language
    from wrapgen.tokens import utf16_length

    text = fitted(create_snapshot(state), lang=language(app), budget=min(SNAPSHOT_MAX_TOKENS, tokens)).text
    return text if utf16_length(text) <= units else ""


def _state(root: str, cwd: str) -> dict[str, Any] | None:
    try:
        found = json.loads(Path(f"{root}/{HOOKS_FOLDER}/{_FOLDER}/{_name(cwd)}").read_bytes()[:_LARGEST])
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _name(cwd: str) -> str:
    from hashlib import sha256

    return f"{sha256(cwd.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}.json"
