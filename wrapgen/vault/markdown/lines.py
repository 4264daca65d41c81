"""Reads a file line by line, when it is nested too deeply to be parsed as Markdown. PURE.

Coarser than the parser (no tables, no items over several lines), but it sees every list item at any depth, in time
linear in the file.
"""

from __future__ import annotations

import re

from wrapgen.notes import Document, Entry
from wrapgen.text.fences import fence_behind
from wrapgen.vault.markdown import marks
from wrapgen.vault.markdown.outline import BOLD_LINE_LEVEL, Outline, bold_title

NESTED_TOO_DEEPLY = "nested too deeply"

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)$")
_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)")
_LINE_BREAK = re.compile("\r\n|\r|\n")


def parse_lines(text: str) -> Document:
    """Read a file line by line.

    Returns:
        the document, with its `trouble` set.
    """
    outline = Outline()
    entries: list[Entry] = []
    lines = _LINE_BREAK.split(text)
    fence = ""
    comment = False
    empty: list[str] = []
    for number, line in enumerate(lines, 1):
        if fence:
            fence = fence_behind(line.lstrip(" \t"), fence)
        elif comment or line.lstrip().startswith("<!--"):
            comment = "-->" not in line
        elif opening := fence_behind(line.lstrip(" \t")):
            fence = opening
        elif heading := _HEADING.match(line):
            outline.open(len(heading[1]), heading[2].rstrip(" \t#"), number)
        elif title := bold_title(line):
            outline.open(BOLD_LINE_LEVEL, title, number)
        elif content := _content(line):
            entry = marks.read_item(content, line=number, section=outline.current)
            if entry is None:
                empty += filter(None, (marks.open_mark(content),))
            elif entry.box or line[:1] not in (" ", "\t"):
                outline.saw_list()
                entries.append(entry)
    return Document(outline.sections(), tuple(entries), NESTED_TOO_DEEPLY, tuple(empty))


def _content(line: str) -> str:
    """What stands behind the bullets of a line; nothing for a line without one."""
    end = 0
    while bullet := _BULLET.match(line, end):
        end = bullet.end()
    return line[end:] if end else ""
