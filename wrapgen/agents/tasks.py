"""Tasks of a project for agents of some name, and what is said about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.agents import sql
from wrapgen.agents.rows import kept, stamp, tags_as_text
from wrapgen.errors import StoreError

if TYPE_CHECKING:
    from datetime import datetime

    from wrapgen.agents.database import Database
    from wrapgen.agents.operations import WorkFolder
    from wrapgen.agents.rows import TaskRow
    from wrapgen.agents.store import Store


def add_task(store: Store, task: TaskRow, place: WorkFolder, now: datetime) -> int:
    """Note a task.

    Args:
        task: its words; its id, its project and its moments are filled in.

    Returns:
        its id.
    """
    row = {
        "id": None,
        "title": kept(task.title) or "",
        "description": kept(task.description),
        "status": task.status,
        "assigned_to": task.assigned_to,
        "tags": tags_as_text(task.tags),
        "created_at": stamp(now),
        "updated_at": stamp(now),
    }
    with store.database.writing():
        project = store.project_at(place, now)
        return int(store.database.rows(sql.ADD_TASK, {**row, "project_id": project})[0][0])


def change_task(database: Database, task: int, now: datetime, *, status: str | None, assigned_to: str | None) -> None:
    """Give a task another state or another assignee; None leaves it as it is.

    Raises:
        StoreError: there is no such task.
    """
    values = {"id": task, "status": status, "assigned_to": assigned_to, "now": stamp(now)}
    with database.writing():
        if not database.rows(sql.CHANGE_TASK, values):
            raise _no_such_task(task)


def comment_task(database: Database, task: int, kind: str, text: str, author: str | None, now: datetime) -> int:
    """Say something about a task.

    Args:
        kind: one of `COMMENT_KINDS`; the newest `plan` is shown to the agent that the task is for.

    Returns:
        the comment's id.

    Raises:
        StoreError: there is no such task.
    """
    row = {"id": None, "task_id": task, "author": author, "comment_type": kind, "content": kept(text) or ""}
    with database.writing():
        if not database.rows(sql.ONE["tasks"], {"id": task}):
            raise _no_such_task(task)
        return int(database.rows(sql.ADD_COMMENT, {**row, "created_at": stamp(now)})[0][0])


def _no_such_task(task: int) -> StoreError:
    return StoreError(f"no task {task}", next_step="See `wrap agent list tasks`.")
