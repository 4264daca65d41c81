"""The list that was printed last: what numbers mean until the next one is printed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self

from wrapgen.errors import WrapgenError
from wrapgen.redact import redact
from wrapgen.vault import state

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wrapgen.model import Item
    from wrapgen.workflows.app import App

LISTED_FILE = "listed.jsonl"
_OLDEST = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ListedItem:
    """A line of the list: its number, and the item that it stood for."""

    number: int
    id: str
    text: str
    place: tuple[str, ...] | None = None  # the headings and items above it, None when they are not known
    was: str = ""  # its id when it was listed, if it was reworded or moved since

    @classmethod
    def of(cls, number: int, item: Item, was: str = "") -> Self:
        """A line that stands for an item."""
        return cls(number, item.id, redact(item.text)[0], _place(item), was)

    def means(self, item: Item) -> bool:
        """Whether the item with its id is the one that was listed: its words may stand below another heading by now."""
        return self.place is None or self.place == _place(item)


def _place(item: Item) -> tuple[str, ...]:
    return tuple(redact(part)[0] for part in (item.header or "", *item.context))


@dataclass(frozen=True, slots=True)
class LastList:
    """The list and when it was printed."""

    at: datetime
    items: tuple[ListedItem, ...]

    def is_old(self, now: datetime) -> bool:
        """Whether nobody has it in mind any more."""
        return now - self.at > _OLDEST


def remember_list(app: App, rows: Iterable[tuple[int, Item]]) -> None:
    """Remember what the numbers of a list mean that was just printed, unless nobody can have read it.

    In a vault that cannot be written, nothing is lost by that.
    """
    items = tuple(ListedItem.of(number, item) for number, item in rows)
    if items and app.was_read:
        with suppress(WrapgenError, OSError):
            state.save(app.root, LISTED_FILE, [LastList(app.now, items)])


def carry_numbers(app: App, became: Mapping[str, Item]) -> None:
    """Let numbers go on to mean what was reworded or moved.

    Args:
        became: the items as they are now, by the ids that they had.
    """
    with suppress(WrapgenError, OSError):
        listed = last_list(app)
        if listed and any(row.id in became for row in listed.items):
            rows = (
                ListedItem.of(row.number, became[row.id], row.id) if row.id in became else row for row in listed.items
            )
            state.save(app.root, LISTED_FILE, [replace(listed, items=tuple(rows))])


def last_list(app: App) -> LastList | None:
    """The list that was printed last in this vault.

    Raises:
        WrapgenError: the file that remembers it is there but cannot be read.
    """
    records = state.load(app.root, LISTED_FILE, LastList).records
    return records[-1] if records else None
