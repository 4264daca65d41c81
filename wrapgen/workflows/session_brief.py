"""What is known about the session in a working folder: the state for a brief."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from wrapgen.model import Decision, Fate
from wrapgen.notes import Kind, Source
from wrapgen.pipeline.journals import Journals
from wrapgen.pipeline.projects import Projects
from wrapgen.redact import redact
from wrapgen.vault.git import worktree
from wrapgen.vault.index import Glance
from wrapgen.workflows.app import App
from wrapgen.workflows.vault_session import VaultSession

_ENOUGH_DECISIONS = 3


def known_state(app: App, folder: Path) -> dict[str, Any]:
    """What git and the vault know about the work in a folder, without secrets, as `create_snapshot` takes it."""
    git = worktree(folder)
    session = VaultSession.look(app)
    sources = session.contents.sources
    project = _project_of(app, folder, session.projects)
    journals = Journals(sources, app.config.names, session.projects, project)
    shown = [one.item for one in session.run.of(Fate.SHOWN) if project in (None, one.item.project)]
    return {
        "task_description": _safe(_active_task(session.glance, sources, project) or journals.newest_session()),
        "files": [{"path": path, "change_type": change} for path, change in git.changes],
        "decisions": [_safe(one.text) for one in journals.decisions(_ENOUGH_DECISIONS)],
        "pending": [_safe(item.words) for item in shown],
        "generated_at": app.now.isoformat(timespec="seconds"),
        "branch": git.branch,
    }


def decided(app: App, folder: Path, enough: int) -> list[Decision]:
    """The newest decisions in the journals about a folder's project, oldest first, without secrets."""
    if not app.folders.project_of(str(folder))[0]:
        return []
    session = VaultSession.look(app)
    project = _project_of(app, folder, session.projects)
    journals = Journals(session.contents.sources, app.config.names, session.projects, project)
    return [replace(one, text=_safe(one.text)) for one in journals.decisions(enough)]


def _project_of(app: App, folder: Path, projects: Projects) -> str | None:
    project = app.folders.project_of(str(folder))[1]
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
