"""Codex's rollout JSONL: `{timestamp, type, payload}` lines, and the older form without the envelope."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO

import msgspec

from wrapgen.jsonl import NOT_JSON, clean, decode, lines
from wrapgen.session.transcript import Call, CallOutcome, Header, Kept, ListChange, ListEntry, Role, Turn, spoken


class _Part(msgspec.Struct, gc=False):
    type: str = ""
    text: str | None = None


class _Git(msgspec.Struct, gc=False):
    branch: str | None = None


class Payload(msgspec.Struct, gc=False):
    """What a line holds inside its envelope."""

    type: str = ""
    id: str | None = None
    role: str = ""
    content: str | list[_Part | str] | None = None
    cwd: str | None = None
    git: _Git | None = None
    timestamp: str | None = None
    call_id: str | None = None
    name: str | None = None
    arguments: Any = None
    input: Any = None
    action: Any = None
    output: Any = None
    status: str | None = None
    num_turns: int | None = None
    source: Any = None
    thread_source: Any = None


class CodexLine(Payload, gc=False):
    """A line of the file: an envelope, or in the older form the payload itself."""

    payload: Payload | None = None


_DECODER = msgspec.json.Decoder(CodexLine)
_WHOLE = (b"}\n", b"}\r\n", b"}")
_TEXT_PARTS = frozenset({"input_text", "output_text", "text"})
_PLAN = "update_plan"
_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant"}
_ROLLED_BACK = b'"thread_rolled_back"'


def worth_decoding(line: bytes) -> bool:
    """Whether a line can hold a message or the session's facts, judged on its bytes alone.

    `event_msg` lines repeat what the `response_item` lines hold and are left out, as are calls and their outputs.
    """
    if not line.endswith(_WHOLE):
        return True
    head = line[:400]
    if _ROLLED_BACK in head:
        return True
    if b'"event_msg"' in head or b'"compacted"' in head or b'"turn_context"' in head:
        return False
    if b'"session_meta"' in head or b'"update_plan"' in head:
        return True
    return (b'"message"' in line and b'"role"' in line) or b'"instructions"' in line


def events(file: BinaryIO, header: Header) -> Iterator[Turn | Kept]:
    """What was said and not taken back, and the agent's plan, in the order of the file; of a sub-agent nothing."""
    given = 0
    for number, record in standing(file, header, worth_decoding):
        item = record.payload or record
        if turn := said(item, record.type, record.timestamp, number, header):
            yield turn
            given += 1
        elif item.name == _PLAN and (plan := arguments(item).get("plan")) and isinstance(plan, list):
            yield ListChange(tuple(_steps(plan)), True, max(0, given - 1), number, record.timestamp or item.timestamp)


def standing(file: BinaryIO, header: Header, wanted: Callable[[bytes], bool]) -> Iterator[tuple[int, CodexLine]]:
    """The wanted lines with their numbers, without what Esc Esc took back; none of a sub-agent's rollout."""
    gone = _taken_back(file, header)
    file.seek(0)
    for number, line in lines(file, header, wanted):
        if number in gone:
            continue
        record = decode(line, _DECODER, header)
        if record is not None:
            if number == 1 and _is_sub_agent(record.payload or record):
                return
            yield number, record


def _taken_back(file: BinaryIO, header: Header) -> set[int]:
    """The numbers of the lines that were rolled back: from the nth prompt before it on."""
    ignored = Header(header.path, header.kind)
    gone: set[int] = set()
    prompts: list[int] = []
    for number, line in lines(file, ignored, lambda line: b'"user"' in line or _ROLLED_BACK in line[:400]):
        if (record := decode(line, _DECODER, ignored)) is None:
            continue
        item = record.payload or record
        if item.type == "thread_rolled_back":
            back = prompts[-item.num_turns :] if item.num_turns and item.num_turns > 0 else []
            del prompts[len(prompts) - len(back) :]
            gone.update(range(back[0], number) if back else ())
        elif said(item, record.type, None, number, ignored):
            prompts.append(number)
    return gone


def _is_sub_agent(item: Payload) -> bool:
    return item.thread_source == "subagent" or "subagent" in (
        item.source if isinstance(item.source, dict) else (item.source,)
    )


def said(item: Payload, kind: str, timestamp: str | None, number: int, header: Header) -> Turn | None:
    """What was said in a line, None when nothing was; the header gets what the line says of it."""
    if kind == "session_meta" or (number == 1 and not item.type):
        header.note(session_id=item.id, cwd=item.cwd, git_branch=item.git.branch if item.git else None)
        return None
    role = _ROLES.get(item.role) if item.type == "message" else None
    if role is None:
        return None
    parts = item.content if isinstance(item.content, list) else [item.content]
    text = spoken(role, (one.text if isinstance(one, _Part) and one.type in _TEXT_PARTS else one for one in parts))
    return Turn(role, text, number, item.id, timestamp or item.timestamp) if text else None


def arguments(item: Payload) -> Mapping[str, object]:
    """The arguments of a call: JSON in a string, a text of its own (`apply_patch`), or an action."""
    if isinstance(item.arguments, str):
        try:
            found = msgspec.json.decode(item.arguments)
        except NOT_JSON:
            found = None
        return found if isinstance(found, dict) else {"input": item.arguments}
    if isinstance(item.input, str):
        return {"input": item.input}
    return next((one for one in (item.arguments, item.action) if isinstance(one, dict)), {})


def _steps(plan: list[Any]) -> Iterator[ListEntry]:
    for at, one in enumerate(plan):
        if isinstance(one, dict) and isinstance(one.get("step"), str):
            status = one.get("status")
            yield ListEntry(str(at), clean(one["step"]).strip(), status if isinstance(status, str) else "")


_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "local_shell_call_output"})
_FAILED = ("apply_patch verification failed", "failed", "error", "aborted", "rejected", "patch rejected", "exit code: ")
_WORTH = (b'_call"', b'_call_output"')


def with_calls(file: BinaryIO, header: Header) -> Iterator[Turn | Call | CallOutcome]:
    """What was said and called, in the order of the file."""
    cwd: str | None = None
    for number, record in standing(file, header, _worth_with_calls):
        item = record.payload or record
        if turn := said(item, record.type, record.timestamp, number, header):
            yield turn
        elif item.type in _CALLS:
            cwd = cwd or header.cwd
            yield Call(item.call_id or item.id or "", item.name or item.type, arguments(item), number, cwd)
        elif item.type in _OUTPUTS and item.call_id:
            yield CallOutcome(item.call_id, failed=_failed(item.output))


def _worth_with_calls(line: bytes) -> bool:
    if worth_decoding(line):
        return True
    head = line[:400]
    return any(word in head for word in _WORTH) and b'"event_msg"' not in head and b'"compacted"' not in head


def _failed(output: object) -> bool:
    """Whether an output says that the call did nothing: an exit code, or how its text begins."""
    if isinstance(output, str):
        try:
            told = msgspec.json.decode(output)
        except NOT_JSON:
            told = None
        if isinstance(told, dict):
            output = told
    if isinstance(output, dict):
        metadata = output.get("metadata")
        code = metadata.get("exit_code") if isinstance(metadata, dict) else None
        if isinstance(code, int) or output.get("success") is False:
            return code != 0
        output = output.get("output", output.get("content"))
    text = output.lstrip().casefold() if isinstance(output, str) else ""
    return text.startswith(_FAILED) and not text.startswith("exit code: 0")
