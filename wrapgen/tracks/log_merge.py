"""What a session adds to the log: turns, tombstones and decisions that it does not hold yet. PURE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import structs

from wrapgen.text.display import one_line
from wrapgen.tracks.entries import (
    DecisionRecord,
    Record,
    StoryLine,
    TombstoneRecord,
    TurnRecord,
    WithdrawnRecord,
    digest_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wrapgen.model import Decision
    from wrapgen.tracks.entries import LogContents
    from wrapgen.tracks.record import By, Tombstone, TurnStep

_TRUST: tuple[By, ...] = ("cue", "reader", "said")
"""Sources of a dead end, the most trusted last."""


@dataclass(frozen=True, slots=True)
class MergedSession:
    """A session that is added."""

    id: str  # the host's, or the name of the transcript where the host gives none
    steps: Sequence[TurnStep]  # oldest first
    tombstones: Sequence[Tombstone]
    decisions: Sequence[Decision]


def news(session: MergedSession, known: LogContents) -> Iterator[Record]:
    """The records to append, which are added to `known` as they are yielded."""
    for record in _all(session, known):
        known.take(record)
        yield record


def told(
    session: str, tombstones: Sequence[Tombstone], decisions: Sequence[Decision], known: LogContents
) -> list[Record]:
    """The records of dead ends and decisions given for a session, which are added to `known`.

    Args:
        session: its id, "" when nobody knows it.
        tombstones: the reported dead ends; the same name is the same dead end, and its latest wording counts.
        decisions: the same.
    """
    found: list[Record] = []
    for tombstone in tombstones:
        for record in _buried(session, tombstone, {}, known, least=0):
            known.take(record)
            found.append(record)
    for record in _decided(session, decisions, known):
        known.take(record)
        found.append(record)
    return found


def _all(session: MergedSession, known: LogContents) -> Iterator[Record]:
    keys: dict[int, str] = {}
    for step in session.steps:
        turn = turn_record(session.id, step)
        keys[step.number] = turn.key
        if known.turns.get(turn.key) != turn.digest:
            yield turn
    found: set[str] = set()
    for tombstone in session.tombstones:
        yield from _buried(session.id, tombstone, keys, known, least=1)
        found.update(one.id for one in [known.named(tombstone.name)] if one)
    present = set(keys.values())
    for one in known.standing:
        guessed = one.by == "cue" and one.session == session.id and one.id not in found
        if guessed and one.story and {told.key for told in one.story} <= present:
            yield WithdrawnRecord(one.id)
    yield from _decided(session.id, session.decisions, known)


def _buried(
    session: str, tombstone: Tombstone, keys: dict[int, str], known: LogContents, *, least: int
) -> Iterator[Record]:
    """The records of a dead end that the log lacks, or has in a less trusted wording.

    Args:
        keys: of the session's turns, by their numbers.
        least: how much more trusted its source must be than the previous one to replace its words.
    """
    story = tuple(StoryLine(one.turn, one.text, keys.get(one.turn, "")) for one in tombstone.story)
    record = TombstoneRecord(
        f"T{known.last_id + 1:02d}", session, tombstone.name, tombstone.reason, tombstone.by, tombstone.day,
        tombstone.turns, story,
    )  # fmt: skip
    former = known.named(tombstone.name)
    gone = former is not None and former.id in known.withdrawn
    if former is None or (gone and tombstone.by == "cue" and former.session != session):
        yield record
        return
    if gone:
        yield WithdrawnRecord(former.id, back=True)
    more = _TRUST.index(tombstone.by) - _TRUST.index(former.by)
    if more >= least and (more or record.reason != former.reason):
        kept = {} if story else {"story": former.story, "turns": former.turns}
        yield structs.replace(record, id=former.id, **kept)


def _decided(session: str, decisions: Sequence[Decision], known: LogContents) -> Iterator[Record]:
    for decision in decisions:
        key = digest_of(one_line(decision.text.casefold()))
        if key not in known.decisions:
            yield DecisionRecord(key, session, decision.text, decision.source, decision.day)


def turn_record(session: str, step: TurnStep) -> TurnRecord:
    """A step as stored in the log."""
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
