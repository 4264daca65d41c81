"""The records of the tracks, and the words around them in three languages. PURE."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import date
from functools import cache
from types import SimpleNamespace
from typing import Literal

import msgspec

from wrapgen.days import moment
from wrapgen.jsonl import NOT_JSON
from wrapgen.resources import cue_tables

Role = Literal["user", "assistant"]
By = Literal["cue", "reader", "said"]
"""Who reported a dead end, the most trusted last: a rule over words (a question until somebody confirms it), a reader
of the conversation, or someone on purpose."""

NAME_LIMIT = 120  # characters of a dead end's name
REASON_LIMIT = 50  # characters of a reason (spec 6.2)
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
def _by_language() -> dict[str, TrackLabels]:
    return {language: TrackLabels(**table) for language, table in cue_tables("tracks")[0].items()}


def labels(lang: str) -> TrackLabels:
    """The labels for `zh`, `en` or `ko`; English for any other."""
    return _by_language().get(lang, _by_language()["en"])


def all_labels() -> tuple[TrackLabels, ...]:
    """The labels of every language."""
    return tuple(_by_language().values())


def in_all_languages(name: str) -> tuple[str, ...]:
    """The words of one label in every language."""
    return tuple(getattr(one, name) for one in all_labels())
