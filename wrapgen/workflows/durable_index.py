"""What the notes hold already contains, and where something can be routed to."""

import re
from datetime import date
from functools import cached_property

from wrapgen.errors import ConfigError
from wrapgen.late_pattern import late
from wrapgen.model import Because
from wrapgen.notes import Kind, Source
from wrapgen.pipeline.durable_lookup import Holdings, SaidText
from wrapgen.pipeline.source_outline import SourceOutline
from wrapgen.session.follow_up import FollowUp, Places
from wrapgen.session.memory import Line, place_in
from wrapgen.text.headings import NEXT, roles
from wrapgen.vault import targets
from wrapgen.vault.markdown.marks.item import read_item
from wrapgen.vault.markdown.todo_txt import is_todo_txt
from wrapgen.workflows.vault_session import VaultSession

# Names of files for whatever is to be done: a suggestion, which whoever is asked can change.
_TASKS = late(
    r"(?<![^\W_])(?:to[\s_-]?dos?|tasks|tareas|aufgaben|taken|tâches)(?![^\W_])|할\s?일|待办|任务|タスク", re.IGNORECASE
)
_NO_LISTS = frozenset((Kind.JOURNAL_NEXT, Kind.ACTIVE_TODOS))


class DurableIndex:
    """The notes as they stand, for checking follow-ups against."""

    def __init__(self, session: VaultSession) -> None:
        self.contents, self.projects = session.contents, session.projects
        self.config, self.root, self.day = session.app.config, session.app.root, session.app.day
        found = session.everything
        evidence = [one for one in found.evidence if not one.is_ahead(self.day)]
        self.holdings = Holdings(found.kept, evidence, self.config, session.tick_days)

    @cached_property
    def places(self) -> Places:
        sources = self.config.sources
        names = self.projects.all
        tasks = targets.active_tasks(self.root, sources, names)
        files: dict[tuple[str, str | None], str] = {
            (name, None): self._list_of(name) or targets.project_list(sources, name) for name in names
        }
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
        own = self.projects.own
        homeless = own if own and files[own, None] not in sections else None
        home = own if own and not homeless and not journals else None
        return Places(names, tasks, journal, files, self.projects.names, sections, trouble, home, homeless)

    def _list_of(self, name: str) -> str | None:
        """A project's own list that exists and is read, whatever its glob and name; None when there is none."""
        found: list[tuple[int, int, str]] = []
        for source in self.contents.sources:
            if source.kind in _NO_LISTS or is_todo_txt(source.path):
                continue
            place = source.project or self.projects.of_place(source.path, self.config.sources)
            whole = name == self.projects.own and not self.projects.of_path(source.path)
            if (place == name or (place is None and whole)) and (rank := self._fitness(source)) is not None:
                found.append((rank, source.path.count("/"), source.path))
        return min(found)[2] if found else None

    def _fitness(self, source: Source) -> int | None:
        """How good a place for a new line a list is, 0 the best; None for a file that is not for that."""
        if source.kind is Kind.PROJECT_TODOS:
            return 0
        if _TASKS.search(source.path.rpartition("/")[2]):
            return 1
        outline = SourceOutline(source, self.config)
        has_next = any(role == NEXT and not parked for role, parked in zip(outline.roles, outline.parked, strict=True))
        if source.kind is Kind.HAND_OVERS or (source.kind is Kind.PROGRESS and has_next):
            return 2
        return 3 if has_next else None

    def _next_heading(self, path: str) -> str:
        document = next((one.document for one in self.contents.sources if one.path == path), None)
        sections = document.sections if document else ()
        found = zip(sections, roles(sections, self.config.names), strict=True)
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
            if source.path == line.path and (found := place_in(source.document, line, self.config.names)):
                return f"{line.path}:{found}"
        entry = read_item(line.text, line=1, section=-1)
        holder = self.holdings.holder(SaidText(entry.text if entry else line.text, line.project, since))
        return f"{holder.path}:{holder.line}" if holder else None
