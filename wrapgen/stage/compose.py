"""A snapshot's bytes, never more than the cap, and a snapshot from them; its front matter is a strict YAML. PURE."""

import json
import re
from dataclasses import dataclass, replace
from itertools import accumulate

from wrapgen.config import Stage
from wrapgen.config.task_ids import is_task_id
from wrapgen.errors import SnapshotError
from wrapgen.stage.record import ARTIFACT, CAP, SCHEMA_VERSION, Body, FrontMatter, StageSnapshot, is_stage

_FENCE = b"---"
_KEYS = (
    "task_id", "artifact", "schema_version", "stage", "command", "captured_at", "captured_by", "recommended_next",
    "options", "size_bytes", "truncated",
)  # fmt: skip
_LINE = re.compile(r"([a-z_]+):(?: (.*))?", re.DOTALL)
# What YAML takes for a mark at the start of a plain value, and for a mark inside one.
_MARKED = re.compile(r"[,\[\]{}#&*!|>'\"%@`]|[-?:](?:[ \t]|\Z)|.*(?::(?:[ \t]|\Z)|[ \t]#)|[ \t]|.*[ \t]\Z", re.DOTALL)
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
# Plain words that YAML 1.1 (yaml.org/type) or the core schema of 1.2 take for something else than text.
_NO_TEXT = re.compile(
    r"~|null|Null|NULL|=|<<|[yYnN]|yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF"
    r"|[-+]?(?:0b[01_]+|0o[0-7]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?)"
    r"|[-+]?\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
    r"(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?"
)
# A timestamp is written unquoted although YAML 1.1 parses it as one: it is one.
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


def scalar(text: str) -> str:
    """A text without lone surrogates as a YAML value that is read as exactly this text."""
    if text and not (_MARKED.match(text) or _UNPRINTABLE.search(text) or _NO_TEXT.fullmatch(text)):
        return text
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def option_line(option: str) -> str:
    """The line of an option."""
    return f"  - {scalar(option)}\n"


def front_matter(header: FrontMatter, *, body_size: int, truncated: bool) -> bytes:
    """The front matter with the blank line behind it; `body_size` are the bytes of what follows."""
    rows = [
        f"task_id: {scalar(header.task_id)}",
        f"artifact: {ARTIFACT}",
        f"schema_version: {SCHEMA_VERSION}",
        f"stage: {scalar(header.stage)}",
        f"command: {scalar(header.command)}",
        f"captured_at: {header.captured_at if _MOMENT.fullmatch(header.captured_at) else scalar(header.captured_at)}",
        f"captured_by: {scalar(header.captured_by)}",
        f"recommended_next: {scalar(header.recommended_next)}",
        "options:",
    ]
    options = "".join(option_line(option) for option in header.options)
    before = "\n".join(["---", *rows, f"{options}size_bytes: "]).encode("utf-8")
    after = f"\ntruncated: {'true' if truncated else 'false'}\n---\n\n".encode()
    return before + _own_size(len(before) + len(after) + body_size) + after


def _own_size(others: int) -> bytes:
    """The size of a file of which these digits are a part: of two numbers that are both true, the smaller one."""
    return next(text for digits in range(1, 20) if len(text := b"%d" % (others + digits)) == digits)


def split(data: bytes) -> tuple[dict[str, str], tuple[str, ...], bytes]:
    """Values by key, options and body of a snapshot; raises `SnapshotError` for another form than ours."""
    lines = data.split(b"\n")
    if lines[0] != _FENCE or _FENCE not in lines[1:]:
        raise SnapshotError("has no front matter between two lines ---")
    end = lines.index(_FENCE, 1)
    values: dict[str, str] = {}
    options: list[str] = []
    last = ""
    for number, raw in enumerate(lines[1:end], 2):
        try:
            line = raw.decode("utf-8")
            found = _LINE.fullmatch(line)
            if found:
                last, value = found[1], found[2] or ""
                if last in values:
                    raise SnapshotError(f"line {number} gives {last} a second time")
                values[last] = value if last == "options" else _text(value)
            elif last == "options" and line.startswith("  - "):
                options.append(_text(line[4:]))
            else:
                raise SnapshotError(f"line {number} is not a key with its value")
        except ValueError:
            raise SnapshotError(f"line {number} cannot be read") from None
    if missing := [key for key in _KEYS if key not in values]:
        raise SnapshotError(f"says nothing about {', '.join(missing)}")
    if values["options"]:
        raise SnapshotError("has options that are not one per line")
    body = b"\n".join(lines[end + 1 :])
    return values, tuple(options), body.removeprefix(b"\n")


def _text(value: str) -> str:
    """The text of a written value; raises `ValueError` when it begins like a quoted one and is none."""
    if not value.startswith('"'):
        return value
    text = json.loads(value)
    assert isinstance(text, str)
    text.encode("utf-8")  # JSON can spell half a character, which is not text
    return text


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
    kept = data[:limit].decode("utf-8", "ignore").encode("utf-8")
    line = data.rfind(b"\n", max(0, len(kept) - _NEAR), len(kept) + 1)
    return kept if line < 0 else data[:line]


def _tail(data: bytes, limit: int) -> bytes:
    """The last bytes of valid UTF-8, whole characters, whole lines where one begins near."""
    kept = data[len(data) - limit :].decode("utf-8", "ignore").encode("utf-8")
    start = len(data) - len(kept)
    line = data.find(b"\n", start - 1, start + _NEAR)
    return kept if line < 0 else data[line + 1 :]


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
