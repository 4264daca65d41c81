"""Words that one list of a project has ticked and another has open: probably the same work, never surely. PURE."""

from collections.abc import Iterable, Iterator
from datetime import date

from wrapgen.model import Evidence, Item
from wrapgen.pipeline.places import two_contexts, two_due_days
from wrapgen.pipeline.specific import Repeated, says_what
from wrapgen.pipeline.tick_days import TickDays, added_later, dated, too_early


def ticked_elsewhere(
    items: Iterable[Item], repeated: Repeated, today: date, tick_days: TickDays
) -> Iterator[tuple[Item, Evidence]]:
    """Yield open items that another list of their project has ticked word for word, and not before they were added.

    Words of three lists are lines of a template, and prove nothing.

    Args:
        items: those that nothing else shows to be done.
        repeated: gives everything that says a text.
    """
    pairs = [
        (item, tick)
        for item in items
        if item.own_list and item.project is not None and repeated.may_be_ticked(item)
        for tick in _ticks(item, repeated, today)
        if not (two_contexts(item, tick) or two_due_days(item.due, tick.due))
    ]
    days = tick_days({one.path for pair in pairs for one in pair}) if pairs else {}
    seen: set[str] = set()
    for item, undated in pairs:
        tick = dated(undated, days) if undated.day is None else undated
        if item.id not in seen and not (too_early(tick, item) or added_later(tick, item, days)):
            seen.add(item.id)
            yield item, tick


def _ticks(item: Item, repeated: Repeated, today: date) -> list[Evidence]:
    """The ticks of an item's words in another list of its project, where no third one has them."""
    said = [
        one
        for one in repeated.saying(item.folded.text)
        if one.own_list and (one.project, one.folded.label) == (item.project, item.folded.label)
        if not (isinstance(one, Evidence) and one.is_ahead(today))
    ]
    if len({one.own_list for one in said}) != 2 or not says_what(item.text, item.folded.text):
        return []
    return [one for one in said if isinstance(one, Evidence) and one.own_list != item.own_list]
