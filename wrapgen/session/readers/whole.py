"""Gemini CLI's and OpenCode's conversations, which are held whole until it is clear what of them was taken back.

Gemini CLI writes a record a line (since about 0.43), or one JSON object with its messages. A line
`{"$set": {"messages": [...]}}` begins the list anew, `{"$rewindTo": ID}` takes back from that message on.

OpenCode has all of them in one SQLite database (since 1.2), and a conversation is a file for everything that reads one.
So each has a pointer in the user's cache, which names the database and the session, and changes when the conversation
does.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from wrapgen.jsonl import LINE_LIMIT, clean, lines
from wrapgen.regular_files import object_of, put
from wrapgen.session.folders import HASHED
from wrapgen.session.transcript import Header, Kept, ListChange, ListEntry, Role, Turn, spoken
from wrapgen.vault import disk

_ROLES: dict[str, Role] = {"user": "user", "gemini": "assistant"}
_PEEK = 16
_LARGEST = 64 * 1024 * 1024  # bytes of an object that is read as a whole


def gemini(file: BinaryIO, header: Header) -> Iterator[Turn]:
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
    if file.readline(_PEEK).removeprefix(b"\xef\xbb\xbf").strip() == b"{":
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


POINTER = "opencode"  # the key by which a pointer is known: it holds the path of the database
_BUSY_SECONDS = 0.5
_TEXTS = """
SELECT message.id, message.data, part.data FROM message JOIN part ON part.message_id = message.id
WHERE message.session_id = ? ORDER BY message.id, part.id"""
_SESSIONS = "SELECT id, directory, time_updated FROM session WHERE parent_id IS NULL"
_TODOS = "SELECT content, status, time_updated FROM todo WHERE session_id = ? ORDER BY position"
_STATES = {"cancelled": "deleted"}
_ID = re.compile(r"[\w-][\w.-]{0,100}", re.ASCII)


def pointers(
    home: Path, environment: Mapping[str, str], tell: Callable[[OSError], None] = lambda _: None
) -> Path | None:
    """The folder of pointers, brought up to date; None where there is no database. Raises `OSError`.

    A conversation that cannot be pointed to is told, and all others are.
    """
    data = Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share")
    database = Path(environment.get("OPENCODE_DB") or data / "opencode" / "opencode.db")
    if not database.is_file():
        return None
    folder = Path(environment.get("XDG_CACHE_HOME") or home / ".cache") / "wrapgen" / "opencode"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for key, directory, updated in _rows(database, _SESSIONS):
        if not isinstance(key, str) or not _ID.fullmatch(key):
            tell(OSError(0, f"OpenCode's database: a session without a usable id ({key!r:.40})", os.fspath(database)))
            continue
        file = folder / f"{key}.json"
        named = directory if isinstance(directory, str) else None
        pointer = {POINTER: str(database), "session": key, "directory": named, "updated": str(updated)}
        text = json.dumps(pointer).encode()
        if not file.exists() or disk.whole(file) != text:
            put(os.fspath(file), text)
            if changed := _seconds(updated):
                os.utime(file, (changed, changed))
    return folder


def opencode(file: BinaryIO, header: Header) -> Iterator[Turn | Kept]:
    """What was said and not taken back, in order, and the agent's list as it is at the end."""
    pointer = json.loads(file.read(1 << 16))
    database, session = Path(str(pointer[POINTER])), str(pointer["session"])
    directory = pointer.get("directory")
    header.note(session_id=session, cwd=directory if isinstance(directory, str) else None, git_branch=None)
    back = _taken_back(database, session)
    turns: list[Turn] = []
    for key, message, part in _rows(database, _TEXTS, session):
        if not back or str(key) < back:
            _add(turns, str(key), _decoded(message), _decoded(part))
    yield from turns
    rows = _rows(database, _TODOS, session)
    listed = [row for row in rows if isinstance(row[0], str) and row[0].strip()]
    header.bad_lines += len(rows) - len(listed)
    if listed:
        changed = _stamp(max((_seconds(row[2]) or 0) * 1000 for row in listed))
        at = max(0, sum(1 for turn in turns if (turn.timestamp or "") <= (changed or "")) - 1)
        entries = tuple(
            ListEntry(str(number), clean(content), _STATES.get(str(status), str(status)))
            for number, (content, status, _) in enumerate(listed)
        )
        yield ListChange(entries, True, at, len(turns), changed)


def _add(turns: list[Turn], key: str, message: dict[str, Any], part: dict[str, Any]) -> None:
    text = part.get("text")
    role: Role = "user" if message.get("role") == "user" else "assistant"
    if part.get("type") != "text" or part.get("synthetic") or part.get("ignored"):
        return
    text = spoken(role, [text])
    if text and turns and turns[-1].uuid == key:
        turns[-1] = Turn(role, f"{turns[-1].text}\n\n{text}", turns[-1].line, key, turns[-1].timestamp)
    elif text:
        times = message.get("time")
        created = times.get("created") if isinstance(times, dict) else None
        turns.append(Turn(role, text, len(turns) + 1, key, _stamp(created)))


def _taken_back(database: Path, session: str) -> str:
    """The message from which on a conversation was taken back; "" for none."""
    try:
        revert = _rows(database, "SELECT revert FROM session WHERE id = ?", session)
    except OSError:  # a version without it
        return ""
    return str(_decoded(revert[0][0]).get("messageID") or "") if revert else ""


def _stamp(milliseconds: object) -> str | None:
    seconds = _seconds(milliseconds)
    return datetime.fromtimestamp(seconds, UTC).isoformat() if seconds else None


def _seconds(milliseconds: object) -> float | None:
    """Seconds since 1970; None for what is no time, or one that no calendar has."""
    if not isinstance(milliseconds, (int, float)) or not 0 < milliseconds < 253_402_300_799_000:
        return None
    return milliseconds / 1000


def _decoded(text: object) -> dict[str, Any]:
    try:
        found = json.loads(text) if isinstance(text, (str, bytes)) else text
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {}


def _rows(database: Path, statement: str, *values: str) -> list[tuple[Any, ...]]:
    """Rows of the database, opened for reading alone; raises `OSError` when it cannot be, or has other tables."""
    import sqlite3

    try:
        address = f"{database.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=_BUSY_SECONDS)) as connection:
            connection.text_factory = lambda text: text.decode("utf-8", "replace")
            return connection.execute(statement, values).fetchall()
    except (sqlite3.Error, ValueError) as error:  # a path with a NUL
        raise OSError(0, f"OpenCode's database: {error}", os.fspath(database)) from error
