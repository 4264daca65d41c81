"""Words that one list of a project has ticked and another has open: probably the same work, never surely. PURE."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from wrapgen.model import Evidence, Item
from wrapgen.pipeline.places import two_contexts, two_due_days
from wrapgen.pipeline.specific import says_what
from wrapgen.pipeline.tick_days import TickDays, added_later, dated, too_early

_Words = tuple[str | None, str, str | None]


def ticked_elsewhere(
    items: Iterable[Item], said: Sequence[Item | Evidence], tick_days: TickDays
) -> Iterator[tuple[Item, Evidence]]:
    """Yield open items that another list of their project has ticked word for word, and not before they were added.

    Args:
        items: those that nothing else shows to be done.
        said: everything that is open or done; words of three lists are lines of a template, and prove nothing.
    """
    lists: defaultdict[_Words, set[str]] = defaultdict(set)
    ticks: defaultdict[_Words, list[Evidence]] = defaultdict(list)
    for one in said:
        if one.own_list and one.project is not None:
            lists[_words(one)].add(one.own_list)
            if isinstance(one, Evidence):
                ticks[_words(one)].append(one)
    pairs = [
        (item, tick)
        for item in items
        if item.own_list and len(lists[_words(item)]) == 2 and says_what(item.text, item.folded.text)
        for tick in ticks.get(_words(item), ())
        if tick.own_list != item.own_list and not (two_contexts(item, tick) or two_due_days(item.due, tick.due))
    ]
    days = tick_days({one.path for pair in pairs for one in pair}) if pairs else {}
    seen: set[str] = set()
    for item, undated in pairs:
        tick = dated(undated, days) if undated.day is None else undated
        if item.id not in seen and not (too_early(tick, item) or added_later(tick, item, days)):
            seen.add(item.id)
            yield item, tick


def _words(one: Item | Evidence) -> _Words:
    return one.project, one.folded.text, one.folded.label
