"""Reading a block back, strictly: whatever was in the state, only the brief's own lines may give it its form."""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from wrapgen.brief import BriefLabels, labels

LISTS = ("files", "decisions", "teammates", "pending")


@dataclass(frozen=True)
class Read:
    """A block.

    Attributes:
        lists: the elements of each list, without their marks.
        omitted: what each list says that it has lost.
    """

    task: str
    lists: dict[str, list[str]]
    omitted: dict[str, int]
    as_of: str | None


def read(block: str, lang: str = "ko") -> Read:
    """Read a block; anything that is not in its place fails."""
    block.encode("utf-8")
    assert len(block.splitlines()) == block.count("\n") + 1
    element = ET.fromstring(block)
    assert element.tag == "session-context"
    assert len(element) == 0
    assert block.startswith("<session-context>\n")
    assert block.endswith("\n</session-context>")
    words = labels(lang)
    lines = (element.text or "").strip("\n").split("\n")
    task = lines.pop(0)
    assert task.startswith(f"{words.task}: ")
    lists, omitted = {}, {}
    for name in LISTS:
        assert lines.pop(0) == f"{getattr(words, name)}:"
        lists[name], omitted[name] = _list(lines, words, numbered=name == "decisions")
    as_of = lines.pop(0) if lines else None
    assert as_of is None or as_of.startswith(f"{words.as_of}: ")
    assert lines == []
    return Read(task.partition(": ")[2], lists, omitted, as_of)


def _list(lines: list[str], words: BriefLabels, *, numbered: bool) -> tuple[list[str], int]:
    found: list[str] = []
    while lines and lines[0].startswith("  "):
        line = lines.pop(0)
        if line == f"  ({words.none})":
            assert found == []
            return [], 0
        if lost := re.fullmatch(r"  \(\+([1-9]\d*)\)", line):
            return found, int(lost[1])
        mark = f"  {len(found) + 1}. " if numbered else "  - "
        assert line.startswith(mark)
        found.append(line.removeprefix(mark))
    assert found
    return found, 0
