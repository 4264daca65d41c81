"""Decisions carried out: follow-ups routed or skipped, with their receipt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from wrapgen.commands.writing import Job, begin, write_lines
from wrapgen.session.answers import Answers, Refused
from wrapgen.session.memory import Line, Skip, routed
from wrapgen.session.routing import Answer, Orphan, Route, Suggestion, completed, validate

if TYPE_CHECKING:
    from wrapgen.commands.app import App
    from wrapgen.commands.knowledge import Knowledge
    from wrapgen.commands.memory import Memory

ROUTE_SCHEMA = "wrapgen.route/1"


@dataclass(slots=True)
class Settled:
    """What came of the answers.

    Attributes:
        already: ids that a receipt holds already.
        refused: answers that could not be carried out; their follow-ups stay pending.
    """

    lines: list[Line] = field(default_factory=list)
    skipped: list[Orphan] = field(default_factory=list)
    already: list[str] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    receipt: str | None = None

    def routed_to(self, route: Route) -> int:
        """How many lines went one way."""
        return sum(line.route is route for line in self.lines)

    def as_json(self, pending: int) -> dict[str, Any]:
        """The document of `wrap route --json`."""
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
            "refused": [{"about": one.about, "reason": one.reason} for one in self.refused],
            "pending": pending,
        }


def settle(app: App, knowledge: Knowledge, memory: Memory, decided: Answers, *, dry_run: bool = False) -> Settled:
    """Carry out answers; the caller holds the lock, unless nothing is to be written.

    One answer that cannot be carried out stays pending, the others are done.

    Args:
        app: the vault.
        knowledge: what can be routed to.
        memory: what waits, and the receipts.
        decided: the answers.
        dry_run: only say what would be done.
    """
    settled = Settled(refused=list(decided.refused))
    skipped = {skip.orphan.id for skip in memory.skips}
    before = routed(memory.receipts).keys() | skipped | memory.elsewhere.keys()
    waiting = {key: one.orphan for key, one in memory.pending.items()}
    jobs: list[Job] = []
    for answered in decided.answers:
        given = replace(answered, project=knowledge.projects.named(answered.project or "") or answered.project)
        orphan = waiting.get(given.id)
        if orphan is None and given.id in before:
            settled.already.append(given.id)
            continue
        answer = given if orphan is None else completed(given, orphan, knowledge.places)
        reason = validate(answer, waiting, knowledge.places)
        if reason is not None or orphan is None:
            settled.refused.append(Refused(given.id, reason or ""))
        elif answer.route is Route.SKIP:
            settled.skipped.append(orphan)
        else:
            jobs.append(_job(answer, orphan, knowledge))
    if dry_run:
        settled.lines = [
            Line(job.id, job.text, job.route, job.path, "", 0, job.project, job.task, job.orphan) for job in jobs
        ]
    elif jobs := _ours(memory, jobs, settled):
        _write(app, memory, jobs, settled)
    elif settled.skipped:
        _write(app, memory, [], settled)
    return settled


def _ours(memory: Memory, jobs: list[Job], settled: Settled) -> list[Job]:
    """The jobs that nobody else of the team has done or does just now; of the others it is said why not."""
    taken = memory.not_claimed([*(job.id for job in jobs), *(one.id for one in settled.skipped)])
    settled.already += [key for key, who in taken.items() if who is None]
    settled.refused += [Refused(key, f"{who} routes it just now") for key, who in taken.items() if who]
    settled.skipped = [one for one in settled.skipped if one.id not in taken]
    return [job for job in jobs if job.id not in taken]


def _write(app: App, memory: Memory, jobs: list[Job], settled: Settled) -> None:
    skips = tuple(Skip(orphan, app.day) for orphan in settled.skipped)
    receipt = replace(begin(app, "route"), skips=skips)
    written = write_lines(app, memory, jobs, receipt)
    memory.skip(skips)
    memory.settle(orphan.id for orphan in settled.skipped)
    settled.lines = written.lines
    settled.refused += [Refused(key, reason) for key, reason in written.failed.items()]
    settled.receipt = receipt.id


def _job(answer: Answer, orphan: Orphan, knowledge: Knowledge) -> Job:
    project = answer.project or orphan.project
    where = Suggestion(answer.route, project, answer.task)
    path = knowledge.places.file(where)
    assert path is not None  # only a skip has no file
    return Job(
        id=orphan.id,
        text=answer.text or orphan.text,
        route=answer.route,
        path=path,
        title=answer.task or project or "",
        project=project,
        task=answer.task,
        orphan=orphan,
    )
