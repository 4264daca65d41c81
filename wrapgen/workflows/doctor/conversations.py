"""Conversations that are about to be lost, were not saved to their track, or could not be read by the reader."""

from __future__ import annotations

import os
import shlex
import shutil
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.config import user_config_path
from wrapgen.hosts.installed import kept_days, setups
from wrapgen.hosts.places import claude_folder
from wrapgen.session.reading import command_of
from wrapgen.text.display import count
from wrapgen.workflows import user_config
from wrapgen.workflows.compaction import failures
from wrapgen.workflows.doctor.finding import Finding, Visit, note, ok, warning, wrong
from wrapgen.workflows.reader_run import calls_on, readings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.session.follow_up import FollowUp
    from wrapgen.workflows.app import App
    from wrapgen.workflows.vault_session import VaultSession

_DAY = 86_400
_WARN_DAYS = 7
_MOST = 50  # conversations; the oldest ones first


def vanishing(visit: Visit) -> Iterator[Finding]:
    """Follow-ups in conversations that are soon deleted; those that no track has, and those that cannot be read."""
    from wrapgen.workflows.unread_sessions import UnreadSessions
    from wrapgen.workflows.vault_session import VaultSession

    for one in failures(visit.app.root):
        mend = f"wrap track snapshot --transcript {shlex.quote(one.transcript)} --dir {shlex.quote(one.project)}"
        yield wrong(f"not saved on {one.at:%Y-%m-%d %H:%M}: {one.error}", one.project, mend)
    app = visit.app
    unread = UnreadSessions.of(app)
    unread.ours()
    for trouble in unread.troubles:
        yield wrong(trouble.what, trouble.where or "", trouble.next_step or "")
    yield from _without_place(app)
    kept = kept_days(setups(Path.cwd()))
    old = list(_near_their_end(app, kept))[:_MOST]
    if not old:
        return
    session = VaultSession.look(app)
    for path in old:
        orphans = [one for one in _orphans(session, path) if one.id not in session.memory.pending]
        if orphans:
            left = max(0, kept - int((time.time() - path.stat().st_mtime) // _DAY))
            when = f"in {count(left, 'day')}" if left else "any day now"
            yield wrong(
                f"{count(len(orphans), 'follow-up')} found only in this conversation, which Claude Code deletes {when}",
                str(path),
                f"wrap orphans --transcript {shlex.quote(str(path))}",
                partial(_keep, app, path),
            )


def _without_place(app: App) -> Iterator[Finding]:
    """Conversations of the look-back whose folder is gone: they are of no vault that anybody could name."""
    from wrapgen.session.discover import host_sessions, is_gone, working_folder

    here = app.folders
    since = time.time() - app.config.lookback_days * _DAY
    lost = [
        (path, cwd)
        for path in host_sessions(since, Path.home(), os.environ)
        if (cwd := working_folder(path)) and is_gone(cwd) and not here.project_of(cwd)[0]
    ]
    if lost:
        path, cwd = lost[-1]
        what = f"{count(len(lost), 'conversation')} ran in a folder that is gone, such as {cwd}: nobody knows whose"
        yield note(what, str(path), f"wrap orphans --transcript {shlex.quote(str(path))}")


def _near_their_end(app: App, kept: int) -> Iterator[Path]:
    from wrapgen.session.discover import host_sessions, working_folder

    here = app.folders
    limit = time.time() - max(0, kept - _WARN_DAYS) * _DAY
    for path in host_sessions(0, Path.home(), os.environ):
        if path.is_relative_to(claude_folder()) and path.stat().st_mtime < limit:
            cwd = working_folder(path)
            if cwd and here.project_of(cwd)[0]:
                yield path


def _orphans(session: VaultSession, path: Path) -> list[FollowUp]:
    from wrapgen.workflows.orphan_search import Search

    return Search(session).read([path]).orphans


def _keep(app: App, path: Path) -> Iterator[str]:
    from wrapgen.workflows.vault_session import VaultSession

    session = VaultSession.look(app)
    orphans = _orphans(session, path)
    session.memory.wait_for(orphans, app.day)
    yield f"kept {count(len(orphans), 'follow-up')} of {path}; `wrap route` files them"


def reader(visit: Visit) -> Iterator[Finding]:
    """Whether the reader exists, how its last call went, and how much of its daily limit is used."""
    settings = user_config.reader()
    command = command_of(settings)
    if not command:
        return
    if shutil.which(command[0]) is None:
        yield wrong(
            f"the reader `{command[0]}` is not found", str(user_config_path()), "install it, or configure another"
        )
        return
    last = next(reversed(readings(visit.app.root)), None)
    if last is not None and last.error is not None:
        again = f"wrap orphans --read --transcript {shlex.quote(last.transcript)}"
        yield warning(f"it failed on {last.at:%Y-%m-%d %H:%M}: {last.error}", last.transcript, again)
    calls = calls_on(visit.app.root, visit.app.now)
    yield ok(f"{command[0]}, {calls} of {settings.per_day} calls today")
