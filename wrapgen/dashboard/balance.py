"""The counts of a run, once: the same on the page, in the terminal and in JSON. PURE."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from wrapgen.model import Fate

if TYPE_CHECKING:
    from wrapgen.ledger import Outcome, Run

UNTAGGED = "untagged"


def fates(run: Run) -> dict[Fate, int]:
    """How many items met each fate, in the order of the audit line."""
    counts = Counter(outcome.fate for outcome in run.outcomes)
    return {fate: counts[fate] for fate in Fate}


def per_project(outcomes: tuple[Outcome, ...]) -> list[tuple[str, int]]:
    """How many of these items belong to each project, by name, untagged ones last."""
    counts = Counter(outcome.item.project for outcome in outcomes)
    named = sorted((project, number) for project, number in counts.items() if project is not None)
    return named + ([(UNTAGGED, counts[None])] if counts[None] else [])


def audit_line(run: Run) -> str:
    """The last line of every audit: what was collected, and where all of it went."""
    parts = " + ".join(f"{fate} {number}" for fate, number in fates(run).items())
    said = run.follow_ups
    follow_ups = f"durable {said.durable}, routed {said.routed}, skipped {said.skipped}, pending {said.pending}"
    return f"collected {len(run.outcomes)} = {parts} · follow-ups {said.found}: {follow_ups}"
