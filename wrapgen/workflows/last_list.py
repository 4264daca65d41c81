"""The list that was printed last: what numbers mean until the next one is printed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from wrapgen.errors import WrapgenError
from wrapgen.redact import redact
from wrapgen.vault import state

if TYPE_CHECKING:
    from collections.abc import Iterable

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
    items = tuple(ListedItem(number, item.id, redact(item.text)[0]) for number, item in rows)
    if items and app.was_read:
        with suppress(WrapgenError, OSError):
            state.save(app.root, LISTED_FILE, [LastList(app.now, items)])


def last_list(app: App) -> LastList | None:
    """The list that was printed last in this vault.

    Raises:
        WrapgenError: the file that remembers it is there but cannot be read.
    """
    records = state.load(app.root, LISTED_FILE, LastList).records
    return records[-1] if records else None
