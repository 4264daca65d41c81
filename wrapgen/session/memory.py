"""What is remembered between runs: pending and skipped follow-ups, receipts, and where their lines are. PURE.

A receipt is planned before the first file is touched and closed after the last. It says of each file what stood before
and what it made, so that the next run can finish or take back one that died in between: each line is written once, or
its follow-up is still pending. The same words elsewhere in a file (in notes, among ideas) are not its line: nothing
collects them there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from wrapgen.days import moment
from wrapgen.errors import EditError
from wrapgen.redact import MARK, redact
from wrapgen.session.follow_up import FollowUp, Route
from wrapgen.text.headings import roles

if TYPE_CHECKING:
    from wrapgen.config import SectionNames
    from wrapgen.notes import Document, Entry

PENDING_FILE = "pending.jsonl"
UNSURE_FILE = "unsure.jsonl"
SKIPPED_FILE = "skipped.jsonl"
RECEIPTS_FILE = "receipts.jsonl"
ASKED_FILE = "asked.jsonl"
REVIEWS_FILE = "reviews.jsonl"
ELSEWHERE_FILE = "elsewhere.jsonl"
CLONE_FILE = "clone.jsonl"

VANISHED = "line vanished after routing"
LEFT_OUT = "left out"
"""Why something is not asked again that was unsure, and that a person who saw it did not tick."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A pending follow-up, with the day since when."""

    orphan: FollowUp
    since: date


@dataclass(frozen=True, slots=True)
class Skip:
    """A skipped follow-up: not asked about again for mentions up to that turn."""

    orphan: FollowUp
    on: date
    why: str = ""  # why a reader dropped it, or `LEFT_OUT`; empty when a person skipped it


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A follow-up that someone on the team has routed or skipped."""

    id: str
    on: date  # the day of that: what was said up to then is answered
    who: str  # who did it, for people


def _refuse_elsewhere(path: str) -> None:
    """A receipt may come with a foreign vault, so it must not name paths outside, nor what git would execute."""
    parts = path.casefold().split("/")
    if path.startswith("/") or "\0" in path or ".." in parts or ".git" in parts or not path:
        raise ValueError("a receipt names a file outside of the vault")


@dataclass(frozen=True, slots=True)
class Line:
    """One line that was written."""

    id: str  # the follow-up's id, or that of the item that was finished
    text: str  # its words
    route: Route | None
    path: str
    line: str  # the whole line as it was written, without its line ending
    number: int = 0  # its 1-based number in the file at that time, 0 when it stood there before
    project: str | None = None
    task: str | None = None
    orphan: FollowUp | None = None  # the follow-up that it came from, so that it can return to pending

    def __post_init__(self) -> None:
        _refuse_elsewhere(self.path)


@dataclass(frozen=True, slots=True)
class Known:
    """Bytes that hold a secret, of which only this is kept."""

    size: int
    digest: str


@dataclass(frozen=True, slots=True)
class Change:
    """What was done to whole lines of one file."""

    path: str  # relative to the vault
    offset: int  # where they began in the file as it stood before, in bytes
    after: bytes  # what was put there
    before: bytes = b""  # what stood there and does no more (an open box), empty for an insertion
    created: bool = False  # the file was made for it
    hidden: tuple[Known, Known] | None = None  # `after` and `before` with their secrets, which are cut from both

    def __post_init__(self) -> None:
        _refuse_elsewhere(self.path)


class Step(StrEnum):
    """How far a receipt has come."""

    PLANNED = "planned"
    DONE = "done"
    UNDOING = "undoing"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Digests:
    """A whole file as it stood before a receipt's changes and as they made it; empty for one that did not exist."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What one run wrote, and where; the last line with its id in the file counts."""

    id: str
    at: datetime
    command: str  # the command that wrote it
    step: Step
    lines: tuple[Line, ...] = ()
    changes: tuple[Change, ...] = ()  # those of one file in the order of its lines, of files in that of their writing
    files: dict[str, Digests] = field(default_factory=dict)  # the changed files, by path
    skips: tuple[Skip, ...] = ()
    vanished: tuple[str, ...] = ()  # ids of lines that no longer are anywhere; their follow-ups went back to pending
    snoozed: dict[str, date] = field(default_factory=dict)  # items hidden until a day
    kept: tuple[str, ...] = ()  # items that nothing resolves or absorbs
    finished: tuple[str, ...] = ()  # items that a person says are done, with those merged into them
    doubted: dict[str, str] = field(default_factory=dict)  # items that a to-do list shows to be done: where, by id

    @property
    def interrupted(self) -> bool:
        """Whether the run that wrote it, or the one that took it back, has died or could not finish."""
        return self.step in (Step.PLANNED, Step.UNDOING)

    @property
    def indivisible(self) -> bool:
        """Whether a part of it would leave an item at two places, or at none."""
        return self.command == "move"

    @property
    def paths(self) -> list[str]:
        """The files that it changed, in the order of their writing."""
        return list(dict.fromkeys(change.path for change in self.changes))

    @property
    def holds_something(self) -> bool:
        """Whether it contains anything that could be undone."""
        lines = any(line.number or line.orphan for line in self.lines)
        return bool(lines or self.changes or self.skips or self.snoozed or self.kept or self.doubted)


def routed(receipts: list[Receipt]) -> dict[str, Line]:
    """The follow-ups that are in a file according to a valid receipt, by id."""
    return {
        line.id: line
        for receipt in receipts
        if receipt.step is Step.DONE
        for line in receipt.lines
        if line.orphan is not None and line.id not in receipt.vanished
    }


def said_later(one: FollowUp, other: FollowUp) -> bool:
    """Whether it was said after the other: turns decide within a conversation, else times, else days."""
    if one.transcript == other.transcript:
        return one.turn > other.turn
    said, before = moment(one.said_at), moment(other.said_at)
    if said is not None and before is not None:
        return said > before
    return one.said_on is not None and other.said_on is not None and one.said_on > other.said_on


def open_line(text: str, project: str | None, route: Route, document: Document, sections: SectionNames) -> int | None:
    """The line where an open item stands in a list of its route, tagged or not; None when it does not."""
    for entry, role in _with_roles(document, sections):
        collected = entry.box if route is Route.ACTIVE else role == "next"
        if collected and _reads_as(text, project, entry, done=False):
            return entry.line
    return None


def place_in(document: Document, line: Line, sections: SectionNames) -> int | None:
    """Where a line that was written is in its file: open, marked finished, or in a list of finished work."""
    if line.route is not None:
        found = open_line(line.text, line.project, line.route, document, sections)
        if found is not None:
            return found
    for entry, role in _with_roles(document, sections):
        finished = entry.done or (role == "done" and not entry.box)
        if finished and _reads_as(line.text, line.project, entry, done=True):
            return entry.line
    return None


def _with_roles(document: Document, sections: SectionNames) -> list[tuple[Entry, str]]:
    found = roles(document.sections, sections)
    return [(entry, found[entry.section] if entry.section >= 0 else "") for entry in document.entries]


def _reads_as(text: str, project: str | None, entry: Entry, *, done: bool) -> bool:
    from wrapgen.vault.markdown.item_writer import NewItem  # hooks read what is pending, and parse no notes

    if MARK in text:  # words from a receipt or from pending: compare without secrets
        entry = msgspec.structs.replace(entry, text=redact(entry.text)[0])
    try:
        return any(NewItem(text, tag).stands_as(entry, done=done) for tag in {project, None})
    except EditError:
        return False
