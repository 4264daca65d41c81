"""What the page for eyes lists, and how much of it. PURE."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from wrapgen.dashboard.balance import per_project
from wrapgen.dashboard.html.records import Listing, Row
from wrapgen.dashboard.html.rows import plain
from wrapgen.dashboard.view import CONCERNS
from wrapgen.model import Fate
from wrapgen.text import count, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from wrapgen.dashboard.html.rows import Rows
    from wrapgen.ledger import Outcome

# Of a kind: a page of thousands of notes stays one that a browser draws at once, and that one can look through.
_OVERFLOW, _RESOLVED, _DUPLICATE, _EXPIRED, _REMARKS = 300, 100, 100, 50, 25

T = TypeVar("T")


def still_open(rows: Rows) -> tuple[Listing, Listing]:
    """The priorities, and what is beyond the cap; numbered as in `wrap list --all`."""
    run = rows.run
    shown, beyond = run.of(Fate.SHOWN), run.of(Fate.OVERFLOW)
    ranked = [rows.outcome(one, number) for number, one in enumerate((*shown, *beyond[:_OVERFLOW]), 1)]
    return (
        Listing("priorities", "Priorities", plain(""), tuple(ranked[: len(shown)]), len(shown), "wrap list"),
        Listing(
            "overflow",
            "Next in line",
            plain("Still open, in this order."),
            tuple(ranked[len(shown) :]),
            len(beyond),
            "wrap list --all",
            tuple((visible(project), number) for project, number in per_project(run, Fate.OVERFLOW)),
        ),
    )


def attention(rows: Rows) -> Iterator[Listing]:
    """What a person should look at; only what holds something."""
    run = rows.run
    if waiting := run.follow_ups.pending:
        was = "was" if waiting == 1 else "were"
        advice = f"{count(waiting, 'follow-up')} {was} only said and stands in no file: `wrap route` asks where to."
        advice = advice if waiting == 1 else advice.replace("stands", "stand")
        yield Listing("pending", "Pending follow-ups", rows.words(advice), (), waiting, "wrap route")
    groups = [
        _few(
            rows, "lost", "Potentially lost", "Skipped, or gone from its file: write it down again if it still counts.",
            run.follow_ups.lost, lambda one: Row(rows.words(one.text), note=visible(one.reason)),
        ),
        *(
            _few(rows, concern.value, title, advice, run.about(concern), rows.remark)
            for concern, (title, advice) in CONCERNS.items()
        ),
        _few(
            rows, "unreadable", "Unreadable", "Mend the file, then run `wrap` again.",
            run.troubles, lambda one: Row(plain(one.path), note=visible(one.error)),
        ),
        _few(
            rows, "unread_sections", "Unread sections", "Prose is not read: write each follow-up as a list item.",
            run.unread, lambda one: Row(rows.words(one.heading, one.path), place=rows.links.place(one.path, one.line)),
        ),
    ]  # fmt: skip
    yield from (group for group in groups if group.total)


def past(rows: Rows) -> Iterator[Listing]:
    """What is no longer open, newest first; only what holds something."""
    groups = [
        _gone(rows, Fate.RESOLVED, "Resolved", "Finished, by what is written elsewhere.", _RESOLVED),
        _gone(rows, Fate.DUPLICATE, "Merged", "Written down more than once, and shown as one.", _DUPLICATE),
        _gone(rows, Fate.EXPIRED, "Expired", "Older than the look-back and not carried forward.", _EXPIRED),
    ]
    yield from (group for group in groups if group.total)


def _few(rows: Rows, key: str, title: str, advice: str, things: Sequence[T], row: Callable[[T], Row]) -> Listing:
    """The first few of some things; only those that are listed are made."""
    return Listing(key, title, rows.words(advice), tuple(map(row, things[:_REMARKS])), len(things))


def _gone(rows: Rows, fate: Fate, title: str, advice: str, most: int) -> Listing:
    outcomes = rows.run.of(fate)
    command = "wrap list --expired" if fate is Fate.EXPIRED else "wrap audit --json"
    newest = sorted(outcomes, key=_age, reverse=True)[:most]
    return Listing(fate.value, title, plain(advice), tuple(map(rows.outcome, newest)), len(outcomes), command)


def _age(one: Outcome) -> int:
    """Sorts undated items behind the others."""
    return one.item.raised.toordinal() if one.item.raised else 0


def names(listings: Iterable[Listing], last: str) -> tuple[str, ...]:
    """The projects of all rows, in the order of their names.

    Args:
        listings: the lists.
        last: the name that comes last.
    """
    found = {row.project for listing in listings for row in listing.rows if row.project}
    return tuple(sorted(found, key=lambda name: (name == last, name.casefold(), name)))
