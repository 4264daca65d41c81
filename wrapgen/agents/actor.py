"""Who does something, where, and what it takes. PURE."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkFolder:
    """Where a session works.

    Attributes:
        id: what the project is called in the store, unless its folder is known there by another id.
        name: for people.
        path: its folder.
    """

    id: str
    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Who:
    """An agent, as its host names it.

    Attributes:
        id: unique among all sessions.
        session: the leader's session.
        name: what tasks are assigned to.
        type: what kind of agent it is.
        parent: who started it.
    """

    id: str
    session: str
    name: str
    type: str | None = None
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that an agent used; 0 where nothing is known."""

    input: int = 0
    output: int = 0


NO_USAGE = Usage()
