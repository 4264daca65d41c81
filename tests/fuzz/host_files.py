"""Files of hosts as no host should write them, and all that reads them: nothing but a word that names the file comes.

`odd_files` gives conversations of each host with values of other kinds in them, and bytes that are none of its form.
"""

from __future__ import annotations

import copy
import json
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wrapgen.errors import WrapgenError
from wrapgen.hosts import settings as entries
from wrapgen.hosts.host import HOSTS
from wrapgen.hosts.jsontext import JsonTextError, parse
from wrapgen.pipeline.projects import Projects
from wrapgen.session.conversation import Conversation, Scan, scan
from wrapgen.session.discover import host_folders, named_folders
from wrapgen.session.follow_up import Places
from wrapgen.session.lexicon import load_cues
from wrapgen.workflows.approved_plans import followed_up, left_plans, left_tasks
from wrapgen.workflows.compaction import read_steps

if TYPE_CHECKING:
    import random

STAMP, TODAY = "2026-04-24T10:00:00.000Z", date(2026, 4, 24)
SAID = "Done. Next session: mend the cellar lamp."
PLAN = "# Lamp\n\n- [x] buy\n- [ ] mend src/lamp.py\n"


def _claude(kind: str, content: object, key: str, parent: str | None, **more: object) -> dict[str, Any]:
    message = {"role": kind, "content": content, "id": f"msg_{key}"}
    return {
        "type": kind, "uuid": key, "parentUuid": parent, "isSidechain": False, "sessionId": "s1", "cwd": "/v",
        "gitBranch": "main", "timestamp": STAMP, "message": message, **more,
    }  # fmt: skip


def _use(name: str, key: str, given: object) -> list[dict[str, Any]]:
    return [{"type": "tool_use", "id": key, "name": name, "input": given}]


def _result(key: str) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": key, "content": [{"type": "text", "text": "ok"}], "is_error": False}]


def _codex(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"timestamp": STAMP, "type": kind, "payload": payload}


def _words(role: str, text: str) -> dict[str, Any]:
    part = {"type": "input_text" if role == "user" else "output_text", "text": text}
    return _codex("response_item", {"type": "message", "role": role, "content": [part]})


TODOS = {"todos": [{"content": "mend the lamp", "status": "pending"}, {"content": "buy one", "status": "completed"}]}
EDITED = {"originalFile": "a\n", "structuredPatch": [{"lines": [" a", "+b"]}]}
QUEUED = {"type": "queued_command", "commandMode": "prompt", "origin": {"kind": "human"}, "prompt": "Go"}
LINES: dict[str, list[Any]] = {
    "claude": [
        _claude("user", "Tidy it.", "a", None, planContent=PLAN, slug="lamp"),
        _claude("assistant", _use("TodoWrite", "t1", TODOS), "b", "a"),
        _claude("assistant", _use("TaskCreate", "t2", {"subject": "oil the door"}), "c", "b"),
        _claude("user", _result("t2"), "d", "c", toolUseResult={"task": {"id": "2", "subject": "oil the door"}}),
        _claude("assistant", _use("TaskUpdate", "t3", {"taskId": "2", "status": "in_progress"}), "e", "d"),
        _claude("assistant", _use("ExitPlanMode", "t4", {"plan": PLAN}), "f", "e"),
        _claude("user", _result("t4"), "g", "f", toolUseResult={"plan": PLAN, "filePath": "/v/lamp.md"}),
        _claude("assistant", _use("Edit", "t5", {"file_path": "/v/a", "old_string": "a", "new_string": "b"}), "h", "g"),
        _claude("user", _result("t5"), "i", "h", toolUseResult=EDITED),
        {"type": "attachment", "uuid": "j", "parentUuid": "i", "sessionId": "s1", "timestamp": STAMP,
         "attachment": QUEUED},
        {"type": "system", "subtype": "compact_boundary", "uuid": "k", "parentUuid": None, "logicalParentUuid": "j"},
        _claude("user", "Continued. Next session: mend it.", "l", "k", isCompactSummary=True),
        _claude("assistant", [{"type": "text", "text": SAID}], "m", "a"),
    ],
    "codex": [
        _codex("session_meta", {"id": "s", "cwd": "/v", "git": {"branch": "main"}, "source": "cli"}),
        _words("user", "Tidy it."),
        _codex("response_item", {"type": "function_call", "name": "update_plan", "call_id": "c1",
                                 "arguments": json.dumps({"plan": [{"step": "mend", "status": "pending"}]})}),
        _codex("response_item", {"type": "function_call_output", "call_id": "c1",
                                 "output": json.dumps({"output": "ok", "metadata": {"exit_code": 0}})}),
        _codex("response_item", {"type": "local_shell_call", "call_id": "c2", "action": {"command": ["ls"]}}),
        _codex("event_msg", {"type": "thread_rolled_back", "num_turns": 1}),
        _words("user", "Go on."), _words("assistant", SAID),
    ],
    "gemini": [
        {"sessionId": "g", "projectHash": "ab", "startTime": STAMP, "kind": "main", "directories": ["/v", "/w"]},
        {"id": "1", "timestamp": STAMP, "type": "user", "content": [{"text": "Tidy it."}]},
        {"$set": {"messages": [{"id": "1", "timestamp": STAMP, "type": "user", "content": "Tidy it."}]}},
        {"$rewindTo": "7"}, {"id": "2", "timestamp": STAMP, "type": "gemini", "content": SAID},
    ],
    "neutral": [{"turns": [{"role": "user", "text": "Tidy it."}, {"role": "assistant", "content": SAID, "uuid": "u"}],
                 "session_id": "n", "cwd": "/v", "git_branch": "main"}],
}  # fmt: skip
NAMES = {
    "claude": ".claude/projects/-v/s1.jsonl", "codex": ".codex/sessions/2026/04/24/rollout-a.jsonl",
    "gemini": ".gemini/tmp/v/chats/session-a.jsonl", "neutral": ".claude/projects/-v/s2.jsonl",
}  # fmt: skip
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 10**30, 10**400, -(2**70), 1e308, "", " ", "\0", "a\0b", "\ud800", "\udce9",
    "é" * 3000, "/v/\0", "/" * 300, [], [[]], {}, [None], {"": None}, {"text": 7}, [{"type": "text"}],
    "9999-99-99T99:99:99Z", "2026-04-24", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", 253_402_300_799_001,
    "user", "assistant",
    ["a", 1, None, {"type": "text", "text": None}], {"kind": 3}, {"kind": {"kind": "x"}}, "sha256:", "~", "..",
)  # fmt: skip
_DEEP = "[" * 3000


def _places(value: object, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner: list[tuple[Any, ...]] = [way] if way else []
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in pairs:
        inner += _places(one, (*way, key))
    return inner


def _odd(chance: random.Random) -> Any:
    return copy.deepcopy(chance.choice(ODD))


def mutated(value: Any, chance: random.Random) -> Any:
    """A document with another value, a missing one, or one too many somewhere."""
    value = copy.deepcopy(value)
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        places = _places(value)
        if not places:
            return _odd(chance)
        *way, last = chance.choice(places)
        inner = value
        for key in way:
            inner = inner[key]
        change = chance.random()
        if change < 0.75:
            inner[last] = _odd(chance)
        elif change < 0.85:
            del inner[last]
        elif isinstance(inner, dict):
            inner[chance.choice(list(inner))] = copy.deepcopy(inner[last])
        else:
            inner.insert(0, _odd(chance))
    return value


def _written(value: object, chance: random.Random) -> bytes:
    text = json.dumps(value, ensure_ascii=chance.random() < 0.7).encode("utf-8", "surrogatepass")
    if chance.random() < 0.04:
        text = text.replace(b'"Tidy it."', _DEEP.encode() + b"]" * 3000)
    return text


def odd_file(kind: str, chance: random.Random) -> bytes:
    """A conversation in which a few lines are odd, now and then with bytes that belong nowhere."""
    lines = [_written(mutated(one, chance) if chance.random() < 0.3 else one, chance) for one in LINES[kind]]
    if kind == "gemini" and chance.random() < 0.2:
        whole = {**LINES[kind][0], "messages": [mutated(one, chance) for one in LINES[kind][1:]]}
        lines = [json.dumps(mutated(whole, chance), indent=1).encode("utf-8", "surrogatepass")]
    data = b"\n".join(lines) + b"\n"
    match chance.randrange(12):
        case 0:
            data = data[: chance.randrange(len(data))]
        case 1:
            at = chance.randrange(len(data))
            data = data[:at] + chance.choice((b"\0", b"\xff", b"\xed\xa0\x80", b"\n", b"\r", b'"', b"\\u")) + data[at:]
        case 2:
            data = chance.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\0\0", b"\n\n")) + data
        case 3:
            data = data.decode("utf-8", "replace").encode("utf-16")
    return data


_TABLES = (
    "create table session(id,directory,time_updated,parent_id,revert);create table message(id,session_id,data);"
    "create table part(id,message_id,data);create table todo(session_id,content,status,position,time_updated)"
)
_CELLS: tuple[Any, ...] = (
    None, 0, -1, 2**62, 1.5, float("inf"), "", "x", "\0", "2026-11-28", b"", b"/home/caf\xe9", b"\xff\xfe\0", "é" * 999,
    "[]", "{", "null", '{"role": 1}', '{"type": "text", "text": {"a": 1}}', _DEEP, "../../up", "/abs", "a/b", "." * 300,
    '{"messageID": 5}', '{"time": {"created": 1e400}}', '{"type": "text", "text": "\\ud800"}', 1e300,
)  # fmt: skip


def odd_database(file: Path, folder: str, chance: random.Random) -> None:
    """OpenCode's database, with cells of other kinds, a table or a column missing, or its end cut off."""
    message = json.dumps({"role": "assistant", "time": {"created": 1794999999000}})
    rows: dict[str, list[list[Any]]] = {
        "session": [["ses_1", folder, 1795000000000, None, None], ["ses_2", folder, 1795000000000, None, None]],
        "message": [["m1", "ses_1", message], ["m2", "ses_2", message]],
        "part": [[f"p{at}", f"m{at}", json.dumps({"type": "text", "text": SAID})] for at in (1, 2)],
        "todo": [["ses_1", "Oil the door", "pending", at, 1794999999000] for at in (0, 1)],
    }
    for _ in range(chance.choice((1, 1, 2, 4))):
        row = chance.choice(rows[chance.choice(list(rows))])
        row[chance.randrange(len(row))] = chance.choice(_CELLS)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as connection:
        tables = _TABLES
        if chance.random() < 0.08:
            tables = tables.replace(chance.choice((",revert", ",time_updated", "directory,", "create table todo")), "")
        try:
            connection.executescript(tables)
            for name, listed in rows.items():
                connection.executemany(f"insert into {name} values({','.join('?' * len(listed[0]))})", listed)
        except sqlite3.Error:  # a table or a column that is missing takes no rows
            connection.rollback()
        connection.commit()
    if chance.random() < 0.08:
        data = file.read_bytes()
        file.write_bytes(chance.choice((data[: chance.randrange(len(data))], b"", b"no database" * 99)))


SCAN = Scan(load_cues([]), Places({}, {}), Projects.known((), {}, "", {}).leading_tag, lambda _: None)


def read(file: Path) -> Conversation | None:
    """Read a conversation in every way; what it cannot be read by is refused with its name."""
    found: Conversation | None = None
    for way in (lambda: named_folders(file), lambda: read_steps(file), lambda: scan(file, SCAN, lambda _: None)):
        refused: WrapgenError | None = None
        try:
            got = way()
        except WrapgenError as error:
            refused = error
        else:
            found = got if isinstance(got, Conversation) else found
        if refused is not None:
            assert isinstance(refused.__cause__, OSError | None), refused  # a reader met what it does not expect
            assert refused.where is not None, refused
            assert file.name in refused.where or "opencode" in refused.where, refused
    return found


def kept_beside(home: Path, conversations: list[Conversation]) -> None:
    """Look at the plans and tasks that the host keeps beside conversations."""
    plans = [one for _, one in left_plans(conversations, (), TODAY)]
    list(followed_up(plans, conversations))
    list(left_tasks(home / ".claude", conversations))


def listed(home: Path) -> list[Path]:
    """Every conversation below a home; what cannot be listed is named."""
    folders = list(host_folders(home, {}))
    assert all(name for one in folders for name in one.troubles)
    return [Path(file.path) for one in folders for file in one.files]


def settings(text: str) -> None:
    """Put the program's entries into a host's settings and take them out, or refuse them with the line."""
    for host in HOSTS.values():
        line = 1
        try:
            parse(text, comments=host.comments)
            entries.entries(text, host)
            merged = entries.merge(text, entries.Wanted(host, ("wrap",), None, status_line=True, task_list=True))
            entries.without(merged, host, text)
            entries.foreign_status_line(text, host)
        except JsonTextError as error:
            line = error.line
        assert line >= 1
