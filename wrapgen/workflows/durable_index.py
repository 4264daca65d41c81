"""What the notes hold already contains, and where something can be routed to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from wrapgen.errors import ConfigError
from wrapgen.notes import Kind
from wrapgen.pipeline.durable_lookup import Holdings, SaidText
from wrapgen.session.routing import Places
from wrapgen.text.headings import roles
from wrapgen.vault import targets
from wrapgen.vault.markdown.marks.item import read_item
from wrapgen.workflows.interrupted_runs import place_in

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from wrapgen.config import Config
    from wrapgen.model import Because
    from wrapgen.notes import Contents
    from wrapgen.pipeline.projects import Projects
    from wrapgen.pipeline.stage import StageResult
    from wrapgen.pipeline.tick_days import TickDays
    from wrapgen.session.follow_up import FollowUp
    from wrapgen.session.memory import Line


@dataclass(frozen=True)
class DurableIndex:
    """The notes as they stand, for checking follow-ups against."""

    contents: Contents
    found: StageResult  # every open item and all evidence
    projects: Projects
    config: Config
    root: Path  # the vault
    day: date  # the day of the run
    tick_days: TickDays  # gives the days of undated ticks

    @cached_property
    def holdings(self) -> Holdings:
        """Every open item and all evidence."""
        evidence = [one for one in self.found.evidence if not one.is_ahead(self.day)]
        return Holdings(self.found.kept, evidence, self.config, self.tick_days)

    @cached_property
    def places(self) -> Places:
        """What can be routed to, with the files that would be written."""
        sources = self.config.sources
        names = self.projects.all
        tasks = targets.active_tasks(self.root, sources, names)
        files: dict[tuple[str, str | None], str] = {(name, None): targets.project_list(sources, name) for name in names}
        files |= {(name, task): targets.task_list(sources, name, task) for name in names for task in tasks[name]}
        journals = [one for one in self.contents.sources if one.kind is Kind.JOURNAL_NEXT]
        trouble = ""
        try:
            journal = targets.journal_of(self.day, sources, journals)
        except ConfigError as error:
            journal, trouble = "", str(error)
        sections = {
            path: self._next_heading(path) for path in {journal, *files.values()} if (self.root / path).is_file()
        }
        return Places(names, tasks, journal, files, self.projects.names, sections, trouble)

    def _next_heading(self, path: str) -> str:
        """The heading of the open work of a list, "" where it has none."""
        document = next((one.document for one in self.contents.sources if one.path == path), None)
        sections = document.sections if document else ()
        found = zip(sections, roles(sections, self.config.sections), strict=True)
        return next((section.title for section, role in found if role == "next"), "")

    def holder_of(self, orphan: FollowUp) -> Because | None:
        """What already covers a follow-up: an open item, or one done on or after the day it was mentioned."""
        return self.holdings.holder(SaidText(orphan.text, orphan.project, orphan.said_on))

    def is_unread(self, path: str) -> bool:
        """Whether a source, or a folder above it, could not be read, so its contents are unknown."""
        if any(source.path == path for source in self.contents.sources):
            return False
        return any(
            trouble.path in (path, ".") or path.startswith(f"{trouble.path}/") for trouble in self.contents.troubles
        )

    def place_of(self, line: Line, since: date) -> str | None:
        """Where a written line still is, or the evidence that it was done since: `path:line`, or None."""
        for source in self.contents.sources:
            if source.path == line.path and (found := place_in(source.document, line, self.config.sections)):
                return f"{line.path}:{found}"
        entry = read_item(line.text, line=1, section=-1)
        holder = self.holdings.holder(SaidText(entry.text if entry else line.text, line.project, since))
        return f"{holder.path}:{holder.line}" if holder else None
