"""The hot and cold track of a session's project, as hooks ask for them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wrapgen.commands.app import App
    from wrapgen.tracks.log import Log

_GIT_SECONDS = 0.5


def project_folder(cwd: str) -> Path:
    """The project whose tracks a session keeps: where the host was started, also after a `cd`.

    Args:
        cwd: the session's working folder.
    """
    started = os.environ.get("CLAUDE_PROJECT_DIR") or os.environ.get("GEMINI_PROJECT_DIR") or ""
    return Path(started if os.path.isabs(started) and os.path.isdir(started) else cwd)


def hot_track(app: App, cwd: str, room: int) -> str:
    """The hot track, within a number of UTF-16 units; "" when there is none.

    Args:
        app: the vault.
        cwd: the session's working folder.
        room: UTF-16 units at most.

    Raises:
        WrapgenError, OSError: it is there but cannot be read.
    """
    from wrapgen.commands.track_hot import hot_for_injection
    from wrapgen.vault.git import branch_of

    project = project_folder(cwd)
    branch = branch_of(project, _GIT_SECONDS)
    return hot_for_injection(project, app.day, branch, room, app.config.tracks.stale_days).rstrip("\n")


def snapshot(app: App, cwd: str, transcript: str, session: str) -> None:
    """Keep what a compaction would forget, as `wrap track snapshot` does.

    Args:
        app: the vault.
        cwd: the session's working folder.
        transcript: its file.
        session: its id.

    Raises:
        WrapgenError: it cannot be read or written; `wrap doctor` says so until it can.
    """
    from wrapgen.commands.track_failures import fold_noted

    fold_noted(app, Path(transcript), project_folder(cwd), session or None)


def remembered(cwd: str) -> list[str]:
    """What a compaction must not forget: dead ends and decisions of the project, a line each, newest first.

    Args:
        cwd: the session's working folder.

    Raises:
        WrapgenError: the log cannot be read.
    """
    known = _log(project_folder(cwd)).contents()
    graves = [f"given up: {one.name}: {one.reason}" for one in known.standing]
    decisions = [f"decided: {one.text}" for one in known.decisions.values()]
    return [*reversed(graves), *reversed(decisions)]


def dead_ends_in(cwd: str, words: str) -> list[str]:
    """The dead end of the project that words lead to, as a line; none when they lead to none.

    Args:
        cwd: the session's working folder.
        words: what somebody asks for.

    Raises:
        WrapgenError: the log cannot be read.
    """
    from wrapgen.tracks.returning import resembles

    graves = {one.found: one for one in _log(project_folder(cwd)).tombstones()}
    found = resembles(words, graves)
    if found is None:
        return []
    one = graves[found]
    return [f"{one.name}: given up{f' on {one.day}' if one.day else ''} ({one.id}): {one.reason}"]


def _log(project: Path) -> Log:
    from wrapgen.tracks.log import Log
    from wrapgen.tracks.place import LOG_FILE, context_folder

    return Log(context_folder(project) / LOG_FILE, project)
