"""What an item waits for: the open items that it says must be done before it. PURE."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from wrapgen.model import Item


def with_blockers(items: Sequence[Item], backlog: Iterable[Item]) -> tuple[Item, ...]:
    """Tell items which open ones block them.

    Args:
        items: those that no evidence resolves.
        backlog: open boxes that are not next; they block, too.
    """
    if not any(item.depends for item in items):
        return tuple(items)
    named: dict[str, list[str]] = defaultdict(list)
    for item in (*items, *backlog):
        if item.ident is not None:
            named[item.ident].append(item.id)
    return tuple(_blocked(item, named) for item in items)


def _blocked(item: Item, named: dict[str, list[str]]) -> Item:
    blockers = [one for name in item.depends for one in named.get(name, ()) if one != item.id]
    return replace(item, blocked_by=tuple(sorted(set(blockers)))) if blockers else item
