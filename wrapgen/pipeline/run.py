"""The pipeline: of what was collected, every item with its fate, and a ledger that must balance. PURE."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from wrapgen.ledger import Outcome, Remark, Run, SourceCount, Uncollected
from wrapgen.notes import Kind, UnreadBoxes
from wrapgen.pipeline.expire import newest_journal
from wrapgen.pipeline.stage import Context, Decisions, StageResult, canonical_key, unbalanced
from wrapgen.pipeline.tick_days import TickDays, of_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from wrapgen.config import Config
    from wrapgen.model import Item, UnreadableDate, UnreadSection
    from wrapgen.pipeline.collected import Collected, SourceFile
    from wrapgen.pipeline.projects import Projects

Placed = TypeVar("Placed", "UnreadSection", "UnreadableDate")


def run(
    collected: Collected,
    *,
    projects: Projects,
    config: Config,
    today: date,
    decisions: Decisions | None = None,
    not_read: UnreadBoxes | None = None,
    tick_days: TickDays = of_files,
    settle_with: Settle | None = None,
) -> Run:
    """Run the pipeline on what was collected.

    Args:
        collected: every open item and all evidence.
        decisions: what a person decided about single items.
        not_read: open boxes in files that no source reads.
        tick_days: gives the days of undated ticks.
        settle_with: knows already what the stages would decide; None lets them decide.

    Raises:
        LedgerError: a stage lost, made up or doubled an item. This is a defect of wrapgen; nothing may be published.
    """
    newest = newest_journal(((one.kind, one.day) for one in collected.files), today)
    context = Context((), config, projects, today, decisions or Decisions(), newest, tick_days)
    found = collected.found
    settled = (settle_with or decide)(found, context)
    check(found.kept, settled.outcomes)
    return Run(
        today=today,
        sources=_count(collected.files, found.kept),
        outcomes=settled.outcomes,
        remarks=settled.remarks,
        unread=by_place(found.unread),
        troubles=collected.troubles,
        uncollected=Uncollected(len(found.backlog), found.empty, found.ignored),
        unreadable_dates=by_place(found.unreadable_dates),
        backlog=tuple(sorted(found.backlog, key=canonical_key)),
        not_read=not_read or UnreadBoxes(),
    )


class Fates(NamedTuple):
    """What the stages decided about items."""

    outcomes: tuple[Outcome, ...]  # every item with its fate, in the order of a `Run`
    remarks: tuple[Remark, ...]  # what to look at, those that still matter


Settle = Callable[[StageResult, Context], Fates]


def decide(found: StageResult, context: Context) -> Fates:
    """Let the stages decide about items; they are loaded only then.

    Raises:
        LedgerError: a stage lost, made up or doubled an item.
    """
    from wrapgen.pipeline.settle import settle

    return settle(found, context)


def check(collected: Sequence[Item], outcomes: Sequence[Outcome]) -> None:
    """Check that every item has exactly one fate.

    Raises:
        LedgerError: the ledger does not balance.
    """
    ids = {item.id for item in collected}
    if len(ids) != len(collected) or len(outcomes) != len(collected) or ids != {one.item.id for one in outcomes}:
        raise unbalanced(f"{len(collected)} items were collected and {len(outcomes)} are accounted for")


def _count(sources: tuple[SourceFile, ...], collected: tuple[Item, ...]) -> tuple[SourceCount, ...]:
    files = Counter(source.kind for source in sources)
    items = Counter(item.kind for item in collected)
    return tuple(SourceCount(kind, files[kind], items[kind]) for kind in Kind)


def by_place(found: Iterable[Placed]) -> tuple[Placed, ...]:
    """What was found in files, by its place."""
    return tuple(sorted(found, key=lambda one: (one.path, one.line)))
