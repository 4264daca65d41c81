"""Conversations that their host deletes soon, with follow-ups in them that stand nowhere."""

from __future__ import annotations

import os
import shlex
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.commands.doctor.finding import wrong
from wrapgen.hosts.places import claude_folder
from wrapgen.hosts.survey import kept_days, setups
from wrapgen.text import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.commands.app import App
    from wrapgen.commands.doctor.finding import Finding, Visit
    from wrapgen.commands.knowledge import Knowledge
    from wrapgen.commands.memory import Memory
    from wrapgen.session.routing import Orphan

_DAY = 86_400
_WARN_DAYS = 7
_MOST = 50  # conversations; the oldest ones first


def vanishing(visit: Visit) -> Iterator[Finding]:
    """Follow-ups that go with their conversation within a week, or are overdue to."""
    from wrapgen.commands.knowledge import Knowledge
    from wrapgen.commands.memory import Memory

    app = visit.app
    kept = kept_days(setups(Path.cwd()))
    old = list(_near_their_end(app, kept))[:_MOST]
    if not old:
        return
    knowledge, memory = Knowledge.of(app), Memory.read(app.root)
    for path in old:
        orphans = [one for one in _orphans(app, knowledge, memory, path) if one.id not in memory.pending]
        if orphans:
            left = max(0, kept - int((time.time() - path.stat().st_mtime) // _DAY))
            when = f"in {count(left, 'day')}" if left else "any day now"
            yield wrong(
                f"{count(len(orphans), 'follow-up')} said here only, and Claude Code deletes the conversation {when}",
                str(path),
                f"wrap orphans --transcript {shlex.quote(str(path))}",
                partial(_keep, app, path),
            )


def _near_their_end(app: App, kept: int) -> Iterator[Path]:
    """This vault's conversations that Claude Code deletes within a week, the oldest first."""
    from wrapgen.session.discover import Folders, host_sessions, working_folder

    here = Folders.of(app.root, app.config.projects)
    limit = time.time() - max(0, kept - _WARN_DAYS) * _DAY
    for path in host_sessions(0, Path.home(), os.environ):
        if path.is_relative_to(claude_folder()) and path.stat().st_mtime < limit:
            cwd = working_folder(path)
            if cwd and here.project_of(cwd)[0]:
                yield path


def _orphans(app: App, knowledge: Knowledge, memory: Memory, path: Path) -> list[Orphan]:
    from wrapgen.commands.finding import Search

    return Search(app, knowledge, memory).read([path]).orphans


def _keep(app: App, path: Path) -> Iterator[str]:
    """Let them wait in the vault, as `wrap orphans` does."""
    from wrapgen.commands.knowledge import Knowledge
    from wrapgen.commands.memory import Memory

    memory = Memory.read(app.root)
    orphans = _orphans(app, Knowledge.of(app), memory, path)
    memory.wait_for(orphans, app.day)
    yield f"kept {count(len(orphans), 'follow-up')} of {path}; `wrap route` asks about them"
