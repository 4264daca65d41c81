"""Carries out answers: follow-ups routed or skipped, with their receipt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from wrapgen.errors import Refusal
from wrapgen.handles import SHORTEST
from wrapgen.session.follow_up import FollowUp, Route, Suggestion
from wrapgen.session.memory import Line, Skip, routed
from wrapgen.session.routing import Answer, completed, validate
from wrapgen.workflows.line_writer import LineEdit, begin, write_lines

if TYPE_CHECKING:
    from collections.abc import Collection

    from wrapgen.session.answers import Answers
    from wrapgen.workflows.durable_index import DurableIndex
    from wrapgen.workflows.memory import Memory
    from wrapgen.workflows.vault_session import VaultSession

ROUTE_SCHEMA = "wrapgen.route/1"


@dataclass(slots=True)
class Applied:
    """What came of the answers."""

    lines: list[Line] = field(default_factory=list)
    skipped: list[FollowUp] = field(default_factory=list)
    already: list[str] = field(default_factory=list)  # ids that a receipt already has
    # answers that could not be carried out; their follow-ups stay pending
    refused: list[Refusal] = field(default_factory=list)
    receipt: str | None = None

    def routed_to(self, route: Route) -> int:
        return sum(line.route is route for line in self.lines)

    def as_json(self, pending: int) -> dict[str, Any]:
        return {
            "schema": ROUTE_SCHEMA,
            "receipt": self.receipt,
            "routed": [
                {
                    "id": line.id,
                    "text": line.text,
                    "route": line.route,
                    "project": line.project,
                    "task": line.task,
                    "path": line.path,
                    "line": line.number or None,
                }
                for line in self.lines
            ],
            "skipped": [{"id": one.id, "text": one.text} for one in self.skipped],
            "already_routed": self.already,
            "refused": [{"about": one.what, "reason": one.why} for one in self.refused],
            "pending": pending,
        }


def apply_answers(session: VaultSession, decided: Answers, *, dry_run: bool = False) -> Applied:
    """Carry out answers; the caller holds the lock, unless nothing is to be written.

    One answer that cannot be carried out stays pending, the others are done.
    """
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
        applied.lines = [
            Line(edit.id, edit.text, edit.route, edit.path, "", 0, edit.project, edit.task, edit.orphan)
            for edit in edits
        ]
        return applied
    memory.accept_unsure({*(edit.id for edit in edits), *(one.id for one in applied.skipped)}, session.app.day)
    memory.forget_unsure(decided.seen)
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
        text=answer.text or orphan.text,
        route=answer.route,
        path=path,
        title=answer.task or project or "",
        project=project,
        task=answer.task,
        orphan=orphan,
    )
