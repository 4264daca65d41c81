"""The rows of the store, as imported and exported: one record type per table, columns as scripts know them.

Moments are UTC, written `2026-04-24 09:00:00`: their order is that of their letters. What is None is not
known.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec

from wrapgen.redact import redact

AGENT_SUMMARY = "agent_summary"
DECISION, BLOCKER, HANDOFF = "decision", "blocker", "handoff"
ACTIVE, COMPLETED = "active", "completed"
PENDING, IN_PROGRESS, NEEDS_REVIEW = "pending", "in_progress", "needs_review"
TASK_STATES = ("idea", "planned", PENDING, IN_PROGRESS, NEEDS_REVIEW, COMPLETED)
COMMENT_KINDS = ("plan", "review", "note", "result", "status_change")


@dataclass(frozen=True, slots=True)
class Who:
    """An agent, as its host names it."""

    id: str  # unique among all sessions; "" for one that has none yet
    session: str  # the leader's session
    name: str  # what tasks are assigned to
    type: str | None = None  # what kind of agent it is
    parent: str | None = None  # who started it; the others that it started are its siblings


class ProjectRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A project, which is a folder."""

    id: str  # what it is called in the store, unless its folder is known there by another id
    name: str  # for people
    path: str
    created_at: str | None = None


class SessionRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A conversation of a leader."""

    id: str
    project_id: str | None = None
    started_at: str | None = None
    ended_at: str | None = None
    status: str = ACTIVE


class Agent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sub-agent, and what it answered."""

    id: str
    session_id: str | None = None
    agent_name: str
    agent_type: str | None = None
    parent_agent_id: str | None = None
    status: str = ACTIVE
    started_at: str | None = None
    completed_at: str | None = None
    context_summary: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0


class ContextEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A decision, a blocker, a note, ...: what later agents may be given."""

    id: int | None = None
    session_id: str | None = None
    agent_id: str | None = None
    entry_type: str
    content: str
    tags: tuple[str, ...] | None = None
    created_at: str | None = None


class Output(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A full text that an agent returned; none of them is ever replaced."""

    id: int | None = None
    session_id: str | None = None
    agent_id: str
    content: str
    created_at: str | None = None


class FileChangeRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file that an agent wrote."""

    id: int | None = None
    session_id: str | None = None
    agent_id: str | None = None
    file_path: str
    change_type: str
    created_at: str | None = None


class TaskRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A task of a project, for an agent of some name."""

    id: int | None = None
    project_id: str | None = None
    title: str
    description: str | None = None
    status: str = PENDING
    assigned_to: str | None = None
    tags: tuple[str, ...] | None = None
    created_at: str | None = None
    updated_at: str | None = None


class Comment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was said about a task."""

    id: int | None = None
    task_id: int
    author: str | None = None
    comment_type: str
    content: str
    created_at: str | None = None


class Bundle(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of a store, or some of them, as one JSON object."""

    projects: tuple[ProjectRow, ...] = ()
    sessions: tuple[SessionRow, ...] = ()
    agents: tuple[Agent, ...] = ()
    context_entries: tuple[ContextEntry, ...] = ()
    outputs: tuple[Output, ...] = ()
    file_changes: tuple[FileChangeRow, ...] = ()
    tasks: tuple[TaskRow, ...] = ()
    task_comments: tuple[Comment, ...] = ()


def stamp(moment: datetime) -> str:
    """A moment as the store writes it; one without a zone is taken for UTC."""
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return moment.isoformat(" ")


def restamp(text: str) -> str:
    """A time stamp (ISO 8601, with a blank or a T) in the store's form; raises `ValueError` for anything else."""
    try:
        return stamp(datetime.fromisoformat(text.strip()))
    except OverflowError as error:
        raise ValueError(f"{text!r} is out of range") from error


def kept(text: str | None) -> str | None:
    """A text as it is stored: without the secrets that are recognised; None for a blank one."""
    return redact(text)[0] if text and text.strip() else None


MOMENTS = frozenset({"created_at", "updated_at", "started_at", "ended_at", "completed_at"})
_NEEDED = frozenset({"created_at", "updated_at", "started_at"})  # moments that every row of a table has
_WORDS = frozenset({"context_summary", "content", "title", "description"})


def values_of(row: msgspec.Struct, now: datetime) -> dict[str, Any]:
    """A row by its columns as they are stored; moments that it must have and lacks are now."""
    values = msgspec.structs.asdict(row)
    for name, value in values.items():
        if name in MOMENTS:
            values[name] = restamp(value) if value else stamp(now) if name in _NEEDED else None
        elif name in _WORDS:
            values[name] = kept(value) or (None if name in ("context_summary", "description") else "")
        elif name == "tags":
            values[name] = json.dumps(list(value), ensure_ascii=False) if value else None
    return values
