"""Conversations that no host keeps itself: SpecStory's Markdown exports, and the neutral form, one JSON document."""

import re
from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from wrapgen.jsonl import clean, decode
from wrapgen.session.transcript import Header, Kept, ListChange, ListEntry, NotATranscriptError, Role, Turn, spoken

MARKER = re.compile(r"_\*\*(User|Assistant|Agent)\b([^*\n]{0,200})\*\*_\s*$")
_STAMP = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?Z?")
_SESSION = re.compile(r"<!--\s*[\w .-]{0,40}Session\s+([0-9A-Za-z-]{6,64})")
_LIST = re.compile(r'<tool-use\b[^>]*\bdata-tool-type="task"')
_ENTRY = re.compile(r"\s*- \[(.)\] (?:(?:🔥|🌡️|❄️) ?)?(\S.*)")
_STATES = {"x": "completed", "X": "completed", "⚡": "in_progress", "-": "in_progress"}
"""SpecStory writes ⚡ for what is in progress, older exports of Cursor a hyphen; a blank is pending."""
_ENDS = {"<tool-use": "</tool-use>", "<think>": "</think>"}


def specstory(file: BinaryIO, header: Header) -> Iterator[Turn | Kept]:
    """What was said, and the agent's to-do list, in the order of the file; side chains are left out.

    Turns begin at `_**User ...**_`, `_**Assistant ...**_`, `_**Agent ...**_` lines. Tool calls and thoughts are in HTML
    elements at the beginning of a line; they are skipped to their end tag, so that an export quoted inside a tool
    result does not begin turns of its own. Of them only the agent's to-do list is read: each block shows all of it.
    """
    marker: re.Match[str] | None = None
    begin = given = 0
    said: list[str] = []
    skip_to = ""
    listed: list[ListEntry] | None = None
    for number, raw in enumerate(file, 1):
        header.lines = number
        line = clean(raw.removeprefix(b"\xef\xbb\xbf").rstrip(b"\r\n").decode("utf-8", "replace"))
        if skip_to:
            if listed is not None and (entry := _ENTRY.match(line)):
                listed.append(ListEntry(str(len(listed)), entry[2].strip(), _STATES.get(entry[1], "pending")))
            skip_to = "" if skip_to in line else skip_to
            if listed and not skip_to:
                yield ListChange(tuple(listed), True, given, number, _stamp(marker))
            continue
        skip_to = next((end for start, end in _ENDS.items() if line.startswith(start) and end not in line), "")
        listed = [] if _LIST.match(line) and not _is_aside(marker) else None
        if skip_to or line.startswith(tuple(_ENDS)):
            continue
        found = MARKER.match(line)
        if found:
            for turn in _turn(marker, begin, said):
                yield turn
                given += 1
            marker, begin, said = found, number, []
        elif marker:
            said.append(line)
        elif session := _SESSION.match(line):
            header.note(session_id=session[1], cwd=None, git_branch=None)
    yield from _turn(marker, begin, said)


def _turn(marker: re.Match[str] | None, begin: int, said: list[str]) -> Iterator[Turn]:
    if marker is None or _is_aside(marker):
        return
    while said and said[-1].strip() in {"", "---"}:
        said.pop()
    role: Role = "user" if marker[1] == "User" else "assistant"
    if text := spoken(role, ["\n".join(said).strip()]):
        yield Turn(role, text, begin, None, _stamp(marker))


def _is_aside(marker: re.Match[str] | None) -> bool:
    return marker is not None and "sidechain" in marker[2]


def _stamp(marker: re.Match[str] | None) -> str | None:
    stamp = _STAMP.search(marker[2]) if marker else None
    return stamp[0] if stamp else None


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


def neutral(file: BinaryIO, header: Header) -> Iterator[Turn]:
    """The turns of a document `{"turns": [{"role": "user", "text": "..."}]}`; `content` is taken for `text`.

    Other roles (system, tool) are left out, empty turns keep their place. Raises `NotATranscriptError` when it is cut
    off, larger than `SIZE_LIMIT`, or no turn says who spoke and what was said.
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
