"""What a host says when a sub-agent starts or stops, or a tool has answered. PURE.

Hosts differ, and leave fields out: whatever is missing or of the wrong type counts as absent, never as an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Self

from wrapgen.jsonl import clean

_AGENT_FILE = re.compile(r"agent-([\w-]{1,255})\.jsonl\Z")
_NO_TYPE = "unknown"


@dataclass(frozen=True, slots=True)
class AgentEvent:
    """A sub-agent starts or stops."""

    session: str | None  # the leader's session, None when the host does not say
    agent: str | None  # the agent's id
    type: str | None  # its type
    name: str  # what it is called: its type, where the host has no name for it
    parent: str | None  # the agent that started it; the session stands for the leader
    cwd: str | None  # the working folder
    active: bool  # at a stop: whether the agent was sent back once already
    message: str | None  # at a stop: the last thing that it said
    transcript: str | None  # at a stop: its own transcript
    # whether it is a request of the host itself and no sub-agent: Claude Code gives such ones, among them the one that
    # sums up a conversation for `/compact`, an empty type (measured with 2.1.330)
    hosts_own: bool

    @classmethod
    def of(cls, payload: object) -> Self:
        """Read a host's JSON, decoded; anything but an object says nothing."""
        fields = payload if isinstance(payload, dict) else {}
        transcript = _text(fields, "agent_transcript_path")
        named = _AGENT_FILE.search(transcript or "")
        kind = _text(fields, "agent_type")
        session = _text(fields, "session_id")
        return cls(
            session=session,
            agent=_text(fields, "agent_id") or (named[1] if named else None),
            type=kind,
            name=_text(fields, "agent_name") or kind or _NO_TYPE,
            parent=_text(fields, "parent_agent_id") or session,
            cwd=_text(fields, "cwd"),
            active=fields.get("stop_hook_active") in (True, "true"),
            message=_text(fields, "last_assistant_message"),
            transcript=transcript,
            hosts_own=fields.get("agent_type") == "",
        )


@dataclass(frozen=True, slots=True)
class ToolEvent:
    """A tool has answered."""

    session: str | None  # the session, None when the host does not say
    agent: str | None  # the agent that called it, None for the leader
    tool: str  # the tool's name
    call: str | None  # the call's id
    input: dict[str, Any]  # what the tool was given
    response: object  # what it answered

    @classmethod
    def of(cls, payload: object) -> Self:
        """Read a host's JSON, decoded; anything but an object says nothing."""
        fields = payload if isinstance(payload, dict) else {}
        given = fields.get("tool_input")
        return cls(
            session=_text(fields, "session_id"),
            agent=_text(fields, "agent_id"),
            tool=_text(fields, "tool_name") or "",
            call=_text(fields, "tool_use_id"),
            input=given if isinstance(given, dict) else {},
            response=fields.get("tool_response"),
        )


def _text(fields: dict[str, Any], name: str) -> str | None:
    value = fields.get(name)
    return clean(value) if isinstance(value, str) and value.strip() else None
