"""Can all of wrapgen's state be read, and is anything pending."""

from __future__ import annotations

import os
import shlex
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from wrapgen.session import memory as records
from wrapgen.session.review import Review
from wrapgen.text.display import count
from wrapgen.vault import read_marks, state
from wrapgen.workflows.doctor.finding import note, ok, wrong
from wrapgen.workflows.last_list import LISTED_FILE, LastList
from wrapgen.workflows.memory import Memory
from wrapgen.workflows.reader_run import READINGS_FILE, ReaderCall
from wrapgen.workflows.track_failures import STATE_FILE as TRACKS_FILE
from wrapgen.workflows.track_failures import Attempt, failures
from wrapgen.workflows.unread_sessions import LAST_WRAP_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.workflows.app import App
    from wrapgen.workflows.doctor.finding import Finding, Visit

# The record types of state files; lines of other files only have to be JSON objects.
_KINDS: dict[str, type] = {
    records.PENDING_FILE: records.Pending,
    records.SKIPPED_FILE: records.Skip,
    records.RECEIPTS_FILE: records.Receipt,
    records.ELSEWHERE_FILE: records.Elsewhere,
    LISTED_FILE: LastList,
    records.CLONE_FILE: str,
    LAST_WRAP_FILE: datetime,
    read_marks.FILE: read_marks.HostMarks,
    TRACKS_FILE: Attempt,
    records.REVIEWS_FILE: Review,
    READINGS_FILE: ReaderCall,
}


def state_files(visit: Visit) -> Iterator[Finding]:
    """Unreadable lines: damaged by a crash, or edited by hand."""
    root = visit.app.root
    for file in sorted((root / state.STATE_FOLDER).glob("*.jsonl")):
        stored: state.Stored[Any] = state.load(root, file.name, _kind(file.name))
        if stored.unreadable:
            number = len(stored.unreadable)
            yield wrong(
                f"{count(number, 'line')} cannot be read",
                f"{state.STATE_FOLDER}/{file.name}:{stored.unreadable[0][0]}",
                "wrap doctor --fix",
                partial(_set_aside, visit.app, file.name, number),
            )


def _kind(name: str) -> type:
    return _KINDS.get(name, dict[str, Any])


def _set_aside(app: App, name: str, number: int) -> Iterator[str]:
    if aside := state.set_aside(app.root, name, _kind(name)):
        yield f"moved {count(number, 'line')} of {state.STATE_FOLDER}/{name} to {aside.name}, as they were"


def waiting(visit: Visit) -> Iterator[Finding]:
    """Pending and skipped follow-ups, and expired items."""
    from wrapgen.model import Fate

    if visit.app.config.pending == "store":
        from wrapgen.workflows.team_queue import team_address

        team_address(visit.app)
    memory = Memory.read(visit.app.root)
    if memory.pending:
        yield note(f"{count(len(memory.pending), 'follow-up')} pending", "wrap route")
    if memory.skips:
        yield note(f"{count(len(memory.skips), 'follow-up')} skipped so far")
    if expired := len(visit.run.of(Fate.EXPIRED)):
        yield note(f"{count(expired, 'item')} expired", "wrap list --expired")
    if not (memory.pending or memory.skips or expired):
        yield ok("nothing pending, nothing expired")


def tracks(visit: Visit) -> Iterator[Finding]:
    """Conversations that an automatic run could not save to their tracks."""
    for one in failures(visit.app.root):
        mend = f"wrap track snapshot --transcript {shlex.quote(one.transcript)} --dir {shlex.quote(one.project)}"
        yield wrong(f"not saved on {one.at:%Y-%m-%d %H:%M}: {one.error}", one.project, mend)


def templates(visit: Visit) -> Iterator[Finding]:
    """Whether the dashboard can be rendered; a template that cannot raises the error that names its line."""
    from wrapgen.dashboard.render import USER_TEMPLATES
    from wrapgen.workflows.rebuild import page
    from wrapgen.workflows.vault_session import VaultSession

    page(VaultSession.look(visit.app), visit.run)
    own = os.path.lexists(visit.app.root / USER_TEMPLATES)
    yield ok("the vault's own templates render" if own else "the built-in template renders")
