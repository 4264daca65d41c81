"""What a reader of a conversation is shown, and what it answers, as JSON (spec 3.6). PURE."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

import msgspec

from wrapgen.errors import AnswersError, Refusal
from wrapgen.jsonl import NOT_JSON, convert_each
from wrapgen.session.follow_up import By, FollowUp

REVIEW_SCHEMA = "wrapgen.review/1"
REVIEWED_SCHEMA = "wrapgen.reviewed/1"
FORM = (
    'Write {"follow_ups": [{"quote": "exact words", "text": "the task"}], "drop": []} as `wrap orphans --review` says.'
)


@dataclass(frozen=True, slots=True)
class ReviewCandidate:
    """A finding of state or rules, as shown to a reader."""

    n: int  # its number, which stays its own however often the conversation is reviewed
    id: str  # the follow-up's id
    by: By
    text: str
    quote: str
    turn: int  # 0-based index of its turn
    line: int  # line of the transcript where that turn begins


@dataclass(frozen=True, slots=True)
class Review:
    """What was last shown of a conversation."""

    transcript: str  # real path of the conversation
    session_id: str | None
    folder: str  # real path of the folder from which it was asked for
    at: datetime  # when
    candidates: tuple[ReviewCandidate, ...] = ()  # all that were ever shown of it, by their numbers


class FollowUpClaim(msgspec.Struct, frozen=True):
    """Open work found by a reader."""

    quote: str
    text: str = ""
    project: str | None = None
    sure: bool = True


class DropClaim(msgspec.Struct, frozen=True):
    """A candidate, by its number, or what waits from before, by its handle: why it is none, and what shows it."""

    why: str
    n: int = 0
    handle: str = ""
    quote: str = ""


class DeadEndClaim(msgspec.Struct, frozen=True):
    """An approach that was tried and given up: the words of the attempt and of the report that it failed."""

    tried: str
    failed: str
    name: str = ""
    reason: str = ""


class StatementClaim(msgspec.Struct, frozen=True):
    """What was decided, the conversation's goal, or what is in the way."""

    quote: str
    text: str = ""


class ProgressClaim(msgspec.Struct, frozen=True):
    """How far a part of the work is."""

    part: str
    quote: str
    state: str = ""
    note: str = ""


@dataclass(slots=True)
class Reviewed:
    """A reader's answer, as far as it can be read."""

    session_id: str | None = None
    follow_ups: list[FollowUpClaim] = field(default_factory=list)
    drop: list[DropClaim] = field(default_factory=list)
    dead_ends: list[DeadEndClaim] = field(default_factory=list)
    decisions: list[StatementClaim] = field(default_factory=list)
    goal: list[StatementClaim] = field(default_factory=list)  # one at most
    progress: list[ProgressClaim] = field(default_factory=list)
    blockers: list[StatementClaim] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)


_KINDS: dict[str, type[msgspec.Struct]] = {
    "follow_ups": FollowUpClaim, "drop": DropClaim, "dead_ends": DeadEndClaim, "decisions": StatementClaim,
    "goal": StatementClaim, "progress": ProgressClaim, "blockers": StatementClaim,
}  # fmt: skip


def numbered(orphans: Iterable[FollowUp], shown: Iterable[ReviewCandidate] = ()) -> tuple[ReviewCandidate, ...]:
    """Number what state and rules found; numbers already shown are kept, so that they mean the same to every reader."""
    known = {one.id: one for one in shown}
    for one in orphans:
        n = known[one.id].n if one.id in known else len(known) + 1
        known[one.id] = ReviewCandidate(n, one.id, one.by, one.text, one.quote, one.turn, one.line)
    return tuple(known.values())


def decode_reviewed(data: bytes, source: str) -> Reviewed:
    """Parse an answer; invalid entries are refused by position. Raises `AnswersError` for another document."""
    try:
        document = msgspec.json.decode(data)
    except NOT_JSON as error:
        raise AnswersError(f"the review is not JSON ({error})", where=source, next_step=FORM) from error
    if not isinstance(document, dict):
        raise AnswersError("the review is not a JSON object", where=source, next_step=FORM)
    if document.get("schema", REVIEWED_SCHEMA) != REVIEWED_SCHEMA:
        raise AnswersError(f"not of schema {REVIEWED_SCHEMA}", where=source, next_step=FORM)
    session, goal = document.get("session_id"), document.get("goal")
    found = Reviewed(session if isinstance(session, str) else None)

    def refuse(what: str, why: str) -> None:
        found.refused.append(Refusal(what, why))

    for name, kind in _KINDS.items():
        listed = goal and [goal] if name == "goal" else document.get(name)
        setattr(found, name, convert_each(listed, name, kind, refuse))
    return found
