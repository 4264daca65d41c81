"""Whether an edit did exactly what it was to do and nothing else, by the documents before and after it. PURE."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import takewhile
from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wrapgen.notes import Document, Entry, Section

# the words of each entry, whether it is done and has a box, and how deep it is below the first
Nesting = tuple[tuple[str, bool, bool, int], ...]

_SIGNED = attrgetter(
    "text", "done", "box", "conflict", "due", "priority", "created", "finished", "recurrence", "scheduled", "start",
    "ident", "depends", "above",
)  # fmt: skip


def unfinished_merge(data: bytes) -> int | None:
    """The line on which a merge (of git, Mercurial and others) left the two sides of a conflict; None without one."""
    if b"<<<<<<<" not in data:
        return None
    begun, both = 0, False
    for number, line in enumerate(data.splitlines(), 1):
        mark = line[:7] if line[7:8] in (b"", b" ", b"\t") else b""
        if mark == b"<<<<<<<":
            begun, both = number, False
        elif begun and line == b"=======":
            both = True
        elif both and mark == b">>>>>>>":
            return begun
    return None


def nesting(entries: Sequence[Entry]) -> Nesting:
    """How the entries below the first one of some entries are nested in it."""
    top = len(entries[0].above) if entries else 0
    return tuple((one.text, one.done, one.box, len(one.above) - top) for one in entries[1:])


def others_stand(
    old: Document, new: Document, gone: Collection[int] = (), came: Collection[int] = (), *, nested: bool = True
) -> bool:
    """Whether two documents read the same, but for the entries at some places of each, and for headings that came.

    Args:
        nested: whether the words that an entry is nested in count, too.
    """
    if len(old.entries) - len(gone) != len(new.entries) - len(came):
        return False
    before, after = (
        [one if nested else (*one[:-2], one[-1]) for at, one in enumerate(_signatures(document)) if at not in places]
        for document, places in ((old, gone), (new, came))
    )
    return before == after and _keeps_sections(old, new)


def _keeps_sections(old: Document, new: Document) -> bool:
    """Whether the new document has the old one's headings, with at most some new ones in one place."""
    before, after = ([(one.level, title) for one, title in _titled(document)] for document in (old, new))
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    return len(after) >= len(before) and after[len(after) - (len(before) - same) :] == before[same:]


def _signatures(document: Document) -> list[tuple[object, ...]]:
    chains: list[tuple[tuple[int, str], ...]] = []
    for section, title in _titled(document):
        above = chains[section.parent] if section.parent >= 0 else ()
        chains.append((*above, (section.level, title)))
    return [(*_SIGNED(entry), chains[entry.section] if entry.section >= 0 else ()) for entry in document.entries]


def _titled(document: Document) -> list[tuple[Section, str]]:
    """A document's headings with their titles; those that are tasks are told apart as entries."""
    tasks = {entry.line for entry in document.entries}
    return [(section, "" if section.line in tasks else section.title) for section in document.sections]
