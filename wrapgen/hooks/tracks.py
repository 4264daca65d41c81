"""The one place where hooks ask for the hot and cold track of a session's project."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wrapgen.commands.app import App

_GIT_SECONDS = 0.5


def project_folder(cwd: str) -> Path:
    """The project whose tracks a session keeps: where the host was started, also after a `cd`.

    Args:
        cwd: the session's working folder.
    """
    started = os.environ.get("CLAUDE_PROJECT_DIR") or os.environ.get("GEMINI_PROJECT_DIR") or ""
    return Path(started if os.path.isabs(started) and os.path.isdir(started) else cwd)


def branch_of(folder: Path) -> str | None:
    """The branch that is checked out in a folder; None on none, outside of git, or when git does not answer in time.

    Args:
        folder: the folder.
    """
    from wrapgen.vault.git import Git

    said = Git(folder, timeout=_GIT_SECONDS).ask("symbolic-ref", "--quiet", "--short", "HEAD")
    return said.decode("utf-8", "replace").strip() or None if said else None


def hot_track(app: App, cwd: str, room: int) -> str:
    """The hot track, within a number of UTF-16 units; "" when there is none.

    Args:
        app: the vault.
        cwd: the session's working folder.
        room: UTF-16 units at most.
    """
    if not _is_built():
        return ""
    project = project_folder(cwd)
    return str(_of("commands.track_hot").hot_for_injection(project, app.day, branch_of(project), room)).rstrip("\n")


def snapshot(app: App, cwd: str, transcript: str, session: str) -> None:
    """Keep what a compaction would forget, as `wrap track snapshot` does.

    Args:
        app: the vault.
        cwd: the session's working folder.
        transcript: its file.
        session: its id.

    Raises:
        WrapgenError: it cannot be read or written.
    """
    if _is_built():
        _of("commands.tracking").fold(app, Path(transcript), project_folder(cwd), session or None)


def remembered(cwd: str) -> list[str]:
    """What a compaction must not forget: dead ends and decisions of the project, a line each, newest first.

    Args:
        cwd: the session's working folder.

    Raises:
        WrapgenError: the log cannot be read.
    """
    if not _is_built():
        return []
    known = _log(project_folder(cwd)).contents()
    graves = [f"given up: {one.name}: {one.reason}" for one in known.standing]
    decisions = [f"decided: {one.text}" for one in known.decisions.values()]
    return [*reversed(graves), *reversed(decisions)]


def dead_ends_in(cwd: str, words: str) -> list[str]:
    """The dead ends of the project that words lead to, a line each.

    Args:
        cwd: the session's working folder.
        words: what somebody asks for.

    Raises:
        WrapgenError: the log cannot be read.
    """
    if not _is_built():
        return []
    graves = {_of("commands.returning").as_tombstone(one): one for one in _log(project_folder(cwd)).tombstones()}
    found = _of("tracks.returning").resembles(words, graves)
    return _told([graves[found]] if found else [])


def _told(graves: Iterable[Any]) -> list[str]:
    return [f"{one.name}: given up{f' on {one.day}' if one.day else ''} ({one.id}): {one.reason}" for one in graves]


def _log(project: Path) -> Any:  # noqa: ANN401
    place = _of("tracks.place")
    return _of("tracks.log").Log(place.context_folder(project) / place.LOG_FILE, project)


def _is_built() -> bool:
    """Whether this wrapgen has tracks at all."""
    return find_spec("wrapgen.commands.track_hot") is not None


def _of(module: str) -> Any:  # noqa: ANN401
    return import_module(f"wrapgen.{module}")
