"""Whether an edit did exactly what it was to do and nothing else, by the documents before and after it. PURE."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.notes import Document, Entry
    from wrapgen.vault.markdown.item_writer import NewItem

    Signature = tuple[object, ...]
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


def added_at(old: Document, new: Document, items: Sequence[NewItem], *, done: bool) -> int | None:
    """Position of the first new entry, when the new document is the old one plus exactly these items."""
    added = sum(item.entries for item in items)
    if len(new.entries) != len(old.entries) + added or not keeps_sections(old, new):
        return None
    before, after = signatures(old), signatures(new)
    same = _same_start(before, after)
    for first in range(same, -1, -1):
        behind = first + added
        if before[first:] != after[behind:]:
            break
        places = zip(items, positions(items, first), strict=True)
        if all(
            item.reads_as(new.entries[place], done=done)
            and nesting(new.entries[place : place + item.entries]) == item.nested
            for item, place in places
        ):
            return first
    return None


def positions(items: Sequence[NewItem], first: int) -> list[int]:
    """Where items are among the entries of a document, what is nested in them between."""
    return [first + sum(item.entries for item in items[:at]) for at in range(len(items))]


def keeps_sections(old: Document, new: Document) -> bool:
    """Whether the new document has the old one's headings, with at most some new ones in one place."""
    before, after = (
        [(one.level, title) for one, title in zip(document.sections, _titles(document), strict=True)]
        for document in (old, new)
    )
    same = _same_start(before, after)
    return len(after) >= len(before) and after[len(after) - (len(before) - same) :] == before[same:]


def signatures(document: Document) -> list[Signature]:
    """Every entry of a document with the headings above it, without line numbers."""
    chains: list[tuple[tuple[int, str], ...]] = []
    for section, title in zip(document.sections, _titles(document), strict=True):
        above = chains[section.parent] if section.parent >= 0 else ()
        chains.append((*above, (section.level, title)))
    return [(*_SIGNED(entry), chains[entry.section] if entry.section >= 0 else ()) for entry in document.entries]


def _titles(document: Document) -> list[str]:
    """The titles of a document's headings; those that are tasks are told apart as entries."""
    tasks = {entry.line for entry in document.entries}
    return ["" if section.line in tasks else section.title for section in document.sections]


def _same_start(one: Sequence[object], other: Sequence[object]) -> int:
    """How many elements two sequences have in common at their beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:  # halving, because comparing slices is fast and comparing bytes one by one is not
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
