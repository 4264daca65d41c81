"""The records of sub-agents: who they were, what they answered, what others should know.

What a database is asked for and how a store of it is read; operations (`wrapgen.agents.operations`) write.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Self

from wrapgen.agents import sql
from wrapgen.agents.context import ROWS_A_STEP, AgentResult, AssignedTask, Note, StepRows
from wrapgen.agents.rows import ProjectRow, SessionRow, Who, stamp, values_of
from wrapgen.errors import StoreError, UnavailableError
from wrapgen.jsonl import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from datetime import datetime

    from wrapgen.agents.operations import Operation

KEEP_DAYS = 90  # days after which records of sub-agents may be deleted

_INT64 = 2**63 - 1


class Store(ABC):
    """An open database with the tables of `wrapgen.agents.sql`; to be used in a `with` block.

    Every method raises `UnavailableError` when it cannot be used now, and `StoreError` for what it will never take.
    """

    READ: ClassVar[str]  # how a transaction begins
    WRITE: ClassVar[str]
    WRITE_ALONE: ClassVar[str]

    @abstractmethod
    def rows(self, statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Run a statement with named values; names that it lacks are skipped."""

    @abstractmethod
    def many(self, statement: str, values: Iterable[Mapping[str, Any]]) -> None:
        """Run a statement for each of many values."""

    @abstractmethod
    def compact(self) -> None:
        """Give the room of deleted rows back."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the database."""

    @abstractmethod
    def _version(self, *, alone: bool = False) -> int:
        """How many of `sql.STEPS` it has had; `alone` when they are about to be run."""

    @abstractmethod
    def _take_step(self, step: str, version: int) -> None:
        """Run one of `sql.STEPS`, behind which it has this version."""

    def _bring_up_to_date(self, where: str) -> None:
        known = len(sql.STEPS)
        if self._version() == known:
            return
        with self.writing(alone=True):
            version = self._version(alone=True)  # another process may have been faster
            if version > known:
                raise UnavailableError(
                    f"the store of sub-agents was written by a newer wrapgen (version {version}; this one knows"
                    f" {known})",
                    where=where,
                    next_step="Install the newer wrapgen again; nothing was changed.",
                )
            for number, step in enumerate(sql.STEPS[version:], version + 1):
                self._take_step(step, number)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def writing(self, *, alone: bool = False) -> AbstractContextManager[None]:
        """One transaction; only when `alone` nobody else may write what it has not changed or read `FOR UPDATE`."""
        return self._transaction(self.WRITE_ALONE if alone else self.WRITE)

    def reading(self) -> AbstractContextManager[None]:
        """Several statements that see the same moment."""
        return self._transaction(self.READ)

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        self.rows(begin, {})
        try:
            yield
            self.rows("COMMIT", {})
        except BaseException:
            with suppress(StoreError):  # there may be none any more
                self.rows("ROLLBACK", {})
            raise

    def do(self, operation: Operation) -> object:
        """Run an operation, all of it or nothing; returns its result."""
        with self.writing():
            return operation.do(self)

    def do_once(self, key: str, operation: Operation) -> object:
        """Run an operation unless one of that id was run before; returns its result."""
        with self.writing():
            return operation.do(self) if self.rows(sql.MARK_SENT, {"id": key}) else None

    def find(self, asking: Who, project: str | None = None) -> StepRows:
        """What could be given to an agent; the number of rows does not grow with the store, but for tasks.

        `project` is that of a session that the store does not know.
        """
        with self.reading():
            values = {
                "session": asking.session,
                "project": self.project_of(asking.session) or project,
                "name": asking.name,
                "type": asking.type or asking.name,
                "everyone": "all",
                "parent": asking.parent or "",
                "limit": ROWS_A_STEP,
            }
            siblings = self.rows(sql.SIBLINGS, values) if asking.parent else []
            same_type = self.rows(sql.SAME_TYPE, values) if asking.type else []
            return StepRows(
                siblings=tuple(AgentResult(*row) for row in siblings),
                same_type=tuple(AgentResult(*row) for row in same_type),
                other_sessions=tuple(Note(*row) for row in self.rows(sql.OTHER_SESSIONS, values)),
                relevant=tuple(Note(*row) for row in self.rows(sql.RELEVANT, values)),
                recent=tuple(Note(*row) for row in self.rows(sql.RECENT, values)),
                tasks=tuple(
                    AssignedTask(task, status, title, tuple(json.loads(tags or "[]")), description or "", plan or "")
                    for task, status, title, tags, description, plan in self.rows(sql.TASKS, values)
                ),
            )

    def project_of(self, session: str) -> str | None:
        found = self.rows(sql.PROJECT_OF_SESSION, {"id": session})
        return found[0][0] if found else None

    def project_at(self, place: ProjectRow, now: datetime) -> str:
        self.rows(sql.ADD["projects"], values_of(place, now))
        found = self.rows(sql.PROJECT_AT, {"path": place.path})
        return str(found[0][0]) if found else place.id

    def move_session(self, session: str, project: str) -> None:
        """Give a session, its agents and entries a project, unless it has one."""
        if self.rows(sql.MOVE_SESSION, {"id": session, "project_id": project}):
            for statement in (sql.MOVE_AGENTS, sql.MOVE_ENTRIES):
                self.rows(statement, {"id": session, "project_id": project})

    def open_session(self, session: str, place: ProjectRow | None, now: datetime) -> None:
        """Note that a session is at work; one that has a project keeps it."""
        project = self.project_at(place, now) if place else None
        self.rows(sql.ADD["sessions"], values_of(SessionRow(id=session, project_id=project), now))
        # Two that write of one session do so one after the other: else a row could miss the project it moves to.
        self.rows(sql.LOCK_SESSION, {"id": session})
        self.rows(sql.RESUME_SESSION, {"id": session})
        if project:
            self.move_session(session, project)

    def old(self, now: datetime) -> int:
        """How many rows `expire` would delete, or slightly fewer: it also deletes rows that only they refer to."""
        before = {"before": _before(now)}
        return sum(int(self.rows(statement, before)[0][0]) for statement in sql.COUNT_OLD.values())

    def expire(self, now: datetime) -> dict[str, int]:
        """Forget what is older than `KEEP_DAYS`, but no open task; returns how many rows went, by table."""
        before = {"before": _before(now)}
        gone: dict[str, int] = {}
        with self.writing(alone=True):
            for table, statement in sql.EXPIRE.items():
                number = len(self.rows(f"{statement} RETURNING 1", before))
                if number:
                    gone[table] = number
            self.rows(sql.FORGET_SENT, before)
        if gone:
            self.compact()
        return gone


def storable(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values that every database takes: texts without lone surrogates and NUL, numbers of 64 bits."""
    return {name: _one(value) for name, value in values.items()}


def _one(value: Any) -> Any:  # noqa: ANN401 - whatever a column holds
    if isinstance(value, str):
        return clean(value).replace("\0", "\ufffd")
    return max(-_INT64, min(value, _INT64)) if isinstance(value, int) else value


def _before(now: datetime) -> str:
    try:
        return stamp(now - timedelta(days=KEEP_DAYS))
    except OverflowError:
        return "0001-01-01 00:00:00"  # before all time
