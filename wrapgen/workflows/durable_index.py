"""What the notes hold already contains, and where something can be routed to."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import date
from functools import cached_property, lru_cache
from pathlib import Path

from wrapgen.errors import ConfigError
from wrapgen.late_pattern import late
from wrapgen.model import Because
from wrapgen.notes import Document, Kind
from wrapgen.pipeline.durable_lookup import Holdings, SaidText
from wrapgen.pipeline.source_outline import SourceOutline
from wrapgen.session.follow_up import FollowUp, Places
from wrapgen.session.memory import Line, place_in
from wrapgen.text.headings import NEXT, roles
from wrapgen.vault import targets
from wrapgen.vault.index import source_of
from wrapgen.vault.markdown.marks.item import read_item
from wrapgen.vault.markdown.todo_txt import is_todo_txt
from wrapgen.vault.walk import FoundFile
from wrapgen.workflows.vault_session import VaultSession

# Names of files for whatever is to be done: a suggestion, which whoever is asked can change.
_TASKS = late(
    r"(?<![^\W_])(?:to[\s_-]?dos?|tasks|tareas|aufgaben|taken|tâches)(?![^\W_])|할\s?일|待办|任务|タスク", re.IGNORECASE
)
_EMPTY = Document()
_NO_LISTS = frozenset((Kind.JOURNAL_NEXT, Kind.ACTIVE_TODOS))


class DurableIndex:
    """The notes as they stand, for checking follow-ups against."""

    def __init__(self, session: VaultSession) -> None:
        self._session, self.projects = session, session.projects
        self.config, self.root, self.day = session.app.config, session.app.root, session.app.day
        unread = session.unreadable
        self._found = {one.path: one for one in session.glance.listing.found if one.path not in unread}

    @cached_property
    def holdings(self) -> Holdings:
        """All that is open or finished in the notes."""
        found = self._session.everything
        evidence = [one for one in found.evidence if not one.is_ahead(self.day)]
        return Holdings(found.kept, evidence, self.config, self._session.tick_days)

    @cached_property
    def places(self) -> Places:
        sources = self.config.sources
        names = self.projects.all
        tasks = targets.active_tasks(self.root, sources, names)
        files: dict[tuple[str, str | None], str] = {
            (name, None): self._list_of(name) or targets.project_list(sources, name) for name in names
        }
        files |= {(name, task): targets.task_list(sources, name, task) for name in names for task in tasks[name]}
        journals = [one for one in self._found.values() if one.kind is Kind.JOURNAL_NEXT]
        trouble = ""
        try:
            journal = targets.journal_of(self.day, sources, [(one.place.day, one.path) for one in journals])
        except ConfigError as error:
            journal, trouble = "", str(error)
        sections = _Headings({journal, *files.values()}, self.root, self._next_heading)
        own = self.projects.own
        homeless = own if own and files[own, None] not in sections else None
        home = own if own and not homeless and not journals else None
        return Places(names, tasks, journal, files, self.projects.names, sections, trouble, home, homeless)

    @cached_property
    def _lists(self) -> dict[str | None, list[FoundFile]]:
        """The files that can be a project's own list, by project; None: those of the whole vault."""
        found: defaultdict[str | None, list[FoundFile]] = defaultdict(list)
        for one in self._found.values():
            if one.kind not in _NO_LISTS and not is_todo_txt(one.path):
                place = one.place.project or self.projects.of_place(one.path, self.config.sources) or self._called(one)
                if place or not self.projects.of_path(one.path):
                    found[place].append(one)
        return found

    def _list_of(self, name: str) -> str | None:
        """A project's own list that exists and is read, whatever its glob and name; None when there is none."""
        among = [*self._lists.get(name, ()), *(self._lists.get(None, ()) if name == self.projects.own else ())]
        ranks = ((self._fitness(one, name), one.path.count("/"), one.path) for one in among)
        return min((one for one in ranks if one[0] is not None), default=(0, 0, None))[2]

    def _called(self, source: FoundFile) -> str | None:
        """The project that a note is called like."""
        return self.projects.named(source.path.rpartition("/")[2].rpartition(".")[0])

    def _fitness(self, source: FoundFile, project: str) -> int | None:
        """How good a place for a new line a list is, 0 the best; None for a file that is not for that."""
        if source.kind is Kind.PROJECT_TODOS:
            return 0
        if _TASKS.search(source.path.rpartition("/")[2]) or self._called(source) == project:
            return 1
        outline = SourceOutline(source_of(source, self._document(source.path)), self.config)
        has_next = any(role == NEXT and not parked for role, parked in zip(outline.roles, outline.parked, strict=True))
        if source.kind is Kind.HAND_OVERS or (source.kind is Kind.PROGRESS and has_next):
            return 2
        return 3 if has_next else None

    def _document(self, path: str) -> Document:
        found = self._found.get(path)
        return next((document for _, document in self._session.glance.documents([found])), _EMPTY) if found else _EMPTY

    def _next_heading(self, path: str) -> str:
        sections = self._document(path).sections
        found = zip(sections, roles(sections, self.config.names), strict=True)
        return next((section.title for section, role in found if role == "next"), "")

    def holder_of(self, orphan: FollowUp) -> Because | None:
        """What already covers a follow-up: an open item, or one done on or after the day it was mentioned."""
        return self.holdings.holder(SaidText(orphan.text, orphan.project, orphan.said_on))

    def is_unread(self, path: str) -> bool:
        """Whether a source, or a folder above it, could not be read, so its contents are unknown."""
        if path in self._found:
            return False
        glance = self._session.glance
        troubles = glance.troubles_of(glance.listing.found)
        return any(one.path in (path, ".") or path.startswith(f"{one.path}/") for one in troubles)

    def place_of(self, line: Line, since: date) -> str | None:
        """Where a written line still is, or the evidence that it was done since: `path:line`, or None."""
        if found := place_in(self._document(line.path), line, self.config.names):
            return f"{line.path}:{found}"
        entry = read_item(line.text, line=1, section=-1)
        holder = self.holdings.holder(SaidText(entry.text if entry else line.text, line.project, since))
        return f"{holder.path}:{holder.line}" if holder else None


class _Headings(Mapping[str, str]):
    """The heading under which a line goes in each file that there is, looked up when somebody asks."""

    def __init__(self, paths: Collection[str], root: Path, heading: Callable[[str], str]) -> None:
        self._paths, self._root, self._heading = paths, root, lru_cache(maxsize=None)(heading)

    def __getitem__(self, path: str) -> str:
        if path not in self._paths or not (self._root / path).is_file():
            raise KeyError(path)
        return self._heading(path)

    def __iter__(self) -> Iterator[str]:
        return (path for path in self._paths if (self._root / path).is_file())

    def __len__(self) -> int:
        return sum(1 for _ in self)
