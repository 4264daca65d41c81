"""Claude Code's JSONL, all eras (1.0 to 2.1): what was said on the main chain, and what the host keeps beside it.

The format is internal to the host and moves; what is relied on here was measured on recorded sessions: the top-level
`type`, `message.content` as a string or blocks, and the flags `isMeta`, `isSidechain`, `isCompactSummary`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any, BinaryIO

import msgspec

from wrapgen.jsonl import clean, decode
from wrapgen.session.readers.claude_tools import ToolNotes
from wrapgen.session.readers.standing import standing
from wrapgen.session.transcript import Call, CallOutcome, Header, Kept, ListChange, Role, Summary, Turn, spoken

_FIRST_TYPE = re.compile(rb'"type"\s*:\s*"([\w-]+)"')
_UNREAD = frozenset(
    b"progress attachment summary system file-history-snapshot file-history-delta queue-operation mode ai-title"
    b" last-prompt permission-mode custom-title agent-name pr-link".split()
)
"""Line types without conversation. The first `"type"` of such a line is its own: nested objects come after it."""
_QUEUED = b'"queued_command"'  # what is typed while the agent works is no line of its own but an attachment
_MACHINE = re.compile(
    r"notification|channel|peer|schedul|cron|task|session|agent|system|hook|coordinator|loop|monitor|continuation"
)
"""What of where the host says that a user's message comes from tells that nobody typed it."""

_WHOLE = (b"}\n", b"}\r\n", b"}")


class MessagePart(msgspec.Struct, gc=False):
    """A part of a message."""

    type: str = ""
    text: str | None = None
    id: str | None = None
    name: str | None = None
    input: Any = None
    tool_use_id: str | None = None
    is_error: bool | None = None


class Message(msgspec.Struct, gc=False):
    """What the API was sent or gave."""

    id: str | None = None
    content: str | list[MessagePart | str] | None = None


class Attachment(msgspec.Struct, rename="camel", gc=False):
    """What the host puts before the model beside a message."""

    type: str = ""
    command_mode: str | None = None
    origin: Any = None
    prompt: Any = None


class ToolResult(msgspec.Struct, rename="camel", gc=False):
    """What the host keeps of a tool's result, beside the text that the model was given."""

    original_file: Any = None
    original_file_contents: Any = None
    structured_patch: Any = None
    task: Any = None
    file_path: Any = None
    plan: Any = None
    is_agent: Any = None


class ClaudeLine(msgspec.Struct, rename="camel", gc=False):
    """A line of the file."""

    type: str = ""
    uuid: str | None = None
    timestamp: str | None = None
    session_id: str | None = None
    cwd: str | None = None
    git_branch: str | None = None
    is_sidechain: bool | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_api_error_message: bool | None = None  # the host's own notice in the agent's place: a limit, a lost connection
    team_name: Any = None
    origin: Any = None
    turn_origin: Any = None
    message: Message | None = None
    attachment: Attachment | None = None
    tool_use_result: ToolResult | list[Any] | str | float | bool | None = None
    plan_content: Any = None
    slug: Any = None


_DECODER = msgspec.json.Decoder(ClaudeLine)


def worth_decoding(tools: ToolNotes, line: bytes, tool: int) -> bool:
    """Whether a line can contain conversation, judged on its bytes alone; calls and results are shown to `tools`.

    Progress and tool lines are up to 99 % of a transcript's bytes (anthropics/claude-code issue 18905); telling them
    apart without parsing is what keeps gigabytes readable. A line that looks cut off is decoded so that it is counted.
    """
    if not line.endswith(_WHOLE):
        return True
    first = _FIRST_TYPE.search(line)
    if first and first[1] in _UNREAD:
        return first[1] == b"attachment" and _QUEUED in line
    return (tools.note(line, tool) if tool >= 0 else b'"content"' in line) or b'"text"' in line


def events(file: BinaryIO, header: Header) -> Iterator[Turn | Kept]:
    """What was said and kept on the branch that stands, in order; lines of one reply are joined.

    What is kept comes before the turn in which it was: more of that turn may follow.
    """
    held: Turn | None = None
    given = 0
    tools = ToolNotes(header)
    for number, line in standing(file, header, partial(worth_decoding, tools)):
        record = decode(line, _DECODER, header)
        if record is None:
            continue
        if record.plan_content and record.type == "user" and not record.is_sidechain:
            tools.begin(record.plan_content, record.slug, record.timestamp)
        turn = said(record, number, header)
        if turn and held and held.message_id and held.message_id == turn.message_id and held.role == turn.role:
            if turn.uuid is None or turn.uuid != held.uuid:
                text = f"{held.text}\n\n{turn.text}"
                held = Turn(held.role, text, held.line, turn.uuid, held.timestamp, held.message_id)
        elif turn:
            if held:
                yield held
                given += 1
            held = turn
        yield from _kept(record, line, number, given, tools)
    if held:
        yield held


def _kept(record: ClaudeLine, line: bytes, number: int, turn: int, tools: ToolNotes) -> Iterator[Kept]:
    """What the host keeps as data in a line of the main chain."""
    message = record.message
    if message is None or record.is_sidechain:
        return
    if record.is_compact_summary and record.type == "user":
        text = _spoken(message, "assistant")
        yield Summary(text, turn, number, record.uuid, record.timestamp)
        return
    result = record.tool_use_result
    for block in message.content if isinstance(message.content, list) else ():
        if isinstance(block, str):
            continue
        change = None
        if block.type == "tool_use":
            change = tools.called(block.name or "", block.id or "", block.input)
        elif block.type == "tool_result" and isinstance(result, ToolResult):
            change = tools.answered(block.tool_use_id or "", result.task)
            if not (block.is_error or result.is_agent):
                tools.approved(line, result.file_path, result.plan, record.timestamp)
        if change:
            yield ListChange(*change, turn, number, record.timestamp, shared=bool(record.team_name))


def said(record: ClaudeLine, number: int, header: Header) -> Turn | None:
    """What was said in a line on the main chain, None when nothing was; the header gets what the line says of it."""
    role: Role = "assistant" if record.type == "assistant" else "user"
    message = record.message
    if record.type == "attachment":
        message = _queued(record.attachment)
    elif record.type not in ("user", "assistant"):
        return None
    header.note(session_id=record.session_id, cwd=record.cwd, git_branch=record.git_branch)
    if record.is_sidechain or record.is_meta or record.is_compact_summary or message is None:
        return None
    if record.is_api_error_message:
        return None
    if role == "user" and not (_typed(record.origin) and _typed(record.turn_origin)):
        return None
    text = _spoken(message, role)
    return Turn(role, text, number, record.uuid, record.timestamp, message.id) if text else None


def _queued(attachment: Attachment | None) -> Message | None:
    """What was typed while the agent worked; None for whatever else the host queued."""
    if attachment is None or attachment.type != "queued_command" or attachment.command_mode not in (None, "prompt"):
        return None
    if not _typed(attachment.origin):
        return None
    try:
        return msgspec.convert({"content": attachment.prompt}, Message)
    except msgspec.ValidationError:
        return None


def _typed(origin: object) -> bool:
    """Whether a message may be somebody's own, by where the host says that it comes from."""
    kind = origin.get("kind") if isinstance(origin, dict) else origin
    return not isinstance(kind, str) or not _MACHINE.search(kind)


def _spoken(message: Message, role: Role) -> str:
    blocks = message.content if isinstance(message.content, list) else [message.content]
    return spoken(role, (one.text if isinstance(one, MessagePart) and one.type == "text" else one for one in blocks))


def with_calls(file: BinaryIO, header: Header) -> Iterator[Turn | Call | CallOutcome]:
    """What was said and called, in the order of the file; lines of one reply are not joined.

    Sub-agents of older hosts are in the same file (`isSidechain`): what they said is left out as always, but what their
    calls made of files counts.
    """
    tools = ToolNotes(header)
    for number, line in standing(file, header, lambda line, tool: tool >= 0 or worth_decoding(tools, line, tool)):
        record = decode(line, _DECODER, header)
        if record is None:
            continue
        if turn := said(record, number, header):
            yield turn
        content = record.message.content if record.message else None
        for block in content if isinstance(content, list) else ():
            if isinstance(block, str):
                continue
            if block.type == "tool_use" and isinstance(block.input, dict):
                yield Call(block.id or "", block.name or "", block.input, number, record.cwd)
            elif block.type == "tool_result" and block.tool_use_id:
                yield _outcome(block, record.tool_use_result)


def _outcome(block: MessagePart, result: object) -> CallOutcome:
    failed = block.is_error is True
    if failed or not isinstance(result, ToolResult):
        return CallOutcome(block.tool_use_id or "", failed)
    before = next((one for one in (result.original_file, result.original_file_contents) if isinstance(one, str)), None)
    return CallOutcome(
        block.tool_use_id or "", before=None if before is None else clean(before), seen=_seen(result.structured_patch)
    )


def _seen(patch: object) -> str:
    hunks = [hunk.get("lines") for hunk in patch if isinstance(hunk, dict)] if isinstance(patch, list) else []
    shown = (line for lines in hunks if isinstance(lines, list) for line in lines if isinstance(line, str))
    return clean("\n".join(line[1:] for line in shown if line[:1] in {" ", "+"}))
