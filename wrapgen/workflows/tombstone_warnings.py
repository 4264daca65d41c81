"""Warnings about follow-ups that repeat a dead end of their project, with the reason why it was given up."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wrapgen.dashboard.document import fields
from wrapgen.errors import WrapgenError
from wrapgen.session.follow_up import FollowUp
from wrapgen.text.display import shorten
from wrapgen.tracks.log import LOG_FILE, Log, context_folder, nearest_project
from wrapgen.tracks.record import Tombstone
from wrapgen.tracks.signals import resembles
from wrapgen.workflows.app import App
from wrapgen.workflows.orphan_search import Search

_TEXT_LIMIT = 100  # characters of a follow-up in a warning


@dataclass(frozen=True, slots=True)
class TombstoneWarning:
    """A follow-up, and the tombstone that it resembles."""

    orphan: FollowUp
    tombstone: Tombstone

    def __str__(self) -> str:
        one = self.tombstone
        on = f" on {one.day}" if one.day else ""
        return f"{shorten(self.orphan.text, _TEXT_LIMIT)}: given up{on} ({one.id} {one.name}): {one.reason}"

    def as_json(self) -> dict[str, Any]:
        return {"orphan": self.orphan.id, "text": self.orphan.text, **fields(self.tombstone, "id name reason day")}


def tombstone_warnings(app: App, found: Search) -> list[TombstoneWarning]:
    """The follow-ups of a search that resemble a tombstone of their conversation's project, each once."""
    folders = {one.name: one.header.cwd for one in found.conversations}
    logs: dict[Path, list[Tombstone]] = {}
    warnings = []
    for orphan in found.orphans:
        cwd = folders.get(orphan.transcript)
        project = nearest_project(Path(cwd)) if cwd else None
        if project is None:
            continue
        if project not in logs:
            logs[project] = _tombstones(app, project)
        if tombstone := resembles(orphan.text, logs[project]):
            warnings.append(TombstoneWarning(orphan, tombstone))
    return warnings


def _tombstones(app: App, project: Path) -> list[Tombstone]:
    try:
        return Log(context_folder(project) / LOG_FILE, project).dead_ends()
    except WrapgenError as error:
        app.warn(str(error))
        return []
