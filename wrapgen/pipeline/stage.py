"""What the stages take and give. PURE.

A stage is a function from the result of the one before to its own: what it keeps, what it drops and why. Nothing
leaves the pipeline in any other way, so the ledger can be checked after each stage.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from wrapgen.errors import LedgerError
from wrapgen.pipeline.alike import Alike, Thresholds
from wrapgen.pipeline.tick_days import TickDays, of_files

if TYPE_CHECKING:
    from wrapgen.config import Config
    from wrapgen.ledger import Outcome, Remark
    from wrapgen.model import Evidence, Item, Judged, SaidNext, UnreadableDate, UnreadSection
    from wrapgen.notes import Source
    from wrapgen.pipeline.projects import Projects
    from wrapgen.pipeline.specific import Repeated


@dataclass(frozen=True, slots=True)
class Decisions:
    """What a person decided about single items, by their ids."""

    kept: frozenset[str] = frozenset()  # items that no evidence resolves and no other item absorbs
    snoozed: Mapping[str, date] = field(default_factory=dict)  # the day until which an item is hidden
    # items that evidence with their words resolves, whatever else it could mean: a person says so
    finished: frozenset[str] = frozenset()
    filed: Container[tuple[str, str]] = frozenset()  # the lines that wrapgen wrote, by path and folded words
    doubted: Mapping[str, str] = field(default_factory=dict)  # `path:line` of the to-do list that shows an item done
    judged: Mapping[str, Judged] = field(default_factory=dict)  # what somebody who could judge said of items
    said: Mapping[str, SaidNext] = field(default_factory=dict)  # what somebody said is next, in that order


@dataclass(frozen=True, slots=True)
class Context:
    """What every stage may know: no clock, no disk."""

    sources: tuple[Source, ...]  # the files to collect from
    config: Config
    projects: Projects
    today: date
    decisions: Decisions
    newest_journal: date | None = None  # the day of the newest journal up to today
    tick_days: TickDays = of_files  # asked once, for the files whose undated ticks match an open item

    @property
    def thresholds(self) -> Thresholds:
        return Thresholds(self.config.evidence_threshold, self.config.dedup_threshold)


@dataclass(frozen=True, slots=True)
class StageResult:
    """What one stage made of its items."""

    kept: tuple[Item, ...] = ()  # the items that go on, in an order that matters only after `rank`
    dropped: tuple[Outcome, ...] = ()  # the items that do not, each with its fate
    evidence: tuple[Evidence, ...] = ()  # finished items, handed on from stage to stage
    remarks: tuple[Remark, ...] = ()  # items to look at
    unread: tuple[UnreadSection, ...] = ()  # sections that hold prose instead of a list
    backlog: Sequence[Item] = ()  # open boxes that are not next in their files
    empty: int = 0  # how many open boxes have no words of their own
    ignored: int = 0  # how many open boxes are no items for another reason
    unreadable_dates: tuple[UnreadableDate, ...] = ()  # dates of open items that no calendar has
    repeated: Repeated | None = None  # the texts that stand at several places of the vault; None: of what is here
    alike: Alike | None = None  # what has words alike; None: nobody has compared yet
    next_day: date | None = None  # the newest day of journals that has a *Next* list
    said: Mapping[str, SaidNext] = field(default_factory=dict)  # what was said to be next, by the items that are kept
    why: Mapping[str, str] = field(default_factory=dict)  # why each item stands where it stands, by id, once ranked
    classes: Mapping[str, int] = field(default_factory=dict)  # the class of each ranked item, by id


Stage = Callable[[StageResult, Context], StageResult]


def checked(stage: Stage, before: StageResult, context: Context) -> StageResult:
    """Let a stage decide about items, and check that it accounts for each.

    Raises:
        LedgerError: it lost, made up or doubled an item.
    """
    after = stage(before, context)
    if after.kept is before.kept and not after.dropped:
        return after
    came = [item.id for item in before.kept]
    went = [item.id for item in after.kept] + [one.item.id for one in after.dropped]
    if len(came) != len(went) or set(came) != set(went):
        raise unbalanced(f"the stage `{stage.__name__}` was given {len(came)} items and accounts for {len(went)}")
    return after


def unbalanced(what: str) -> LedgerError:
    """A defect of the program: nothing may be published."""
    return LedgerError(
        f"the ledger does not balance: {what}",
        next_step="Nothing was written. This is a bug in wrapgen: please report it with `wrap audit --json`.",
    )
