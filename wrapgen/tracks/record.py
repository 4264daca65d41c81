"""The records of the tracks: steps of a conversation, and what is extracted from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from datetime import date

Role = Literal["user", "assistant"]
By = Literal["said", "reader", "cue"]
"""Who reported a dead end: someone on purpose, a reader of the conversation, or a rule over its words."""


@dataclass(frozen=True, slots=True)
class FileState:
    """What a file holds after a tool call of the session.

    Attributes:
        path: as the tool call names it.
        text: the whole file, or as much of it as the transcript tells; empty when a later step changes the file again.
        gone: the file was deleted or moved away.
    """

    path: str
    text: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True)
class TurnStep:
    """A turn with the tools called in it.

    Attributes:
        number: of the turn, counted from 1 within its transcript.
        role: who said it.
        text: what was said, machinery left out; may be empty when only tools were called.
        line: of the transcript, counted from 1.
        timestamp: the host's, unparsed.
        tools: names of the tools called, in order.
        files: what files held after these calls, in order; the last one of a path is its final version.
        typed: a person typed it.
        uuid: the host's id of the turn, when it has one.
    """

    number: int
    role: Role
    text: str
    line: int = 0
    timestamp: str | None = None
    tools: tuple[str, ...] = ()
    files: tuple[FileState, ...] = ()
    typed: bool = False
    uuid: str | None = None


@dataclass(frozen=True, slots=True)
class Interface:
    """The signatures of a file's final version.

    Attributes:
        name: the file's path, or a name for a code block that names none.
        language: the grammar's name (`python`), empty when it is unknown.
        lines: signatures, indented by their nesting.
        bare: the same without parameters, for when room is short.
        readable: False when the language is unknown or the file does not parse: then it is listed by name only.
    """

    name: str
    language: str = ""
    lines: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()
    readable: bool = True


@dataclass(frozen=True, slots=True)
class Progress:
    """A row of the progress: a part of the work, its state, and a word about it."""

    name: str
    state: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What the hot track shows of a conversation until the next snapshot.

    Attributes:
        blockers: newest first; the other lists end with the newest.
    """

    goal: str = ""
    blockers: tuple[str, ...] = ()
    progress: tuple[Progress, ...] = ()
    interfaces: tuple[Interface, ...] = ()


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words of a turn.

    Attributes:
        turn: number of the turn, counted from 1; 0 when it is not known.
        text: its words, as they were said.
    """

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A dead end: tried, failed and given up.

    Attributes:
        name: the thing that was tried, in the words of the transcript, or of whoever recorded it on purpose.
        reason: why it failed, at most 50 characters, of the same words; may be empty.
        day: when it was given up; None without a time stamp.
        story: hypothesis, attempt, failure and abandonment as they were said, as far as they are known.
        by: who reported it.
    """

    name: str
    reason: str
    day: date | None
    story: tuple[Quoted, ...] = ()
    by: By = "cue"

    @property
    def turns(self) -> tuple[int, ...]:
        """Numbers of the turns that report it."""
        return tuple(dict.fromkeys(one.turn for one in self.story if one.turn))
