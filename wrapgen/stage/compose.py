"""A snapshot's bytes, never more than the cap: what is left out when it would be larger, and in which order. PURE."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from wrapgen.config.task_ids import is_task_id
from wrapgen.errors import SnapshotError
from wrapgen.stage.front import front_matter, option_line, split
from wrapgen.stage.record import ARTIFACT, CAP, SCHEMA_VERSION, FrontMatter, StageSnapshot, is_stage

if TYPE_CHECKING:
    from wrapgen.config import Stage
    from wrapgen.stage.record import Body


# So many bytes of the body are kept before an option is: half the cap.
_BODY_FIRST = CAP // 2
_MARKER = "<!-- snapshot-truncated, full text: session jsonl -->"  # where a text was cut to fit
# A cut goes back to the end of a line where one ends so near, in bytes.
_NEAR = 200


@dataclass(frozen=True, slots=True)
class Composed:
    """A snapshot that is ready to be written."""

    data: bytes  # the bytes of the file
    cut: bool  # whether the body was cut
    dropped: int  # how many options were left out


def compose(header: FrontMatter, body: Body) -> Composed:
    """Put a snapshot together; raises `SnapshotError` when the front matter alone is too large.

    Options are dropped from the last until the body fits or has half of the cap; then the body is cut.
    `recommended_next` always stays.
    """
    front = front_matter(header, body_size=body.size, truncated=False)
    if len(front) + body.size <= CAP:
        return Composed(front + body.head, cut=False, dropped=0)
    # Of a file of 1,000 bytes or more the size has the four digits that it has at the cap.
    bare = len(front_matter(replace(header, options=()), body_size=_BODY_FIRST, truncated=True))
    taken = [0, *accumulate(len(option_line(option).encode("utf-8")) for option in header.options)]
    least = min(body.size, _BODY_FIRST)
    kept = max((number for number, size in enumerate(taken) if bare + size + least <= CAP), default=0)
    room = CAP - bare - taken[kept]
    dropped = len(header.options) - kept
    cut = body.size > room or not dropped  # one byte of the room is there only because "true" is shorter than "false"
    text = _cut(body, room, f"\n{_MARKER}\n".encode()) if cut else body.head
    front = front_matter(replace(header, options=header.options[:kept]), body_size=len(text), truncated=True)
    return Composed(front + text, cut, dropped)


def _cut(body: Body, room: int, marker: bytes) -> bytes:
    """The head and the tail of a text, with the marker between: the call to action is at the end."""
    left = room - len(marker)
    if left < 0:
        raise SnapshotError(
            f"the front matter values are too long for a snapshot of {CAP} bytes",
            next_step="Shorten --command, --captured-by or --recommended-next.",
        )
    return _head(_readable(body.head), left - left // 2) + marker + _tail(_readable(body.tail), left // 2)


def _readable(data: bytes) -> bytes:
    return data.decode("utf-8", "replace").encode("utf-8")


def _head(data: bytes, limit: int) -> bytes:
    """The first bytes of valid UTF-8, whole characters, whole lines where one ends near."""
    end = limit
    while end and _continues(data[end]):
        end -= 1
    line = data.rfind(b"\n", max(0, end - _NEAR), end + 1)
    return data[: end if line < 0 else line]


def _tail(data: bytes, limit: int) -> bytes:
    """The last bytes of valid UTF-8, whole characters, whole lines where one begins near."""
    start = len(data) - limit
    while start < len(data) and _continues(data[start]):
        start += 1
    line = data.find(b"\n", start - 1, start + _NEAR)
    return data[start if line < 0 else line + 1 :]


def _continues(byte: int) -> bool:
    return byte & 0xC0 == 0x80


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
