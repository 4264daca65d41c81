"""What the vault holds already, and where something can be routed to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from wrapgen.commands.writing import place_in
from wrapgen.model import Kind
from wrapgen.pipeline.holding import Holdings, Statement
from wrapgen.pipeline.projects import Projects
from wrapgen.pipeline.run import collect
from wrapgen.session.routing import Places
from wrapgen.vault import targets
from wrapgen.vault.markdown.marks import read_item

if TYPE_CHECKING:
    from datetime import date

    from wrapgen.commands.app import App
    from wrapgen.model import Because, Contents
    from wrapgen.session.memory import Line
    from wrapgen.session.routing import Orphan


@dataclass(frozen=True)
class Knowledge:
    """The vault as it stands, for questions about what was said."""

    app: App
    contents: Contents

    @classmethod
    def of(cls, app: App) -> Knowledge:
        """Read the vault."""
        return cls(app, app.glance().read())

    @cached_property
    def projects(self) -> Projects:
        """The known projects."""
        return Projects.known(self.contents.projects, self.app.config.projects)

    @cached_property
    def holdings(self) -> Holdings:
        """Every open item and all evidence."""
        found = collect(self.contents, projects=self.projects, config=self.app.config, today=self.app.day)
        return Holdings(found.kept, found.evidence, self.app.config)

    @cached_property
    def places(self) -> Places:
        """What can be routed to, with the files that would be written."""
        sources = self.app.config.sources
        names = tuple(sorted(set(self.projects.names.values())))
        tasks = targets.active_tasks(self.app.root, sources, names)
        files: dict[tuple[str, str | None], str] = {(name, None): targets.project_list(sources, name) for name in names}
        files |= {(name, task): targets.task_list(sources, name, task) for name in names for task in tasks[name]}
        journals = [one for one in self.contents.sources if one.kind is Kind.JOURNAL_NEXT]
        return Places(names, tasks, targets.journal_of(self.app.day, sources, journals), files)

    def holder_of(self, orphan: Orphan) -> Because | None:
        """What holds a follow-up already: an open item, or one that was done on or after the day it was said."""
        return self.holdings.holder(Statement(orphan.text, orphan.project, orphan.said_on))

    def is_unread(self, path: str) -> bool:
        """Whether a source, or a folder above it, could not be read: what stands there is not known."""
        if any(source.path == path for source in self.contents.sources):
            return False
        return any(
            trouble.path in (path, ".") or path.startswith(f"{trouble.path}/") for trouble in self.contents.troubles
        )

    def place_of(self, line: Line, since: date) -> str | None:
        """Where a line that was written still stands, or what was done since: as `path:line`, None for nowhere."""
        for source in self.contents.sources:
            if source.path == line.path and (found := place_in(source.document, line, self.app.config.sections)):
                return f"{line.path}:{found}"
        entry = read_item(line.text, line=1, section=-1)
        holder = self.holdings.holder(Statement(entry.text if entry else line.text, line.project, since))
        return f"{holder.path}:{holder.line}" if holder else None
