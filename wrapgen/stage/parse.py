"""Parses and validates a snapshot. PURE."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wrapgen.config.task_ids import is_task_id
from wrapgen.errors import SnapshotError
from wrapgen.stage.front import split
from wrapgen.stage.record import ARTIFACT, CAP, SCHEMA_VERSION, FrontMatter, StageSnapshot, is_stage

if TYPE_CHECKING:
    from wrapgen.config import Stage


def parse(data: bytes, task: str, rules: Stage) -> StageSnapshot:
    """Read a snapshot; raises `SnapshotError` if it is of another task, version or size, or not whole."""
    values, options, body = split(data)
    for key, expected in (("artifact", ARTIFACT), ("schema_version", str(SCHEMA_VERSION)), ("task_id", task)):
        if values[key] != expected:
            raise SnapshotError(f"says {key} {values[key]!r} where {expected!r} is expected")
    if not is_task_id(task, rules.task_id_pattern):
        raise SnapshotError(f"is about {task!r}, which is not a task id")
    if not is_stage(values["stage"], rules):
        raise SnapshotError(f"names an unknown stage, {values['stage']!r}")
    if not re.fullmatch("[0-9]{1,9}", values["size_bytes"]) or int(values["size_bytes"]) != len(data):
        raise SnapshotError(f"says size_bytes {values['size_bytes']!r}, but has {len(data)}")
    if len(data) > CAP:
        raise SnapshotError(f"has {len(data)} bytes, more than {CAP}")
    if values["truncated"] not in ("true", "false"):
        raise SnapshotError(f"says truncated {values['truncated']!r}")
    if not values["recommended_next"]:
        raise SnapshotError("recommends no next command")
    names = ("task_id", "stage", "command", "captured_at", "captured_by", "recommended_next")
    header = FrontMatter(**{name: values[name] for name in names}, options=options)
    try:
        _ = header.captured
    except ValueError:
        raise SnapshotError(f"was captured at an invalid time, {header.captured_at!r}") from None
    return StageSnapshot(header, len(data), values["truncated"] == "true", body)
