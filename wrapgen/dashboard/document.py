"""A run as JSON: the schema `wrapgen.audit/1` and the records that other schemas share. PURE.

Keys are added, never renamed or dropped within a version.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from wrapgen.dashboard.balance import collected, fates, uncollected
from wrapgen.ledger import Concern, FollowUpCounts, Outcome, Remark, Run
from wrapgen.model import Because, Fate, Item, Judged
from wrapgen.notes import UnreadBoxes

AUDIT_SCHEMA = "wrapgen.audit/1"
_MOST_GROUPS = 50


def audit_document(
    run: Run, *, vault: str, generated_at: datetime, elapsed_ms: int, written: bool, changed: bool
) -> dict[str, Any]:
    """The audit as one JSON object."""
    counts, handles = fates(run), run.handles()
    return {
        "schema": AUDIT_SCHEMA,
        "vault": vault,
        "generated_at": generated_at.isoformat(timespec="seconds"),
        "today": run.today,
        "sources": [fields(one, "kind files items") for one in run.sources],
        "collected": collected(run),
        **{fate.value: counts[fate] for fate in Fate},
        **uncollected(run),
        "set_aside": sum(one.is_set_aside for one in run.of(Fate.OVERFLOW)),
        "items": [item_record(outcome, handles) for outcome in run.outcomes],
        "untagged": [
            {**_place(remark), "candidates": list(remark.item.candidates)} for remark in run.about(Concern.UNTAGGED)
        ],
        "conflicts": [_place(remark) for remark in run.about(Concern.CONFLICTS)],
        "stale_boxes": [_with_evidence(remark) for remark in run.about(Concern.STALE_BOXES)],
        "probably_done": [
            {**_with_evidence(remark), "doubt": remark.because and remark.because.doubt}
            for remark in run.about(Concern.PROBABLY_DONE)
        ],
        "said_gone": [fields(one, "path line text reason") for one in run.said_gone],
        "unreadable": [fields(one, "path error") for one in run.troubles],
        "unreadable_metadata": [fields(one, "path line text written") for one in run.unreadable_dates],
        "unread_sections": [fields(one, "path line heading") for one in run.unread],
        "unread": unread_record(run.not_read),
        "follow_ups": _follow_ups(run.follow_ups),
        "potentially_lost": [fields(one, "text reason") for one in run.follow_ups.lost],
        "skipped": [fields(one, "text handle skipped reason") for one in run.follow_ups.skips],
        "dropped": [fields(one, "text reason") for one in run.follow_ups.dropped],
        "written": written,
        "changed": changed,
        "elapsed_ms": elapsed_ms,
    }


def fields(one: object, names: str) -> dict[str, Any]:
    """Attributes of a record, by their names, as JSON has them."""
    return {name: getattr(one, name) for name in names.split()}


def unread_record(found: UnreadBoxes) -> dict[str, Any]:
    """Open boxes that no source reads; `rest` counts those that `by` does not name."""
    listed = found.by[:_MOST_GROUPS]
    return {
        "boxes": found.boxes,
        "files": found.files,
        "by": [fields(one, "folder heading boxes") for one in listed],
        "rest": found.boxes - sum(one.boxes for one in listed),
    }


def _follow_ups(said: FollowUpCounts) -> dict[str, Any]:
    return {
        "found": said.found,
        "already_durable": said.durable,
        "routed": {"journal": said.journal, "project": said.project, "active": said.active, "skip": said.skipped},
        "pending": said.pending,
        "redacted": said.redacted,
        "unsure": said.unsure,
    }


def item_record(outcome: Outcome, handles: Mapping[str, str]) -> dict[str, Any]:
    """One item with its fate."""
    return {
        **backlog_record(outcome.item, handles),
        **fields(outcome, "fate rank"),
        "because": because_record(outcome.because),
        "why": outcome.why,
        "set_aside": outcome.is_set_aside,
        "judged": judged_record(outcome.judged),
    }


def judged_record(judged: Judged | None) -> dict[str, Any] | None:
    """What somebody who could judge said of an item."""
    if judged is None:
        return None
    return {"verdict": judged.verdict, "by": judged.by, "day": judged.on, **fields(judged, "quote at other until")}


def backlog_record(item: Item, handles: Mapping[str, str]) -> dict[str, Any]:
    """One open item that has no fate, because it is not in the ledger."""
    return {
        "id": item.id,
        "handle": handles[item.id],
        **fields(item, "text context project kind path line raised last_seen due"),
        "priority": None if item.priority is None else item.priority.name.lower(),
        **fields(item, "recurrence not_before blocked_by"),
    }


def because_record(because: Because | None) -> dict[str, Any] | None:
    """The evidence for a fate."""
    if because is None:
        return None
    by = {"by": because.by} if because.by else {}
    return fields(because, "path line score item") | by


def _place(remark: Remark) -> dict[str, Any]:
    return fields(remark.item, "path line text")


def _with_evidence(remark: Remark) -> dict[str, Any]:
    return {**_place(remark), "because": because_record(remark.because)}
