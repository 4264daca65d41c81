"""What the store knows that an agent could be given: a few rows for each of the six steps."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from wrapgen.agents import sql
from wrapgen.agents.context import MOST, AgentResult, Asking, AssignedTask, Note, StepRows

if TYPE_CHECKING:
    from wrapgen.agents.database import Database

# What earlier steps show may come up again in later ones, and the agent itself: so many more rows are looked at.
_SPARE = MOST.siblings + MOST.same_type + 1


def find(database: Database, asking: Asking) -> StepRows:
    """Read what could be given to an agent; the number of rows does not grow with the store, but for tasks.

    Raises:
        StoreError: it cannot be read.
    """
    with database.reading():
        project = database.rows(sql.PROJECT_OF_SESSION, {"id": asking.session})
        values = {
            "session": asking.session,
            "project": project[0][0] if project else None,
            "name": asking.name,
            "type": asking.type or asking.name,
            "everyone": "all",
            "parent": asking.parent or "",
        }

        def results(statement: str, most: int) -> tuple[AgentResult, ...]:
            return tuple(AgentResult(*row) for row in database.rows(statement, {**values, "limit": most + 1}))

        def notes(statement: str, most: int) -> tuple[Note, ...]:
            return tuple(Note(*row) for row in database.rows(statement, {**values, "limit": most + _SPARE}))

        return StepRows(
            siblings=results(sql.SIBLINGS, MOST.siblings) if asking.parent else (),
            same_type=results(sql.SAME_TYPE, MOST.same_type) if asking.type else (),
            other_sessions=notes(sql.OTHER_SESSIONS, MOST.other_sessions),
            relevant=notes(sql.RELEVANT, MOST.relevant),
            recent=notes(sql.RECENT, MOST.recent),
            tasks=tuple(
                AssignedTask(task, status, title, tuple(json.loads(tags or "[]")), description or "", plan or "")
                for task, status, title, tags, description, plan in database.rows(sql.TASKS, values)
            ),
        )
