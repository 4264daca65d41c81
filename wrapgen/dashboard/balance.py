"""The counts of a run, once: the same on the page, in the terminal and in JSON. PURE."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from wrapgen.model import Fate

if TYPE_CHECKING:
    from wrapgen.ledger import Run

UNTAGGED = "untagged"


def collected(run: Run) -> int:
    """How many items there are."""
    return len(run.outcomes) + sum(run.rest.expired.values()) + sum(run.rest.overflow.values())


def fates(run: Run) -> dict[Fate, int]:
    """How many items met each fate, in the order of the audit line."""
    counts = Counter(outcome.fate for outcome in run.outcomes)
    counts[Fate.EXPIRED] += sum(run.rest.expired.values())
    counts[Fate.OVERFLOW] += sum(run.rest.overflow.values())
    return {fate: counts[fate] for fate in Fate}


def per_project(run: Run, fate: Fate) -> list[tuple[str, int]]:
    """How many items of one fate belong to each project, by name, untagged ones last."""
    counts = Counter(outcome.item.project for outcome in run.of(fate))
    counts.update({Fate.EXPIRED: run.rest.expired, Fate.OVERFLOW: run.rest.overflow}.get(fate, {}))
    named = sorted((project, number) for project, number in counts.items() if project is not None and number)
    return named + ([(UNTAGGED, counts[None])] if counts[None] else [])


def audit_line(run: Run) -> str:
    """The last line of every audit: what was collected, and where all of it went."""
    parts = " + ".join(f"{fate} {number}" for fate, number in fates(run).items())
    said = run.follow_ups
    follow_ups = f"durable {said.durable}, routed {said.routed}, skipped {said.skipped}, pending {said.pending}"
    return f"collected {collected(run)} = {parts} · follow-ups {said.found}: {follow_ups}"
