"""What the stages take and give. PURE.

A stage is a function from the result of the one before to its own: what it keeps, what it drops and why. Nothing
leaves the pipeline in any other way, so the ledger can be checked after each stage.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from wrapgen.config import Config
    from wrapgen.ledger import Remark
    from wrapgen.model import Dropped, Evidence, Item, Source, UnreadSection
    from wrapgen.pipeline.projects import Projects


@dataclass(frozen=True, slots=True)
class Decisions:
    """What a person decided about single items, by their ids.

    Attributes:
        kept: items that no evidence resolves and no other item absorbs.
        snoozed: the day until which an item is hidden.
    """

    kept: frozenset[str] = frozenset()
    snoozed: Mapping[str, date] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Context:
    """What every stage may know: no clock, no disk."""

    sources: tuple[Source, ...]
    config: Config
    projects: Projects
    today: date
    decisions: Decisions


@dataclass(frozen=True, slots=True)
class StageResult:
    """What one stage made of its items.

    Attributes:
        kept: the items that go on, in an order that matters only after `rank`.
        dropped: the items that do not, each with its fate.
        evidence: finished items, handed on from stage to stage.
        remarks: items to look at.
        unread: sections that hold prose instead of a list.
    """

    kept: tuple[Item, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    remarks: tuple[Remark, ...] = ()
    unread: tuple[UnreadSection, ...] = ()


Stage = Callable[[StageResult, Context], StageResult]


def canonical_key(item: Item) -> tuple[int, int, str, int]:
    """Sort key of the canonical order: chain, newest first, undated last, path, line."""
    newest = item.last_seen or item.raised
    return (item.kind.chain, -newest.toordinal() if newest else 1, item.path, item.line)
