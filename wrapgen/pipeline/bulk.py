"""The run that a dashboard needs, without most of its items. PURE.

An item that is like no other, not due, not urgent and not decided upon has the fate that its date gives it: expired,
or open, and then shown only if it is among the newest. So most items of a large vault need only be counted; the
stages are asked about the others. That the page is the same to the byte as that of a whole run, a test says.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.ledger import NAMED_EXPIRED, NAMED_REMARKS, Concern, Crowd, Remark, Rest, Run, SourceCount, Uncollected
from wrapgen.model import Fate
from wrapgen.notes import Kind
from wrapgen.pipeline import run as whole
from wrapgen.pipeline.expire import horizon, newest_journal
from wrapgen.pipeline.rank import days_back
from wrapgen.pipeline.settle import settle
from wrapgen.pipeline.specific import BOILERPLATE_LISTS
from wrapgen.pipeline.stage import Context, Decisions, StageResult, unbalanced

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import date

    from wrapgen.config import Config
    from wrapgen.notes import Trouble
    from wrapgen.pipeline.collected import FileEntries
    from wrapgen.pipeline.projects import Projects
    from wrapgen.pipeline.summary import FileSummary
    from wrapgen.pipeline.tick_days import TickDays


class _File(NamedTuple):
    """A file with those of its items that need only be counted."""

    path: str
    summary: FileSummary
    quiet: Sequence[int]
    expired: bool


_Place = tuple[str, int]  # path, and which of the file's entries


class BulkPlan(NamedTuple):
    """The items that the stages need to process."""

    needed: Mapping[str, AbstractSet[int]]  # the places of the entries, by path
    rest: Rest  # all other items, counted


def plan(summaries: Mapping[str, FileSummary], config: Config, today: date, decisions: Decisions) -> BulkPlan:
    """Find the items that cannot just be counted.

    Args:
        summaries: every file's, by path, with what their entries are like.
        decisions: what a person decided about single items.
    """
    decided = decisions.kept | decisions.finished | decisions.snoozed.keys()
    # Where else the words of those alike stand, too: that tells a template, whatever can be one with what.
    repeated = {summary.texts[place] for summary in summaries.values() for place in summary.alike}
    newest = _newest_journal(summaries, today)
    oldest = horizon(newest, config.lookback_days) if newest else None
    needed: dict[str, set[int]] = {}
    files: list[_File] = []
    for path, summary in summaries.items():
        asked = {*summary.alike, *summary.busy}
        asked.update(place for place, text in enumerate(summary.texts) if text in repeated)
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
    boilerplate, telling = _boilerplate(summaries)
    named: dict[str, set[int]] = {}
    for path, chosen in _named(files, config.cap, today, boilerplate):
        named.setdefault(path, set()).update(chosen)
    chosen_texts = {
        summaries[path].texts[place] for some in (needed, named) for path, places in some.items() for place in places
    }
    for text in chosen_texts & telling.keys():
        for path, place in telling[text]:
            named.setdefault(path, set()).add(place)
    for path, places in named.items():
        needed.setdefault(path, set()).update(places)
    return BulkPlan(needed, _rest(files, named))


def _boilerplate(summaries: Mapping[str, FileSummary]) -> tuple[AbstractSet[str], Mapping[str, Sequence[_Place]]]:
    """The texts for which `Repeated.is_boilerplate` is true, and the entries that tell it, of these and their like."""
    lists = Counter(text for summary in summaries.values() if summary.own_list for text in set(summary.texts))
    often = {text for text, number in lists.items() if number >= BOILERPLATE_LISTS}
    stands: defaultdict[str, dict[str, _Place]] = defaultdict(dict)
    finished: dict[str, Sequence[_Place]] = {}
    for path, summary in summaries.items() if often else ():
        for place, text in enumerate(summary.texts):
            if text not in often:
                continue
            if place >= summary.items:
                finished[text] = [(path, place)]
            elif summary.own_list:
                stands[text].setdefault(summary.own_list, (path, place))
    open_only = {
        text: [*places.values()][:BOILERPLATE_LISTS]
        for text, places in stands.items()
        if len(places) >= BOILERPLATE_LISTS and text not in finished
    }
    return open_only.keys(), open_only | finished


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
    return Rest({Fate.EXPIRED: Counter(expired), Fate.OVERFLOW: Counter(overflow)}, tuple(crowds))


def run_in_bulk(  # noqa: PLR0913 - what a whole run is given, in parts
    plan: BulkPlan,
    summaries: Mapping[str, FileSummary],
    entries: Mapping[str, FileEntries],
    *,
    config: Config,
    projects: Projects,
    today: date,
    decisions: Decisions,
    troubles: tuple[Trouble, ...],
    tick_days: TickDays,
) -> Run:
    """Run the stages on the items that cannot just be counted.

    Args:
        summaries: every file's, by path.
        entries: those that the plan needs, by path.
        decisions: what a person decided about single items.
        troubles: what could not be read, by path.
        tick_days: gives the days of undated ticks.

    Raises:
        LedgerError: a stage lost, made up or doubled an item, or the counts do not add up. Nothing may be published.
    """
    found = _collected(summaries, entries)
    context = Context((), config, projects, today, decisions, _newest_journal(summaries, today), tick_days)
    outcomes, remarks = settle(found, context)
    whole.check(found.kept, outcomes)
    items = sum(summary.items for summary in summaries.values())
    counted = sum(sum(plan.rest.of(fate).values()) for fate in Fate)
    if items != len(outcomes) + counted:
        raise unbalanced(f"{items} items were collected, {len(outcomes) + counted} are accounted for")
    return Run(
        today=today,
        sources=_count(summaries.values()),
        outcomes=outcomes,
        remarks=remarks,
        unread=whole.by_place(found.unread),
        troubles=troubles,
        uncollected=Uncollected(
            sum(one.backlog for one in summaries.values()),
            sum(one.empty for one in summaries.values()),
            sum(one.ignored for one in summaries.values()),
        ),
        unreadable_dates=whole.by_place(found.unreadable_dates),
        rest=plan.rest,
    )


def _newest_journal(summaries: Mapping[str, FileSummary], today: date) -> date | None:
    return newest_journal(((one.kind, one.day) for one in summaries.values()), today)


def _named(
    files: list[_File], cap: int, today: date, boilerplate: Container[str]
) -> Iterable[tuple[str, Sequence[int]]]:
    """The quiet items that the page may name: the newest ones of the newest projects, and the first ones of lists."""
    in_order = sorted((file for file in files if not file.expired), key=lambda file: _newest_first(file, today))
    # Of what is said to be next as many as of the rest, and of that as many as of what is nobody's next step.
    for of_class in zip(*(_classes(file, boilerplate) for file in in_order), strict=True):
        yield from _newest(of_class, cap)
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


def _classes(file: _File, boilerplate: Container[str]) -> tuple[_File, _File, _File]:
    """A file with those of its quiet items that are said to be next, with the rest, with those that are nobody's."""
    said_next, standing, texts = frozenset(file.summary.said_next), frozenset(file.summary.standing), file.summary.texts
    templates_in = boilerplate if file.summary.kind is Kind.LISTS else ()
    classes: tuple[list[int], list[int], list[int]] = ([], [], [])
    for place in file.quiet:
        is_last = place in standing or texts[place] in templates_in
        classes[2 if is_last else place not in said_next].append(place)
    first, rest, last = (file._replace(quiet=places) for places in classes)
    return first, rest, last


def _newest(files: Iterable[_File], cap: int) -> Iterable[tuple[str, list[int]]]:
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


def _newest_first(file: _File, today: date) -> tuple[int, int, str]:
    """The order of rank: all quiet items of a file are of one day."""
    summary = file.summary
    day = summary.day if summary.kind is Kind.JOURNAL_NEXT else None
    return (days_back(day, summary.changed, today), summary.kind.chain, file.path)


def _age(file: _File) -> int:
    day = file.summary.day if file.summary.kind is Kind.JOURNAL_NEXT else None
    return -day.toordinal() if day else 1


def _collected(summaries: Mapping[str, FileSummary], entries: Mapping[str, FileEntries]) -> StageResult:
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
        backlog=tuple(item for summary in summaries.values() for item in summary.blocking),
        unreadable_dates=tuple(one for summary in summaries.values() for one in summary.unreadable_dates),
    )


def _count(summaries: Iterable[FileSummary]) -> tuple[SourceCount, ...]:
    files: Counter[Kind] = Counter()
    items: Counter[Kind] = Counter()
    for summary in summaries:
        files[summary.kind] += 1
        items[summary.kind] += summary.items
    return tuple(SourceCount(kind, files[kind], items[kind]) for kind in Kind)
