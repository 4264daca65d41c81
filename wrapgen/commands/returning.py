"""Follow-ups that walk into a dead end again: what was tried before in their project, and why it was given up."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wrapgen.errors import WrapgenError
from wrapgen.text import shorten
from wrapgen.tracks.log import Log
from wrapgen.tracks.place import LOG_FILE, context_folder, nearest_project
from wrapgen.tracks.returning import resembles

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wrapgen.commands.app import App
    from wrapgen.commands.finding import Found
    from wrapgen.session.routing import Orphan
    from wrapgen.tracks.entries import TombstoneRecord
    from wrapgen.tracks.record import Tombstone

_TEXT_LIMIT = 100  # characters of a follow-up in a warning


@dataclass(frozen=True, slots=True)
class Returning:
    """A follow-up, and the tombstone that it resembles."""

    orphan: Orphan
    tombstone: TombstoneRecord

    def __str__(self) -> str:
        one = self.tombstone
        on = f" on {one.day}" if one.day else ""
        return f"{shorten(self.orphan.text, _TEXT_LIMIT)}: given up{on} ({one.id} {one.name}): {one.reason}"

    def as_json(self) -> dict[str, Any]:
        """The warning as JSON."""
        one = self.tombstone
        return {
            "orphan": self.orphan.id,
            "text": self.orphan.text,
            "id": one.id,
            "name": one.name,
            "reason": one.reason,
            "day": one.day,
        }


def returning(app: App, found: Found) -> list[Returning]:
    """The follow-ups of a search that resemble a tombstone of their conversation's project, each once.

    Args:
        app: is told of a log that cannot be read.
        found: what the conversations hold.
    """
    folders = {one.name: one.header.cwd for one in found.conversations}
    logs: dict[Path, dict[Tombstone, TombstoneRecord]] = {}
    warnings = []
    for orphan in found.orphans:
        cwd = folders.get(orphan.transcript)
        project = nearest_project(Path(cwd)) if cwd else None
        if project is None:
            continue
        if project not in logs:
            logs[project] = _tombstones(app, project)
        known = logs[project]
        if tombstone := resembles(orphan.text, known):
            warnings.append(Returning(orphan, known[tombstone]))
    return warnings


def _tombstones(app: App, project: Path) -> dict[Tombstone, TombstoneRecord]:
    try:
        records = Log(context_folder(project) / LOG_FILE, project).tombstones()
    except WrapgenError as error:
        app.warn(str(error))
        return {}
    return {one.found: one for one in records}


def said(warnings: Iterable[Returning]) -> list[str]:
    """Warnings for people, a line each."""
    return [f"tried before: {one}" for one in warnings]
