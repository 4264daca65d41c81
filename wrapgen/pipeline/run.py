"""The pipeline: six stages that one can read, and a ledger that must balance after each. PURE."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from wrapgen.errors import LedgerError
from wrapgen.ledger import Concern, Outcome, Remark, Run, SourceCount
from wrapgen.model import Fate, Item, Kind
from wrapgen.pipeline.dedup import dedup
from wrapgen.pipeline.expire import expire
from wrapgen.pipeline.extract import extract
from wrapgen.pipeline.rank import rank
from wrapgen.pipeline.resolve import resolve
from wrapgen.pipeline.stage import Context, Decisions, Stage, StageResult, canonical_key
from wrapgen.pipeline.tag import tag

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from wrapgen.config import Config
    from wrapgen.model import Contents, Source, UnreadSection
    from wrapgen.pipeline.projects import Projects

STAGES: tuple[Stage, ...] = (extract, tag, resolve, expire, dedup, rank)


def run(
    contents: Contents,
    *,
    projects: Projects,
    config: Config,
    today: date,
    decisions: Decisions | None = None,
) -> Run:
    """Run the pipeline.

    Args:
        contents: the parsed files, in any order, and those that could not be read.
        projects: the known projects.
        config: the vault's configuration.
        today: the day the run stands for.
        decisions: what a person decided about single items.

    Raises:
        LedgerError: a stage lost, made up or doubled an item. This is a defect of wrapgen; nothing may be published.
    """
    in_order = tuple(sorted(contents.sources, key=lambda source: (source.kind.chain, source.path)))
    context = Context(in_order, config, projects, today, decisions or Decisions())
    found = STAGES[0](StageResult(), context)
    last, outcomes = settle(found, context, STAGES[1:])
    return Run(
        today=today,
        sources=_count(in_order, found.kept),
        outcomes=outcomes,
        remarks=relevant(last.remarks, outcomes),
        unread=in_place(last.unread),
        troubles=contents.troubles,
    )


def settle(found: StageResult, context: Context, stages: tuple[Stage, ...]) -> tuple[StageResult, tuple[Outcome, ...]]:
    """Let stages decide about items, and check the ledger after each.

    Args:
        found: the collected items.
        context: what the stages may know.
        stages: those that are left, in order.

    Returns:
        what the last stage gave, and every item with its fate, in the order of a `Run`.

    Raises:
        LedgerError: a stage lost, made up or doubled an item.
    """
    result = found
    outcomes: list[Outcome] = []
    for stage in stages:
        before, result = result, stage(result, context)
        _check_ledger(stage.__name__, before, result)
        outcomes += [Outcome(one.item, one.fate, because=one.because) for one in result.dropped]
    outcomes += [Outcome(item, Fate.SHOWN, rank=number) for number, item in enumerate(result.kept, 1)]
    _check_all(found.kept, outcomes)
    return result, _ordered(outcomes)


def collect(contents: Contents, *, projects: Projects, config: Config, today: date) -> StageResult:
    """The first two stages alone: every open item and all evidence, tagged."""
    context = Context(contents.sources, config, projects, today, Decisions())
    return tag(extract(StageResult(), context), context)


def _check_ledger(name: str, before: StageResult, after: StageResult) -> None:
    came = sorted([item.id for item in before.kept])
    went = sorted([item.id for item in after.kept] + [one.item.id for one in after.dropped])
    if came != went:
        raise _unbalanced(f"the stage `{name}` was given {len(came)} items and accounts for {len(went)}")


def _check_all(collected: tuple[Item, ...], outcomes: list[Outcome]) -> None:
    ids = {item.id for item in collected}
    if len(ids) != len(collected) or len(outcomes) != len(collected) or ids != {one.item.id for one in outcomes}:
        raise _unbalanced(f"{len(collected)} items were collected and {len(outcomes)} are accounted for")


def _unbalanced(what: str) -> LedgerError:
    return LedgerError(
        f"the ledger does not balance: {what}",
        next_step="Nothing was written. This is a defect of wrapgen: please report it with `wrap audit --json`.",
    )


def _count(sources: tuple[Source, ...], collected: tuple[Item, ...]) -> tuple[SourceCount, ...]:
    files = Counter(source.kind for source in sources)
    items = Counter(item.kind for item in collected)
    return tuple(SourceCount(kind, files[kind], items[kind]) for kind in Kind)


def _ordered(outcomes: list[Outcome]) -> tuple[Outcome, ...]:
    shown = [one for one in outcomes if one.fate is Fate.SHOWN]
    overflow = [one for one in outcomes if one.fate is Fate.OVERFLOW]
    rest = [one for one in outcomes if one.fate not in (Fate.SHOWN, Fate.OVERFLOW)]
    return (*shown, *overflow, *sorted(rest, key=lambda one: canonical_key(one.item)))


def relevant(remarks: tuple[Remark, ...], outcomes: tuple[Outcome, ...]) -> tuple[Remark, ...]:
    """Leave out what nobody needs to look at any more: a tag for an item that is done, expired or merged."""
    gone = {one.item.id for one in outcomes if one.fate not in (Fate.SHOWN, Fate.OVERFLOW)}
    # An untagged item has the project of the tagged ones that were merged into it.
    tagged = {one.item.id for one in outcomes if one.item.project is not None}
    irrelevant = {Concern.UNTAGGED: gone | tagged, Concern.PROBABLY_DONE: gone}
    kept = [one for one in remarks if one.item.id not in irrelevant.get(one.concern, ())]
    return tuple(sorted(kept, key=lambda one: (one.item.path, one.item.line)))


def in_place(unread: Iterable[UnreadSection]) -> tuple[UnreadSection, ...]:
    """Unread sections by their place."""
    return tuple(sorted(unread, key=lambda one: (one.path, one.line)))
