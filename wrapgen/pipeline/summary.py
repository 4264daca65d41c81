"""What a file contributes to the dashboard, small enough to be kept for ten thousand files. PURE."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import msgspec

from wrapgen.model import Evidence, Item, UnreadableDate, UnreadSection
from wrapgen.notes import Kind

if TYPE_CHECKING:
    from wrapgen.notes import Source
    from wrapgen.pipeline.collected import FileEntries


class FileSummary(msgspec.Struct, array_like=True, gc=False):
    """A file's items and evidence, as far as other fates depend on them; items are counted first, then evidence."""

    kind: Kind  # which of the durable sources
    day: date | None  # the journal's date
    own_list: str  # the list that its entries belong to; "" for a journal
    ids: list[str]  # of the items
    texts: list[str]  # folded, of all entries
    projects: list[str | None]  # of all entries
    # items whose fate hangs on more than the file's date: due, planned, urgent, recurring, in conflict, dated by
    # themselves or a heading, waiting for others or named by them
    busy: list[int]
    odd: list[Item]  # backlog that is remarked as a conflict
    unread: list[UnreadSection]  # sections that hold prose instead of a list
    changed: date | None = None  # day of the file's last change
    said_next: list[int] = msgspec.field(default_factory=list)  # the items that are said to be next
    standing: list[int] = msgspec.field(default_factory=list)  # the items that are nobody's next step, by their place
    backlog: int = 0  # how many open boxes are not next
    blocking: list[Item] = msgspec.field(default_factory=list)  # those of the backlog that items may wait for
    empty: int = 0  # how many open boxes have no words
    ignored: int = 0  # how many are no items for another reason
    # dates of open items that no calendar has
    unreadable_dates: list[UnreadableDate] = msgspec.field(default_factory=list)
    # entries that may be one piece of work with another: items like any entry, evidence like an item
    alike: list[int] = msgspec.field(default_factory=list)

    @property
    def items(self) -> int:
        """How many items there are."""
        return len(self.ids)


def summarise(source: Source, found: FileEntries) -> FileSummary:
    """Summarise a file; what its entries are like is found out later, with all others."""
    entries: list[Item | Evidence] = [*found.items, *found.evidence]
    return FileSummary(
        kind=source.kind,
        day=source.day,
        own_list=source.own_list,
        ids=[item.id for item in found.items],
        texts=[entry.folded.text for entry in entries],
        projects=[entry.project for entry in entries],
        changed=source.changed,
        said_next=[place for place, item in enumerate(found.items) if item.said_next],
        standing=[place for place, item in enumerate(found.items) if item.checklist],
        busy=[place for place, item in enumerate(found.items) if _is_busy(item, source)],
        odd=[item for item in found.backlog if item.conflict],
        unread=list(found.unread),
        backlog=len(found.backlog),
        blocking=[item for item in found.backlog if item.ident is not None],
        empty=found.empty,
        ignored=found.ignored,
        unreadable_dates=list(found.unreadable_dates),
    )


def _is_busy(item: Item, source: Source) -> bool:
    marks = (item.due, item.priority, item.recurrence, item.not_before, item.ident)
    marked = any(one is not None for one in marks) or bool(item.depends)
    day = source.day if item.kind is Kind.JOURNAL_NEXT else None
    of_file = (item.raised, item.changed) == (day, source.changed)
    return marked or item.conflict or not of_file
