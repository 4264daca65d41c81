"""What the stages decided about thousands of items, kept until a note or anything else changes that they look at."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from wrapgen.errors import LedgerError
from wrapgen.pipeline.packed import PackedFates, pack, unpack
from wrapgen.pipeline.run import check, decide
from wrapgen.vault.cache import CacheFile, clock, program_key, time_zone
from wrapgen.vault.git import head_of
from wrapgen.workflows.summary_files import SummaryFiles

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import date

    from wrapgen.model import Evidence, Item
    from wrapgen.pipeline.run import Fates
    from wrapgen.pipeline.stage import Context, Decisions, StageResult
    from wrapgen.workflows.vault_session import VaultSession

_FILE = "settled"
# Of fewer items the stages decide faster than a file is read.
_LEAST = 2_000


class SettledRun:
    """Lets the stages decide, or finds what they decided when all was as it is now.

    Also a run that only looks keeps it, as it has done the work; but it makes no cache in a vault that has none.
    """

    def __init__(self, session: VaultSession) -> None:
        self._app = session.app
        self._glance = session.glance
        self._entry_files = session.entry_files
        self._whole = True

    def settle(self, found: StageResult, context: Context) -> Fates:
        """What the stages decide about items; the ledger is to be checked by the caller.

        Raises:
            LedgerError: a stage lost, made up or doubled an item.
        """
        if len(found.kept) < _LEAST:
            return decide(found, context)
        file = CacheFile(self._app.root, _FILE, PackedFates, self._key(found, context.decisions), self._app.note)
        if (packed := file.load()) is not None:
            try:
                known = unpack(packed, found)
                check(found.kept, known.outcomes)
            except (LookupError, ValueError, LedgerError):
                self._app.note(f"{file.path}: does not fit the notes; everything is compared again")
            else:
                return known
        settled = decide(found, replace(context, tick_days=self._tick_days, alike=self._alike(found)))
        if self._whole and file.path.parent.is_dir() and self._is_settled():
            file.save(pack(settled, found))
        return settled

    def _key(self, found: StageResult, decisions: Decisions) -> str:
        """All that the stages look at."""
        app, glance = self._app, self._glance
        decided = (sorted(decisions.kept), sorted(decisions.snoozed.items()), sorted(decisions.finished))
        depends = (program_key(), glance.fingerprint, app.config, app.day, time_zone(), head_of(app.root), decided)
        digest = blake2b(msgspec.msgpack.encode(depends), digest_size=20)
        # What could not be read then may be readable now.
        digest.update("".join([item.id for item in (*found.kept, *found.backlog)]).encode())
        digest.update(str(len(found.evidence)).encode())
        return digest.hexdigest()

    def _alike(self, found: StageResult) -> set[tuple[str, int]] | None:
        """Where all that has words like another entry's stands, if little changed since a rebuild compared all."""
        files = SummaryFiles(self._glance, self._entry_files)
        if not files.known or files.are_new:
            return None
        summaries = files.read()
        lines: defaultdict[str, list[int]] = defaultdict(list)
        entries: list[Item | Evidence] = [*found.kept, *found.evidence]
        for one in entries:  # of each file in the order of its summary
            lines[one.path].append(one.line)
        if any(path not in summaries or len(own) != len(summaries[path].texts) for path, own in lines.items()):
            return None  # a file could be read a moment ago, and cannot now
        return {(path, lines[path][place]) for path, summary in summaries.items() for place in summary.alike}

    def _tick_days(self, paths: Collection[str]) -> Mapping[str, Mapping[int, date | None]]:
        days = self._glance.tick_days(paths)
        self._whole = self._whole and len(days) == len(paths)
        return days

    def _is_settled(self) -> bool:
        """Whether the next change of any note must give it another stamp."""
        now = self._glance.now_ns
        if not now:  # a run that only looks has not asked for the time before it listed the files
            since = time.monotonic() - self._app.started
            now = clock(self._app.root, self._app.note) - int(since * 1e9)
        listing = self._glance.listing
        return all(one.stamp.settled(now) for one in (*listing.found, *listing.others))
