"""The front matter of a snapshot, written and read. PURE.

It is YAML, of one form only: a key and a value a line, the value plain, or where YAML would take it for something else,
in double quotes with the escapes of JSON, which are YAML's too. Reading takes exactly this form, line by line, and no
YAML library: there is nothing in it that anchors, aliases, tags or merges could do, a key given twice is refused, and
the raw values that datarim writes (`- a: b`, which is a mapping to YAML) come out as the words that they are.
"""

from __future__ import annotations

import json
import re

from wrapgen.errors import SnapshotError
from wrapgen.stage.record import ARTIFACT, SCHEMA_VERSION, FrontMatter

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
    for digits in range(1, 20):
        text = b"%d" % (others + digits)
        if len(text) == digits:
            return text
    raise AssertionError(others)


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
