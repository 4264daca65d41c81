"""The brief of a session for its sub-agents, made anew at each start when the notes have changed since the last one."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from wrapgen.vault.keyed_files import KeyedFiles

if TYPE_CHECKING:
    from wrapgen.workflows.app import App

_BRIEFS = KeyedFiles("brief", kept_seconds=7 * 86_400)
_SEEN = "seen"
_LEAST = 100  # tokens; the empty block takes some 70


def remember_state(app: App, cwd: str) -> None:
    """Store what is known about the session in a folder; raises `OSError` and `WrapgenError`."""
    from wrapgen.workflows.session_brief import known_state

    state = known_state(app, Path(cwd))
    _BRIEFS.put(str(app.root), cwd, {**state, _SEEN: _seen(app.root)})
    _BRIEFS.forget_old(str(app.root))


def _seen(root: Path) -> str:
    """What tells whether a note has changed: which there are, and when each was written last."""
    newest, names = 0, 0
    folders = [os.fspath(root)]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders += [] if entry.name.startswith(".") else [entry.path]
                elif entry.name.endswith((".md", ".txt", ".toml", ".org")):
                    newest = max(newest, entry.stat().st_mtime_ns)
                    names ^= crc32(entry.path.encode("utf-8", "surrogateescape"))
    return f"{newest}-{names}"


def _changes(cwd: str) -> dict[str, Any]:
    from wrapgen.vault.worktree import worktree

    git = worktree(Path(cwd))
    return {"files": [{"path": path, "change_type": kind} for path, kind in git.changes], "branch": git.branch}


def brief(app: App, cwd: str, tokens: int, units: int) -> str | None:
    """What a sub-agent must know about the session; "" when there is no room, None when nothing was kept yet."""
    state = _BRIEFS.get(str(app.root), cwd)
    if state is None:
        return None
    if tokens < _LEAST:
        return ""
    if state.get(_SEEN) != _seen(app.root):
        remember_state(app, cwd)
        state = _BRIEFS.get(str(app.root), cwd) or state
    elif changes := _changes(cwd):
        state = {**state, **changes}
    from wrapgen.brief.prompt import SNAPSHOT_MAX_TOKENS, fitted
    from wrapgen.brief.snapshot import create_snapshot
    from wrapgen.text.tokens import utf16_length

    text = fitted(create_snapshot(state), lang=app.language, budget=min(SNAPSHOT_MAX_TOKENS, tokens)).text
    return text if utf16_length(text) <= units else ""
