"""Where a command is told to put an item: `PROJECT` or `PROJECT/TASK`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.errors import UsageError
from wrapgen.session.follow_up import Route, Suggestion
from wrapgen.session.routing import nearest

if TYPE_CHECKING:
    from wrapgen.workflows.vault_session import VaultSession


def destination(session: VaultSession, name: str) -> Suggestion:
    """The list of a project, or of one of its active tasks: `PROJECT` or `PROJECT/TASK`, by name or alias."""
    places = session.index.places
    if (project := session.projects.named(name)) is not None:
        return Suggestion(Route.PROJECT, project)
    head, _, task = name.partition("/")
    project = session.projects.named(head)
    if project is None:
        raise UsageError(f"no project named {head!r}{nearest(head, places.projects)}")
    if not task:
        return Suggestion(Route.PROJECT, project)
    known = places.tasks.get(project, ())
    if task not in known:
        raise UsageError(f"no active task {task!r} in project {project}{nearest(task, known)}")
    return Suggestion(Route.ACTIVE, project, task)
