"""The pending follow-ups of a vault on a team's server: one queue for all its clones.

A router claims what it is about to write, writes, and reports the outcome. It holds no transaction open meanwhile: the
claim is in the row, so a router that dies after writing its file still blocks others until it runs again, or its lease
expires.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec

from wrapgen.agents import sql

if TYPE_CHECKING:
    from collections.abc import Collection

    from wrapgen.agents.store import Store

LEASE_SECONDS = 3600
"""How long a claim lasts: far longer than a routing, which takes less than a second, and much shorter than a day."""


class QueueState(StrEnum):
    """What has become of a follow-up."""

    WAITING = "waiting"
    CLAIMED = "claimed"
    SETTLED = "settled"
    SKIPPED = "skipped"


class Wait(msgspec.Struct, frozen=True, tag="wait", kw_only=True):
    """A follow-up that waits."""

    vault: str
    id: str
    record: str  # what is known about it, as JSON
    day: str  # since when, ISO 8601
    said: str  # the day on which it was said last, "" where that is not known
    again: bool  # it is to wait although it was settled before

    def do(self, store: Store) -> None:
        store.rows(sql.QUEUE_WAIT, msgspec.structs.asdict(self))
        store.rows(sql.QUEUE_SAY_AGAIN, msgspec.structs.asdict(self))


class Settle(msgspec.Struct, frozen=True, tag="settle", kw_only=True):
    """A follow-up that is no longer pending."""

    vault: str
    id: str
    state: str  # `QueueState.SETTLED` or `QueueState.SKIPPED`
    record: str  # what is known about it, as JSON
    day: str  # when it was settled, ISO 8601; what was said later still waits
    who: str  # who did it, for people
    clone: str  # where that was

    def do(self, store: Store) -> None:
        store.rows(sql.QUEUE_SETTLE, msgspec.structs.asdict(self))


class Settled(msgspec.Struct, frozen=True, array_like=True):
    """A row of what was settled; see `Settle`."""

    id: str
    state: QueueState
    day: str
    who: str | None
    record: str


@dataclass(frozen=True, slots=True)
class Queue:
    """The queue of a vault on a server, as one clone sees it.

    Every method raises `UnavailableError` when the server is not there any more.
    """

    vault: str  # the vault's name in the store
    clone: str  # what tells this clone of it from all others
    who: str  # the person, for people

    def claim(self, store: Store, ids: Collection[str]) -> set[str]:
        """Claim follow-ups, so that no one else routes them: of these, what waited or whose lease was over."""
        return {found for (found,) in self._rows(store, sql.QUEUE_CLAIM, ids=list(ids), lease=LEASE_SECONDS)}

    def release(self, store: Store) -> None:
        """Release this clone's open claims; none of its routers may be running."""
        self._rows(store, sql.QUEUE_RELEASE)

    def waiting(self, store: Store) -> dict[str, str]:
        """The pending records by id, including claimed ones; oldest first."""
        return dict(self._rows(store, sql.QUEUE_WAITING))

    def settled(self, store: Store, since: str) -> list[Settled]:
        return [msgspec.convert(row, Settled) for row in self._rows(store, sql.QUEUE_SETTLED, since=since)]

    def states(self, store: Store, ids: Collection[str]) -> dict[str, tuple[QueueState, str | None]]:
        """What has become of follow-ups, and by whom; those that were never heard of are left out."""
        rows = self._rows(store, sql.QUEUE_STATES, ids=list(ids)) if ids else []
        return {found: (QueueState(state), who) for found, state, who in rows}

    def forget(self, store: Store, before: str) -> None:
        self._rows(store, sql.QUEUE_FORGET, before=before)

    def _rows(self, store: Store, statement: str, **values: object) -> list[tuple[Any, ...]]:
        return store.rows(statement, {"vault": self.vault, "clone": self.clone, "who": self.who, **values})
