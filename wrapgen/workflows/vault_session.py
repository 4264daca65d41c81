"""The vault opened for one piece of work: configuration, notes and memory, each read once and handed on."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from wrapgen.ledger import FollowUpCounts, Run
from wrapgen.notes import Kind
from wrapgen.pipeline.collected import Collected, without_history
from wrapgen.pipeline.projects import Projects
from wrapgen.text.display import count, visible
from wrapgen.triage.note_text import NoteText
from wrapgen.triage.said import Said, fold_said
from wrapgen.vault.disk import LARGEST_FILE
from wrapgen.vault.entry_index import DamagedIndexError
from wrapgen.vault.layout import project_folders
from wrapgen.vault.state import STATE_FOLDER
from wrapgen.workflows.memory import Memory
from wrapgen.workflows.said_file import read_said
from wrapgen.workflows.said_work import FoundWork, WorkFinder

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from datetime import date

    from wrapgen.config import Config
    from wrapgen.model import Item
    from wrapgen.notes import Contents, Trouble
    from wrapgen.pipeline.stage import Decisions, StageResult
    from wrapgen.vault.index import Glance
    from wrapgen.vault.markdown.tick import Replacement
    from wrapgen.workflows.app import App
    from wrapgen.workflows.collecting import Collecting
    from wrapgen.workflows.durable_index import DurableIndex
    from wrapgen.workflows.entry_reader import LineWords
    from wrapgen.workflows.standing import StandingFile


_KEPT = (
    "glance", "contents", "_collecting", "everything", "said", "_work", "decisions", "collected", "collected_for_page",
    "projects", "index", "run", "page_run", "_standing",
)  # fmt: skip


class VaultSession:
    """One look at a vault. Notes are read when they are first asked for, and after a write only those that changed."""

    def __init__(self, app: App, memory: Memory) -> None:
        self.app = app
        self.memory = memory
        self.follow_ups = FollowUpCounts()  # what this run did with them
        self._is_answered = True
        self._former: Glance | None = None  # the notes before this run wrote to some

    @classmethod
    def look(cls, app: App, glance: Glance | None = None) -> VaultSession:
        """Open a vault for reading only: no lock is taken and nothing is written, not even to the cache."""
        session = cls(app, Memory.read(app.root))
        if glance is not None:
            session.__dict__["glance"] = glance
        return session

    @cached_property
    def glance(self) -> Glance:
        found = self.app.glance()
        return found.after(self._former) if self._former else found

    @cached_property
    def contents(self) -> Contents:
        return self.glance.read()

    @cached_property
    def _collecting(self) -> Collecting:
        """The index of entries, brought up to date."""
        from wrapgen.workflows.collecting import Collecting

        found = Collecting(self.glance, self.projects, self.app.day)
        self.glance.index.save()
        return found

    @cached_property
    def collected(self) -> Collected:
        """What the notes hold; of each row of hand-overs, only the newest entry is open work."""
        return self._collected(whole=True)

    @cached_property
    def collected_for_page(self) -> Collected:
        """The same, where what cannot reach the page is but counted."""
        return self._collected(whole=False)

    def _collected(self, *, whole: bool) -> Collected:
        collected = self._collecting.collected(self.decisions, self._work.items, whole=whole)
        return replace(collected, said_gone=tuple(self._work.gone), none_next=self.said.none_next)

    @property
    def drifted(self) -> tuple[Trouble, ...]:
        """What `[sources]` names and is not in the notes."""
        return (self.__dict__.get("collected") or self.collected_for_page).drifted

    @property
    def unreadable(self) -> set[str]:
        """The sources that could not be read."""
        return self._collecting.unreadable

    @cached_property
    def everything(self) -> StageResult:
        """All items and all finished work, whatever becomes of them."""
        return without_history(self._collecting.everything(), self.said.filed, self.app.day)

    def line_words(self) -> list[LineWords] | None:
        """What names every open item, whatever became of it; None where somebody said more than the notes hold."""
        if self.said.work or self.said.past:
            return None
        try:
            return self._collecting.words()
        except DamagedIndexError:
            return None

    @cached_property
    def said(self) -> Said:
        """What all that was said comes to today."""
        return fold_said(self.memory.said, self.app.day)

    @cached_property
    def _work(self) -> FoundWork:
        """What was said to be next, found in the notes as they are."""
        if not (self.said.work or self.said.past):
            return FoundWork()
        return self.work_finder().find(self.said)

    def work_finder(self) -> WorkFinder:
        return WorkFinder(self.app, self.glance, self.everything, self.projects)

    @cached_property
    def decisions(self) -> Decisions:
        """What was decided about single items, in this clone and in any other."""
        return self.decided_in(self.memory.decisions())

    @property
    def hidden(self) -> dict[str, date]:
        """The days until which items are hidden, as somebody snoozed them or parked them until then."""
        parked = {key: one.until for key, one in self.said.judged.items() if one.until is not None}
        return {**self.memory.decisions().snoozed, **parked}

    def decided_in(self, own: Decisions) -> Decisions:
        """Add what every clone knows to what this one decided."""
        return replace(own, filed=self.said.filed, judged=self.said.judged, said=self._work.said)

    def tick_days(self, paths: Collection[str]) -> Mapping[str, Mapping[int, date | None]]:
        """The commit days of the lines of files, as far as git answers in time."""
        days = self.glance.tick_days(paths)
        self._is_answered = self._is_answered and len(days) == len(paths)
        return days

    @property
    def is_final(self) -> bool:
        """Whether the next look at the same files finds the same: each was read, and git has answered."""
        listing, most = self.glance.listing, LARGEST_FILE
        sizes = {one.path: one.stamp.size for one in (*listing.found, *listing.others)}
        refused = {one.path for one in self.glance.unread.troubles} | self.unreadable
        return self._is_answered and all(sizes.get(path, 0) > most for path in refused)

    @cached_property
    def run(self) -> Run:
        """What the pipeline makes of the notes as they are and of what is remembered; nothing is written."""
        return self._run(whole=True)

    @cached_property
    def page_run(self) -> Run:
        """The run, as far as the page depends on it."""
        return self.__dict__.get("run") or self._run(whole=False)

    def _run(self, *, whole: bool) -> Run:
        from wrapgen.workflows.rebuild import run_pipeline

        for _ in range(2):
            with suppress(DamagedIndexError):
                return run_pipeline(self, whole=whole)
            self.glance.index.give_up()
            self.glance.__dict__.pop("unread", None)
            self._forget(_KEPT[1:])
        return run_pipeline(self, whole=whole)

    @cached_property
    def projects(self) -> Projects:
        return known_projects(self.glance, self.app.config)

    @cached_property
    def _standing(self) -> dict[str, StandingFile]:
        """The files that were asked about, as they stood last."""
        return {}

    def standing(self, path: str, data: bytes) -> StandingFile:
        """Return a file while it holds certain bytes."""
        from wrapgen.vault.walk import source_to_be
        from wrapgen.workflows.standing import StandingFile

        known = self._standing.get(path)
        if known is None or known.data != data:
            there = next((one for one in self.glance.listing.found if one.path == path), None)
            found = there or source_to_be(self.app.root, self.app.config, path)
            known = self._standing[path] = StandingFile(path, data, found, self.app.config, self.projects)
        return known

    def as_it_stands(self, item: Item, data: bytes) -> Item | None:
        """An item as it stands in its file now: by its id, else by its words, there or wherever they stand once."""
        if item.kind is Kind.SAID:
            text = NoteText(data.decode("utf-8-sig", "replace"), item.path)
            open_boxes = (one.line for one in text.document.entries if one.box and not one.done)
            line = next((line for line in open_boxes if text.id_of(line) == item.id), None)
            return msgspec.structs.replace(item, line=line) if line else None
        return self.standing(item.path, data).now(item)

    def ticks(self, path: str, data: bytes, lines: Iterable[int]) -> dict[int, Replacement]:
        """What finishes today the items on lines of a file, by these, as far as that can be."""
        from wrapgen.vault.detect.proposal import done_status

        status = done_status(self.app.root, path) if 1 in (asked := set(lines)) else ""
        return self.standing(path, data).finished(asked, self.app.day, status)

    @cached_property
    def index(self) -> DurableIndex:
        """What the notes hold already, and where something can be routed to."""
        from wrapgen.workflows.durable_index import DurableIndex

        return DurableIndex(self)

    def take_over(self, looked: VaultSession) -> None:
        """Take what another session found out, where nothing has changed since it looked."""
        same = looked.glance.fingerprint == self.glance.fingerprint
        if same and (looked.memory.said, looked.memory.receipts) == (self.memory.said, self.memory.receipts):
            self.__dict__ |= {name: looked.__dict__[name] for name in _KEPT[1:] if name in looked.__dict__}

    def _forget(self, names: Iterable[str]) -> None:
        for name in names:
            self.__dict__.pop(name, None)

    def notes_changed(self) -> None:
        """Forget the notes as they were: this run has written to some, and what it does next must see that."""
        self._former = self.__dict__.get("glance", self._former)
        self._forget(_KEPT)
        self.memory.said, _ = read_said(self.app.root)


@contextmanager
def open_vault(app: App, *, finish: bool = True, meet: bool = True) -> Iterator[VaultSession]:
    """Hold the vault's lock and its memory: finish what a run that died left, and meet the team's queue.

    Args:
        finish: finish what a run that died left; else the caller does it.
        meet: exchange what is pending with the team's queue now; otherwise the next run does that.

    Raises:
        LockHeldError: another run holds the lock.
        WrapgenError: the memory cannot be read, or the team's queue has no address.
    """
    from wrapgen.workflows.receipts import recover

    with app.locked():
        session = VaultSession(app, Memory.read(app.root))
        for name, found in session.memory.take_up_copies(app.day):
            copy = f"{STATE_FOLDER}/{visible(name)}"
            app.warn(f"{copy} was another machine's copy: {count(found, 'pending follow-up')} taken up")
        if app.config.pending == "local":
            if finish:
                recover(session)
            yield session
            return
        from wrapgen.workflows.team_queue import Sharing

        with Sharing(app) as sharing:
            session.memory.sharing = sharing
            if finish:
                recover(session)
            if meet:
                sharing.meet(session.memory)
            yield session


def known_projects(glance: Glance, config: Config) -> Projects:
    """The folders under `projects/`, the tables `[projects.*]`, and the vault's own."""
    inside = project_folders(glance.root, config)
    return Projects.known(glance.listing.projects, config.projects, config.project, inside)
