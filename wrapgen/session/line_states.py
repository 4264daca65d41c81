"""Where a line that was written, or is to be written, is in a file. PURE.

The same words elsewhere (in notes, among ideas) are not that line: nothing collects them there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from wrapgen.errors import EditError
from wrapgen.redact import MARK, redact
from wrapgen.session.follow_up import Route
from wrapgen.text.headings import roles
from wrapgen.vault.markdown.item_writer import NewItem

if TYPE_CHECKING:
    from wrapgen.config import Sections
    from wrapgen.notes import Document, Entry


def open_line(text: str, project: str | None, route: Route, document: Document, sections: Sections) -> int | None:
    """The line where an open item stands, in a list of its route; None when it does not.

    Args:
        project: its tag; it may stand without.
    """
    for entry, role in _with_roles(document, sections):
        collected = entry.box if route is Route.ACTIVE else role == "next"
        if collected and _reads_as(text, project, entry, done=False):
            return entry.line
    return None


def done_line(text: str, project: str | None, document: Document, sections: Sections) -> int | None:
    """The line where an item is finished: marked so, or in a list of finished work.

    Args:
        project: its tag; it may stand without.
    """
    for entry, role in _with_roles(document, sections):
        finished = entry.done or (role == "done" and not entry.box)
        if finished and _reads_as(text, project, entry, done=True):
            return entry.line
    return None


def _with_roles(document: Document, sections: Sections) -> list[tuple[Entry, str]]:
    found = roles(document.sections, sections)
    return [(entry, found[entry.section] if entry.section >= 0 else "") for entry in document.entries]


def _reads_as(text: str, project: str | None, entry: Entry, *, done: bool) -> bool:
    if MARK in text:  # words from a receipt or from pending: compare without secrets
        entry = msgspec.structs.replace(entry, text=redact(entry.text)[0])
    try:
        return any(NewItem(text, tag).reads_as(entry, done=done) for tag in {project, None})
    except EditError:
        return False
