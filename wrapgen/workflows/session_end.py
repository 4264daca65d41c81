"""The end of a session: find what was only said, ask once, write it down, rebuild the dashboard."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wrapgen.dashboard.document import fields
from wrapgen.errors import WrapgenError
from wrapgen.ledger import FollowUpCounts
from wrapgen.session.answers import Answers
from wrapgen.session.follow_up import FollowUp, Route
from wrapgen.text.display import shorten
from wrapgen.tracks.log import LOG_FILE, Log, context_folder, nearest_project
from wrapgen.tracks.record import Tombstone
from wrapgen.tracks.signals import resembles
from wrapgen.workflows.app import App
from wrapgen.workflows.apply_answers import Applied, apply_answers
from wrapgen.workflows.orphan_search import Search
from wrapgen.workflows.rebuild import Rebuilt, publish_after
from wrapgen.workflows.receipts import check_receipts
from wrapgen.workflows.unread_sessions import UnreadSessions, marks_of
from wrapgen.workflows.vault_session import VaultSession, open_vault

_TEXT_LIMIT = 100  # characters of a follow-up in a warning


@dataclass(frozen=True, slots=True)
class TombstoneWarning:
    """A follow-up, and the tombstone that it resembles."""

    orphan: FollowUp
    tombstone: Tombstone

    def __str__(self) -> str:
        one = self.tombstone
        on = f" on {one.day}" if one.day else ""
        return f"{shorten(self.orphan.text, _TEXT_LIMIT)}: given up{on} ({one.id} {one.name}): {one.reason}"

    def as_json(self) -> dict[str, Any]:
        return {"orphan": self.orphan.id, "text": self.orphan.text, **fields(self.tombstone, "id name reason day")}


@dataclass(frozen=True, slots=True)
class SessionEnd:
    """What the end of a session came to."""

    applied: Applied
    rebuilt: Rebuilt
    warnings: list[TombstoneWarning]  # follow-ups that walk into a dead end again
    errors: list[WrapgenError]  # conversations, and folders of them, that could not be read
    older: int  # conversations that were passed over because they are older than the look-back


def end_session(
    app: App, transcripts: Sequence[Path] = (), decide: Callable[[VaultSession], Answers] = lambda _: Answers()
) -> SessionEnd:
    """Run the end of a session.

    The lock is not held while somebody thinks about the question. The vault is read twice: before it, and under the
    lock after it, where only what changed meanwhile is read again.

    Args:
        transcripts: the conversations; without any, those of which something was not read yet.
        decide: gives the answers, when the follow-ups are known and the lock is released.
    """
    unread = UnreadSessions(app)
    with open_vault(app) as session:
        wanted = list(transcripts) or unread.ours()
        left = [] if transcripts else unread.left
        marks = marks_of(wanted)
        check_receipts(session)
        found = Search(session).read(wanted).keep()  # from here on it is pending, whatever happens
    decided = decide(session)
    warned = tombstone_warnings(app, found)
    with open_vault(app) as after:
        applied = (
            apply_answers(after, decided) if decided.answers or decided.seen else Applied(refused=list(decided.refused))
        )
        after.follow_ups = FollowUpCounts(
            durable=found.durable,
            journal=applied.routed_to(Route.JOURNAL),
            project=applied.routed_to(Route.PROJECT),
            active=applied.routed_to(Route.ACTIVE),
            skipped=len(applied.skipped),
            redacted=session.memory.redacted + after.memory.redacted,
            unsure=len(after.memory.unsure),
        )
        rebuilt = publish_after(after)
        read = {one.name for one in found.conversations}
        unread.remember(app, {path: mark for path, mark in marks.items() if str(path) in read})
    return SessionEnd(applied, rebuilt, warned, [*found.errors, *left], unread.older)


def tombstone_warnings(app: App, found: Search) -> list[TombstoneWarning]:
    """The follow-ups of a search that resemble a tombstone of their conversation's project, each once."""
    folders = {one.name: one.header.cwd for one in found.conversations}
    logs: dict[Path, list[Tombstone]] = {}
    warnings = []
    for orphan in found.orphans:
        cwd = folders.get(orphan.transcript)
        project = nearest_project(Path(cwd)) if cwd else None
        if project is None:
            continue
        if project not in logs:
            logs[project] = _tombstones(app, project)
        if tombstone := resembles(orphan.text, logs[project]):
            warnings.append(TombstoneWarning(orphan, tombstone))
    return warnings


def _tombstones(app: App, project: Path) -> list[Tombstone]:
    try:
        return Log(context_folder(project) / LOG_FILE, project).dead_ends()
    except WrapgenError as error:
        app.warn(str(error))
        return []
