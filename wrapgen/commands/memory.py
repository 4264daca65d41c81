"""The vault's memory on disk: what waits, what was skipped, what was written."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING

from wrapgen.days import moved
from wrapgen.model import Trouble
from wrapgen.pipeline.stage import Decisions
from wrapgen.redact import redact
from wrapgen.session import memory as records
from wrapgen.session.memory import Elsewhere, Pending, Receipt, Skip, Step
from wrapgen.vault import state

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime
    from pathlib import Path

    from wrapgen.commands.sharing import Sharing
    from wrapgen.session.routing import Orphan


@dataclass
class Memory:
    """What `.wrapgen/state/` holds about follow-ups.

    Everything that changes it is called under the vault's lock.

    Attributes:
        redacted: secrets that were taken out of what was stored in this run.
        elsewhere: what others of the team have settled, by id.
        sharing: the team's queue, None where follow-ups wait in this vault alone.
    """

    root: Path
    pending: dict[str, Pending]
    skips: list[Skip]
    receipts: list[Receipt]
    troubles: list[Trouble]
    redacted: int = 0
    elsewhere: dict[str, Elsewhere] = field(default_factory=dict)
    sharing: Sharing | None = None

    @classmethod
    def read(cls, root: Path) -> Memory:
        """Read the memory of a vault; lines that cannot be read are listed among the troubles.

        Raises:
            WrapgenError: a state file is there but cannot be read.
        """
        pending = state.load(root, records.PENDING_FILE, Pending)
        skips = state.load(root, records.SKIPPED_FILE, Skip)
        receipts = state.load(root, records.RECEIPTS_FILE, Receipt)
        troubles = [
            Trouble(f"{state.STATE_FOLDER}/{name}", f"line {number} cannot be read; it is kept as it is")
            for name, stored in (
                (records.PENDING_FILE, pending),
                (records.SKIPPED_FILE, skips),
                (records.RECEIPTS_FILE, receipts),
            )
            for number, _ in stored.unreadable
        ]
        return cls(
            root,
            {one.orphan.id: one for one in pending.records},
            list(skips.records),
            records.latest(receipts.records),
            troubles,
            elsewhere={one.id: one for one in state.load(root, records.ELSEWHERE_FILE, Elsewhere).records},
        )

    def decisions(self) -> Decisions:
        """What a person decided about single items, by receipts that still hold."""
        kept: set[str] = set()
        snoozed: dict[str, date] = {}
        for receipt in self.receipts:
            if receipt.step is Step.DONE:
                kept = (kept | set(receipt.kept)) - {line.id for line in receipt.lines if line.orphan is None}
                snoozed |= receipt.snoozed
        return Decisions(frozenset(kept), snoozed)

    def lost(self, today: date, lookback_days: int) -> list[tuple[str, str]]:
        """What may get lost, with the reason: skipped by a person inside the look-back, or vanished from its file.

        Args:
            today: the day of the run.
            lookback_days: how far back skips are told.
        """
        skipped = [(one.orphan.text, records.SKIPPED) for one in self._skipped(today, lookback_days) if not one.why]
        waiting = [one.orphan for one in self.pending.values() if one.orphan.reason]
        return skipped + [(one.text, one.reason or "") for one in waiting]

    def dropped(self, today: date, lookback_days: int) -> list[tuple[str, str]]:
        """What a reader found to be no open work inside the look-back, with its reason.

        Args:
            today: the day of the run.
            lookback_days: how far back drops are told.
        """
        return [(one.orphan.text, one.why) for one in self._skipped(today, lookback_days) if one.why]

    def _skipped(self, today: date, lookback_days: int) -> list[Skip]:
        """The latest skip of each follow-up that neither waits nor stands in a file."""
        oldest = moved(today, -lookback_days)
        standing = records.routed(self.receipts)
        latest = {
            skip.orphan.id: skip
            for skip in self.skips
            if skip.on >= oldest and skip.orphan.id not in standing and skip.orphan.id not in self.pending
        }
        return list(latest.values())

    def wait_for(self, orphans: Iterable[Orphan], today: date, *, again: bool = False) -> None:
        """Add follow-ups to those that wait, each once; secrets are taken out of their words.

        Args:
            orphans: the follow-ups.
            today: the day of the run.
            again: they wait once more, because somebody takes back what he decided about them.
        """
        listed = list(orphans)
        new = {one.id: Pending(self.without_secrets(one), today) for one in listed if one.id not in self.pending}
        if self.sharing:
            later = [one for one in listed if one.id in self.pending and self._is_later(one)]
            self.sharing.say_again(Pending(self.without_secrets(one), today) for one in later)
            self.sharing.wait(new.values(), again=again)
        if new:
            self.elsewhere = {key: one for key, one in self.elsewhere.items() if key not in new}
            self.pending |= new
            self._save_pending()

    def _is_later(self, orphan: Orphan) -> bool:
        """Whether something that waits was said once more on a later day."""
        return (orphan.said_on or date.min) > (self.pending[orphan.id].orphan.said_on or date.min)

    def reword(self, orphan: Orphan) -> None:
        """Let somebody's better words for a follow-up that waits take the place of the former ones."""
        if orphan.id in self.pending:
            self.pending[orphan.id] = replace(self.pending[orphan.id], orphan=self.without_secrets(orphan))
            self._save_pending()

    def without_secrets(self, orphan: Orphan) -> Orphan:
        """A follow-up as it may be stored."""
        text, in_text = redact(orphan.text)
        quote, in_quote = redact(orphan.quote)
        self.redacted += max(in_text, in_quote)
        return replace(orphan, text=text, quote=quote)

    def settle(self, ids: Iterable[str]) -> None:
        """Take follow-ups off the list of those that wait."""
        gone = self.pending.keys() & set(ids)
        if gone:
            if self.sharing:
                self.sharing.settle(self.pending[key] for key in gone)
            self.pending = {key: one for key, one in self.pending.items() if key not in gone}
            self._save_pending()

    def skip(self, skips: Iterable[Skip]) -> None:
        """Remember what was skipped, once."""
        for one in skips:
            if one not in self.skips:
                if self.sharing and one.orphan.id in self.pending:
                    self.sharing.skip(self.pending[one.orphan.id], one)
                state.append(self.root, records.SKIPPED_FILE, one)
                self.skips.append(one)

    def not_claimed(self, ids: Collection[str]) -> dict[str, str | None]:
        """Those of some follow-ups that somebody else routes just now, with who that is, or has settled: None.

        All others are ours alone until this run is over.
        """
        taken = self.sharing.not_claimed(ids) if self.sharing else {}
        if settled := {key for key, who in taken.items() if who is None}:
            self.pending = {key: one for key, one in self.pending.items() if key not in settled}
            self._save_pending()
        return taken

    def take_over(self, waiting: dict[str, Pending], skips: Iterable[Skip], elsewhere: Iterable[Elsewhere]) -> None:
        """Take over how the team's queue stands.

        Args:
            waiting: what waits there.
            skips: what was skipped.
            elsewhere: all that was settled.
        """
        if list(self.pending.items()) != list(waiting.items()):
            self.pending = waiting
            self._save_pending()
        for one in skips:
            if one not in self.skips:
                state.append(self.root, records.SKIPPED_FILE, one)
                self.skips.append(one)
        settled = {one.id: one for one in elsewhere}
        if settled != self.elsewhere:
            self.elsewhere = settled
            state.save(self.root, records.ELSEWHERE_FILE, settled.values())

    def forget_skips(self, skips: Iterable[Skip]) -> None:
        """Take skips back, as if they had never been made."""
        gone = list(skips)
        self.skips = [one for one in self.skips if one not in gone]
        stored = state.load(self.root, records.SKIPPED_FILE, Skip)
        state.save(self.root, records.SKIPPED_FILE, self.skips, keep=stored.unreadable)

    def write(self, receipt: Receipt) -> Receipt:
        """Write a receipt, or the next step of one."""
        state.append(self.root, records.RECEIPTS_FILE, receipt)
        self.receipts = [one for one in self.receipts if one.id != receipt.id] + [receipt]
        self.receipts.sort(key=lambda one: one.at)
        return receipt

    def _save_pending(self) -> None:
        stored = state.load(self.root, records.PENDING_FILE, Pending)
        state.save(self.root, records.PENDING_FILE, self.pending.values(), keep=stored.unreadable)


def new_receipt_id(now: datetime) -> str:
    """A name for a receipt that sorts by time."""
    return f"{now:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
