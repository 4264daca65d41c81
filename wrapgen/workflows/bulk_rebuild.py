"""A rebuild that reads what changed, takes cached summaries of the rest, and processes most items in bulk."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wrapgen.notes import Trouble
from wrapgen.pipeline import bulk
from wrapgen.pipeline.projects import Projects
from wrapgen.vault.files import LARGEST_FILE
from wrapgen.vault.index import in_order
from wrapgen.workflows.collecting import EntryFiles
from wrapgen.workflows.rebuild import counted
from wrapgen.workflows.summary_files import SummaryFiles

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from collections.abc import Set as AbstractSet
    from datetime import date

    from wrapgen.ledger import Run
    from wrapgen.pipeline.collected import FileEntries
    from wrapgen.vault.index import Glance
    from wrapgen.workflows.memory import Memory
    from wrapgen.workflows.vault_session import VaultSession


class BulkRebuild:
    """One rebuild.

    Args:
        glance: its files, listed.

    Attributes:
        whole: whether every file was read that could be, after `run`.
    """

    def __init__(self, session: VaultSession, glance: Glance) -> None:
        self._app = app = session.app
        self._memory = session.memory
        self._glance = glance
        self._projects = Projects.known(glance.listing.projects, app.config.projects)
        self._found = {one.path: one for one in glance.listing.found}
        self._entry_files = EntryFiles(glance, self._projects)
        self._summaries = SummaryFiles(glance, self._entry_files)
        self.whole = True

    def run(self) -> Run:
        """Run the pipeline as far as the dashboard needs it.

        Raises:
            LedgerError: the ledger does not balance; nothing may be published.
            WrapgenError: a state file is there but cannot be read.
        """
        config, today = self._app.config, self._app.day
        summaries = self._summaries.read()
        self.whole = self._summaries.whole and all(map(self._is_final, self._glance.unread.errors))
        memory = self._memory
        decisions = memory.decisions()
        plan = bulk.plan(summaries, config, today, decisions)
        entries = self._entries(plan.needed)
        run = bulk.run_in_bulk(
            plan,
            summaries,
            entries,
            config=config,
            projects=self._projects,
            today=today,
            decisions=decisions,
            troubles=self._troubles(memory),
            tick_days=self._tick_days,
        )
        return replace(run, follow_ups=counted(self._app, memory), not_read=self._glance.unread_boxes)

    def _entries(self, needed: Mapping[str, AbstractSet[int]]) -> dict[str, FileEntries]:
        """The entries that the stages need in full."""
        wanted = self._entry_files.of(self._found[path] for path in needed)
        return {one.found.path: one.entries.only(needed[one.found.path]) for one in wanted}

    def _tick_days(self, paths: Collection[str]) -> Mapping[str, Mapping[int, date | None]]:
        days = self._glance.tick_days(paths)
        self.whole = self.whole and len(days) == len(paths)
        return days

    def _is_final(self, path: str) -> bool:
        """Whether a file that no source reads will be refused again, because it is too large."""
        sizes = (one.stamp.size for one in self._glance.listing.others if one.path == path)
        return any(size > LARGEST_FILE for size in sizes)

    def _troubles(self, memory: Memory) -> tuple[Trouble, ...]:
        found = [*self._glance.listing.troubles, *self._glance.unread_troubles, *self._summaries.errors]
        found += [Trouble(path, why) for path, one in self._summaries.kept.items() for why in one.troubles]
        return (*in_order(found), *memory.troubles)
