"""The counts of a run, once: the same on the page, in the terminal and in JSON. PURE."""

from collections import Counter
from operator import attrgetter

from wrapgen.ledger import Concern, Run
from wrapgen.model import Fate
from wrapgen.notes import UnreadBoxes, UnreadGroup
from wrapgen.text.display import count

# JSON keys, the last line and the heading `## Overflow` keep the names of the fates (spec 2.4).
FATE_WORDS = {
    Fate.SHOWN: "shown",
    Fate.RESOLVED: "resolved",
    Fate.DUPLICATE: "merged",
    Fate.OVERFLOW: "not shown",
    Fate.EXPIRED: "expired",
}

UNTAGGED = "untagged"


def collected(run: Run) -> int:
    """How many items there are."""
    return sum(fates(run).values())


def fates(run: Run) -> dict[Fate, int]:
    """How many items met each fate, in the order of the audit line."""
    counts = Counter(map(attrgetter("fate"), run.outcomes))
    return {fate: counts[fate] for fate in Fate}


def uncollected(run: Run) -> dict[str, int]:
    """Open boxes that are neither items of the ledger nor said to be unread, by the reason, whether a source or not."""
    aside, elsewhere = run.uncollected, run.not_read
    empty, ignored = aside.empty + elsewhere.empty, aside.ignored + elsewhere.ignored
    return {"backlog": aside.backlog, "empty": empty, "ignored": ignored}


def per_project(run: Run, fate: Fate) -> list[tuple[str, int]]:
    """How many items of one fate belong to each project, by name, untagged ones last."""
    counts = run.per_project(fate)
    named = sorted((project, number) for project, number in counts.items() if project is not None and number)
    return named + ([(UNTAGGED, counts[None])] if counts[None] else [])


def untagged(run: Run) -> str:
    """How many open items have no project, in a sentence; "" where fewer than two projects are known (spec 1.5)."""
    found = run.about(Concern.UNTAGGED)
    if not found or len({item.project for item in run.items} - {None}) < 2:
        return ""
    return f"{count(len(found), 'open item')} without a project: wrap audit"


def not_read(found: UnreadBoxes) -> str:
    """What no source reads, in a sentence that names the command; "" when there is nothing."""
    if not found.boxes:
        return ""
    boxes, are = ("box", "is") if found.boxes == 1 else ("boxes", "are")
    return f"{found.boxes} open {boxes} in {count(found.files, 'file')} {are} not read: wrap sources"


def nothing_shown(run: Run) -> str:
    """Why no item is shown: a sentence that never says that nothing is open while something is."""
    counts = fates(run)
    aside = {
        FATE_WORDS[Fate.OVERFLOW]: counts[Fate.OVERFLOW],
        FATE_WORDS[Fate.EXPIRED]: counts[Fate.EXPIRED],
        "in the backlog": run.uncollected.backlog,
    }
    said = ", ".join(f"{number} {where}" for where, number in aside.items() if number)
    return not_read(run.not_read) or (f"nothing to show now: {said}" if said else "nothing is open")


def place_of(group: UnreadGroup) -> str:
    """The folder and the heading of unread boxes."""
    return f"{group.folder or '.'}{f' › {group.heading}' if group.heading else ''}"


LEGEND = "duplicate: merged · overflow: not shown · durable: in a file already · routed: filed"
"""The balance's names in plain words."""


def audit_line(run: Run) -> str:
    """The last line of every audit: what was collected, and where all of it went."""
    parts = " + ".join(f"{fate} {number}" for fate, number in fates(run).items())
    said = run.follow_ups
    follow_ups = f"durable {said.durable}, routed {said.routed}, skipped {said.skipped}, pending {said.pending}"
    return f"collected {collected(run)} = {parts} · follow-ups {said.found}: {follow_ups}"
