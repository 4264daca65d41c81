"""The counts of a run, once: the same on the page, in the terminal and in JSON. PURE."""

from collections.abc import Iterable

from wrapgen.ledger import OPEN_ORDER, Run, SourceCount
from wrapgen.model import Fate
from wrapgen.notes import Kind, Trouble, UnreadBoxes, UnreadGroup
from wrapgen.text.display import count, visible_line

# JSON keys, the last line and the heading `## Overflow` keep the names of the fates.
FATE_WORDS = {
    Fate.SHOWN: "shown",
    Fate.RESOLVED: "resolved",
    Fate.DUPLICATE: "merged",
    Fate.OVERFLOW: "not shown",
    Fate.EXPIRED: "expired",
}

UNTAGGED = "untagged"
_FEWEST_UNTAGGED = 2


def collected(run: Run) -> int:
    """How many items there are."""
    return sum(fates(run).values())


def fates(run: Run) -> dict[Fate, int]:
    """How many items met each fate, in the order of the audit line."""
    return run.fates()


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


def sources(run: Run) -> tuple[SourceCount, ...]:
    """What was read of each kind; what only somebody said is named where there is some."""
    return tuple(one for one in run.sources if one.items or one.kind is not Kind.SAID)


def untagged(run: Run) -> str:
    """How many open items have no project, in a sentence; "" where it helps nobody.

    That is where fewer than two projects are known, and of one line that could not be that of several.
    """
    number, could_be_several = run.untagged
    if len(run.projects - {None}) < 2 or (number < _FEWEST_UNTAGGED and not could_be_several):
        return ""
    return f"{count(number, 'open item')} without a project: wrap audit"


def not_read(found: UnreadBoxes) -> str:
    """What no source reads, in a sentence that names the command; "" when there is nothing."""
    if not found.boxes:
        return ""
    boxes, are = ("box", "is") if found.boxes == 1 else ("boxes", "are")
    return f"{found.boxes} open {boxes} in {count(found.files, 'file')} {are} not read: wrap sources"


def unsaid(run: Run) -> str:
    """Say that nothing says what is next, and how to; "" where something does, or nothing is open."""
    shown = run.of(Fate.SHOWN)
    if not shown or any(one.order < OPEN_ORDER for one in shown):
        return ""
    if run.none_next is not None:
        return f"Nothing is next by the list of {run.none_next}; to name something: wrap next"
    return "Nothing says what is next; to name it: wrap next"


def unreadable(troubles: Iterable[Trouble]) -> str:
    """The files of which nothing can be read, in a sentence that names the command; "" when there are none."""
    paths = list(dict.fromkeys(visible_line(one.path) for one in troubles if one.unread))
    if not paths:
        return ""
    more = f" and {count(len(paths) - 1, 'other file')}" if len(paths) > 1 else ""
    them = "them" if more else "it"
    return f"{paths[0]}{more} cannot be read, so nobody knows what is open in {them}: wrap audit"


def nothing_shown(run: Run) -> str:
    """Why no item is shown: a sentence that never says that nothing is open while something is."""
    counts = fates(run)
    aside = {
        FATE_WORDS[Fate.OVERFLOW]: counts[Fate.OVERFLOW],
        FATE_WORDS[Fate.EXPIRED]: counts[Fate.EXPIRED],
        "in the backlog": run.uncollected.backlog,
    }
    said = ", ".join(f"{number} {where}" for where, number in aside.items() if number)
    left = not_read(run.not_read) or unreadable(run.troubles)
    return left or (f"nothing to show now: {said}" if said else "nothing is open")


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
