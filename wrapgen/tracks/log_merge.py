"""What a session adds to the log: turns, dead ends and decisions that it does not hold yet. PURE."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from msgspec import structs

from wrapgen.model import Decision
from wrapgen.text.display import one_line
from wrapgen.tracks.log import LogContents
from wrapgen.tracks.record import By, DecisionRecord, Record, Tombstone, TurnRecord, WithdrawnRecord, digest_of

_TRUST: tuple[By, ...] = get_args(By)


@dataclass(frozen=True, slots=True)
class MergedSession:
    """A session that is added; its `id` is the host's, or the name of the transcript where the host gives none."""

    id: str
    turns: Sequence[TurnRecord]  # oldest first
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
    """The records of dead ends and decisions given for a session ("" when nobody knows it), added to `known`.

    The same name is the same dead end, and its latest wording counts; decisions likewise.
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
    keys = {turn.turn: turn.key for turn in session.turns}
    yield from (turn for turn in session.turns if known.turns.get(turn.key) != turn.digest)
    found: set[str] = set()
    for tombstone in session.tombstones:
        yield from _buried(session.id, tombstone, keys, known, least=1)
        found.update(one.id for one in [known.named(tombstone.name)] if one)
    present = set(keys.values())
    for one in known.standing:
        ours = one.asked and one.session == session.id and one.id not in found
        if ours and one.story and {told.key for told in one.story} <= present:
            yield WithdrawnRecord(one.id)
    yield from _decided(session.id, session.decisions, known)


def _buried(
    session: str, tombstone: Tombstone, keys: dict[int, str], known: LogContents, *, least: int
) -> Iterator[Record]:
    """The records of a dead end that the log lacks, or has in wording of a source less trusted by `least`.

    `keys` are those of the session's turns, by their numbers.
    """
    story = tuple(structs.replace(one, key=keys.get(one.turn, one.key)) for one in tombstone.story)
    turns = tuple(dict.fromkeys(one.turn for one in story if one.turn))
    record = structs.replace(tombstone, id=f"T{known.last_id + 1:02d}", session=session, story=story, turns=turns)
    former = known.named(tombstone.name)
    gone = former is not None and former.id in known.withdrawn
    if former is not None and former.id in known.refused and tombstone.by != "said":
        return
    if former is None or (gone and tombstone.asked and former.session != session):
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
