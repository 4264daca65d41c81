"""Codex's rollout JSONL: `{timestamp, type, payload}` lines, and the older form without the envelope."""

from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from wrapgen.jsonl import clean, decode, lines
from wrapgen.session.readers.machinery import without_machinery
from wrapgen.session.transcript import Header, Role, Turn


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


class _Line(Payload, gc=False):
    payload: Payload | None = None


_DECODER = msgspec.json.Decoder(_Line)
_WHOLE = (b"}\n", b"}\r\n", b"}")
_TEXT_PARTS = frozenset({"input_text", "output_text", "text"})


def worth_decoding(line: bytes) -> bool:
    """Whether a line can hold a message or the session's facts, judged on its bytes alone.

    `event_msg` lines repeat what the `response_item` lines hold and are left out, as are calls and their outputs.
    """
    if not line.endswith(_WHOLE):
        return True
    head = line[:400]
    if b'"event_msg"' in head or b'"compacted"' in head or b'"turn_context"' in head:
        return False
    return b'"session_meta"' in head or (b'"message"' in line and b'"role"' in line) or b'"instructions"' in line


def turns(file: BinaryIO, header: Header) -> Iterator[Turn]:
    """What was said, in the order of the file.

    Args:
        file: opened for reading bytes, at its beginning.
        header: filled in while reading.
    """
    for number, line in lines(file, header, worth_decoding):
        record = decode(line, _DECODER, header)
        if record is None:
            continue
        turn = said(record.payload or record, record.type, record.timestamp, number, header)
        if turn:
            yield turn


def said(item: Payload, kind: str, timestamp: str | None, number: int, header: Header) -> Turn | None:
    """What was said in a line; None when nothing was.

    Args:
        item: what the line holds.
        kind: the type of the line.
        timestamp: its time stamp.
        number: its number, from 1.
        header: is told the session, the folder and the branch.
    """
    if kind == "session_meta" or (number == 1 and not item.type):
        header.note(session_id=item.id, cwd=item.cwd, git_branch=item.git.branch if item.git else None)
    elif item.type == "message":
        return _turn(item, timestamp, number)
    return None


def _turn(item: Payload, timestamp: str | None, number: int) -> Turn | None:
    role: Role
    if item.role == "user":
        role = "user"
    elif item.role == "assistant":
        role = "assistant"
    else:
        return None
    parts = [item.content] if isinstance(item.content, str) else item.content or []
    texts = [
        part if isinstance(part, str) else part.text
        for part in parts
        if isinstance(part, str) or part.type in _TEXT_PARTS
    ]
    if role == "user":
        texts = [without_machinery(text) for text in texts if text]
    text = clean("\n".join(text for text in texts if text and text.strip())).strip()
    return Turn(role, text, number, item.id, timestamp or item.timestamp) if text else None
