"""Pending follow-ups and the answers about them: asked at a terminal or read from a file, and carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.errors import AnswersError, NoTerminalError
from wrapgen.jsonl import NOT_JSON
from wrapgen.session.answers import Answers, decode_answers
from wrapgen.session.follow_up import newest_first
from wrapgen.text.display import count
from wrapgen.workflows.apply_answers import Applied, apply_answers
from wrapgen.workflows.given_files import read_bytes
from wrapgen.workflows.orphan_search import check_receipts
from wrapgen.workflows.rebuild import rebuilt_after
from wrapgen.workflows.vault_session import VaultSession, open_vault

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from wrapgen.session.follow_up import FollowUp
    from wrapgen.session.memory import Line
    from wrapgen.workflows.app import App
    from wrapgen.workflows.memory import Memory


MOST_ASKED = 200
"""Questions that are remembered for their answers."""


def question_payload(session: VaultSession, orphans: Sequence[FollowUp], *, dry_run: bool) -> dict[str, Any]:
    """The input of one question to an agent's user; what it asks is remembered, beside what others have asked."""
    from wrapgen.handles import Handles
    from wrapgen.session.ask import Asked, ask_payload
    from wrapgen.session.memory import ASKED_FILE
    from wrapgen.vault import state

    app, memory = session.app, session.memory
    former = state.load(app.root, ASKED_FILE, Asked)
    # No handle means one thing in this question and another one in an earlier one.
    known = {key for one in former.records for key in one.ids} | memory.pending.keys() | {one.id for one in orphans}
    payload, asked, left_over = ask_payload(orphans, session.index.places, Handles(known))
    if asked and not dry_run:
        kept = [one for one in former.records if one not in asked]
        state.save(app.root, ASKED_FILE, [*kept, *asked][-MOST_ASKED:], keep=former.unreadable)
    if waiting := sum(one.sure or one.id in memory.pending for one in left_over):
        app.warn(f"{count(waiting, 'follow-up')} did not fit; they stay pending for the next round")
    return payload


def read_answers(session: VaultSession, source: str) -> Answers:
    """Answers from a file or standard input."""
    import msgspec

    from wrapgen.session.ask import Asked
    from wrapgen.session.memory import ASKED_FILE
    from wrapgen.vault import state

    data = read_bytes(source)
    try:
        document = msgspec.json.decode(data)
    except NOT_JSON as error:
        raise AnswersError(
            f"the answers are not JSON ({error})", where=source, next_step="Write one JSON document in UTF-8."
        ) from error
    asked = state.load(session.app.root, ASKED_FILE, Asked).records
    return decode_answers(document, asked, session.index.places)


def open_to_ask(app: App) -> VaultSession:
    """The vault as it is before a question: what is pending is up to date, and the lock is released."""
    with open_vault(app) as session:
        check_receipts(session)
    return session


def ask(session: VaultSession) -> Answers | None:
    """Ask about everything that is pending; None when the form was left.

    Raises:
        NoTerminalError: something is pending, and there is nobody to ask.
    """
    from wrapgen.session.prompt import prompt

    orphans = newest_first(one.orphan for one in session.memory.pending.values())
    unsure = offered(session.memory)
    if not orphans and not unsure:
        return Answers()
    return prompt(orphans, session.index.places, unsure=unsure, color=session.app.color)


def offered(memory: Memory) -> list[FollowUp]:
    """What rules are not sure of: the newest conversation first, in each what was said last."""
    unsure = (one.orphan for one in memory.unsure.values())
    return newest_first(sorted(unsure, key=lambda one: -one.turn))


def as_suggested(session: VaultSession) -> Answers:
    """The answers that the question begins with: what is sure, each at its suggested place."""
    from wrapgen.session.routing import Answer

    waiting = newest_first(one.orphan for one in session.memory.pending.values())
    return Answers(tuple(Answer.taking(one, one.suggested) for one in waiting if one.sure))


def can_ask() -> bool:
    """Whether somebody is at a terminal to be asked."""
    from wrapgen.session.prompt import require_terminal

    try:
        require_terminal()
    except NoTerminalError:
        return False
    return True


def route(app: App, decided: Answers, *, former: VaultSession | None = None) -> tuple[Applied, int]:
    """Carry out answers under the lock, and rebuild."""
    with open_vault(app, former=former) as session:
        check_receipts(session)
        with rebuilt_after(session):
            applied = apply_answers(session, decided)
        return applied, len(session.memory.pending)


def preview_routes(app: App, decided: Answers) -> tuple[Applied, int]:
    """What answers would do, and how many follow-ups are pending; nothing is written."""
    session = VaultSession.look(app)
    return apply_answers(session, decided, dry_run=True), len(session.memory.pending)


def applied_lines(app: App, applied: Applied, *, dry_run: bool = False) -> list[str]:
    """What was written where, a line each; what could not be is said on stderr."""
    for refused in applied.refused:
        app.warn(f"{refused.what}: {refused.why.rstrip('.')}; it stays pending.")
    news = [
        f"{'would write' if dry_run else 'wrote'} {line.path}{f':{line.number}' if line.number else ''}  "
        f"{line.line or line.text}{_reworded(line)}"
        for line in applied.lines
    ]
    news += [f"{key}: already routed" for key in applied.already]
    news += [f"skipped: {orphan.text}" for orphan in applied.skipped]
    if applied.lines and applied.receipt:
        news += [f"undo: wrap undo {applied.receipt}"]
    return news


def _reworded(line: Line) -> str:
    """What a line says other words for: somebody may have meant them as an answer, not as words."""
    before = line.orphan.text if line.orphan else line.text
    return "" if before == line.text else f"  (your words for: {before})"
