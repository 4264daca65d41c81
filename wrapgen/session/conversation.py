"""Reads a transcript, finds its follow-ups, and gives each its project."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Self

from wrapgen.days import moment
from wrapgen.session.detection import follow_ups
from wrapgen.session.follow_up import FollowUp, Places, orphan_id, suggest
from wrapgen.session.lexicon import FollowUpCues
from wrapgen.session.outcome import KEPT_AS_DATA, HostState
from wrapgen.session.readers import open_transcript
from wrapgen.session.transcript import Header, Kept, NoSuchTranscriptError, Turn
from wrapgen.text.due_day import due_day

_OPENING = 20_000  # characters of a first prompt
_LAST_MOMENT = 253_402_200_000  # near the end of the year 9999, in whatever zone


@dataclass(frozen=True, slots=True)
class Dismissed:
    """A follow-up that is not asked about, and why."""

    follow_up: FollowUp
    reason: str
    held_by: str | None = None  # `path:line` of what holds it, where something does


@dataclass(frozen=True, slots=True)
class Conversation:
    """The result of one transcript."""

    name: str
    header: Header
    orphans: tuple[FollowUp, ...]
    dismissed: tuple[Dismissed, ...]
    messages: frozenset[int] = frozenset()  # hashes of the ids of its messages, else of their time stamps
    last: int = 0  # that of its last message
    opening: str = ""  # the beginning of what its user said first
    completed: tuple[FollowUp, ...] = ()  # entries of the agent's to-do list that it completed

    def goes_on(self, other: Self) -> bool:
        """Whether it is another one resumed: its file begins with a copy of that."""
        return self is not other and other.last != self.last and other.last in self.messages

    def has_no_more(self, one: FollowUp) -> bool:
        """Whether what waits from an earlier look at it, and was not found again, is gone.

        Its message was taken back, or the host's own data has it no more. What rules find no more of a message that
        stands, and what a summary once said, goes on waiting.
        """
        if one.by == "state":
            return one.cue in KEPT_AS_DATA
        said = one.uuid or one.said_at
        return said is not None and hash(said) not in self.messages


@dataclass(frozen=True, slots=True)
class Scan:
    """What is needed to scan a conversation."""

    cues: FollowUpCues  # what to look for
    places: Places  # what can be routed to, for the suggestion
    tag: Callable[[str], tuple[str | None, str]]  # takes the project tag off a text: project or None, and the rest
    named: Callable[[str], str | None]  # the one project that a text names, or None


def scan(path: Path, scan_for: Scan, project_of: Callable[[str], str | None]) -> Conversation:
    """Find what was put off in a transcript; raises what `open_transcript` does."""
    reader = open_transcript(path)
    state = HostState()
    offered: list[FollowUp] = []
    dismissed: list[Dismissed] = []
    messages: list[int] = []
    opening: list[str] = []
    events = _noting(reader.with_kept(), messages, opening)
    for found, settled in state.joined(follow_ups(state.following(events), scan_for.cues)):
        one = found.within(str(path))
        if settled:
            dismissed.append(Dismissed(one, settled))
        else:
            offered.append(one)
    here = project_of(reader.header.cwd) if reader.header.cwd else None
    orphans = attributed(offered, path, scan_for, here)
    completed = attributed([one.within(str(path)) for one in state.completed()], path, scan_for, here)
    last = messages[-1] if messages else 0
    begins = "".join(opening)
    return Conversation(
        str(path), reader.header, orphans, tuple(dismissed), frozenset(messages), last, begins, completed
    )  # fmt: skip


def _noting(events: Iterable[Turn | Kept], messages: list[int], opening: list[str]) -> Iterator[Turn | Kept]:
    for event in events:
        if isinstance(event, Turn):
            if event.role == "user" and not opening:
                opening.append(event.text[:_OPENING])
            if event.uuid is None:
                messages.append(hash(event.timestamp))
            messages.append(hash(event.uuid or (event.timestamp, event.text)))
        yield event


def _changed(path: Path) -> datetime:
    """When a file was changed last; a time that no calendar has is the nearest that one has."""
    try:
        moment = path.stat().st_mtime
    except OSError as error:
        raise NoSuchTranscriptError(
            "the transcript is there no more", where=str(path), next_step="Nothing of it was kept."
        ) from error
    return datetime.fromtimestamp(min(max(moment, 0), _LAST_MOMENT)).astimezone()


def attributed(found: Iterable[FollowUp], path: Path, scan_for: Scan, here: str | None) -> tuple[FollowUp, ...]:
    """Follow-ups of a transcript with project (`here` where they name none), id, day and suggestion."""
    changed = _changed(path)
    done: list[FollowUp] = []
    for one in found:
        tagged, text = scan_for.tag(one.text)
        project = tagged or here or scan_for.named(text)
        day, where = (moment(one.said_at) or changed).date(), suggest(project, scan_for.places, text)
        key, due = orphan_id(text, project), due_day(one.quote, day) if one.role == "user" else None
        done.append(replace(one, id=key, text=text, project=project, said_on=day, suggested=where, due=due))
    return tuple(done)
