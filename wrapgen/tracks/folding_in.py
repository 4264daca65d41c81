"""What a session adds to the log: turns, tombstones and decisions that it does not hold yet. PURE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.tracks.entries import (
    DecisionRecord,
    Record,
    Told,
    TombstoneRecord,
    TurnRecord,
    WithdrawnRecord,
    digest_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wrapgen.tracks.entries import Contents
    from wrapgen.tracks.record import Decision, Step, Tombstone


@dataclass(frozen=True, slots=True)
class Session:
    """A session that is folded in.

    Attributes:
        id: the host's, or the name of the transcript where the host gives none.
        steps: oldest first.
    """

    id: str
    steps: Sequence[Step]
    tombstones: Sequence[Tombstone]
    decisions: Sequence[Decision]


def news(session: Session, known: Contents) -> Iterator[Record]:
    """The records to append, which are accounted for in `known` as they are given.

    Args:
        session: the session.
        known: what the log holds.
    """
    for record in _all(session, known):
        known.take(record)
        yield record


def _all(session: Session, known: Contents) -> Iterator[Record]:
    keys: dict[int, str] = {}
    for step in session.steps:
        turn = turn_record(session.id, step)
        keys[step.number] = turn.key
        if known.turns.get(turn.key) != turn.digest:
            yield turn
    found: set[str] = set()
    for tombstone in session.tombstones:
        record = _grave(session.id, tombstone, keys, known.last_id + 1)
        found.add(record.key)
        standing = known.tombstones.get(record.key)
        if standing is None:
            yield record
        elif standing.id in known.withdrawn:
            yield WithdrawnRecord(standing.id, back=True)
    present = set(keys.values())
    for one in known.standing:
        if one.session == session.id and one.key not in found and {told.key for told in one.story} <= present:
            yield WithdrawnRecord(one.id)
    for decision in session.decisions:
        key = digest_of(" ".join(decision.text.casefold().split()))
        if key not in known.decisions:
            yield DecisionRecord(key, session.id, decision.text, decision.source, decision.day)


def turn_record(session: str, step: Step) -> TurnRecord:
    """A step as the log keeps it.

    Args:
        session: the session's id.
        step: the step.
    """
    files = tuple(dict.fromkeys(state.path for state in step.files))
    return TurnRecord(
        key=step.uuid or f"{session}:{step.line}",
        digest=digest_of(step.role, step.text, step.tools, files),
        session=session,
        turn=step.number,
        role=step.role,
        text=step.text,
        line=step.line,
        at=step.timestamp,
        tools=step.tools,
        files=files,
    )


def _grave(session: str, tombstone: Tombstone, keys: dict[int, str], number: int) -> TombstoneRecord:
    story = tuple(Told(one.turn, one.text, keys.get(one.turn, "")) for one in tombstone.story)
    key = digest_of(tombstone.name, [(told.key, told.text) for told in story])
    return TombstoneRecord(f"T{number:02d}", key, session, tombstone.name, tombstone.reason, tombstone.day, story)
