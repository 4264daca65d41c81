"""Lines that were read and are no items of the ledger: backlog, finished work, what was left out, and why."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wrapgen.ledger import Run
from wrapgen.model import Evidence
from wrapgen.text.folding import fold
from wrapgen.workflows.vault_session import VaultSession

_PLACE = re.compile(r".+:\d+")
_BACKLOG = "another list of its entry or file says what is next"
_NO_BOX = "no box, and in no list that says what is next"
_IGNORED = "below a heading that is left out, or with a mark that means no task"


@dataclass(frozen=True, slots=True)
class ExplainedLine:
    """One line that has no fate."""

    what: str  # `backlog`, `finished`, `left out` or `not read`
    path: str
    line: int
    text: str
    why: str
    id: str | None = None  # of backlog
    project: str | None = None

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


def lines_about(session: VaultSession, run: Run, words: str) -> list[ExplainedLine]:
    """The lines without a fate whose folded text contains some words, that stand at a place, or whose id begins so."""
    folded = fold(words).text
    told = {(one.item.path, one.item.line) for one in run.outcomes}
    found: list[ExplainedLine] = []
    for one in _all(session, run):
        if (one.path, one.line) in told:
            continue
        named = one.place == words if _PLACE.fullmatch(words) else bool(one.id) and str(one.id).startswith(words)
        if named or (folded and folded in fold(one.text).text):
            told.add((one.path, one.line))
            found.append(one)
    return found


def _all(session: VaultSession, run: Run) -> Iterator[ExplainedLine]:
    for item in run.backlog:
        yield ExplainedLine("backlog", item.path, item.line, item.text, _BACKLOG, item.id, item.project)
    for done in session.collected.found.evidence:
        yield ExplainedLine("finished", done.path, done.line, done.text, _finished(done), None, done.project)
    for source in session.contents.sources:
        for entry in source.document.entries:
            why = _IGNORED if entry.box or entry.done else _NO_BOX
            yield ExplainedLine("left out", source.path, entry.line, entry.text, why)
    for found, document in session.glance.unread_documents():
        for entry in document.entries:
            if entry.box and not entry.done:
                why = "no source reads this file: wrap sources"
                yield ExplainedLine("not read", found.path, entry.line, entry.text, why)


def _finished(done: Evidence) -> str:
    day = done.day or done.latest
    where = "in a list of finished work" if done.listed else "ticked"
    return f"{where}{f', {day}' if done.day else f', at the latest on {day}' if day else ''}"
