"""Conversations to orphans' raw form: transcripts read, follow-ups found, projects derived."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from wrapgen.days import moment
from wrapgen.session.follow_ups import FollowUp, follow_ups, orphan_id
from wrapgen.session.readers import open_transcript
from wrapgen.session.routing import Mention, Orphan, Places, suggest
from wrapgen.session.state import HostState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from wrapgen.session.lexicon import Cues
    from wrapgen.session.transcript import Header

LOW_CONFIDENCE = "low confidence"


@dataclass(frozen=True, slots=True)
class Dismissed:
    """A follow-up that is not asked about, and why.

    Attributes:
        line: line of the transcript where it was said.
        held_by: `path:line` of what holds it, where something does.
    """

    text: str
    reason: str
    line: int
    transcript: str
    held_by: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """What one transcript holds."""

    name: str
    header: Header
    orphans: tuple[Orphan, ...]
    dismissed: tuple[Dismissed, ...]


@dataclass(frozen=True, slots=True)
class Scan:
    """What is needed to scan a conversation.

    Attributes:
        cues: what to look for.
        min_confidence: least confidence (0 to 1) of a follow-up that is offered.
        places: what can be routed to, for the suggestion.
        tag: takes the project tag off a text: project or None, and the rest.
        named: the one project that a text names, or None.
    """

    cues: Cues
    min_confidence: float
    places: Places
    tag: Callable[[str], tuple[str | None, str]]
    named: Callable[[str], str | None]


def scan(path: Path, scan_for: Scan, project_of: Callable[[str], str | None]) -> Conversation:
    """Read a transcript and find what was put off in it.

    Args:
        path: the transcript.
        scan_for: what to look for.
        project_of: the project of a working folder.

    Raises:
        NoSuchTranscriptError: there is no such file, or it cannot be read.
        NotATranscriptError: it has none of the known forms.
    """
    reader = open_transcript(path)
    state = HostState()
    found = state.joined(follow_ups(state.following(reader.with_kept()), scan_for.cues))
    offered: list[FollowUp] = []
    dismissed: list[Dismissed] = []
    for one in found:
        if one.settled:
            dismissed.append(Dismissed(one.text, one.settled, one.line, str(path)))
        elif one.by == "cue" and one.confidence < scan_for.min_confidence:
            dismissed.append(Dismissed(one.text, LOW_CONFIDENCE, one.line, str(path)))
        else:
            offered.append(one)
    here = project_of(reader.header.cwd) if reader.header.cwd else None
    orphans = to_orphans(offered, path, scan_for, here)
    return Conversation(str(path), reader.header, orphans, tuple(dismissed))


def to_orphans(
    found: Iterable[FollowUp],
    path: Path,
    scan_for: Scan,
    here: str | None,
) -> tuple[Orphan, ...]:
    """Give follow-ups of a conversation their project, id, day and suggestion.

    Args:
        found: the follow-ups.
        path: the transcript; the day of its last change stands for turns without a time stamp.
        scan_for: projects and places.
        here: the project that the conversation is about, where none is named; None when that is not known.
    """
    changed = datetime.fromtimestamp(path.stat().st_mtime).astimezone().date()
    return tuple(_orphan(one, str(path), here, changed, scan_for) for one in found)


def _orphan(one: FollowUp, transcript: str, here: str | None, changed: date, scan_for: Scan) -> Orphan:
    tagged, text = scan_for.tag(one.text)
    project = tagged or here or scan_for.named(text)
    return Orphan(
        id=orphan_id(text, project),
        text=text,
        quote=one.quote,
        role=one.role,
        project=project,
        lang=one.lang,
        cue=one.cue,
        confidence=one.confidence,
        transcript=transcript,
        turn=one.turn,
        line=one.line,
        uuid=one.uuid,
        said_on=said.date() if (said := moment(one.timestamp)) else changed,
        suggested=suggest(project, scan_for.places, text),
        said_at=one.timestamp,
        also=tuple(Mention(transcript, mention.turn, mention.line) for mention in one.also),
        by=one.by,
        sure=one.sure,
    )
