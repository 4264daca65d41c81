"""The numbers of a rebuild, as the history keeps them. PURE."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from statistics import median

from wrapgen.dashboard.balance import collected, fates, per_project
from wrapgen.ledger import Run
from wrapgen.model import Fate, Item
from wrapgen.run_history import AGE_GROUPS, NAMED_PROJECTS, Day, Standing, age_group

_OPEN = (Fate.SHOWN, Fate.OVERFLOW)


def standing_of(run: Run) -> Standing:
    """What is open, by its words, for the rebuild after this one to compare with."""
    return Standing(run.today, _names(run, *_OPEN), _names(run, Fate.DUPLICATE))


def tally(run: Run, before: Standing | None, now: Standing, promised: Sequence[str]) -> Day:
    """Count what a rebuild found."""
    counts = fates(run)
    projects: Counter[str] = Counter()
    for fate in _OPEN:
        projects.update(dict(per_project(run, fate)))
    raised = (item.raised for item in _items(run, _OPEN))
    days = [None if day is None else max(0, (run.today - day).days) for day in raised]
    known = [age for age in days if age is not None]
    groups: Counter[str] = Counter()
    for age, number in Counter(days).items():
        groups[age_group(age)] += number
    new, resolved = _changes(run, before, now) if before else (0, 0)
    return Day(
        day=run.today,
        collected=collected(run),
        fates={fate.value: number for fate, number in counts.items()},
        sources={one.kind.value: one.items for one in run.sources},
        projects=dict(projects.most_common(NAMED_PROJECTS)),
        open=len(now.open),
        new=new,
        resolved=resolved,
        pending=run.follow_ups.pending,
        median_age=float(median(known)) if known else None,
        ages={group: groups[group] for group in AGE_GROUPS},
        made=len(promised),
        kept=_kept(run, promised),
    )


def _items(run: Run, fates: Collection[Fate]) -> Iterator[Item]:
    return (one.item for one in run.outcomes if one.fate in fates)


def _name(item: Item) -> str:
    return f"{item.project or ''}\n{item.folded.text}"


def _names(run: Run, *fates: Fate) -> list[str]:
    return [_name(item) for item in _items(run, fates)]


def _changes(run: Run, before: Standing, now: Standing) -> tuple[int, int]:
    """How many items are new, and how many that were open are neither open, merged nor expired."""
    opened, former = Counter(now.open), Counter(before.open)
    more, fewer = opened - former, former - opened
    for name in (*before.merged, *(_kept_on(run, former.keys()) if more else ())):
        more.pop(name, None)
    for name in (*now.merged, *(_names(run, Fate.EXPIRED) if fewer else ())):
        fewer.pop(name, None)
    # What has only another project, as a source has that is now of another kind, was neither made nor finished.
    moved = (_by_words(more) & _by_words(fewer)).total()
    return more.total() - moved, fewer.total() - moved


def _by_words(names: Counter[str]) -> Counter[str]:
    return Counter(name.split("\n")[1] for name in names.elements())


def _kept_on(run: Run, former: AbstractSet[str]) -> set[str]:
    """The open items into which one was merged that was open before."""
    merged = {one.because.item for one in run.of(Fate.DUPLICATE) if one.because and _name(one.item) in former}
    return {_name(item) for item in _items(run, _OPEN) if item.id in merged}


def _kept(run: Run, promised: Collection[str]) -> int:
    """How many promises are neither open nor expired any more, in whatever project."""
    wanted = set(promised)
    if not wanted:
        return 0
    left = {one.item.folded.text for one in run.outcomes if one.fate is not Fate.RESOLVED}
    return sum(words not in left for words in promised)
