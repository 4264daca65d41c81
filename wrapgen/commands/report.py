"""The printed audit: tables for people, one balanced last line for everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.dashboard.balance import UNTAGGED, audit_line, fates, per_project
from wrapgen.ledger import NAMED_EXPIRED, Concern
from wrapgen.model import Fate
from wrapgen.text import shorten, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wrapgen.commands.app import App
    from wrapgen.ledger import Remark, Run

_TEXT_LIMIT = 100  # characters of an item in a list of warnings


def print_audit(app: App, run: Run, news: Sequence[str] = ()) -> None:
    """Print the sources, the fates, every warning with its place, and the balance.

    Args:
        app: says how to print.
        run: the run.
        news: what this run wrote, printed where it is seen: right above the balance.
    """
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    sources = Table("source", box=None, pad_edge=False)
    sources.add_column("files", justify="right")
    sources.add_column("items", justify="right")
    for one in run.sources:
        sources.add_row(one.kind.value, str(one.files), str(one.items))
    results = Table("fate", box=None, pad_edge=False)
    results.add_column("items", justify="right")
    for fate, number in fates(run).items():
        results.add_row(fate.value, str(number))
    app.show(sources, "", results)
    for title, lines in warnings(run):
        indented = (Padding(Text(visible(line)), (0, 0, 0, 2)) for line in lines)
        app.show("", Text(title, style="bold yellow"), *indented)
    if news:
        app.show("", *(Text(visible(line), style="green") for line in news))
    app.show("", Text(audit_line(run), style="bold"))


def warnings(run: Run) -> Iterable[tuple[str, list[str]]]:
    """Every warning list that is not empty: its title with a count, and a line with `path:line` for each case."""
    for concern, title in (
        (Concern.UNTAGGED, "untagged"),
        (Concern.CONFLICTS, "conflicts: open box, done mark"),
        (Concern.PROBABLY_DONE, "probably done"),
        (Concern.STALE_BOXES, "stale boxes: done elsewhere, tick them"),
    ):
        if remarks := run.about(concern):
            yield f"{title} ({len(remarks)})", [_remark(remark) for remark in remarks]
    if lost := run.follow_ups.lost:
        yield f"potentially lost ({len(lost)})", [f"{shorten(one.text, _TEXT_LIMIT)} ({one.reason})" for one in lost]
    if run.troubles:
        yield f"unreadable ({len(run.troubles)})", [f"{trouble.path}: {trouble.error}" for trouble in run.troubles]
    if run.unread:
        yield (
            f"unread sections: prose is not read as items ({len(run.unread)})",
            [f"{one.path}:{one.line} {shorten(one.heading, _TEXT_LIMIT)}" for one in run.unread],
        )
    if expired := run.of(Fate.EXPIRED):
        newest = sorted(expired, key=lambda one: (-(one.item.raised or run.today).toordinal(), one.item.place))
        yield (
            f"expired: `wrap list --expired` shows all ({len(expired)})",
            [f"({project}) {number}" for project, number in per_project(run, Fate.EXPIRED)]
            + [f"{one.item.place} {shorten(one.item.text, _TEXT_LIMIT)}" for one in newest[:NAMED_EXPIRED]],
        )


def _remark(remark: Remark) -> str:
    item, because = remark.item, remark.because
    line = f"{item.place} {shorten(item.text, _TEXT_LIMIT)}"
    if item.candidates:
        line += f" (candidates: {', '.join(item.candidates)})"
    if because is not None:
        line += f" ({because.score:g} % like {because.path}:{because.line})"
    return line


def tagged(project: str | None, text: str) -> str:
    """An item as the dashboard's readers know it: `(project) text`."""
    return f"({project or UNTAGGED}) {text}"
