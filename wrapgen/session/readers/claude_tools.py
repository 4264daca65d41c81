"""What tool lines of Claude Code tell: the agent's to-do list, approved plans, edited files (spec 3.2).

An entry of the list that was made is known by its id only from the result of its call. The result of `ExitPlanMode`
holds the plan and where it lies; a plan that was approved with a new context begins that session (`planContent`).
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from wrapgen.jsonl import clean
from wrapgen.session.transcript import ApprovedPlan, Header, ListEntry

_CALLS = (b'"TodoWrite"', b'"TaskCreate"', b'"TaskUpdate"')
_NEAR = 300  # bytes behind `"tool_use"` in which the call names its tool, after its id
_SHORT = 2_500  # bytes; the result of `TaskCreate` says one sentence and repeats the entry's words

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


_NEAR_PATH = 600  # bytes behind `"tool_use"` in which a call names its tool and the file
_EDIT = re.compile(
    rb'"name"\s*:\s*"(?:Edit|Write|MultiEdit|NotebookEdit)"\s*,\s*"input"\s*:\s*\{[^{}]{0,200}?'
    rb'"(?:file|notebook)_path"\s*:\s*"([^"]+)"'
)


class PlanNotes:
    """Notes in a header what the lines of a conversation say of plans and files, judged on their first bytes."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._order = 0
        self._approved: list[tuple[int, ApprovedPlan]] = []  # with the hash of the id of its line
        self.asked = 0  # calls for approval whose result has not come yet

    def note(self, line: bytes, tool: int) -> None:
        """Note a line with a call or a result, which its block says at `tool`."""
        self._order += 1
        if line.startswith(b'"tool_use"', tool):
            near = line[tool : tool + _NEAR_PATH]
            if b'_path"' in near and (edit := _EDIT.search(near)):
                path = edit[1].decode("utf-8", "replace").replace("\\\\", "/")
                self._header.edited[path] = self._order
            elif b'"ExitPlanMode"' in near:
                self.asked += 1
        elif self.asked and b'"plan"' in line and b'"filePath"' in line:
            self.asked -= 1
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                return
            if isinstance(record, dict) and not record.get("isSidechain"):
                plan = _approved(record, self._order)
                if plan is not None:
                    self._approved.append((hash(str(record.get("uuid")).encode("utf-8", "replace")), plan))

    def begin(self, plan: object, slug: object, stamp: str | None) -> None:
        """Note a plan with which the conversation begins: approved with a new context, it is refused where it was made.

        Its file is named as the session is.
        """
        if isinstance(plan, str) and plan.strip() and isinstance(slug, str) and slug:
            config = Path(os.path.abspath(self._header.path)).parent.parent.parent
            path = str(config / "plans" / f"{Path(slug).name}.md")
            self._approved.insert(0, (0, ApprovedPlan(path, clean(plan), 0, stamp)))

    def settle(self, taken_back: set[int]) -> None:
        """Put the plans whose approval stands into the header; one that was approved again as it was last."""
        self._header.plans = {plan.path: plan for line, plan in self._approved if line not in taken_back}


def _approved(record: dict[str, Any], order: int) -> ApprovedPlan | None:
    result, stamp = record.get("toolUseResult"), record.get("timestamp")
    if not isinstance(result, dict) or result.get("isAgent") is True:
        return None
    path, plan = result.get("filePath"), result.get("plan")
    message = record.get("message")
    blocks = message.get("content") if isinstance(message, dict) else None
    listed = blocks if isinstance(blocks, list) else []
    refused = any(isinstance(one, dict) and one.get("is_error") is True for one in listed)
    if not (isinstance(path, str) and path and isinstance(plan, str) and plan.strip()) or refused:
        return None
    return ApprovedPlan(path, clean(plan), order, stamp if isinstance(stamp, str) else None)
