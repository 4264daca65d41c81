"""The plans that were approved in a session of Claude Code, and the files that were edited in it.

The result of `ExitPlanMode` holds the plan and where it lies; no other line ties it to a session (spec 3.2).
"""

import json
import re
from typing import Any

from wrapgen.jsonl import clean
from wrapgen.session.transcript import ApprovedPlan, Header

_HEAD = 2_000
_EDIT = re.compile(
    rb'"name"\s*:\s*"(?:Edit|Write|MultiEdit|NotebookEdit)"\s*,\s*"input"\s*:\s*\{[^{}]{0,200}?'
    rb'"(?:file|notebook)_path"\s*:\s*"([^"]+)"'
)


def note(line: bytes, order: int, header: Header) -> None:
    """Note what a line with a call or a result says of plans and files.

    Args:
        order: grows from line to line.
    """
    tool = line.find(b'"tool_', 0, _HEAD)
    if tool < 0:
        return
    if line.startswith(b'"tool_use"', tool):
        for edit in _EDIT.finditer(line):
            header.edited[edit[1].decode("utf-8", "replace").replace("\\\\", "/")] = order
    elif b'"plan"' in line and b'"filePath"' in line:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            return
        if isinstance(record, dict) and not record.get("isSidechain"):
            _note_plan(record, order, header)


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
