"""Automatic snapshots: failures are kept for `wrap doctor` until a later one succeeds."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from wrapgen.errors import WrapgenError
from wrapgen.text.display import one_line
from wrapgen.vault import state

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.workflows.app import App

STATE_FILE = "tracks.jsonl"
_MOST = 200


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot that failed, or the first one of its project that succeeded again."""

    at: datetime
    project: str
    transcript: str
    error: str | None = None  # what went wrong, None when nothing did


def fold_noted(app: App, transcript: Path, project: Path, session: str | None = None) -> None:
    """Save a transcript to its tracks for a hook, and remember a failure or that it is resolved."""
    from wrapgen.workflows.compaction import fold

    error: str | None = None
    try:
        fold(app, transcript, project, session)
    except Exception as problem:
        known = isinstance(problem, WrapgenError | OSError)
        error = one_line(str(problem) if known else f"unexpected {type(problem).__name__}: {problem}")
        raise
    finally:
        attempt = Attempt(at=app.now, project=str(project), transcript=str(transcript), error=error)
        with suppress(WrapgenError, OSError):
            _remember(app.root, attempt)


def failures(root: Path) -> list[Attempt]:
    """The projects whose last snapshot failed."""
    latest = {one.project: one for one in state.load(root, STATE_FILE, Attempt).records}
    return [one for one in latest.values() if one.error is not None]


def _remember(root: Path, attempt: Attempt) -> None:
    """Record a failure or its end; without a lock, because a compaction must not wait for one."""
    if attempt.error is None and all(one.project != attempt.project for one in failures(root)):
        return
    state.append(root, STATE_FILE, attempt, durable=False)
    records = state.load(root, STATE_FILE, Attempt).records
    if len(records) > _MOST:
        state.save(root, STATE_FILE, records[len(records) // 2 :])
