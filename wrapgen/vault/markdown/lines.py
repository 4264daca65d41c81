"""A file read line by line: for what nests too deeply to be parsed as Markdown. PURE.

Coarser than the parser (no tables, no items over several lines), but it sees every list item at any depth, in time
linear in the file.
"""

from __future__ import annotations

import re

from wrapgen.model import Document, Entry
from wrapgen.vault.markdown import marks
from wrapgen.vault.markdown.outline import BOLD_LINE_LEVEL, Outline, bold_title

NESTED_TOO_DEEPLY = "nested too deeply"

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)$")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)")
_LINE_BREAK = re.compile("\r\n|\r|\n")


def parse_lines(text: str) -> Document:
    """Read a file line by line.

    Args:
        text: the file's text.

    Returns:
        the document, with its `trouble` set.
    """
    outline = Outline()
    entries: list[Entry] = []
    lines = _LINE_BREAK.split(text)
    fence = ""
    comment = False
    for number, line in enumerate(lines, 1):
        if fence:
            closing = _FENCE.match(line)
            fence = "" if closing and closing[1].startswith(fence) else fence
        elif comment or line.lstrip().startswith("<!--"):
            comment = "-->" not in line
        elif opening := _FENCE.match(line):
            fence = opening[1]
        elif heading := _HEADING.match(line):
            outline.open(len(heading[1]), heading[2].rstrip(" \t#"), number)
        elif title := bold_title(line):
            outline.open(BOLD_LINE_LEVEL, title, number)
        elif entry := _entry(line, number, outline.current):
            outline.saw_list()
            entries.append(entry)
    return Document(sections=outline.sections(), entries=tuple(entries), trouble=NESTED_TOO_DEEPLY)


def _entry(line: str, number: int, section: int) -> Entry | None:
    """The item of one line: any bullet at the margin, a checkbox at any depth."""
    end = 0
    while bullet := _BULLET.match(line, end):
        end = bullet.end()
    if not end:
        return None
    entry = marks.read_item(line[end:], line=number, section=section)
    nested = line[:1] in (" ", "\t")
    return entry if entry is not None and (entry.box or not nested) else None
