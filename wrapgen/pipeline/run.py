"""The pipeline: of what was collected, every item with its fate, and a ledger that must balance. PURE."""

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from wrapgen.config import Config
from wrapgen.ledger import Concern, LaterItems, Outcome, Remark, Run, SourceCount, Uncollected, in_order
from wrapgen.model import Fate, Item, UnreadableDate, UnreadSection
from wrapgen.notes import Kind, UnreadBoxes
from wrapgen.pipeline.collected import Collected
from wrapgen.pipeline.dedup import dedup
from wrapgen.pipeline.expire import expire, newest_journal
from wrapgen.pipeline.hand_overs import newest_next_day
from wrapgen.pipeline.judged import Verdicts, judged
from wrapgen.pipeline.projects import Projects
from wrapgen.pipeline.rank import newest_first, rank
from wrapgen.pipeline.resolve import resolve
from wrapgen.pipeline.stage import Context, Decisions, Stage, StageResult, checked, unbalanced
from wrapgen.pipeline.tick_days import TickDays, of_files

# `collected.COLLECTING` finds the items.
STAGES: tuple[Stage, ...] = (judged, resolve, expire, dedup, rank)

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
) -> Run:
    """Run the pipeline on what was collected.

    Args:
        collected: every open item and all evidence.
        decisions: what a person decided about single items.
        not_read: open boxes in files that no source reads.
        tick_days: gives the days of undated ticks.

    Raises:
        LedgerError: a stage lost, made up or doubled an item. This is a defect of wrapgen; nothing may be published.
    """
    newest = newest_journal(((one.kind, one.day) for one in collected.files), today)
    context = Context((), config, projects, today, decisions or Decisions(), newest, tick_days)
    found = with_said(collected, context.decisions.said)
    filed = context.decisions.filed
    next_day = collected.next_day or partial(newest_next_day, (*found.kept, *found.evidence))
    found = dataclasses.replace(found, next_day=next_day(filed, today))
    outcomes, remarks = settle(found, context)
    check(found.kept, outcomes)
    return Run(
        today=today,
        sources=_count(collected, found.kept),
        decided=outcomes,
        remarks=remarks,
        unread=by_place(found.unread),
        troubles=collected.troubles,
        uncollected=Uncollected(len(found.backlog), found.empty, found.ignored),
        unreadable_dates=by_place(found.unreadable_dates),
        backlog=LaterItems.of(found.backlog),
        not_read=not_read or UnreadBoxes(),
        said_gone=collected.said_gone,
        none_next=collected.none_next,
        alone=collected.alone,
        newest_alone=collected.newest_alone,
        beyond=collected.beyond,
    )


def with_said(collected: Collected, said: Collection[str]) -> StageResult:
    """Return what was collected, with what somebody named as next although it was not next in its file."""
    found = collected.found
    lifted = [item for item in found.backlog if item.id in said] if said else []
    if not lifted:
        return found
    return dataclasses.replace(
        found,
        kept=(*found.kept, *lifted),
        backlog=tuple(item for item in found.backlog if item.id not in said),
        remarks=(*found.remarks, *(Remark(Concern.UNTAGGED, item) for item in lifted if item.project is None)),
    )


def settle(found: StageResult, context: Context) -> tuple[tuple[Outcome, ...], tuple[Remark, ...]]:
    """Let the stages decide about items, and check the ledger after each.

    Returns:
        every item with its fate, in the order of a `Run`, and what to look at, as far as it still matters.

    Raises:
        LedgerError: a stage lost, made up or doubled an item.
    """
    result = found
    outcomes: list[Outcome] = []
    for stage in STAGES:
        result = checked(stage, result, context)
        outcomes += [one if one.why else replace(one, why=_why(one)) for one in result.dropped]
    outcomes += [
        Outcome(item, Fate.SHOWN, number, why=result.why.get(item.id, ""), order=result.classes.get(item.id, 0))
        for number, item in enumerate(result.kept, 1)
    ]
    if context.decisions.judged:
        verdicts = Verdicts(context.decisions.judged, context.decisions.said, context.today)
        outcomes = [replace(one, judged=verdicts.on(one.item)) for one in outcomes]
    if said := result.said:
        outcomes = [replace(one, said=said.get(one.item.id)) for one in outcomes]
    aside = sorted((one for one in outcomes if one.is_set_aside), key=lambda one: newest_first(one.item, context.today))
    ordered = in_order([*(one for one in outcomes if not one.is_set_aside), *aside])
    return ordered, relevant(result.remarks, ordered)


def _why(dropped: Outcome) -> str:
    because = dropped.because
    if because is None:
        return dropped.fate.value
    did = "merged with" if dropped.fate is Fate.DUPLICATE else "done by"
    return f"{did} {because.path}:{because.line}"


def relevant(remarks: tuple[Remark, ...], outcomes: tuple[Outcome, ...]) -> tuple[Remark, ...]:
    """Leave out remarks that no longer matter: a tag for an item that is done, expired or merged."""
    gone = {one.item.id for one in outcomes if one.fate not in (Fate.SHOWN, Fate.OVERFLOW)}
    # An untagged item has the project of the tagged ones that were merged into it.
    tagged = {one.item.id for one in outcomes if one.item.project is not None}
    irrelevant = {Concern.UNTAGGED: gone | tagged, Concern.PROBABLY_DONE: gone}
    kept = [one for one in remarks if one.item.id not in irrelevant.get(one.concern, ())]
    return tuple(sorted(kept, key=lambda one: (one.item.path, one.item.line)))


def check(collected: Sequence[Item], outcomes: Sequence[Outcome]) -> None:
    """Check that every item has exactly one fate.

    Raises:
        LedgerError: the ledger does not balance.
    """
    ids = {item.id for item in collected}
    if len(ids) != len(collected) or len(outcomes) != len(collected) or ids != {one.item.id for one in outcomes}:
        raise unbalanced(f"{len(collected)} items were collected and {len(outcomes)} are accounted for")


def _count(collected: Collected, looked_at: Sequence[Item]) -> tuple[SourceCount, ...]:
    files = Counter(source.kind for source in collected.files)
    items = Counter(item.kind for item in looked_at)
    items[Kind.JOURNAL_NEXT] += len(collected.alone)
    items.update(collected.beyond.kinds)
    return tuple(SourceCount(kind, files[kind], items[kind]) for kind in Kind)


def by_place(found: Iterable[Placed]) -> tuple[Placed, ...]:
    """What was found in files, by its place."""
    return tuple(sorted(found, key=lambda one: (one.path, one.line)))
