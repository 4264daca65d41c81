"""Whether the places of two entries say that they are two pieces of work, however alike their words are. PURE."""

from datetime import date
from functools import lru_cache

from wrapgen.model import Evidence, Item
from wrapgen.pipeline.item_context import says_enough
from wrapgen.text.folding import swapped_targets

# What every refusal by place begins with.
PLACE = "place: "


def two_lists(one: Item | Evidence, other: Item | Evidence) -> str | None:
    """Refuse two lists, or two tasks; journals carry the work of all of them."""
    return different_lists(one.own_list, other.own_list)


def different_lists(one: str, other: str) -> str | None:
    """The same by the names of the lists; "" for a journal."""
    return f"{PLACE}two lists: {one} / {other}" if one and other and one != other else None


def two_contexts(one: Item | Evidence, other: Item | Evidence) -> str | None:
    """Refuse two that are about different things; an entry without context fits any."""
    if not one.context or not other.context or contexts_match(one.context, other.context):
        return None
    at = next(at for at in range(1, 1 + _depth(one, other)) if not _same_topic(one.context[-at], other.context[-at]))
    return f"{PLACE}two contexts: {one.context[-at]} / {other.context[-at]}"


def two_projects(one: Item | Evidence, other: Item | Evidence) -> str | None:
    """Refuse two projects; what has none fits any, unless its heading names some: then one of these."""
    if one.project == other.project and one.project is not None:
        return None
    mine, theirs = ((each.project,) if each.project else each.candidates for each in (one, other))
    if not mine or not theirs or not set(mine).isdisjoint(theirs):
        return None
    return f"other project: {' or '.join(mine)} / {' or '.join(theirs)}"


def two_due_days(one: date | None, other: date | None) -> str | None:
    """Refuse two due dates; a date against none is one piece of work."""
    if one is not None and other is not None and one != other:
        return f"{PLACE}two due dates: {one} / {other}"
    return None


def one_file(one: Item, other: Item) -> str | None:
    """Refuse two lines of one file, but for two session blocks of a journal: they were written as two."""
    return f"{PLACE}one file: lines {one.line} / {other.line}" if spot(one) == spot(other) else None


def spot(one: Item | Evidence) -> tuple[str, int]:
    """Where nobody writes down the same work twice: a file, a session block of a journal."""
    return one.block or (one.path, -1)


def two_items(one: Item, other: Item) -> str | None:
    """The reason why two open items are two pieces of work; None when neither their places nor their links say so."""
    return (
        two_projects(one, other)
        or two_lists(one, other)
        or two_contexts(one, other)
        or two_due_days(one.due, other.due)
        or one_file(one, other)
        or swapped_targets(one.folded.links, other.folded.links)
    )


def contexts_match(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two contexts, neither of them empty, are one: by their innermost entries.

    An innermost entry of a word or two ("Design", "Tests") means little alone; then the ones around it must match, too.
    """
    for mine, theirs in zip(reversed(one), reversed(other), strict=False):
        if not _same_topic(mine, theirs):
            return False
        if says_enough(mine) and says_enough(theirs):
            break
    return True


def _depth(one: Item | Evidence, other: Item | Evidence) -> int:
    return min(len(one.context), len(other.context))


@lru_cache(maxsize=100_000)
def _same_topic(one: str, other: str) -> bool:
    from wrapgen.pipeline import matching  # whoever only looks at notes that did not change compares nothing

    return one == other or matching.compare(matching.Side(one), matching.Side(other)).match
