"""What is known of the session in a working folder: the state that a brief is made of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wrapgen.commands.picking import numbered
from wrapgen.commands.rebuild import collect
from wrapgen.model import Kind
from wrapgen.pipeline.journals import Journals
from wrapgen.redact import redact
from wrapgen.session.discover import Folders
from wrapgen.vault.worktree import worktree

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.commands.app import App
    from wrapgen.model import Source
    from wrapgen.pipeline.journals import Decided
    from wrapgen.pipeline.projects import Projects
    from wrapgen.vault.index import Glance

_ENOUGH_DECISIONS = 3


def known_state(app: App, folder: Path) -> dict[str, Any]:
    """What git and the vault know of the work in a folder.

    Args:
        app: the vault.
        folder: the working folder; where it belongs to a project, that project's work alone is told.

    Returns:
        a state as `create_snapshot` takes it, without the secrets in it that are recognised.
    """
    git = worktree(folder)
    glance = app.glance()
    contents = glance.read()
    collected = collect(app, contents)
    project = _project_of(app, folder, collected.projects)
    journals = Journals(contents.sources, app.config.sections, collected.projects, project)
    ranked = [one.item for _, one in numbered(collected.run) if project in (None, one.item.project)]
    return {
        "task_description": _safe(_active_task(glance, contents.sources, project) or journals.newest_session()),
        "files": [{"path": path, "change_type": change} for path, change in git.changes],
        "decisions": [_safe(one.text) for one in journals.decisions(_ENOUGH_DECISIONS)],
        "pending": [_safe(item.text) for item in ranked[: app.config.cap]],
        "generated_at": app.now.isoformat(timespec="seconds"),
        "branch": git.branch,
    }


def decided(app: App, folder: Path, enough: int) -> list[Decided]:
    """The newest decisions in the journals about the project that a folder belongs to, without secrets.

    Args:
        app: the vault.
        folder: a working folder.
        enough: how many are wanted.

    Returns:
        oldest first; none where the folder does not belong to the vault.
    """
    if not Folders.of(app.root, app.config.projects).project_of(str(folder))[0]:
        return []
    contents = app.glance().read()
    projects = collect(app, contents).projects
    journals = Journals(contents.sources, app.config.sections, projects, _project_of(app, folder, projects))
    return [replace(one, text=_safe(one.text)) for one in journals.decisions(enough)]


def _project_of(app: App, folder: Path, projects: Projects) -> str | None:
    project = Folders.of(app.root, app.config.projects).project_of(str(folder))[1]
    return projects.named(project) if project else None


def _safe(text: str) -> str:
    return redact(text)[0]


def _active_task(glance: Glance, sources: tuple[Source, ...], project: str | None) -> str:
    """The first line of the active task whose list was changed last, among those that have something open."""
    changed = {one.path: one.stamp.mtime_ns for one in glance.listing.found}
    active = [
        one
        for one in sources
        if one.kind is Kind.ACTIVE_TODOS
        and project in (None, one.project)
        and any(entry.box and not entry.done for entry in one.document.entries)
    ]
    newest = max(active, key=lambda one: (changed[one.path], one.path), default=None)
    if newest is None:
        return ""
    lines = [(section.line, section.title) for section in newest.document.sections]
    lines += [(entry.line, entry.text) for entry in newest.document.entries]
    return min(lines)[1] or newest.task or ""
