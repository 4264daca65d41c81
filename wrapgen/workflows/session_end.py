"""The end of a session: find what was only said, ask once, write it down under a receipt, rebuild the dashboard."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from wrapgen.dashboard.document import fields
from wrapgen.errors import AnswersError, NoTerminalError, Refusal, WrapgenError
from wrapgen.jsonl import NOT_JSON
from wrapgen.ledger import SHORTEST, FollowUpCounts, Handles
from wrapgen.session.answers import Answers, decode_answers
from wrapgen.session.ask import Asked, ask_payload
from wrapgen.session.follow_up import Answer, FollowUp, Route, Suggestion, completed, newest_first, validate
from wrapgen.session.memory import ASKED_FILE, Line, Skip, routed
from wrapgen.text.display import count, shorten
from wrapgen.tracks.log import LOG_FILE, Log, context_folder, nearest_project
from wrapgen.tracks.record import Tombstone
from wrapgen.tracks.signals import resembles
from wrapgen.vault import state
from wrapgen.vault.markdown.edit import GivenMarks
from wrapgen.workflows.app import App
from wrapgen.workflows.durable_index import DurableIndex
from wrapgen.workflows.file_writer import begin
from wrapgen.workflows.given_files import read_bytes
from wrapgen.workflows.line_edit import LineEdit
from wrapgen.workflows.line_writer import write_lines
from wrapgen.workflows.memory import Memory
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


ROUTE_SCHEMA = "wrapgen.route/1"


@dataclass(slots=True)
class Applied:
    """What came of the answers."""

    lines: list[Line] = field(default_factory=list)
    skipped: list[FollowUp] = field(default_factory=list)
    left_out: list[FollowUp] = field(default_factory=list)  # unsure ones that somebody saw and did not tick
    already: list[str] = field(default_factory=list)  # ids that a receipt already has
    # answers that could not be carried out; their follow-ups stay pending
    refused: list[Refusal] = field(default_factory=list)
    receipt: str | None = None

    def routed_to(self, route: Route) -> int:
        return sum(line.route is route for line in self.lines)

    def refusals(self) -> list[str]:
        return [f"{one.what}: {one.why.rstrip('.')}; it stays pending." for one in self.refused]

    def told(self, *, dry_run: bool = False) -> list[str]:
        news = [
            f"{'would write' if dry_run else 'wrote'} {line.path}{f':{line.number}' if line.number else ''}  "
            f"{line.line or line.text}{_reworded(line)}"
            for line in self.lines
        ]
        news += [f"{key}: already routed" for key in self.already]
        news += [f"skipped: {orphan.text}" for orphan in self.skipped]
        if self.left_out:
            left, them = len(self.left_out), "it" if len(self.left_out) == 1 else "them"
            news.append(f"{left} unsure left out, not asked again: `wrap orphans --all` lists {them}, to bring back")
        if self.lines and self.receipt:
            news += [f"undo: wrap undo {self.receipt}"]
        return news

    def as_json(self, pending: int) -> dict[str, Any]:
        return {
            "schema": ROUTE_SCHEMA,
            "receipt": self.receipt,
            "routed": [
                fields(line, "id text route project task path") | {"line": line.number or None} for line in self.lines
            ],
            "skipped": [fields(one, "id text") for one in self.skipped],
            "already_routed": self.already,
            "refused": [{"about": one.what, "reason": one.why} for one in self.refused],
            "pending": pending,
        }


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
            skipped=len(applied.skipped) + len(applied.left_out),
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


def apply_answers(session: VaultSession, decided: Answers, *, dry_run: bool = False) -> Applied:
    """Carry out answers, each by itself; the caller holds the lock, unless nothing is to be written."""
    index, memory = session.index, session.memory
    applied = Applied(refused=list(decided.refused))
    skipped = {skip.orphan.id for skip in memory.skips}
    before = routed(memory.receipts).keys() | skipped | memory.elsewhere.keys()
    waiting = {key: one.orphan for key, one in (memory.unsure | memory.pending).items()}
    edits: list[LineEdit] = []
    for answered in decided.answers:
        project = session.projects.named(answered.project or "") or answered.project
        given = replace(answered, id=_whole(answered.id, waiting, before), project=project)
        orphan = waiting.get(given.id)
        if orphan is None and given.id in before:
            applied.already.append(given.id)
            continue
        answer = given if orphan is None else completed(given, orphan, index.places)
        reason = validate(answer, waiting, index.places)
        if reason is not None or orphan is None:
            applied.refused.append(Refusal(given.id, reason or ""))
        elif answer.route is Route.SKIP:
            applied.skipped.append(orphan)
        else:
            edits.append(_edit(answer, orphan, index))
    if dry_run:
        applied.lines = [edit.line() for edit in edits]
        return applied
    memory.accept_unsure({*(edit.id for edit in edits), *(one.id for one in applied.skipped)}, session.app.day)
    applied.left_out = memory.leave_out(decided.seen, session.app.day)
    if edits := _ours(memory, edits, applied):
        _write(session, edits, applied)
    elif applied.skipped:
        _write(session, [], applied)
    return applied


def _whole(name: str, *known: Collection[str]) -> str:
    """The one id that a handle means, looked for where it is most likely first; what means none, or several, stays."""
    for ids in known:
        if name in ids:
            return name
    found = next(filter(None, ([one for one in ids if one.startswith(name)] for ids in known)), [])
    return found[0] if len(found) == 1 and len(name) >= SHORTEST else name


def _ours(memory: Memory, edits: list[LineEdit], applied: Applied) -> list[LineEdit]:
    """The edits that no one else on the team has done or is doing; the others are refused with the reason."""
    taken = memory.not_claimed([*(edit.id for edit in edits), *(one.id for one in applied.skipped)])
    applied.already += [key for key, who in taken.items() if who is None]
    applied.refused += [Refusal(key, f"{who} is filing it right now") for key, who in taken.items() if who]
    applied.skipped = [one for one in applied.skipped if one.id not in taken]
    return [edit for edit in edits if edit.id not in taken]


def _write(session: VaultSession, edits: list[LineEdit], applied: Applied) -> None:
    app, memory = session.app, session.memory
    skips = tuple(Skip(orphan, app.day) for orphan in applied.skipped)
    receipt = replace(begin(app, "route"), skips=skips)
    written = write_lines(session, edits, receipt)
    memory.skip(skips)
    memory.settle(orphan.id for orphan in applied.skipped)
    applied.lines = written.lines
    applied.refused += [Refusal(key, reason) for key, reason in written.failed.items()]
    applied.receipt = receipt.id


def _edit(answer: Answer, orphan: FollowUp, index: DurableIndex) -> LineEdit:
    project = answer.project or orphan.project
    where = Suggestion(answer.route, project, answer.task)
    path = index.places.file(where)
    assert path is not None  # only a skip has no file
    return LineEdit(
        id=orphan.id,
        text=" ".join([answer.text or orphan.text, *_due(orphan, path)]),
        route=answer.route,
        path=path,
        title=answer.task or project or "",
        project=project,
        task=answer.task,
        orphan=orphan,
    )


def _due(orphan: FollowUp, path: str) -> list[str]:
    """How a line of a file says by which day a follow-up is due, if somebody said so."""
    return GivenMarks(orphan.due).spelled(path)


MOST_ASKED = 200
"""Questions that are remembered for their answers."""


def question_payload(session: VaultSession, orphans: Sequence[FollowUp], *, dry_run: bool) -> dict[str, Any]:
    """The input of one question to an agent's user; what it asks is remembered, beside what others have asked."""
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
    data = read_bytes(source)
    try:
        document = msgspec.json.decode(data)
    except NOT_JSON as error:
        raise AnswersError(
            f"the answers are not JSON ({error})", where=source, next_step="Write one JSON document in UTF-8."
        ) from error
    asked = state.load(session.app.root, ASKED_FILE, Asked).records
    return decode_answers(document, asked, session.index.places)


def ask(session: VaultSession) -> Answers | None:
    """Ask about everything that is pending; None when the form was left, NoTerminalError with nobody to ask."""
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


def can_ask() -> bool:
    """Whether somebody is at a terminal to be asked."""
    from wrapgen.session.prompt import require_terminal

    try:
        require_terminal()
    except NoTerminalError:
        return False
    return True


def _reworded(line: Line) -> str:
    """What a line says other words for: somebody may have meant them as an answer, not as words."""
    before = " ".join([line.orphan.text, *_due(line.orphan, line.path)]) if line.orphan else line.text
    return "" if before == line.text else f"  (your words for: {before})"
