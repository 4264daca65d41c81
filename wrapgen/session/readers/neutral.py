"""The neutral form: one JSON document `{"turns": [{"role": "user", "text": "..."}]}`; `content` is taken for `text`."""

from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from wrapgen.jsonl import clean, decode
from wrapgen.session.transcript import Header, NotATranscriptError, Role, Turn

SIZE_LIMIT = 64 * 1024 * 1024
"""Bytes. A document has to be read as a whole; it holds conversation only, so a larger one is a mistake."""


class _Turn(msgspec.Struct, gc=False):
    role: str = ""
    text: str | None = None
    content: str | None = None
    uuid: str | None = None
    timestamp: str | None = None


class _Document(msgspec.Struct, gc=False):
    turns: list[_Turn]
    session_id: str | None = None
    cwd: str | None = None
    git_branch: str | None = None


_DECODER = msgspec.json.Decoder(_Document)
_ROLES: dict[str, Role] = dict.fromkeys(("user", "human"), "user")
_ROLES |= dict.fromkeys(("assistant", "agent", "ai", "model"), "assistant")


def turns(file: BinaryIO, header: Header) -> Iterator[Turn]:
    """The turns of the document; other roles (system, tool) are left out, empty turns keep their place.

    Raises `NotATranscriptError` when it is cut off, larger than `SIZE_LIMIT`, or no turn says who spoke and what was
    said.
    """
    raw = file.read(SIZE_LIMIT + 1)
    document = None if len(raw) > SIZE_LIMIT else decode(raw.removeprefix(b"\xef\xbb\xbf"), _DECODER, header)
    if document is None or (
        document.turns and not any(turn.role and _said(turn) is not None for turn in document.turns)
    ):
        raise NotATranscriptError(
            'the file looks like {"turns": [...]} but cannot be read as such',
            where=str(header.path),
            next_step='Each turn needs a "role" and a "text"; check that the document is whole.',
        )
    header.lines = raw.count(b"\n") + 1
    header.note(session_id=document.session_id, cwd=document.cwd, git_branch=document.git_branch)
    for number, turn in enumerate(document.turns, 1):
        if role := _ROLES.get(turn.role.lower()):
            yield Turn(role, clean(_said(turn) or ""), number, turn.uuid, turn.timestamp)


def _said(turn: _Turn) -> str | None:
    return turn.content if turn.text is None else turn.text
