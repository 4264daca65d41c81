"""The records of the tracks, and the words around them in three languages. PURE."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from types import SimpleNamespace
from typing import Literal, get_args

import msgspec
from msgspec import structs

from wrapgen.days import moment
from wrapgen.jsonl import NOT_JSON
from wrapgen.model import Decision
from wrapgen.resources import cue_tables
from wrapgen.text.display import one_line
from wrapgen.text.words import fold_key

Role = Literal["user", "assistant"]
By = Literal["cue", "reader", "said"]
"""Who reported a dead end, the most trusted last: a rule over words (a question until somebody confirms it), a reader
of the conversation, or someone on purpose."""

NAME_LIMIT = 120  # characters of a dead end's name
REASON_LIMIT = 50  # characters of a reason
QUOTE_LIMIT = 300  # characters of a piece of a story


class Quoted(msgspec.Struct, frozen=True, gc=False):
    """Words of a turn; `turn` counts from 1, 0 when it is not known; `key` as in `TurnRecord`."""

    turn: int
    text: str
    key: str = ""


class TurnRecord(msgspec.Struct, frozen=True, tag_field="kind", tag="turn", omit_defaults=True, gc=False):
    """A turn with the tools called in it."""

    key: str  # the same in every copy of the turn: the host's id of it, or its place in the transcript
    digest: str  # of all that follows, so that a turn that has grown is distinguished from an unchanged one
    session: str
    turn: int  # its number in the transcript, from 1
    role: str
    text: str = ""  # what was said, without secrets; may be empty when only tools were called
    line: int = 0
    at: str | None = None  # the host's time stamp, unparsed
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()  # paths that the calls changed

    @property
    def day(self) -> date | None:
        stamp = moment(self.at)
        return stamp.date() if stamp else None


def turn_record(  # noqa: PLR0913 - a turn has so many parts
    session: str,
    turn: int,
    role: str,
    text: str,
    *,
    line: int = 0,
    at: str | None = None,
    tools: tuple[str, ...] = (),
    files: tuple[str, ...] = (),
    uuid: str | None = None,
) -> TurnRecord:
    """A turn with its key and digest; `uuid` is the host's id of it."""
    digest = digest_of(role, text, tools, files)
    return TurnRecord(uuid or f"{session}:{line}", digest, session, turn, role, text, line, at, tools, files)


class Tombstone(msgspec.Struct, frozen=True, tag_field="kind", tag="tombstone"):
    """A dead end: tried, failed and given up.

    A later record with the same id takes the place of the former: somebody told it better.
    """

    name: str  # what was tried, in the words of the transcript, or of whoever recorded it on purpose
    reason: str  # why it failed, of the same words; may be empty
    day: date | None = None  # when it was given up; None without a time stamp
    story: tuple[Quoted, ...] = ()  # guess, attempt, failure and giving up as they were said, as far as they are known
    by: By = "cue"
    id: str = ""  # `T01` ..., never given to another one; "" before it is in the log
    session: str = ""
    turns: tuple[int, ...] = ()  # the numbers of the turns that report it

    @property
    def asked(self) -> bool:
        """Whether a rule found it and nobody confirmed it."""
        return self.by == "cue"

    @property
    def mark(self) -> str:
        return "? " if self.asked else ""


class WithdrawnRecord(msgspec.Struct, frozen=True, tag_field="kind", tag="withdrawn", omit_defaults=True):
    """A tombstone that is none: its session went on and succeeded, or somebody said so; or (`back`) one after all."""

    id: str
    back: bool = False
    by: By = "cue"  # what a person took back no rule brings back


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


@dataclass(frozen=True, slots=True)
class FileState:
    """The last version of a file that a conversation changed."""

    path: str  # as the tool call names it
    text: str = ""  # the whole file, or as much of it as the transcript tells
    gone: bool = False  # it was deleted or moved away
    turn: int = 0  # the number of the turn that changed it last


@dataclass(frozen=True, slots=True)
class Interface:
    """The signatures of a file's final version."""

    name: str  # the file's path, or a name for a code block that names none
    language: str = ""  # the grammar's name (`python`), empty when it is unknown
    lines: tuple[str, ...] = ()  # signatures, indented by their nesting
    bare: tuple[str, ...] = ()  # the same without parameters, for when room is short
    # False when the language is unknown or the file does not parse: then it is listed by name only
    readable: bool = True


@dataclass(frozen=True, slots=True)
class Progress:
    """A row of the progress: a part of the work, its state, and a word about it."""

    name: str
    state: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What the hot track shows of a conversation until the next snapshot."""

    goal: str = ""
    blockers: tuple[str, ...] = ()  # newest first; the other lists end with the newest
    progress: tuple[Progress, ...] = ()
    interfaces: tuple[Interface, ...] = ()
    written: tuple[str, ...] = ()  # paths of files, named in one line where nothing says how far the work is
    last_asked: str = ""  # the beginning of what the user typed last
    last_said: str = ""  # the end of what the assistant said last


class StateRecord(msgspec.Struct, frozen=True, tag_field="kind", tag="state", omit_defaults=True):
    """How a session stands, by a reader of it; it takes the place of what rules say of the turns up to `turn`."""

    session: str
    turn: int  # the last one that the reader could see
    goal: str = ""
    progress: tuple[Progress, ...] = ()
    blockers: tuple[str, ...] | None = None  # newest first; None when the reader said nothing of them


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


Record = TurnRecord | Tombstone | WithdrawnRecord | DecisionRecord | StateRecord | SnapshotRecord | RenderedRecord

_DECODER: msgspec.json.Decoder[Record] = msgspec.json.Decoder(Record)


def digest_of(*parts: object) -> str:
    """A short name for what some parts say together."""
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:16]


def decoded(line: bytes) -> Record | None:
    """A line of the log as a record, None when it cannot be read."""
    try:
        return _DECODER.decode(line)
    except NOT_JSON:
        return None


class TrackLabels(SimpleNamespace):
    """The labels of a language, as `cues/labels.toml` has them: texts, and lists of three for heads of tables."""


@cache
def all_labels() -> dict[str, TrackLabels]:
    """The labels of every language, by its code."""
    return {language: TrackLabels(**table) for language, table in cue_tables("tracks")[0].items()}


def labels(lang: str) -> TrackLabels:
    """The labels for `zh`, `en` or `ko`; English for any other."""
    return all_labels().get(lang, all_labels()["en"])


def in_all_languages(name: str) -> tuple[str, ...]:
    """The words of one label in every language."""
    return tuple(getattr(one, name) for one in all_labels().values())


@dataclass(slots=True)
class LogContents:
    """What the log holds, but for the words of its turns."""

    turns: dict[str, str] = field(default_factory=dict)  # the digest of the last record of each turn, by its key
    tombstones: dict[str, Tombstone] = field(default_factory=dict)  # by id, those that were withdrawn too
    # of the tombstones, by their names folded; of one name the latest
    ids: dict[str, str] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)  # those of them that a person took back
    decisions: dict[str, DecisionRecord] = field(default_factory=dict)
    states: dict[str, StateRecord] = field(default_factory=dict)  # what a reader said last of each session
    last_id: int = 0  # the highest number that a tombstone was ever given
    version: int = 0  # the highest version that a snapshot ever had
    last: SnapshotRecord | None = None  # the snapshot of that version
    texts: dict[int, str] = field(default_factory=dict)  # what wrapgen wrote of each snapshot, by version
    rendered: set[str] = field(default_factory=set)  # digests of every COLD_TRACK.md that wrapgen wrote
    earliest: str | None = None  # the least time stamp of a turn

    @property
    def standing(self) -> list[Tombstone]:
        """The tombstones that were not withdrawn, oldest first."""
        return [one for one in self.tombstones.values() if one.id not in self.withdrawn]

    def named(self, name: str) -> Tombstone | None:
        """The latest tombstone of a name, be it withdrawn; None when there is none."""
        return self.tombstones.get(self.ids.get(fold_key(name), ""))

    def take(self, record: Record) -> None:
        match record:
            case Tombstone():
                self.tombstones[record.id] = record
                self.ids[fold_key(record.name)] = record.id
                self.last_id = max(self.last_id, int(record.id[1:]))
            case WithdrawnRecord():
                (self.withdrawn.discard if record.back else self.withdrawn.add)(record.id)
                (self.refused.add if record.by == "said" else self.refused.discard)(record.id)
            case DecisionRecord():
                self.decisions[record.key] = record
            case StateRecord():
                self.states[record.session] = record
            case SnapshotRecord():
                if record.version >= self.version:
                    self.version, self.last = record.version, record
                self.texts[record.version] = record.text
            case RenderedRecord():
                self.rendered.add(record.digest)
            case TurnRecord():
                self.turns[record.key] = record.digest
                if record.at and (self.earliest is None or record.at < self.earliest):
                    self.earliest = record.at


_TRUST: tuple[By, ...] = get_args(By)


def news(
    session: str,
    known: LogContents,
    tombstones: Sequence[Tombstone],
    decisions: Sequence[Decision],
    turns: Sequence[TurnRecord] = (),
) -> Iterator[Record]:
    """What a session adds: the records that the log lacks, each added to `known` as it is yielded.

    The same name is the same dead end, and its latest wording counts; decisions likewise.

    Args:
        session: the host's id, or the name of the transcript where the host gives none; "" when nobody knows it.
        turns: of the whole session, oldest first; without them it is told by somebody, whose new wording counts.
    """

    def found() -> Iterator[Record]:
        keys = {turn.turn: turn.key for turn in turns}
        yield from (turn for turn in turns if known.turns.get(turn.key) != turn.digest)
        still: set[str] = set()
        for tombstone in tombstones:
            yield from _buried(session, tombstone, keys, known)
            still.update(one.id for one in [known.named(tombstone.name)] if one)
        present = set(keys.values())
        for one in known.standing:
            ours = one.asked and one.session == session and one.id not in still
            if ours and one.story and {told.key for told in one.story} <= present:
                yield WithdrawnRecord(one.id)
        for decision in decisions:
            key = digest_of(one_line(decision.text.casefold()))
            if key not in known.decisions:
                yield DecisionRecord(key, session, decision.text, decision.source, decision.day)

    for record in found():
        known.take(record)
        yield record


def _buried(session: str, tombstone: Tombstone, keys: dict[int, str], known: LogContents) -> Iterator[Record]:
    """The records of a dead end that the log lacks, or has in other words of a source that is trusted less.

    `keys` are those of the session's turns, by their numbers; where there are none, as much trust is enough.
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
    if more >= bool(keys) and (more or record.reason != former.reason):
        kept = {} if story else {"story": former.story, "turns": former.turns}
        yield structs.replace(record, id=former.id, **kept)
