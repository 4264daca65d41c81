"""The run that a page needs, without most of its items. PURE.

An item that is like no other, not due, not urgent and not decided upon has the fate that its date gives it: expired,
or open, and then shown only if it is among the newest. So most items of a large vault need only be counted; the
stages are asked about the others. That the page is the same to the byte as that of a whole run, a test says.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.errors import LedgerError
from wrapgen.ledger import NAMED_EXPIRED, NAMED_REMARKS, Concern, Crowd, Remark, Rest, Run, SourceCount
from wrapgen.model import Document, Kind, Source
from wrapgen.pipeline import run as whole
from wrapgen.pipeline.expire import horizon
from wrapgen.pipeline.stage import Context, Decisions, StageResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import date

    from wrapgen.config import Config
    from wrapgen.model import Trouble
    from wrapgen.pipeline.projects import Projects
    from wrapgen.pipeline.summary import Entries, Summary


class _File(NamedTuple):
    """A file with those of its items that need only be counted."""

    path: str
    summary: Summary
    quiet: Sequence[int]
    expired: bool


class Plan(NamedTuple):
    """What the stages are to be asked about.

    Attributes:
        needed: the places of the entries, by path.
        rest: all other items, counted.
    """

    needed: Mapping[str, AbstractSet[int]]
    rest: Rest


def plan(summaries: Mapping[str, Summary], config: Config, today: date, decisions: Decisions) -> Plan:
    """Find the items that cannot just be counted.

    Args:
        summaries: every file's, by path, with what their entries are like.
        config: the vault's configuration.
        today: the day of the run.
        decisions: what a person decided about single items.
    """
    decided = decisions.kept | decisions.snoozed.keys()
    oldest = horizon(_journals(summaries), today, config.lookback_days)
    needed: dict[str, set[int]] = {}
    files: list[_File] = []
    for path, summary in summaries.items():
        asked = {*summary.alike, *summary.busy}
        if decided:
            asked.update(place for place, identity in enumerate(summary.ids) if identity in decided)
        if asked:
            needed[path] = asked
        all_places = range(summary.items)
        quiet = [place for place in all_places if place not in asked] if asked else all_places
        if quiet:
            in_journal = summary.kind is Kind.JOURNAL_NEXT
            expired = in_journal and summary.day is not None and oldest is not None and summary.day < oldest
            files.append(_File(path, summary, quiet, expired))
    named: dict[str, set[int]] = {}
    for path, chosen in _named(files, config.cap):
        named.setdefault(path, set()).update(chosen)
    for path, places in named.items():
        needed.setdefault(path, set()).update(places)
    return Plan(needed, _rest(files, named))


def _rest(files: Iterable[_File], named: Mapping[str, AbstractSet[int]]) -> Rest:
    """The quiet items that the page does not name."""
    expired: list[str | None] = []
    overflow: list[str | None] = []
    crowds: list[Crowd] = []
    for file in files:
        summary, asked = file.summary, named.get(file.path)
        left = [place for place in file.quiet if place not in asked] if asked else file.quiet
        projects = summary.projects
        (expired if file.expired else overflow).extend([projects[place] for place in left])
        day = summary.day if summary.kind is Kind.JOURNAL_NEXT else None
        crowds.append(Crowd(day, file.expired, summary.texts, projects, left))
    return Rest(Counter(expired), Counter(overflow), tuple(crowds))


def run_in_bulk(
    plan: Plan,
    summaries: Mapping[str, Summary],
    entries: Mapping[str, Entries],
    *,
    config: Config,
    projects: Projects,
    today: date,
    decisions: Decisions,
    troubles: tuple[Trouble, ...],
) -> Run:
    """Run the stages on the items that cannot just be counted.

    Args:
        plan: says which these are.
        summaries: every file's, by path.
        entries: those that the plan needs, by path.
        config: the vault's configuration.
        projects: the known projects.
        today: the day of the run.
        decisions: what a person decided about single items.
        troubles: what could not be read, by path.

    Raises:
        LedgerError: a stage lost, made up or doubled an item, or the counts do not add up. Nothing may be published.
    """
    found = _collected(summaries, entries)
    newest = max((day for day in _journals(summaries) if day is not None and day <= today), default=None)
    sources = (Source("", Kind.JOURNAL_NEXT, Document(), newest),)  # all that the stages ask of sources: the newest day
    context = Context(sources, config, projects, today, decisions)
    last, outcomes = whole.settle(found, context, whole.STAGES[2:])
    items = sum(summary.items for summary in summaries.values())
    counted = sum(plan.rest.expired.values()) + sum(plan.rest.overflow.values())
    if items != len(outcomes) + counted:
        raise LedgerError(
            f"the ledger does not balance: {items} items were collected, {len(outcomes) + counted} are accounted for",
            next_step="Nothing was written. This is a defect of wrapgen: please report it with `wrap audit --json`.",
        )
    return Run(
        today=today,
        sources=_count(summaries.values()),
        outcomes=outcomes,
        remarks=whole.relevant(last.remarks, outcomes),
        unread=whole.in_place(found.unread),
        troubles=troubles,
        rest=plan.rest,
    )


def _journals(summaries: Mapping[str, Summary]) -> Iterable[date | None]:
    return (one.day for one in summaries.values() if one.kind is Kind.JOURNAL_NEXT)


def _named(files: list[_File], cap: int) -> Iterable[tuple[str, Sequence[int]]]:
    """The quiet items that the page may name: the newest ones of the newest projects, and the first ones of lists."""
    yield from _newest(sorted((file for file in files if not file.expired), key=_newest_first), cap)
    wanted = NAMED_REMARKS
    for file in sorted((file for file in files if not file.expired), key=lambda file: file.path):
        untagged = [place for place in file.quiet if file.summary.projects[place] is None][:wanted]
        if untagged:
            wanted -= len(untagged)
            yield file.path, untagged
        if not wanted:
            break
    wanted = NAMED_EXPIRED
    for file in sorted((file for file in files if file.expired), key=lambda file: (_age(file), file.path)):
        yield file.path, file.quiet[:wanted]
        wanted -= len(file.quiet[:wanted])
        if not wanted:
            break


def _newest(files: list[_File], cap: int) -> Iterable[tuple[str, list[int]]]:
    """At most `cap` items of each of the first `cap` projects.

    Projects take turns in the order of their newest items, so no other item can be shown: before it stand `cap` items
    of its own project, or the newest ones of `cap` other projects.
    """
    room: dict[str | None, int] = {}
    places_left = cap * cap
    for file in files:
        if not places_left:
            break
        taken: list[int] = []
        for place in file.quiet:
            project = file.summary.projects[place]
            left = room.get(project, cap if len(room) < cap else 0)
            if left:
                room[project] = left - 1
                taken.append(place)
        if taken:
            places_left -= len(taken)
            yield file.path, taken


def _newest_first(file: _File) -> tuple[int, int, str]:
    """The order of rank: all quiet items of a file are of one day."""
    return (_age(file), file.summary.kind.chain, file.path)


def _age(file: _File) -> int:
    day = file.summary.day if file.summary.kind is Kind.JOURNAL_NEXT else None
    return -day.toordinal() if day else 1


def _collected(summaries: Mapping[str, Summary], entries: Mapping[str, Entries]) -> StageResult:
    """What the first two stages would give, were there no other entries than these."""
    items = tuple(item for path in summaries if path in entries for item in entries[path].items)
    conflicts = [item for summary in summaries.values() for item in summary.odd]
    conflicts += [item for item in items if item.conflict]
    return StageResult(
        kept=items,
        evidence=tuple(one for path in summaries if path in entries for one in entries[path].evidence),
        remarks=(
            *(Remark(Concern.CONFLICTS, item) for item in conflicts),
            *(Remark(Concern.UNTAGGED, item) for item in items if item.project is None),
        ),
        unread=tuple(section for summary in summaries.values() for section in summary.unread),
    )


def _count(summaries: Iterable[Summary]) -> tuple[SourceCount, ...]:
    files: Counter[Kind] = Counter()
    items: Counter[Kind] = Counter()
    for summary in summaries:
        files[summary.kind] += 1
        items[summary.kind] += summary.items
    return tuple(SourceCount(kind, files[kind], items[kind]) for kind in Kind)
