"""The end of a session: find what was only said, ask once, write it down, rebuild the dashboard."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from wrapgen.errors import WrapgenError
from wrapgen.ledger import FollowUpCounts
from wrapgen.session.answers import Answers
from wrapgen.session.follow_up import Route
from wrapgen.workflows.app import App
from wrapgen.workflows.apply_answers import Applied, apply_answers
from wrapgen.workflows.orphan_search import Search
from wrapgen.workflows.rebuild import Rebuilt, publish_after
from wrapgen.workflows.receipts import check_receipts
from wrapgen.workflows.tombstone_warnings import TombstoneWarning, tombstone_warnings
from wrapgen.workflows.unread_sessions import UnreadSessions, marks_of
from wrapgen.workflows.vault_session import VaultSession, open_vault


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
    unread = UnreadSessions.of(app)
    with open_vault(app) as session:
        wanted = list(transcripts) or unread.ours()
        left = [] if transcripts else unread.left
        marks = marks_of(wanted)
        check_receipts(session)
        found = Search(session).read(wanted).keep()  # from here on it is pending, whatever happens
    decided = decide(session)
    warned = tombstone_warnings(app, found)
    with open_vault(app, former=session) as after:
        applied = (
            apply_answers(after, decided) if decided.answers or decided.seen else Applied(refused=list(decided.refused))
        )
        rebuilt = publish_after(
            after,
            FollowUpCounts(
                durable=found.durable,
                journal=applied.routed_to(Route.JOURNAL),
                project=applied.routed_to(Route.PROJECT),
                active=applied.routed_to(Route.ACTIVE),
                skipped=len(applied.skipped),
                redacted=session.memory.redacted + after.memory.redacted,
                unsure=len(after.memory.unsure),
            ),
        )
        read = {one.name for one in found.conversations}
        unread.remember(app, {path: mark for path, mark in marks.items() if str(path) in read})
    return SessionEnd(applied, rebuilt, warned, [*found.errors, *left], unread.older)
