"""Claude Code's JSONL with tool calls: what was said, each call, and its outcome.

Sub-agents of older hosts are in the same file (`isSidechain`): what they said is left out as always, but what their
calls made of files counts.
"""

from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from wrapgen.jsonl import clean, decode
from wrapgen.session.readers import claude
from wrapgen.session.readers.standing import standing
from wrapgen.session.transcript import Call, CallOutcome, Header, Turn

_DECODER = msgspec.json.Decoder(claude.ClaudeLine)


def events(file: BinaryIO, header: Header) -> Iterator[Turn | Call | CallOutcome]:
    """What was said and called, in the order of the file; lines of one reply are not joined."""
    for number, line in standing(file, header, lambda line: not claude.told_nothing(line)):
        record = decode(line, _DECODER, header)
        if record is None:
            continue
        if turn := claude.said(record, number, header):
            yield turn
        for block in _blocks(record):
            if block.type == "tool_use" and isinstance(block.input, dict):
                yield Call(block.id or "", block.name or "", block.input, number, record.cwd)
            elif block.type == "tool_result" and block.tool_use_id:
                yield _outcome(block, record.tool_use_result)


def _blocks(record: claude.ClaudeLine) -> Iterator[claude.MessagePart]:
    content = record.message.content if record.message else None
    if isinstance(content, list):
        yield from (block for block in content if isinstance(block, claude.MessagePart))


def _outcome(block: claude.MessagePart, result: object) -> CallOutcome:
    failed = block.is_error is True
    if failed or not isinstance(result, claude.ToolResult):
        return CallOutcome(block.tool_use_id or "", failed)
    before = next((one for one in (result.original_file, result.original_file_contents) if isinstance(one, str)), None)
    return CallOutcome(
        block.tool_use_id or "", before=None if before is None else clean(before), seen=_seen(result.structured_patch)
    )


def _seen(patch: object) -> str:
    hunks = [hunk.get("lines") for hunk in patch if isinstance(hunk, dict)] if isinstance(patch, list) else []
    shown = (line for lines in hunks if isinstance(lines, list) for line in lines if isinstance(line, str))
    return clean("\n".join(line[1:] for line in shown if line[:1] in {" ", "+"}))
