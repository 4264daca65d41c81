"""Which daily-note patterns a folder of notes follows: Obsidian, Logseq, `YYYY/MM-DD` and their like."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.patterns import ANY_DEPTH, Pattern
from wrapgen.vault import disk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from pathlib import Path

_FULL_DATE = re.compile(r"\d{4}(?P<first>[-_.]?)\d{2}(?P=first)\d{2}(?!\d)")
_MONTH_AND_DAY = re.compile(r"\d{2}(?P<between>[-_.]?)\d{2}(?!\d)")
_DAY = re.compile(r"\d{2}(?!\d)")
_YEAR = re.compile(r"\d{4}")
_MONTH = re.compile(r"\d{2}")


@dataclass(frozen=True, slots=True)
class DailyNotes:
    """Daily notes of one pattern.

    Attributes:
        pattern: as `sources.journals` takes it.
        files: their paths relative to the folder, oldest day first.
        first: the oldest day.
        last: the newest day.
    """

    pattern: str
    files: tuple[str, ...]
    first: date
    last: date


def daily_notes(root: Path) -> list[DailyNotes]:
    """Look for daily notes.

    Args:
        root: the folder; hidden folders in it are passed over.

    Returns:
        one entry a pattern, the richest first.
    """
    found: dict[str, list[tuple[date, str]]] = defaultdict(list)
    for path in _markdown_files(root):
        text = _pattern_of(path)
        place = Pattern(text).match(path) if text else None
        if text and place and place.day:
            found[text].append((place.day, path))
    notes = [
        DailyNotes(text, tuple(path for _, path in sorted(days)), min(days)[0], max(days)[0])
        for text, days in found.items()
    ]
    return sorted(notes, key=lambda one: (-len(one.files), one.pattern))


def _markdown_files(root: Path) -> Iterator[str]:
    start = len(os.path.join(root, ""))  # noqa: PTH118 - with the separator at its end
    for entry in disk.below(root, ".git"):
        if entry.name.endswith(".md") and not entry.is_dir():
            path = entry.path[start:].replace(os.sep, "/")
            if not path.startswith(".") and "/." not in path:
                yield path


def _pattern_of(path: str) -> str | None:
    """The pattern that a dated path follows: its top folder, any depth, and the way its date is written."""
    *folders, name = path.split("/")
    if full := _FULL_DATE.match(name):
        mark = full["first"]
        tail = "" if name[full.end() :] == ".md" else "*"
        return "/".join([*folders[:1], *([ANY_DEPTH] if folders else []), f"YYYY{mark}MM{mark}DD{tail}.md"])
    dated = {index for index, folder in enumerate(folders) if _YEAR.fullmatch(folder)}
    if not dated:
        return None
    year = min(dated)
    below = ["YYYY", *folders[year + 1 :]]
    if partly := _MONTH_AND_DAY.match(name):
        mark = partly["between"]
        last = f"MM{mark}DD" + ("" if name[partly.end() :] == ".md" else "*") + ".md"
        return "/".join([*folders[:year], *below, last])
    if _DAY.match(name) and len(below) == 2 and _MONTH.fullmatch(below[1]):
        return "/".join([*folders[:year], "YYYY", "MM", "DD" + ("" if name[2:] == ".md" else "*") + ".md"])
    return None
