"""What a file contributes to the dashboard, small enough to be kept for ten thousand files. PURE."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import msgspec

from wrapgen.ledger import Concern
from wrapgen.model import Evidence, Item, Kind, UnreadSection
from wrapgen.pipeline.extract import extract
from wrapgen.pipeline.stage import Context, Decisions, StageResult
from wrapgen.pipeline.tag import tag

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from wrapgen.config import Config
    from wrapgen.model import Source
    from wrapgen.pipeline.projects import Projects


class Entries(msgspec.Struct, frozen=True, array_like=True):
    """Some of a file's items and evidence.

    Attributes:
        places: which they are, ascending; items are counted first, then evidence.
        items: those that are items.
        evidence: those that are evidence.
    """

    places: tuple[int, ...] = ()
    items: tuple[Item, ...] = ()
    evidence: tuple[Evidence, ...] = ()

    def only(self, places: AbstractSet[int]) -> Entries:
        """Those of some places."""
        chosen = tuple(place for place in self.places if place in places)
        items = tuple(one for place, one in zip(self.places, self.items, strict=False) if place in places)
        rest = self.places[len(self.items) :]
        evidence = tuple(one for place, one in zip(rest, self.evidence, strict=True) if place in places)
        return Entries(chosen, items, evidence)


class Summary(msgspec.Struct, array_like=True, gc=False):
    """A file's items and evidence, as far as the fates of others hang on them. Items are counted first, then evidence.

    Attributes:
        kind: which of the four durable sources.
        day: the journal's date.
        ids: of the items.
        texts: folded, of all entries.
        projects: of all entries.
        busy: items whose fate hangs on more than the file's date: due, urgent, recurring, in conflict, dated by
            themselves.
        alike: entries that may be one piece of work with another: items like any entry, evidence like an item.
        odd: items that are not collected and yet remarked as conflicts.
        unread: sections that hold prose instead of a list.
        held: entries in full, those that were needed the last time.
    """

    kind: Kind
    day: date | None
    ids: list[str]
    texts: list[str]
    projects: list[str | None]
    busy: list[int]
    odd: list[Item]
    unread: list[UnreadSection]
    alike: list[int] = msgspec.field(default_factory=list)
    held: Entries = Entries()

    @property
    def items(self) -> int:
        """How many items there are."""
        return len(self.ids)


def tagged(source: Source, config: Config, projects: Projects) -> StageResult:
    """The first two stages on one file alone, which is all that they look at.

    Args:
        source: the file.
        config: the vault's configuration.
        projects: the known projects.
    """
    context = Context((source,), config, projects, date.min, Decisions())  # neither stage looks at the day
    return tag(extract(StageResult(), context), context)


def summarise(source: Source, config: Config, projects: Projects) -> Summary:
    """Summarise a file; what its entries are like is found out later, with all others.

    Args:
        source: the file.
        config: the vault's configuration.
        projects: the known projects.
    """
    found = tagged(source, config, projects)
    entries: list[Item | Evidence] = [*found.kept, *found.evidence]
    collected = {item.id for item in found.kept}
    odd = [one.item for one in found.remarks if one.concern is Concern.CONFLICTS and one.item.id not in collected]
    return Summary(
        kind=source.kind,
        day=source.day,
        ids=[item.id for item in found.kept],
        texts=[entry.folded.text for entry in entries],
        projects=[entry.project for entry in entries],
        busy=[place for place, item in enumerate(found.kept) if _is_busy(item, source.day)],
        odd=odd,
        unread=list(found.unread),
    )


def pick(found: StageResult, places: AbstractSet[int]) -> Entries:
    """Some of a file's entries in full.

    Args:
        found: all of them, as `tagged` gives them.
        places: which.
    """
    items = len(found.kept)
    return Entries(
        tuple(sorted(places)),
        tuple(item for place, item in enumerate(found.kept) if place in places),
        tuple(one for place, one in enumerate(found.evidence, items) if place in places),
    )


def _is_busy(item: Item, day: date | None) -> bool:
    marked = item.due is not None or item.priority is not None or item.recurrence is not None
    return marked or item.conflict or item.raised != (day if item.kind is Kind.JOURNAL_NEXT else None)
