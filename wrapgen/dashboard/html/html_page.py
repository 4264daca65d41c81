"""A run as the HTML page: what it lists, and how much of it. PURE."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TypeVar

import msgspec

from wrapgen.dashboard import balance
from wrapgen.dashboard.html import charts
from wrapgen.dashboard.html.rows import FurtherItems, Links, Row, RowList, Rows, Sheet, plain
from wrapgen.dashboard.view import CONCERNS, DATES, LOST, SECTIONS, TEXT_LIMIT, UNREADABLE, UNTAGGED_ITEMS
from wrapgen.ledger import OPEN_ORDER, Concern, Outcome
from wrapgen.model import Fate
from wrapgen.text.display import shorten, visible
from wrapgen.text.words import language_of
from wrapgen.vault.run_history import Day

# Of a kind: a page of thousands of notes stays one that a browser draws at once, and that one can look through.
_OVERFLOW, _RESOLVED, _DUPLICATE, _EXPIRED, _REMARKS, _PENDING = 300, 100, 100, 50, 25, 100
MOST = 50_000
"""Items of which there is data; a page that has more takes a browser too long to read."""

T = TypeVar("T")


def sheet(rows: Rows, name: str, days: Sequence[Day]) -> Sheet:
    """Make the page of a run, for a vault of that name with such a history."""
    run, counts = rows.run, balance.fates(rows.run)
    priorities, overflow = still_open(rows)
    to_look_at, gone = tuple(attention(rows)), tuple(past(rows))
    return Sheet(
        name=visible(name),
        today=f"{run.today:%A}, {run.today.day} {run.today:%B %Y}",
        day=run.today.isoformat(),
        open=counts[Fate.SHOWN] + counts[Fate.OVERFLOW],
        audit_line=balance.audit_line(run),
        priorities=priorities,
        named=sum(one.order < OPEN_ORDER for one in run.of(Fate.SHOWN)),
        unsaid=balance.unsaid(run),
        overflow=overflow,
        attention=to_look_at,
        past=gone,
        projects=names((priorities, overflow, *to_look_at, *gone), last=balance.UNTAGGED),
        ledger=charts.ledger(run),
        ages=charts.ages(run),
        trend=charts.trend(days),
        not_read=balance.not_read(run.not_read),
        nothing=balance.nothing_shown(run).capitalize(),
    )


def still_open(rows: Rows) -> tuple[RowList, RowList]:
    """The priorities, and what is not shown; numbered as in `wrap list --all`."""
    run = rows.run
    shown, beyond = run.of(Fate.SHOWN), run.of(Fate.OVERFLOW)
    ranked = [rows.outcome(one, number) for number, one in enumerate((*shown, *beyond[:_OVERFLOW]), 1)]
    return (
        RowList("priorities", "Priorities", plain(""), tuple(ranked[: len(shown)]), len(shown), "wrap list"),
        RowList(
            "overflow",
            "Next in line",
            plain("Still open, in this order."),
            tuple(ranked[len(shown) :]),
            len(beyond),
            "wrap list --all",
            tuple((visible(project), number) for project, number in balance.per_project(run, Fate.OVERFLOW)),
            further(beyond[_OVERFLOW:], len(ranked) + 1, rows.links, rows.handles),
        ),
    )


def further(outcomes: Sequence[Outcome], first: int, links: Links, handles: Mapping[str, str]) -> FurtherItems:
    """List items as data: their words as written, project and place."""
    files: dict[str, int] = {}
    projects: dict[str, int] = {}
    rows = []
    for number, one in enumerate(outcomes[:MOST], first):
        item = one.item
        text = shorten(item.words, TEXT_LIMIT)
        project = projects.setdefault(visible(item.project or balance.UNTAGGED), len(projects))
        lang = language_of(text)
        row = [number, visible(text), project, files.setdefault(item.path, len(files)), item.line, handles[item.id]]
        rows.append(row if lang == "en" else [*row, lang])
    data = {"files": [links.note(path) for path in files], "projects": list(projects), "rows": rows}
    return FurtherItems(len(rows), msgspec.json.encode(data).decode().replace("<", "\\u003c"))


def attention(rows: Rows) -> Iterator[RowList]:
    """What needs attention; only non-empty lists."""
    run = rows.run
    groups = [
        RowList(
            "pending", "Pending follow-ups",
            rows.words("Mentioned in chat but never written down: file them with `wrap route`."),
            tuple(map(rows.waiting, run.follow_ups.waiting[:_PENDING])), run.follow_ups.pending, "wrap route",
        ),
        _few(rows, "lost", *LOST, run.follow_ups.lost, lambda one: Row(rows.words(one.text), note=visible(one.reason))),
        _untagged(rows),
        *(
            _few(rows, concern.value, title, advice, run.about(concern), rows.remark)
            for concern, (title, advice) in CONCERNS.items()
        ),
        _few(
            rows, "unread", "Not read", balance.not_read(run.not_read),
            run.not_read.by, lambda one: Row(plain(balance.place_of(one)), note=str(one.boxes)),
        ),
        _few(
            rows, "unreadable", *UNREADABLE, run.troubles, lambda one: Row(plain(one.path), note=visible(one.error))
        ),
        _few(
            rows, "unreadable_metadata", *DATES, run.unreadable_dates,
            lambda one: Row(rows.words(one.text, one.path), place=rows.links.place(one.path, one.line)),
        ),
        _few(
            rows, "unread_sections", *SECTIONS, run.unread,
            lambda one: Row(rows.words(one.heading, one.path), place=rows.links.place(one.path, one.line)),
        ),
    ]  # fmt: skip
    yield from (group for group in groups if group.total)


def past(rows: Rows) -> Iterator[RowList]:
    """What is no longer open, newest first; only non-empty lists."""
    groups = [
        _gone(rows, Fate.RESOLVED, "Resolved", "Finished according to another note.", _RESOLVED),
        _gone(rows, Fate.DUPLICATE, "Merged", "Written down more than once; shown as one item.", _DUPLICATE),
        _gone(rows, Fate.EXPIRED, "Expired", "Older than the look-back and not carried forward.", _EXPIRED),
    ]
    yield from (group for group in groups if group.total)
    if skipped := rows.run.follow_ups.skips:
        advice = "Follow-ups that were not filed: `wrap orphans --all` lists all, `--restore H` brings one back."
        yield _few(rows, "skipped", "Skipped", advice, skipped[::-1], rows.skipped)


def _untagged(rows: Rows) -> RowList:
    """How many items have no project, where that helps; they are told in their own lists."""
    said, (title, advice) = balance.untagged(rows.run), UNTAGGED_ITEMS
    total = len(rows.run.about(Concern.UNTAGGED)) if said else 0
    return RowList(balance.UNTAGGED, title, rows.words(advice), (), total, "wrap list --all -p untagged")


def _few(rows: Rows, key: str, title: str, advice: str, things: Sequence[T], row: Callable[[T], Row]) -> RowList:
    return RowList(key, title, rows.words(advice), tuple(map(row, things[:_REMARKS])), len(things))


def _gone(rows: Rows, fate: Fate, title: str, advice: str, most: int) -> RowList:
    outcomes = rows.run.of(fate)
    command = "wrap list --expired" if fate is Fate.EXPIRED else "wrap explain WORDS"
    newest = sorted(outcomes, key=lambda one: one.item.raised or date.min, reverse=True)[:most]
    return RowList(fate.value, title, plain(advice), tuple(map(rows.outcome, newest)), len(outcomes), command)


def names(listings: Iterable[RowList], last: str) -> tuple[str, ...]:
    """The projects of all rows, in the order of their names."""
    lists = tuple(listings)
    found = {row.project for listing in lists for row in listing.rows if row.project}
    found |= {name for listing in lists for name, _ in listing.projects}
    return tuple(sorted(found, key=lambda name: (name == last, name.casefold(), name)))
