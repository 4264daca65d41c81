"""What tool lines of Claude Code tell: the agent's to-do list, approved plans, edited files.

An entry of the list that was made is known by its id only from the result of its call. The result of `ExitPlanMode`
holds the plan and where it lies; a plan that was approved with a new context begins that session (`planContent`).
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from wrapgen.jsonl import clean
from wrapgen.session.transcript import ApprovedPlan, Header, ListEntry

_CALLS = (b'"TodoWrite"', b'"TaskCreate"', b'"TaskUpdate"')
_NEAR = 600  # bytes behind `"tool_use"` in which the call names its tool, after its id, and the file
_SHORT = 2_500  # bytes; the result of `TaskCreate` says one sentence and repeats the entry's words
_EDIT = re.compile(
    rb'"name"\s*:\s*"(?:Edit|Write|MultiEdit|NotebookEdit)"\s*,\s*"input"\s*:\s*\{[^{}]{0,200}?'
    rb'"(?:file|notebook)_path"\s*:\s*"([^"]+)"'
)

Entries = tuple[tuple[ListEntry, ...], bool]


class ToolNotes:
    """Follows the calls of one conversation: what they change in the list, and what the header is to say of files.

    Lines are noted in the order of the file by their bytes alone, before those that stand are decoded.
    """

    def __init__(self, header: Header) -> None:
        self._header = header
        self._order = 0
        self._asked = 0  # calls for a plan's approval whose result has not come yet
        self._results: dict[int, int] = {}  # what may approve a plan: its order by the hash of its line
        self._made = 0
        self._waiting: dict[str, ListEntry] = {}

    def note(self, line: bytes, tool: int) -> bool:
        """Note a line with a call or a result, which its block says at `tool`; whether it has to be decoded, too.

        It may approve a plan, change the list, or name a new entry's id.
        """
        if line.startswith(b'"tool_use"', tool):
            self._order += 1
            near = line[tool : tool + _NEAR]
            if b'_path"' in near and (edit := _EDIT.search(near)):
                path = edit[1].decode("utf-8", "replace").replace("\\\\", "/")
                self._header.edited[path] = self._order
            elif b'"ExitPlanMode"' in near:
                self._asked += 1
            return b'"T' in near and any(name in near for name in _CALLS)
        if self._asked:
            self._order += 1
            if b'"plan"' in line and b'"filePath"' in line:
                self._asked -= 1
                self._results[hash(line)] = self._order
                return True
        return len(line) < _SHORT and b'"task":' in line

    def begin(self, plan: object, slug: object, stamp: str | None) -> None:
        """Take a plan with which the conversation begins: approved with a new context, it is refused where it was made.

        Its file is named as the session is.
        """
        if isinstance(plan, str) and plan.strip() and isinstance(slug, str) and slug:
            config = Path(os.path.abspath(self._header.path)).parent.parent.parent
            path = str(config / "plans" / f"{Path(slug).name}.md")
            self._header.plans.setdefault(path, ApprovedPlan(path, clean(plan), 0, stamp))

    def approved(self, line: bytes, path: object, plan: object, stamp: str | None) -> None:
        """Take a plan that the result in a line approves, if it does; of one that is approved again the last counts."""
        order = self._results.get(hash(line))
        if order and isinstance(path, str) and path and isinstance(plan, str) and plan.strip():
            self._header.plans[path] = ApprovedPlan(path, clean(plan), order, stamp)

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
