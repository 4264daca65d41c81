"""Import and export of the store's rows as one JSON object, for scripts and other stores."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from wrapgen.agents import sql
from wrapgen.agents.operations import add_row
from wrapgen.agents.rows import MOMENTS, Bundle, ProjectRow, SessionRow, restamp, values_of
from wrapgen.errors import StoreError, WrapgenError

if TYPE_CHECKING:
    from datetime import datetime

    from wrapgen.agents.store import Store


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
