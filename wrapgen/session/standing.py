"""Where a line that was written, or is to be written, stands in a file. PURE.

The same words elsewhere (in notes, among ideas) are not that line: nothing collects them there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from wrapgen.errors import EditError
from wrapgen.headings import roles
from wrapgen.redact import MARK, redact
from wrapgen.session.routing import Route
from wrapgen.vault.markdown.spelling import NewItem

if TYPE_CHECKING:
    from wrapgen.config import Sections
    from wrapgen.model import Document, Entry


def open_line(text: str, project: str | None, route: Route, document: Document, sections: Sections) -> int | None:
    """The line where an open item stands, in a list of its route; None when it does not.

    Args:
        text: its words.
        project: its tag; it may stand without.
        route: the way that it went or is to go.
        document: the parsed file.
        sections: the configured names of headings.
    """
    for entry, role in _with_roles(document, sections):
        collected = entry.box if route is Route.ACTIVE else role == "next"
        if collected and _reads_as(text, project, entry, done=False):
            return entry.line
    return None


def done_line(text: str, project: str | None, document: Document, sections: Sections) -> int | None:
    """The line where an item stands as finished: marked so, or in a list of finished work.

    Args:
        text: its words.
        project: its tag; it may stand without.
        document: the parsed file.
        sections: the configured names of headings.
    """
    for entry, role in _with_roles(document, sections):
        finished = entry.done or (role == "done" and not entry.box)
        if finished and _reads_as(text, project, entry, done=True):
            return entry.line
    return None


def _with_roles(document: Document, sections: Sections) -> list[tuple[Entry, str]]:
    headings = ((section.title, section.parent) for section in document.sections)
    found = roles(headings, sections.next, sections.done)
    return [(entry, found[entry.section] if entry.section >= 0 else "") for entry in document.entries]


def _reads_as(text: str, project: str | None, entry: Entry, *, done: bool) -> bool:
    if MARK in text:  # words from a receipt or from pending: compare without secrets
        entry = msgspec.structs.replace(entry, text=redact(entry.text)[0])
    try:
        return any(NewItem(text, tag).reads_as(entry, done=done) for tag in {project, None})
    except EditError:
        return False
