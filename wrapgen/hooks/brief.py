"""The brief of a session for its sub-agents. It needs the whole vault to be read, so it is made in advance."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.vault.keyed_files import KeyedFiles

if TYPE_CHECKING:
    from wrapgen.workflows.app import App

_BRIEFS = KeyedFiles("brief", kept_seconds=7 * 86_400)
_LEAST = 100  # tokens; the empty block takes some 70


def remember_state(app: App, cwd: str) -> None:
    """Store what is known about the session in a folder.

    Raises:
        OSError: it cannot be written.
        WrapgenError: the vault cannot be read, or the folder cannot be made.
    """
    from wrapgen.workflows.session_brief import known_state

    _BRIEFS.put(str(app.root), cwd, known_state(app, Path(cwd)))
    _BRIEFS.forget_old(str(app.root))


def brief(app: App, cwd: str, tokens: int, units: int) -> str | None:
    """What a sub-agent must know about the session; "" when there is no room for it.

    Args:
        tokens: at most.
        units: UTF-16 units at most.

    Returns:
        None when nothing was kept for this folder yet.
    """
    state = _BRIEFS.get(str(app.root), cwd)
    if state is None:
        return None
    if tokens < _LEAST:
        return ""
    from wrapgen.brief.prompt import SNAPSHOT_MAX_TOKENS, fitted
    from wrapgen.brief.snapshot import create_snapshot
    from wrapgen.text.tokens import utf16_length
    from wrapgen.workflows.language import language

    text = fitted(create_snapshot(state), lang=language(app), budget=min(SNAPSHOT_MAX_TOKENS, tokens)).text
    return text if utf16_length(text) <= units else ""
