"""A summary of the dashboard for fast readers: written by each rebuild, read without importing anything large.

The first line holds the counts, each further line an open item in the order of the dashboard. It is in the cache:
without it nothing is known until the next rebuild.
"""

import json
import os
from collections.abc import Iterable, Iterator
from typing import Any

from wrapgen.regular_files import content, opened, text_of

FILE = ".wrapgen/cache/headline.jsonl"
_VERSION = 1
_LARGEST = 1 << 20  # bytes


def document(open_items: int, due: dict[str, int], items: Iterable[dict[str, Any]]) -> bytes:
    """The file's content: how many items are due, by day (ISO 8601), and those that are named.

    These have `project`, `text`, `due`, `priority` and `raised`.
    """
    counts = {"version": _VERSION, "open": open_items, "due": due}
    return b"".join(json.dumps(one).encode() + b"\n" for one in (counts, *items))


def counts(root: str) -> dict[str, Any] | None:
    """The counts, with `at`: when the dashboard was rebuilt last, in seconds since the epoch; None when unknown."""
    file = f"{root}/{FILE}"
    try:
        with opened(file) as descriptor:
            found = json.loads(content(descriptor, _LARGEST).partition(b"\n")[0])
            at = os.fstat(descriptor).st_mtime
    except (OSError, ValueError, RecursionError):
        return None
    kinds = {"version": int, "open": int, "due": dict}
    if not isinstance(found, dict) or any(type(found.get(name)) is not kind for name, kind in kinds.items()):
        return None
    if found["version"] != _VERSION:
        return None
    return {**found, "at": at}


def confirm(root: str) -> bool:
    """Record that the dashboard was found to be up to date."""
    try:
        os.utime(f"{root}/{FILE}")
    except OSError:
        return False
    return counts(root) is not None


def overdue(counted: dict[str, Any], today: str) -> int:
    """How many open items were due before a day."""
    return sum(number for day, number in counted["due"].items() if day < today and isinstance(number, int))


def ago(seconds: float) -> str:
    """How long ago something was: `just now`, `3 min ago`, `5 h ago`, `2 days ago`."""
    minutes, hours, days = (int(seconds // unit) for unit in (60, 3_600, 86_400))
    if days > 0:
        return "1 day ago" if days == 1 else f"{days} days ago"
    return f"{hours} h ago" if hours > 0 else f"{minutes} min ago" if minutes > 0 else "just now"


def items(root: str) -> Iterator[dict[str, Any]]:
    """The open items that are named, in the order of the dashboard."""
    for line in text_of(f"{root}/{FILE}", _LARGEST).splitlines()[1:]:
        try:
            item = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(item, dict) and isinstance(item.get("text"), str):
            yield item
