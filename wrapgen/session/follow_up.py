"""A follow-up: the one record of it, from the sentence that puts work off to the receipt of the line. PURE.

The files of `.wrapgen/state/` and the team's queue hold it as it stands here, so its fields keep their names and order.
"""

import hashlib
from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Literal, Self

from wrapgen.days import moment
from wrapgen.session.transcript import Turn
from wrapgen.text.words import fold_key

ID_LENGTH = 12

By = Literal["state", "reader", "cue"]
"""Who vouches for a find, in falling order of trust: the host's own data, somebody who has read, rules over words."""


class Route(StrEnum):
    """Where the line of a follow-up goes."""

    JOURNAL = "journal"
    PROJECT = "project"
    ACTIVE = "active"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A destination: a route, with the project and the task that it needs."""

    route: Route
    project: str | None = None
    task: str | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A place where a follow-up was said; its fields mean what they mean in `FollowUp`."""

    transcript: str
    turn: int
    line: int
    uuid: str | None = None


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A piece of work that was put off in a conversation."""

    id: str  # 12 hexadecimal digits of the folded words and the project; empty until the project is known
    text: str  # the task as it would be written down
    quote: str  # the words as they were said
    role: str  # who said them, `user` or `assistant`
    project: str | None
    lang: str  # language of the cue
    cue: str  # the words that gave it away
    confidence: float  # 0 to 1, how likely somebody would call it a follow-up
    transcript: str  # the conversation, as it was named; empty until that is known
    turn: int  # 0-based index among the turns that are read
    line: int  # 1-based line of the transcript where the turn begins
    uuid: str | None  # the host's id of that line, when it has one
    said_on: date | None  # local day of the turn, or of the transcript's last change when the turn bears no time
    suggested: Suggestion
    said_at: str | None = None  # the host's time stamp of the turn, when it has one
    reason: str | None = None  # why it is asked although it was routed before, else None
    also: tuple[Mention, ...] = ()  # further mentions of the same words, oldest first
    by: By = "cue"  # who vouches for it
    sure: bool = True  # whether it starts ticked when somebody is asked

    @classmethod
    def said_in(cls, turn: Turn, index: int, text: str, quote: str, *, lang: str, cue: str = "") -> Self:
        """What a sentence alone tells; who vouches for it, its conversation, project and day follow."""
        return cls(
            id="",
            text=text,
            quote=quote,
            role=turn.role,
            project=None,
            lang=lang,
            cue=cue,
            confidence=0,
            transcript="",
            turn=index,
            line=turn.line,
            uuid=turn.uuid,
            said_on=None,
            suggested=Suggestion(Route.JOURNAL),
            said_at=turn.timestamp,
        )

    def within(self, transcript: str) -> Self:
        also = tuple(replace(one, transcript=transcript) for one in self.also)
        return replace(self, transcript=transcript, also=also)

    @property
    def mention(self) -> Mention:
        return Mention(self.transcript, self.turn, self.line, self.uuid)


def orphan_id(text: str, project: str | None) -> str:
    """A name that stays the same wherever and however often the task is said (spec 3.3)."""
    key = f"{fold_key(text)}\x00{fold_key(project or '')}"
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:ID_LENGTH]


def unique(orphans: Iterable[FollowUp]) -> list[FollowUp]:
    """Each follow-up once, at its first place; where else it was said is noted with it."""
    by_id: dict[str, list[FollowUp]] = {}
    for orphan in orphans:
        by_id.setdefault(orphan.id, []).append(orphan)
    return [_with_mentions(*same) if len(same) > 1 else same[0] for same in by_id.values()]


def newest_first(orphans: Iterable[FollowUp], just: Container[str] = ()) -> list[FollowUp]:
    """Conversation by conversation, those in `just` first, then the newest; each in the order in which it left them."""
    conversations: dict[str, list[FollowUp]] = {}
    for orphan in orphans:
        conversations.setdefault(orphan.transcript, []).append(orphan)

    def age(numbered: tuple[int, list[FollowUp]]) -> tuple[bool, date, float, int]:
        at, said = numbered
        day = max(one.said_on or date.min for one in said)
        moments = [when.timestamp() for one in said if (when := moment(one.said_at))]
        return said[0].transcript in just, day, max(moments, default=0.0), at

    return [one for _, said in sorted(enumerate(conversations.values()), key=age, reverse=True) for one in said]


def _with_mentions(first: FollowUp, *others: FollowUp) -> FollowUp:
    """A follow-up that also names where others of the same words were said, each place once."""
    places: dict[tuple[str, int], Mention] = {}
    for one in (mention for said in (first, *others) for mention in (said.mention, *said.also)):
        places.setdefault((one.transcript, one.turn), one)
    del places[first.transcript, first.turn]
    return replace(first, also=tuple(places.values()))
