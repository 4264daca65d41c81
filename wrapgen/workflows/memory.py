"""The vault's memory on disk: what is pending, what was skipped, what was written."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, TypeVar

from wrapgen.days import moved
from wrapgen.notes import Trouble
from wrapgen.pipeline.stage import Decisions
from wrapgen.redact import redact_together
from wrapgen.session import memory as records
from wrapgen.session.memory import LEFT_OUT, Elsewhere, Pending, Receipt, Skip, Step
from wrapgen.vault import state
from wrapgen.workflows.said_file import SAID_FILE, read_said

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from wrapgen.session.follow_up import FollowUp
    from wrapgen.triage.said import Record
    from wrapgen.workflows.team_queue import Sharing


T = TypeVar("T")


@dataclass
class Memory:
    """What `.wrapgen/state/` holds about follow-ups; it is changed under the vault's lock."""

    root: Path
    pending: dict[str, Pending]
    skips: list[Skip]
    receipts: list[Receipt]
    troubles: list[Trouble]
    unsure: dict[str, Pending] = field(default_factory=dict)  # what rules are not sure of, until somebody was shown it
    redacted: int = 0  # secrets removed from what was stored in this run
    elsewhere: dict[str, Elsewhere] = field(default_factory=dict)  # what others on the team have answered, by id
    said: list[Record] = field(default_factory=list)  # `.wrapgen/said.jsonl`, which clones share
    sharing: Sharing | None = None  # the team's queue, None when follow-ups are kept in this vault only

    @classmethod
    def read(cls, root: Path) -> Memory:
        """Read the memory of a vault; lines that cannot be read are listed among the troubles."""
        troubles: list[Trouble] = []

        def stored(name: str, kind: type[T]) -> tuple[T, ...]:
            found = state.load(root, name, kind)
            for number, _ in found.unreadable:
                where = f"{state.STATE_FOLDER}/{name}"
                troubles.append(Trouble(where, f"line {number} cannot be read; it is kept as is"))
            return found.records

        said, unreadable = read_said(root)
        troubles += unreadable
        return cls(
            root,
            {one.orphan.id: one for one in stored(records.PENDING_FILE, Pending)},
            list(stored(records.SKIPPED_FILE, Skip)),
            list({one.id: one for one in stored(records.RECEIPTS_FILE, Receipt)}.values()),  # each in its current state
            troubles,
            {one.orphan.id: one for one in stored(records.UNSURE_FILE, Pending)},
            elsewhere={one.id: one for one in state.load(root, records.ELSEWHERE_FILE, Elsewhere).records},
            said=said,
        )

    def decisions(self) -> Decisions:
        """The user's decisions about single items, from receipts that are still valid."""
        kept: set[str] = set()
        finished: set[str] = set()
        snoozed: dict[str, date] = {}
        doubted: dict[str, str] = {}
        for receipt in self.receipts:
            if receipt.step is Step.DONE:
                if became := _became(receipt):  # what was decided before goes with the items
                    kept, finished = ({became.get(key, key) for key in ids} for ids in (kept, finished))
                    doubted = {became.get(key, key): at for key, at in doubted.items()}
                    days = sorted(snoozed.items(), key=lambda pair: pair[1])
                    snoozed = {became.get(key, key): day for key, day in days}
                kept = (kept | set(receipt.kept)) - {line.id for line in receipt.lines if line.orphan is None}
                finished = (finished | set(receipt.finished)) - set(receipt.kept)
                snoozed |= receipt.snoozed
                doubted |= receipt.doubted
        return Decisions(frozenset(kept), snoozed, frozenset(finished), doubted=doubted)

    def skips_since(self, oldest: date = date.min) -> list[Skip]:
        """The latest skip of each follow-up that is neither pending nor in a file."""
        standing = records.routed(self.receipts)
        latest = {
            skip.orphan.id: skip
            for skip in self.skips
            if skip.on >= oldest and skip.orphan.id not in standing and skip.orphan.id not in self.pending
        }
        return list(latest.values())

    def wait_for(self, orphans: Iterable[FollowUp], today: date, *, again: bool = False) -> None:
        """Add pending follow-ups, each once, without secrets; `again` when their answers were undone."""
        listed = list(orphans)
        new = {one.id: Pending(self.without_secrets(one), today) for one in listed if one.id not in self.pending}
        if self.sharing:
            for one in listed:
                known = self.pending.get(one.id)
                if known and one.said_on and one.said_on > (known.orphan.said_on or date.min):
                    self.sharing.say(Pending(self.without_secrets(one), today))
            self.sharing.wait(new.values(), again=again)
        if new:
            self.elsewhere = {key: one for key, one in self.elsewhere.items() if key not in new}
            self.pending |= new
            self._save_pending()
            self._keep_unsure(self.unsure)

    def take_up_copies(self, today: date) -> list[tuple[str, int]]:
        """Take up what stands in copies that a synchronizing program made of the file of pending follow-ups."""
        folder = state.state_file(self.root, "")
        taken: list[tuple[str, int]] = []
        answered = records.routed(self.receipts).keys() | {one.orphan.id for one in self.skips} | self.elsewhere.keys()
        for copy in sorted(folder.glob("pending*.jsonl")):
            if copy.name == records.PENDING_FILE:
                continue
            stored = state.load(self.root, copy.name, Pending)
            new = [one.orphan for one in stored.records if one.orphan.id not in answered | self.pending.keys()]
            self.wait_for(new, today)
            if not stored.unreadable:
                copy.unlink(missing_ok=True)
            if new or not stored.unreadable:
                taken.append((copy.name, len(new)))
        return taken

    def offer(self, unsure: Iterable[FollowUp], transcripts: Collection[str], today: date, lookback_days: int) -> None:
        """Keep what rules are not sure of in some conversations, which were read now; it does not wait."""
        oldest = moved(today, -lookback_days)
        kept = {
            key: one
            for key, one in self.unsure.items()
            if one.since >= oldest and one.orphan.transcript not in transcripts
        }
        kept |= {one.id: self.unsure.get(one.id) or Pending(self.without_secrets(one), today) for one in unsure}
        self._keep_unsure(kept)

    def leave_out(self, ids: Collection[str], today: date) -> list[FollowUp]:
        """Set aside what was unsure, and a person did not tick: it is not asked again, and can come back."""
        left = [one.orphan for key, one in (self.unsure | self.pending).items() if key in ids]
        self.skip(Skip(one, today, LEFT_OUT) for one in left)
        self.settle(ids)
        self._keep_unsure({key: one for key, one in self.unsure.items() if key not in ids})
        return left

    def bring_back(self, orphan: FollowUp, today: date) -> None:
        """Ask again about what was skipped, dropped or left out; whoever wants it back is sure of it."""
        self.wait_for([replace(orphan, sure=True)], today, again=True)
        self.forget_skips([one for one in self.skips if one.orphan.id == orphan.id])

    def accept_unsure(self, ids: Collection[str], today: date) -> None:
        """Make pending what somebody has answered, so that its answer is carried out and undone like any other."""
        self.wait_for([one.orphan for key, one in self.unsure.items() if key in ids], today)

    def _keep_unsure(self, kept: dict[str, Pending]) -> None:
        kept = {key: one for key, one in kept.items() if key not in self.pending}
        if kept != self.unsure:
            self.unsure = kept
            stored = state.load(self.root, records.UNSURE_FILE, Pending)
            state.save(self.root, records.UNSURE_FILE, kept.values(), keep=stored.unreadable)

    def reword(self, orphan: FollowUp) -> None:
        if orphan.id in self.pending:
            self.pending[orphan.id] = replace(self.pending[orphan.id], orphan=self.without_secrets(orphan))
            self._save_pending()

    def without_secrets(self, orphan: FollowUp) -> FollowUp:
        (text, quote), found = redact_together(orphan.text, orphan.quote)
        self.redacted += found
        return replace(orphan, text=text, quote=quote)

    def settle(self, ids: Iterable[str]) -> None:
        gone = self.pending.keys() & set(ids)
        if gone:
            if self.sharing:
                self.sharing.settle(self.pending[key] for key in gone)
            self.pending = {key: one for key, one in self.pending.items() if key not in gone}
            self._save_pending()

    def skip(self, skips: Iterable[Skip]) -> None:
        for one in skips:
            if one not in self.skips:
                if self.sharing and one.orphan.id in self.pending:
                    self.sharing.skip(self.pending[one.orphan.id], one)
                state.add_record(self.root, records.SKIPPED_FILE, one)
                self.skips.append(one)

    def not_claimed(self, ids: Collection[str]) -> dict[str, str | None]:
        """Claim follow-ups for this run; of the others, who is routing it, or None where it is answered."""
        taken = self.sharing.not_claimed(ids) if self.sharing else {}
        if settled := {key for key, who in taken.items() if who is None}:
            self.pending = {key: one for key, one in self.pending.items() if key not in settled}
            self._save_pending()
        return taken

    def take_over(self, waiting: dict[str, Pending], skips: Iterable[Skip], elsewhere: Iterable[Elsewhere]) -> None:
        if list(self.pending.items()) != list(waiting.items()):
            self.pending = waiting
            self._save_pending()
        for one in skips:
            if one not in self.skips:
                state.add_record(self.root, records.SKIPPED_FILE, one)
                self.skips.append(one)
        settled = {one.id: one for one in elsewhere}
        if settled != self.elsewhere:
            self.elsewhere = settled
            state.save(self.root, records.ELSEWHERE_FILE, settled.values())

    def forget_skips(self, skips: Iterable[Skip]) -> None:
        gone = list(skips)
        self.skips = [one for one in self.skips if one not in gone]
        stored = state.load(self.root, records.SKIPPED_FILE, Skip)
        state.save(self.root, records.SKIPPED_FILE, self.skips, keep=stored.unreadable)

    def receipt(self, name: str) -> Receipt:
        return next(one for one in self.receipts if one.id == name)

    def write(self, receipt: Receipt) -> Receipt:
        state.add_record(self.root, records.RECEIPTS_FILE, receipt)
        by_id = {one.id: one for one in self.receipts}  # in the order of their writing: a clock may be set back
        self.receipts = [*(by_id | {receipt.id: receipt}).values()]
        return receipt

    def close(self, receipt: Receipt) -> None:
        """Close a receipt; an empty one would be in the way of `wrap undo`."""
        self.write(replace(receipt, step=Step.DONE if receipt.holds_something else Step.UNDONE))

    def _save_pending(self) -> None:
        stored = state.load(self.root, records.PENDING_FILE, Pending)
        state.save(self.root, records.PENDING_FILE, self.pending.values(), keep=stored.unreadable)


def _became(receipt: Receipt) -> dict[str, str]:
    """Return what items are called since a receipt moved or reworded them, by their former ids."""
    said = b"".join(one.after for one in receipt.changes if one.path == SAID_FILE)
    if b'"became"' not in said:
        return {}
    from wrapgen.triage.said import ItemBecame, decoded

    return {one.was: one.id for one in decoded(said)[0] if isinstance(one, ItemBecame)}
