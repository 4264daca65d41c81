"""Codex's rollout JSONL with function calls: what was said, each call, and its outcome."""

from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from wrapgen.jsonl import NOT_JSON
from wrapgen.session.readers import codex
from wrapgen.session.transcript import Call, CallOutcome, Header, Turn

_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "local_shell_call_output"})
_FAILED = ("apply_patch verification failed", "failed", "error", "aborted", "rejected", "patch rejected", "exit code: ")
_WORTH = (b'_call"', b'_call_output"')


def events(file: BinaryIO, header: Header) -> Iterator[Turn | Call | CallOutcome]:
    """What was said and called, in the order of the file."""
    cwd: str | None = None
    for number, record in codex.standing(file, header, _worth_decoding):
        item = record.payload or record
        if turn := codex.said(item, record.type, record.timestamp, number, header):
            yield turn
        elif item.type in _CALLS:
            cwd = cwd or header.cwd
            yield Call(item.call_id or item.id or "", item.name or item.type, codex.arguments(item), number, cwd)
        elif item.type in _OUTPUTS and item.call_id:
            yield CallOutcome(item.call_id, failed=_failed(item.output))


def _worth_decoding(line: bytes) -> bool:
    if codex.worth_decoding(line):
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
