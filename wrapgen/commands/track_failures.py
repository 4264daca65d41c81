"""Snapshots of automatic runs: they never stop anybody, and what went wrong is remembered for `wrap doctor`."""

from __future__ import annotations

import sys
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from wrapgen.errors import WrapgenError
from wrapgen.text import one_line, visible
from wrapgen.vault import state

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.commands.app import App

STATE_FILE = "tracks.jsonl"
_MOST = 200


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot that failed, or the first one of its project that did not any more.

    Attributes:
        error: what went wrong, None when nothing did.
    """

    at: datetime
    project: str
    transcript: str
    error: str | None = None


def fold_quietly(app: App, transcript: Path, project: Path, session: str | None = None) -> bool:
    """Fold a transcript in for a hook: whatever happens, nothing is raised.

    Args:
        app: the vault.
        transcript: the conversation.
        project: the project's folder.
        session: the host's id of it.

    Returns:
        whether it was folded in; if not, one line on stderr says why, and the vault remembers it.
    """
    error: str | None = None
    try:
        from wrapgen.commands.tracking import fold

        fold(app, transcript, project, session)
    except Exception as problem:
        known = isinstance(problem, WrapgenError | OSError)
        error = one_line(str(problem) if known else f"unexpected {type(problem).__name__}: {problem}")
        with suppress(OSError, ValueError):  # stderr may be closed
            sys.stderr.write(f"wrap: the conversation was not folded into its tracks: {visible(error)}\n")
    with suppress(WrapgenError, OSError):
        _remember(app.root, Attempt(at=app.now, project=str(project), transcript=str(transcript), error=error))
    return error is None


def failures(root: Path) -> list[Attempt]:
    """The projects of which the last snapshot failed.

    Args:
        root: the vault.

    Raises:
        WrapgenError: what is remembered cannot be read.
    """
    latest = {one.project: one for one in state.load(root, STATE_FILE, Attempt).records}
    return [one for one in latest.values() if one.error is not None]


def _remember(root: Path, attempt: Attempt) -> None:
    """Keep a failure, or that one is over; no lock is held, because a compaction must not wait for one."""
    if attempt.error is None and all(one.project != attempt.project for one in failures(root)):
        return
    state.append(root, STATE_FILE, attempt, durable=False)
    records = state.load(root, STATE_FILE, Attempt).records
    if len(records) > _MOST:
        state.save(root, STATE_FILE, records[len(records) // 2 :])
