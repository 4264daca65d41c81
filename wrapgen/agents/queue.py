"""The follow-ups of a vault that wait on a team's server: one queue for all who have a clone of it.

A router claims what it is about to write, writes, and says what became of it. It holds no transaction open meanwhile:
its claim stands in the row, so that one that dies between its file and the server keeps what it may have written from
everybody else until it runs again, or until its lease is over.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec

from wrapgen.agents import queue_sql as sql

if TYPE_CHECKING:
    from collections.abc import Collection
    from contextlib import AbstractContextManager

    from wrapgen.agents.database import Database
    from wrapgen.agents.store import Store

LEASE_SECONDS = 3600
"""How long a claim keeps others off: long beside a routing, which takes less than a second, and short beside a day."""


class State(StrEnum):
    """What has become of a follow-up."""

    WAITING = "waiting"
    CLAIMED = "claimed"
    SETTLED = "settled"
    SKIPPED = "skipped"


class Wait(msgspec.Struct, frozen=True, tag="wait", kw_only=True):
    """A follow-up that waits.

    Attributes:
        record: what is known about it, as JSON.
        day: since when, ISO 8601.
        said: the day on which it was said last, "" where that is not known.
        again: it is to wait although it was settled before.
    """

    vault: str
    id: str
    record: str
    day: str
    said: str
    again: bool

    def do(self, store: Store) -> None:
        """Do it."""
        store.database.rows(sql.WAIT, msgspec.structs.asdict(self))
        store.database.rows(sql.SAY_AGAIN, msgspec.structs.asdict(self))


class Settle(msgspec.Struct, frozen=True, tag="settle", kw_only=True):
    """A follow-up that waits no more.

    Attributes:
        state: `State.SETTLED` or `State.SKIPPED`.
        record: what is known about it, as JSON.
        day: when it was settled, ISO 8601; what was said later still waits.
        who: who did it, for people.
        clone: where that was.
    """

    vault: str
    id: str
    state: str
    record: str
    day: str
    who: str
    clone: str

    def do(self, store: Store) -> None:
        """Do it."""
        store.database.rows(sql.SETTLE, msgspec.structs.asdict(self))


class Settled(msgspec.Struct, frozen=True, array_like=True):
    """A row of what was settled; see `Settle`."""

    id: str
    state: State
    day: str
    who: str | None
    record: str


@dataclass(frozen=True, slots=True)
class Router:
    """Who claims.

    Attributes:
        vault: the vault's name in the store.
        clone: what tells this clone of it from all others.
        who: the person, for people.
    """

    vault: str
    clone: str
    who: str


class Queue:
    """The queue of a vault on the server.

    Every method raises `UnavailableError` when the server is not there any more.

    Args:
        database: the server's.
        router: who asks.
    """

    def __init__(self, database: Database, router: Router) -> None:
        self._database = database
        self._router = router

    def claim(self, ids: Collection[str]) -> set[str]:
        """Take follow-ups, so that nobody else routes them.

        Args:
            ids: which ones.

        Returns:
            those that waited, or whose router has not been heard of for `LEASE_SECONDS`.
        """
        return {found for (found,) in self._rows(sql.CLAIM, ids=list(ids), lease=LEASE_SECONDS)}

    def release(self) -> None:
        """Give back what this clone has claimed and not settled; none of its routers may be at work."""
        self._rows(sql.RELEASE)

    def waiting(self) -> dict[str, str]:
        """The records of what waits, also of what somebody routes just now, by their ids; oldest first."""
        return dict(self._rows(sql.WAITING))

    def settled(self, since: str) -> list[Settled]:
        """What was settled from a day on."""
        return [msgspec.convert(row, Settled) for row in self._rows(sql.SETTLED, since=since)]

    def states(self, ids: Collection[str]) -> dict[str, tuple[State, str | None]]:
        """What has become of follow-ups, and by whom; those that were never heard of are left out."""
        rows = self._rows(sql.STATES, ids=list(ids)) if ids else []
        return {found: (State(state), who) for found, state, who in rows}

    def moment(self) -> AbstractContextManager[None]:
        """What is asked inside is as it stood at one moment."""
        return self._database.reading()

    def forget(self, before: str) -> None:
        """Forget what was settled before a day."""
        self._rows(sql.FORGET, before=before)

    def _rows(self, statement: str, **values: object) -> list[tuple[Any, ...]]:
        router = self._router
        given = {"vault": router.vault, "clone": router.clone, "who": router.who, **values}
        return self._database.rows(statement, given)
