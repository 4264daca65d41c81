"""What a rebuild found, for the next one to compare with, and for the history. PURE."""

from collections import Counter
from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from statistics import median

from wrapgen.dashboard.balance import collected, fates, per_project
from wrapgen.ledger import Run
from wrapgen.model import Fate
from wrapgen.vault.run_history import AGE_GROUPS, NAMED_PROJECTS, Day, Standing, age_group
from wrapgen.word_digests import text_digest, unpacked, words_alone, words_digest

_OPEN = (Fate.SHOWN, Fate.OVERFLOW)


def standing_of(run: Run) -> Standing:
    """What is open, by its words, for the rebuild after this one to compare with."""
    opened = [words_digest(one.item) for one in run.decided if one.fate in _OPEN]
    return Standing(run.today, opened, _words(run, Fate.DUPLICATE), dict(run.beyond.words))


def tally(run: Run, before: Standing | None, now: Standing, promised: Sequence[str]) -> Day:
    """Count what a rebuild found."""
    counts = fates(run)
    projects: Counter[str] = Counter()
    for fate in _OPEN:
        projects.update(dict(per_project(run, fate)))
    raised = (one.item.raised for one in run.decided if one.fate in _OPEN)
    days = [None if day is None else max(0, (run.today - day).days) for day in raised]
    known = [age for age in days if age is not None]
    groups: Counter[str] = Counter({age_group(None): run.beyond.number})
    for age, number in Counter(days).items():
        groups[age_group(age)] += number
    new, resolved = _changes(run, before, now) if before else (0, 0)
    return Day(
        day=run.today,
        collected=collected(run),
        fates={fate.value: number for fate, number in counts.items()},
        sources={one.kind.value: one.items for one in run.sources},
        projects=dict(projects.most_common(NAMED_PROJECTS)),
        open=counts[Fate.SHOWN] + counts[Fate.OVERFLOW],
        new=new,
        resolved=resolved,
        pending=run.follow_ups.pending,
        median_age=float(median(known)) if known else None,
        ages={group: groups[group] for group in AGE_GROUPS},
        made=len(promised),
        kept=_kept(run, promised),
    )


def _words(run: Run, fate: Fate) -> list[int]:
    return [words_digest(one.item) for one in run.of(fate)]


def _changes(run: Run, before: Standing, now: Standing) -> tuple[int, int]:
    """How many items are new, and how many that were open are neither open, merged nor expired."""
    same = {file for file, words in now.beyond.items() if before.beyond.get(file) == words}
    opened, former = Counter(now.all_but(same)), Counter(before.all_but(same))
    more, fewer = opened - former, former - opened
    for words in (*before.merged, *(_kept_on(run, former.keys()) if more else ())):
        more.pop(words, None)
    for words in (*now.merged, *(_words(run, Fate.EXPIRED) if fewer else ())):
        fewer.pop(words, None)
    # What has only another project, as a source has that is now of another kind, was neither made nor finished.
    moved = (_by_words(more) & _by_words(fewer)).total()
    return more.total() - moved, fewer.total() - moved


def _by_words(digests: Counter[int]) -> Counter[int]:
    return Counter(map(words_alone, digests.elements()))


def _kept_on(run: Run, former: AbstractSet[int]) -> set[int]:
    """The open items into which one was merged that was open before."""
    merged = {one.because.item for one in run.of(Fate.DUPLICATE) if one.because and words_digest(one.item) in former}
    return {words_digest(one.item) for one in run.decided if one.fate in _OPEN and one.item.id in merged}


def _kept(run: Run, promised: Collection[str]) -> int:
    """How many promises are neither open nor expired any more, in whatever project."""
    wanted = set(map(text_digest, promised))
    if not wanted:
        return 0
    left = {text_digest(one.item.folded.text) for one in run.decided if one.fate is not Fate.RESOLVED}
    left.update(map(words_alone, unpacked(run.beyond.words.values())))
    if wanted - left:
        left |= {text_digest(item.folded.text) for item in run.alone}
    return sum(text_digest(words) not in left for words in promised)
