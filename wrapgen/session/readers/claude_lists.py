"""The to-do list that Claude Code's agent keeps: `TodoWrite`, `TaskCreate` and `TaskUpdate` (spec 3.2)."""

from typing import Any

from wrapgen.jsonl import clean
from wrapgen.session.transcript import ListEntry

_CALLS = (b'"TodoWrite"', b'"TaskCreate"', b'"TaskUpdate"')
_NEAR = 300
"""Bytes behind `"tool_use"` in which the call names its tool, after its id."""
_SHORT = 2_500
"""Bytes; the result of `TaskCreate` says one sentence and repeats the entry's words."""

Entries = tuple[tuple[ListEntry, ...], bool]


def may_change_lists(line: bytes, tool: int) -> bool:
    """Whether a line (its block's kind stands at `tool`) changes the list or names a new entry's id, by its bytes."""
    if line.startswith(b'"tool_use"', tool):
        near = line[tool : tool + _NEAR]
        return b'"T' in near and any(name in near for name in _CALLS)
    return len(line) < _SHORT and b'"task":' in line


class Lists:
    """Follows the calls of one conversation: an entry that was made is known by its id only from the call's result."""

    def __init__(self) -> None:
        self._made = 0
        self._waiting: dict[str, ListEntry] = {}

    def called(self, name: str, call: str, given: object) -> Entries | None:
        """What a call changes, and whether that is the whole list; None when it is about something else."""
        if not isinstance(given, dict):
            return None
        match name:
            case "TodoWrite":
                todos = given.get("todos")
                return (tuple(_whole(todos)), True) if isinstance(todos, list) else None
            case "TaskCreate":
                self._made += 1
                entry = ListEntry(str(self._made), _text(given, "subject"), "pending")
                self._waiting[call] = entry
                return ((entry,), False)
            case "TaskUpdate" if _key(given.get("taskId")):
                return ((ListEntry(_key(given["taskId"]), _text(given, "subject"), _text(given, "status")),), False)
        return None

    def answered(self, call: str, task: object) -> Entries | None:
        """What the result of a call changes: an entry is under another id than its running number."""
        entry = self._waiting.pop(call, None)
        key = _key(task.get("id")) if isinstance(task, dict) else ""
        if entry is None or not key or key == entry.key:
            return None
        if key.isdigit():
            self._made = int(key)
        return ((ListEntry(entry.key, status="deleted"), ListEntry(key, entry.text, entry.status)), False)


def _whole(todos: list[Any]) -> list[ListEntry]:
    """A whole list; entries are told apart by their place, as the same words may stand twice."""
    listed = (one for one in todos if isinstance(one, dict))
    return [ListEntry(str(at), _text(one, "content"), _text(one, "status")) for at, one in enumerate(listed)]


def _text(given: dict[str, Any], name: str) -> str:
    value = given.get(name)
    return clean(value).strip() if isinstance(value, str) else ""


def _key(value: object) -> str:
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
