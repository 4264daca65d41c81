"""What the cold log is made of: a record for each turn, tombstone, decision and snapshot. PURE."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import date

import msgspec

from wrapgen.jsonl import NOT_JSON
from wrapgen.text.words import fold_key
from wrapgen.tracks.record import By, Drawn, Quoted, Tombstone


class StoryLine(msgspec.Struct, frozen=True, gc=False):
    """Words of a turn in a tombstone's story."""

    turn: int
    text: str
    key: str = ""


class TurnRecord(msgspec.Struct, frozen=True, tag_field="kind", tag="turn", omit_defaults=True, gc=False):
    """A turn."""

    key: str  # the same in every copy of the turn: the host's id of it, or its place in the transcript
    digest: str  # of everything that follows, so that a turn that has grown is distinguished from an unchanged one
    session: str
    turn: int
    role: str
    text: str = ""
    line: int = 0
    at: str | None = None  # the host's time stamp, unparsed
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class TombstoneRecord(msgspec.Struct, frozen=True, tag_field="kind", tag="tombstone"):
    """A dead end, as in `record.Tombstone`; `id` is never given to another one.

    A later record with the same id takes the place of the former: somebody told it better.
    """

    id: str
    session: str
    name: str
    reason: str
    by: By = "cue"
    day: date | None = None
    turns: tuple[int, ...] = ()
    story: tuple[StoryLine, ...] = ()

    @property
    def found(self) -> Tombstone:
        """The tombstone as it was found in its conversation."""
        story = tuple(Quoted(one.turn, one.text) for one in self.story)
        return Tombstone(self.name, self.reason, self.day, story, self.by)


class WithdrawnRecord(msgspec.Struct, frozen=True, tag_field="kind", tag="withdrawn", omit_defaults=True):
    """A tombstone that is none: its session went on and succeeded; or (`back`) is one after all."""

    id: str
    back: bool = False


class DecisionRecord(msgspec.Struct, frozen=True, tag_field="kind", tag="decision", omit_defaults=True):
    """A decision; `source` as in `model.Decision`."""

    key: str
    session: str
    text: str
    source: str
    day: date | None = None

    @property
    def turn(self) -> int | None:
        """The turn that reported it, None for a journal's."""
        kind, _, number = self.source.partition(" ")
        return int(number) if kind == "turn" and number.isdecimal() else None


class SnapshotRecord(msgspec.Struct, frozen=True, tag_field="kind", tag="snapshot", omit_defaults=True):
    """A hot track that was about to be written."""

    at: str  # when what is drawn was taken from its conversation, with its zone
    session: str = ""
    transcript: str = ""
    version: int = 0
    text: str = ""  # what wrapgen wrote of it, without what people added
    branch: str | None = None  # the branch of git that was checked out, None when there was none
    drawn: Drawn | None = None  # what is in it until the next conversation; None in logs of old, which did not keep it


class RenderedRecord(msgspec.Struct, frozen=True, tag_field="kind", tag="rendered"):
    """A COLD_TRACK.md that was about to be written, by the digest of its bytes."""

    digest: str
    at: str


Record = TurnRecord | TombstoneRecord | WithdrawnRecord | DecisionRecord | SnapshotRecord | RenderedRecord


_DECODER: msgspec.json.Decoder[Record] = msgspec.json.Decoder(Record)


@dataclass(slots=True)
class LogContents:
    """What the log holds, but for the words of its turns."""

    turns: dict[str, str] = field(default_factory=dict)  # the digest of the last record of each turn, by its key
    tombstones: dict[str, TombstoneRecord] = field(default_factory=dict)  # by id, those that were withdrawn too
    # of the tombstones, by their names folded; of one name the latest
    ids: dict[str, str] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    decisions: dict[str, DecisionRecord] = field(default_factory=dict)
    last_id: int = 0  # the highest number that a tombstone was ever given
    version: int = 0  # the highest version that a snapshot ever had
    last: SnapshotRecord | None = None  # the snapshot of that version
    texts: dict[int, str] = field(default_factory=dict)  # what wrapgen wrote of each snapshot, by version
    rendered: set[str] = field(default_factory=set)  # digests of every COLD_TRACK.md that wrapgen wrote
    earliest: str | None = None  # the least time stamp of a turn
    unreadable: int = 0  # how many lines cannot be read

    @property
    def standing(self) -> list[TombstoneRecord]:
        """The tombstones that were not withdrawn, oldest first."""
        return [one for one in self.tombstones.values() if one.id not in self.withdrawn]

    def named(self, name: str) -> TombstoneRecord | None:
        """The latest tombstone of a name, be it withdrawn; None when there is none."""
        return self.tombstones.get(self.ids.get(fold_key(name), ""))

    def take(self, record: Record) -> None:
        """Account for one more record."""
        match record:
            case TombstoneRecord():
                self.tombstones[record.id] = record
                self.ids[fold_key(record.name)] = record.id
                self.last_id = max(self.last_id, int(record.id[1:]))
            case WithdrawnRecord():
                (self.withdrawn.discard if record.back else self.withdrawn.add)(record.id)
            case DecisionRecord():
                self.decisions[record.key] = record
            case SnapshotRecord():
                if record.version >= self.version:
                    self.version, self.last = record.version, record
                self.texts[record.version] = record.text
            case RenderedRecord():
                self.rendered.add(record.digest)
            case TurnRecord():
                self.turn(record.key, record.digest, record.at)

    def turn(self, key: str, digest: str, at: str | None) -> None:
        """Account for a turn."""
        self.turns[key] = digest
        if at and (self.earliest is None or at < self.earliest):
            self.earliest = at


def digest_of(*parts: object) -> str:
    """A short name for what some parts say together."""
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:16]


def decoded(line: bytes) -> Record | None:
    """A line as a record, None when it cannot be read."""
    try:
        return _DECODER.decode(line)
    except NOT_JSON:
        return None
