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
    """What a file holds after a tool call of the session."""

    path: str  # as the tool call names it
    # the whole file, or as much of it as the transcript tells; empty when a later step changes the file again
    text: str = ""
    gone: bool = False  # the file was deleted or moved away


@dataclass(frozen=True, slots=True)
class TurnStep:
    """A turn with the tools called in it."""

    number: int  # of the turn, counted from 1 within its transcript
    role: Role  # who said it
    text: str  # what was said, machinery left out; may be empty when only tools were called
    line: int = 0  # of the transcript, counted from 1
    timestamp: str | None = None  # the host's, unparsed
    tools: tuple[str, ...] = ()  # names of the tools called, in order
    # what files held after these calls, in order; the last one of a path is its final version
    files: tuple[FileState, ...] = ()
    typed: bool = False  # a person typed it
    uuid: str | None = None  # the host's id of the turn, when it has one


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


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words of a turn."""

    turn: int  # number of the turn, counted from 1; 0 when it is not known
    text: str  # its words, as they were said


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A dead end: tried, failed and given up."""

    name: str  # the thing that was tried, in the words of the transcript, or of whoever recorded it on purpose
    reason: str  # why it failed, at most 50 characters, of the same words; may be empty
    day: date | None  # when it was given up; None without a time stamp
    # hypothesis, attempt, failure and abandonment as they were said, as far as they are known
    story: tuple[Quoted, ...] = ()
    by: By = "cue"  # who reported it

    @property
    def turns(self) -> tuple[int, ...]:
        """Numbers of the turns that report it."""
        return tuple(dict.fromkeys(one.turn for one in self.story if one.turn))
