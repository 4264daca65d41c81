"""Gemini CLI's conversations: a record a line (since about 0.43), or one JSON object with its messages.

A line `{"$set": {"messages": [...]}}` begins the list anew, `{"$rewindTo": ID}` takes back from that message on.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from wrapgen.jsonl import LINE_LIMIT, lines
from wrapgen.regular_files import object_of
from wrapgen.session.transcript import HASHED, Header, Role, Turn, spoken
from wrapgen.vault import disk

_ROLES: dict[str, Role] = {"user": "user", "gemini": "assistant"}
_PEEK = 16
_LARGEST = 64 * 1024 * 1024  # bytes of an object that is read as a whole


def events(file: BinaryIO, header: Header) -> Iterator[Turn]:
    """What was said and not taken back, in order; of a sub-agent nothing."""
    said: list[tuple[str, Turn]] = []
    for number, record in _records(file, header):
        if not isinstance(record, dict):
            continue
        given = record.get("$set")
        changed = given if isinstance(given, dict) else record
        if record.get("kind") == "subagent":
            return
        if "projectHash" in record or "directories" in changed:
            _note(changed, header)
        if isinstance(changed.get("messages"), list):
            said = list(_turns(changed["messages"], number))
        elif isinstance(back := record.get("$rewindTo"), str):
            at = next((place for place, (key, _) in enumerate(said) if key == back), len(said))
            del said[at:]
        elif given is None:
            said += _turns([record], number)
    yield from (turn for _, turn in said if turn.text)


def _records(file: BinaryIO, header: Header) -> Iterator[tuple[int, Any]]:
    if file.readline(_PEEK).strip() == b"{":
        file.seek(0)
        try:
            yield 1, json.loads(file.read(_LARGEST + 1))
        except (ValueError, RecursionError):
            header.bad_lines += 1
        return
    file.seek(0)
    for number, line in lines(file, header):
        try:
            yield number, json.loads(line[:LINE_LIMIT])
        except (ValueError, RecursionError):
            header.bad_lines += 1


def _turns(messages: list[Any], number: int) -> Iterator[tuple[str, Turn]]:
    for one in messages:
        role = _ROLES.get(str(one.get("type"))) if isinstance(one, dict) else None
        if role is None:
            continue
        content = one.get("content")
        parts = content if isinstance(content, list) else [content]
        text = spoken(role, (part.get("text") if isinstance(part, dict) else part for part in parts))
        key, stamp = str(one.get("id") or ""), one.get("timestamp")
        turn = Turn(role, text, number, key or None, stamp if isinstance(stamp, str) else None)
        yield key, turn


def _note(record: dict[str, Any], header: Header) -> None:
    session, hashed = record.get("sessionId"), record.get("projectHash")
    folders = record.get("directories")
    more = [one for one in folders if isinstance(one, str)] if isinstance(folders, list) else []
    cwd = _project_root(header.path) or (f"{HASHED}{hashed}" if isinstance(hashed, str) and hashed else None)
    header.note(session_id=session if isinstance(session, str) else None, cwd=cwd, git_branch=None)
    header.more_folders = (*header.more_folders, *more)


def _project_root(path: Path) -> str | None:
    """The folder that a conversation is about, as the host notes it: beside `chats/`, or by its slug in one list."""
    project = path.parent.parent
    try:
        return disk.whole(project / ".project_root").decode("utf-8").strip() or None
    except (OSError, ValueError):
        pass
    known = object_of(project.parent.parent / "projects.json")
    known = known.get("projects", known)
    pairs = known.items() if isinstance(known, dict) else ()
    # Slug to path, or path to slug, whichever way round a version has it.
    for one, other in pairs:
        if project.name in (one, other) and isinstance(other, str):
            folder = other if one == project.name else one
            if Path(folder).is_absolute():
                return str(folder)
    return None
