"""A run as JSON: the schema `wrapgen.audit/1` and the records that other schemas share. PURE.

Keys are added, never renamed or dropped within a version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wrapgen.dashboard.balance import collected, fates
from wrapgen.ledger import Concern
from wrapgen.model import Because, Fate

if TYPE_CHECKING:
    from datetime import datetime

    from wrapgen.ledger import FollowUpCounts, Outcome, Remark, Run

AUDIT_SCHEMA = "wrapgen.audit/1"


def audit_document(
    run: Run, *, vault: str, generated_at: datetime, elapsed_ms: int, written: bool, changed: bool
) -> dict[str, Any]:
    """The audit as one JSON object.

    Args:
        run: the run.
        vault: its absolute path.
        generated_at: when, with time zone.
        elapsed_ms: how long it took, in milliseconds.
        written: whether the run was to publish the dashboard, and did.
        changed: whether the dashboard differs from what stood there before.
    """
    counts = fates(run)
    return {
        "schema": AUDIT_SCHEMA,
        "vault": vault,
        "generated_at": generated_at.isoformat(timespec="seconds"),
        "today": run.today,
        "sources": [{"kind": one.kind, "files": one.files, "items": one.items} for one in run.sources],
        "collected": collected(run),
        **{fate.value: counts[fate] for fate in Fate},
        "items": [item_record(outcome) for outcome in run.outcomes],
        "untagged": [
            {**_place(remark), "candidates": list(remark.item.candidates)} for remark in run.about(Concern.UNTAGGED)
        ],
        "conflicts": [_place(remark) for remark in run.about(Concern.CONFLICTS)],
        "stale_boxes": [_with_evidence(remark) for remark in run.about(Concern.STALE_BOXES)],
        "probably_done": [_with_evidence(remark) for remark in run.about(Concern.PROBABLY_DONE)],
        "unreadable": [{"path": trouble.path, "error": trouble.error} for trouble in run.troubles],
        "unread_sections": [{"path": one.path, "line": one.line, "heading": one.heading} for one in run.unread],
        "follow_ups": _follow_ups(run.follow_ups),
        "potentially_lost": [{"text": lost.text, "reason": lost.reason} for lost in run.follow_ups.lost],
        "dropped": [{"text": one.text, "reason": one.reason} for one in run.follow_ups.dropped],
        "written": written,
        "changed": changed,
        "elapsed_ms": elapsed_ms,
    }


def _follow_ups(said: FollowUpCounts) -> dict[str, Any]:
    return {
        "found": said.found,
        "already_durable": said.durable,
        "routed": {"journal": said.journal, "project": said.project, "active": said.active, "skip": said.skipped},
        "pending": said.pending,
        "redacted": said.redacted,
    }


def item_record(outcome: Outcome) -> dict[str, Any]:
    """One item with its fate."""
    item = outcome.item
    return {
        "id": item.id,
        "text": item.text,
        "project": item.project,
        "kind": item.kind,
        "path": item.path,
        "line": item.line,
        "raised": item.raised,
        "last_seen": item.last_seen,
        "due": item.due,
        "priority": None if item.priority is None else item.priority.name.lower(),
        "recurrence": item.recurrence,
        "fate": outcome.fate,
        "rank": outcome.rank,
        "because": because_record(outcome.because),
    }


def because_record(because: Because | None) -> dict[str, Any] | None:
    """The evidence for a fate."""
    if because is None:
        return None
    return {"path": because.path, "line": because.line, "score": because.score, "item": because.item}


def _place(remark: Remark) -> dict[str, Any]:
    return {"path": remark.item.path, "line": remark.item.line, "text": remark.item.text}


def _with_evidence(remark: Remark) -> dict[str, Any]:
    return {**_place(remark), "because": because_record(remark.because)}
