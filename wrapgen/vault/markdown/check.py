"""Whether an edit did what it was to do and nothing else: held against a parse of the whole new text. PURE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.errors import EditError
from wrapgen.vault.markdown.blocks import decode
from wrapgen.vault.markdown.parse import parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.model import Document
    from wrapgen.vault.markdown.spelling import NewItem

    Signature = tuple[object, ...]


def check(old: bytes, new: bytes, items: Sequence[NewItem], *, done: bool = False) -> None:
    """Hold an edited file against the former one.

    Args:
        old: the file before; empty for one that did not exist.
        new: the file after.
        items: what was to be added, in this order.
        done: whether they were added to a list of finished work.

    Raises:
        EditError: a byte of the old file is gone or has moved against its neighbours; an old entry or heading reads
            otherwise, or stands below other headings; or the new entries are not exactly these. A defect of wrapgen,
            or Markdown that nothing can be added to; nothing may be written.
    """
    same = _same_start(old, new)
    if new[len(new) - (len(old) - same) :] != old[same:] or len(new) < len(old):
        raise EditError("the edit would change what stands in the file", next_step="Nothing was written.")
    if added_at(parse(decode(old)), parse(decode(new)), items, done=done) is None:
        raise EditError("the edit would make the file read otherwise", next_step="Nothing was written.")


def added_at(old: Document, new: Document, items: Sequence[NewItem], *, done: bool) -> int | None:
    """Position of the first new entry, when the new document is the old one plus exactly these items.

    Args:
        old: the former document.
        new: the new one.
        items: what was to be added.
        done: whether they were added to a list of finished work.
    """
    if len(new.entries) != len(old.entries) + len(items) or not keeps_sections(old, new):
        return None
    before, after = signatures(old), signatures(new)
    same = _same_start(before, after)
    for first in range(same, -1, -1):
        behind = first + len(items)
        if before[first:] != after[behind:]:
            break
        if all(item.reads_as(entry, done=done) for item, entry in zip(items, new.entries[first:behind], strict=True)):
            return first
    return None


def keeps_sections(old: Document, new: Document) -> bool:
    """Whether the new document has the old one's headings, with at most some new ones in one place."""
    before = [(section.level, section.title) for section in old.sections]
    after = [(section.level, section.title) for section in new.sections]
    same = _same_start(before, after)
    return len(after) >= len(before) and after[len(after) - (len(before) - same) :] == before[same:]


def signatures(document: Document) -> list[Signature]:
    """What every entry of a document says and the headings that it stands below, without line numbers."""
    chains: list[tuple[tuple[int, str], ...]] = []
    for section in document.sections:
        above = chains[section.parent] if section.parent >= 0 else ()
        chains.append((*above, (section.level, section.title)))
    return [
        (
            entry.text,
            entry.done,
            entry.box,
            entry.conflict,
            entry.due,
            entry.priority,
            entry.created,
            entry.finished,
            entry.recurrence,
            chains[entry.section] if entry.section >= 0 else (),
        )
        for entry in document.entries
    ]


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
