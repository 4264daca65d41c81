"""What a host says when a sub-agent starts or stops or a tool has answered, and what the agent's transcript says.

Hosts differ, and leave fields out: whatever is missing or of the wrong type counts as absent, never as an error.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import msgspec

from wrapgen.agents.operations import NO_USAGE, Usage
from wrapgen.jsonl import clean, decode, lines
from wrapgen.vault import disk

if TYPE_CHECKING:
    from pathlib import Path

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


_ENDING = ".jsonl"  # a host's transcript; whatever else a path may lead to is not read


class _Block(msgspec.Struct, gc=False):
    type: str = ""
    text: str | None = None


class _Used(msgspec.Struct, gc=False):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None

    def usage(self) -> Usage:
        into = (self.input_tokens, self.cache_read_input_tokens, self.cache_creation_input_tokens)
        return Usage(sum(max(0, number or 0) for number in into), max(0, self.output_tokens or 0))


class _Message(msgspec.Struct, gc=False):
    id: str | None = None
    content: str | list[_Block | str | None] | None = None
    usage: _Used | None = None


class _Line(msgspec.Struct, rename="camel", gc=False):
    type: str = ""
    request_id: str | None = None
    message: _Message | None = None


_DECODER = msgspec.json.Decoder(_Line)


@dataclass(slots=True)
class _Counts:
    lines: int = 0
    bad_lines: int = 0


@dataclass(frozen=True, slots=True)
class LastWords:
    """What a transcript says of its agent."""

    text: str | None = None  # the last reply that has words, None when there is none
    usage: Usage = NO_USAGE  # tokens of all its replies; a reply that is in several lines counts once


def last_words(transcript: Path) -> LastWords:
    """Read a sub-agent's transcript in Claude Code's form; what cannot be read is skipped."""
    if transcript.suffix != _ENDING:
        return LastWords()
    text, reply = None, None
    used: dict[str, Usage] = {}
    try:
        with disk.opened(transcript) as descriptor, os.fdopen(descriptor, "rb", closefd=False) as file:
            counts = _Counts()
            for number, line in lines(file, counts, lambda line: b'"assistant"' in line):
                record = decode(line, _DECODER, counts)
                if record is None or record.type != "assistant" or record.message is None:
                    continue
                message = record.message
                key = message.id or record.request_id or str(number)
                if message.usage:
                    used[key] = message.usage.usage()
                if words := _words(message):
                    text = f"{text}\n{words}" if text is not None and key == reply else words
                    reply = key
    except OSError:
        return LastWords()
    return LastWords(text, Usage(sum(one.input for one in used.values()), sum(one.output for one in used.values())))


def _words(message: _Message) -> str:
    blocks = [message.content] if isinstance(message.content, str) else message.content or []
    texts = (block.text if isinstance(block, _Block) and block.type == "text" else block for block in blocks)
    return clean("\n".join(text for text in texts if isinstance(text, str) and text.strip()))
