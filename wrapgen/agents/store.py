"""The records of sub-agents: who they were, what they answered, what others should know."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Self

from wrapgen.agents import sql
from wrapgen.agents.context_query import find
from wrapgen.agents.rows import ACTIVE, stamp

if TYPE_CHECKING:
    from datetime import datetime
    from types import TracebackType

    from wrapgen.agents.context import Asking, StepRows
    from wrapgen.agents.database import Database
    from wrapgen.agents.operations import Operation, WorkFolder

KEEP_DAYS = 90
"""Days after which records of sub-agents may be deleted."""


class Store:
    """The store, open; to be used in a `with` block.

    Every method raises `StoreError` when the database cannot do it; then nothing of it was done.
    """

    trouble = ""  # here every problem is an error, and nothing is queued: see `TeamStore`
    behind = False

    def __init__(self, database: Database) -> None:
        self.database = database

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.database.close()

    def do(self, operation: Operation) -> object:
        """Run an operation; returns its result."""
        return operation.do(self)

    def keep(self, operation: Operation) -> None:
        """Run an operation that need not be sent."""
        self.do(operation)

    def find(self, asking: Asking) -> StepRows:
        """What could be given to an agent, see `wrapgen.agents.context_query`."""
        return find(self.database, asking)

    def project_of(self, session: str) -> str | None:
        """The project of a session, None when it has none or is not known."""
        found = self.database.rows(sql.PROJECT_OF_SESSION, {"id": session})
        return found[0][0] if found else None

    def project_at(self, place: WorkFolder, now: datetime) -> str:
        """The id of a project, which is noted when it is new."""
        row = {"id": place.id, "name": place.name, "path": place.path, "created_at": stamp(now)}
        self.database.rows(sql.ADD_PROJECT, row)
        found = self.database.rows(sql.PROJECT_AT, {"path": place.path})
        return str(found[0][0]) if found else place.id

    def move_session(self, session: str, project: str) -> None:
        """Give a session, its agents and entries a project, unless it has one; inside a transaction of the caller."""
        if self.database.rows(sql.MOVE_SESSION, {"id": session, "project_id": project}):
            for statement in (sql.MOVE_AGENTS, sql.MOVE_ENTRIES):
                self.database.rows(statement, {"id": session, "project_id": project})

    def open_session(self, session: str, place: WorkFolder | None, now: datetime) -> None:
        """Note that a session is at work; inside a transaction of the caller.

        Args:
            place: where it works, None when nothing is known; a session that has a project keeps it.
        """
        project = self.project_at(place, now) if place else None
        row = {"id": session, "project_id": project, "started_at": stamp(now), "ended_at": None, "status": ACTIVE}
        self.database.rows(sql.ADD_SESSION, row)
        # Two that write of one session do so one after the other: else a row could miss the project it moves to.
        self.database.rows(sql.LOCK_SESSION, {"id": session})
        self.database.rows(sql.RESUME_SESSION, {"id": session})
        if project:
            self.move_session(session, project)

    def old(self, now: datetime) -> int:
        """How many rows `expire` would delete, or slightly fewer: it also deletes rows that only they refer to."""
        before = {"before": _before(now)}
        return sum(int(self.database.rows(statement, before)[0][0]) for statement in sql.COUNT_OLD.values())

    def expire(self, now: datetime) -> dict[str, int]:
        """Forget what is older than `KEEP_DAYS`; tasks that are not done are never forgotten.

        Returns:
            how many rows went, by table; tables that lost none are left out.
        """
        before = {"before": _before(now)}
        gone: dict[str, int] = {}
        with self.database.writing(alone=True):
            for table, statement in sql.EXPIRE.items():
                number = len(self.database.rows(f"{statement} RETURNING 1", before))
                if number:
                    gone[table] = number
        if gone:
            self.database.compact()
        return gone


def _before(now: datetime) -> str:
    try:
        return stamp(now - timedelta(days=KEEP_DAYS))
    except OverflowError:
        return ""  # before all time
