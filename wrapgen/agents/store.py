"""The records of sub-agents: who they were, what they answered, what others should know.

What a database is asked for, how a store of it is read, and its rows as one JSON object, for scripts and other stores;
operations (`wrapgen.agents.operations`) write.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec

from wrapgen.agents import sql
from wrapgen.agents.context import ROWS_A_STEP, AgentResult, AssignedTask, Note, StepRows
from wrapgen.agents.operations import add_row
from wrapgen.agents.rows import MOMENTS, Bundle, ProjectRow, SessionRow, Who, restamp, stamp, values_of
from wrapgen.errors import StoreError, UnavailableError, WrapgenError
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


def read_bundle(data: bytes, where: str) -> tuple[Bundle, list[str]]:
    """The rows, and the keys of the document that mean nothing here; raises `WrapgenError` that names a wrong row."""
    step = 'Write {"projects": [...], "sessions": [...], "agents": [...], ...}, as `wrap agent export` does.'
    try:
        raw = msgspec.json.decode(data)
        if not isinstance(raw, dict):
            raise WrapgenError("is not a JSON object", where=where, next_step=step)
        bundle = msgspec.convert({name: [] if rows is None else rows for name, rows in raw.items()}, Bundle)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise WrapgenError(f"holds no rows of the store ({error})", where=where, next_step=step) from error
    for table in sql.ROWS:
        for number, row in enumerate(getattr(bundle, table)):
            for column in MOMENTS.intersection(row.__struct_fields__):
                try:
                    if moment := getattr(row, column):
                        restamp(moment)
                except ValueError as error:
                    place = f"{table}[{number}].{column}"
                    what = f"`{place}` is not a date and time ({error})"
                    raise WrapgenError(what, where=where, next_step="Write it as 2026-04-24 09:00:00.") from error
    return bundle, [name for name in raw if name not in (*sql.ROWS, "schema")]


def take(store: Store, bundle: Bundle, now: datetime) -> dict[str, int]:
    """Import all rows or, when one is invalid, none; returns how many each table got.

    Existing rows are skipped; existing agents get missing fields; a number already taken is replaced by a free one.
    Rows that are referred to but not given are created with their id only.
    """
    with store.writing(alone=True):
        return _Taking(store, now).take(bundle)


class _Taking:
    def __init__(self, store: Store, now: datetime) -> None:
        self._store = store
        self._rows = store.rows
        self._now = now
        self._projects: dict[str, str] = {}
        self._sessions: set[str] = set()
        self._tasks: dict[int, int] = {}

    def take(self, bundle: Bundle) -> dict[str, int]:
        taken = dict.fromkeys(sql.ROWS, 0)
        for table in sql.ROWS:
            for one in getattr(bundle, table):
                row = values_of(one, self._now)
                self._refer(table, row)
                taken[table] += self._numbered(table, row) if table in sql.NUMBERED else self._named(table, row)
            if table in sql.NUMBERED:
                self._rows(sql.NUMBERS_GIVEN[table], {})
        return taken

    def _refer(self, table: str, row: dict[str, Any]) -> None:
        """Make what a row refers to, and let it refer to what that is called here."""
        project, session, task = row.get("project_id"), row.get("session_id"), row.get("task_id")
        if project is not None and project not in self._projects:
            self._rows(sql.ADD["projects"], values_of(ProjectRow(id=project, name=project, path=project), self._now))
            self._projects[project] = project
        if session is not None and session not in self._sessions:
            self._rows(sql.ADD["sessions"], values_of(SessionRow(id=session), self._now))
            self._sessions.add(session)
        if task is not None and task not in self._tasks and not self._rows(sql.ONE["tasks"], {"id": task}):
            raise WrapgenError(
                f"a comment belongs to task {task}, which does not exist",
                next_step="Nothing was imported: add the task, or remove the comment.",
            )
        if project is not None:
            row["project_id"] = self._projects[project]
        if task is not None:
            row["task_id"] = self._tasks.get(task, task)
        if table == "context_entries" and not self._rows(sql.HAS_AGENT, {"id": row["agent_id"]}):
            row["agent_id"] = None

    def _named(self, table: str, row: dict[str, Any]) -> int:
        """Import a row that has a name; returns 0 when the store already has it."""
        if table == "agents":
            self._rows(sql.PUT_AGENT, row)
            return 1
        new = len(self._rows(sql.ADD[table], row))
        if table == "projects":
            # An existing project of that folder is used instead; one with that id keeps its folder.
            at = self._rows(sql.PROJECT_AT, row)
            self._projects[row["id"]] = str(at[0][0]) if at else row["id"]
        else:
            self._sessions.add(row["id"])
            if row["project_id"]:
                self._store.move_session(row["id"], row["project_id"])
        return new

    def _numbered(self, table: str, row: dict[str, Any]) -> int:
        """Import a row that has a number; returns 0 when the store already has it."""
        number = row["id"]
        there = self._rows(sql.ONE[table], {"id": number}) if number is not None else []
        if there and there[0] == tuple(row[column] for column in sql.columns(table)):
            new = number
        else:
            new = add_row(self._store, table, row | ({"id": None} if there else {}))
        if table == "tasks" and number is not None:
            self._tasks[number] = new
        return int(new != number or not there)


def give(store: Store) -> Bundle:
    """Every row of the store, as it is at one moment."""
    with store.reading():
        tables = {table: _given(store, table, statement, {}) for table, statement in sql.EVERYTHING.items()}
    return msgspec.convert(tables, Bundle)


def rows_of(store: Store, table: str, *, session: str | None, project: str | None, limit: int) -> list[dict[str, Any]]:
    """The newest rows of one of `sql.LISTS`, at most `limit`, of a session or a project's id where one is given."""
    return _given(store, table, sql.LISTS[table], {"session": session, "project": project, "limit": limit})


def outputs_of(store: Store, agent: str) -> list[dict[str, Any]]:
    """The full texts that an agent returned, oldest first."""
    return _given(store, "outputs", sql.OUTPUTS_OF, {"agent": agent})


def project_named(store: Store, name: str) -> str:
    """The id of a project, by its id, name or folder; raises `StoreError` when there is none."""
    found = store.rows(sql.PROJECT_NAMED, {"name": name})
    if not found:
        raise StoreError(f"no project {name!r}", next_step="See `wrap agent list projects`.")
    return str(found[0][0])


def _given(store: Store, table: str, statement: str, values: dict[str, Any]) -> list[dict[str, Any]]:
    found = [dict(zip(sql.columns(table), row, strict=True)) for row in store.rows(statement, values)]
    return [row | {"tags": json.loads(row["tags"])} if row.get("tags") else row for row in found]
