"""The plans that were approved in a session of Claude Code, and the files that were edited in it.

The result of `ExitPlanMode` holds the plan and where it lies; no other line ties it to a session (spec 3.2).
"""

import json
import re
from typing import Any

from wrapgen.jsonl import clean
from wrapgen.session.transcript import ApprovedPlan, Header

_NEAR = 600
"""Bytes behind `"tool_use"` in which a call names its tool and the file."""
_EDIT = re.compile(
    rb'"name"\s*:\s*"(?:Edit|Write|MultiEdit|NotebookEdit)"\s*,\s*"input"\s*:\s*\{[^{}]{0,200}?'
    rb'"(?:file|notebook)_path"\s*:\s*"([^"]+)"'
)


class PlanNotes:
    """Notes in a header what the lines of a conversation say of plans and files, judged on their first bytes."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._order = 0
        self.asked = 0  # calls for approval whose result has not come yet

    def note(self, line: bytes, tool: int) -> None:
        """Note a line with a call or a result, which its block says at `tool`."""
        self._order += 1
        if line.startswith(b'"tool_use"', tool):
            near = line[tool : tool + _NEAR]
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
                _note_plan(record, self._order, self._header)


def _note_plan(record: dict[str, Any], order: int, header: Header) -> None:
    result, stamp = record.get("toolUseResult"), record.get("timestamp")
    if not isinstance(result, dict) or result.get("isAgent") is True:
        return
    path, plan = result.get("filePath"), result.get("plan")
    message = record.get("message")
    blocks = message.get("content") if isinstance(message, dict) else None
    listed = blocks if isinstance(blocks, list) else []
    refused = any(isinstance(one, dict) and one.get("is_error") is True for one in listed)
    if isinstance(path, str) and path and isinstance(plan, str) and plan.strip() and not refused:
        given = stamp if isinstance(stamp, str) else None
        header.plans[path] = ApprovedPlan(path, clean(plan), order, given)  # approved again: the last one counts
