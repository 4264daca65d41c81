"""Open boxes that are no items: in code, quotes, comments and front matter. PURE.

They are what is left of a plain count of lines, so that no box can be missed whatever the parser made of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from wrapgen.vault.markdown.marks.state import BALLOTS

if TYPE_CHECKING:
    from wrapgen.notes import Document

_OPEN_BOX = re.compile(
    r"^[ \t>\u200b]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+(?:\[[^\d\[\]xX✓✔✅☑-]?\](?=\s|$)|\[[ \u3000]\](?![(\[:]))",
    re.MULTILINE,
)


def with_ignored(document: Document, text: str) -> Document:
    """Count what stands in a file as an open box and was not read as one."""
    if "[" not in text:
        return document
    boxes = len(_OPEN_BOX.findall(text))
    if not boxes:
        return document
    marks = [*[entry.mark for entry in document.entries if not entry.done], *document.empty]
    read = len([mark for mark in marks if len(mark) == 1 and mark not in BALLOTS])
    return replace(document, ignored=max(0, boxes - read))
