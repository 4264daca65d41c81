"""The lists that were printed last: what their numbers mean."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self

import msgspec
from msgspec.structs import replace

from wrapgen.errors import WrapgenError
from wrapgen.model import Fate, Item
from wrapgen.vault import state

if TYPE_CHECKING:
    from wrapgen.ledger import Outcome, Run, SafeWords
    from wrapgen.workflows.app import App

LISTED_FILE = "listed.jsonl"
_OLDEST = timedelta(days=1)
_MOST_LISTS = 20  # that are remembered


class ListedItem(msgspec.Struct, frozen=True):
    """A line of the list: its number, and the item that it stood for."""

    number: int
    id: str
    text: str
    place: tuple[str, ...] | None = None  # the headings and items above it, None when they are not known
    was: str = ""  # its id when it was listed, if it was reworded or moved since

    @classmethod
    def of(cls, number: int, item: Item, was: str = "", known: SafeWords | None = None) -> Self:
        text, *place = known or safe_words(item)
        return cls(number, item.id, text, tuple(place), was)

    def means(self, item: Item) -> bool:
        """Whether the item with its id is the one that was listed: its words may stand below another heading by now."""
        return self.place is None or self.place == safe_words(item)[1:]


def safe_words(item: Item) -> SafeWords:
    """What is remembered of an item in a list, without secrets: its words, and the headings and items above it."""
    from wrapgen.redact import redact  # its patterns take longer than all else that a list without changes does

    return tuple(redact(part)[0] for part in (item.text, item.header or "", *item.context))


class LastList(msgspec.Struct, frozen=True):
    """A list, when it was printed, and where it was read."""

    at: datetime
    items: tuple[ListedItem, ...]
    terminal: str = ""  # the terminal and its session; empty where it was not printed on one
    parent: int = 0  # the process that ran the program
    program: bool = False  # whether it was a document for programs
    # whether it was printed into nothing (/dev/null): then only its parent may mean it, and not if it read another one
    unread: bool = False

    @property
    def reader(self) -> tuple[str, int, bool, bool]:
        return self.terminal, 0 if self.terminal and not self.unread else self.parent, self.program, self.unread

    def is_old(self, now: datetime) -> bool:
        return now - self.at > _OLDEST


def numbered(run: Run, *, expired: bool = False) -> list[tuple[int, Outcome]]:
    """The items in the order of their numbers: shown ones, then those not shown."""
    if expired:
        old = sorted(run.of(Fate.EXPIRED), key=lambda one: one.item.raised or run.today, reverse=True)
        return list(enumerate(old, 1))
    return list(enumerate((*run.of(Fate.SHOWN), *run.of(Fate.OVERFLOW)), 1))


def remember_list(app: App, run: Run, rows: Iterable[tuple[int, Item]], *, program: bool = False) -> None:
    """Remember what the numbers of a list mean that was just printed here."""
    known = run.gist.safe_words if run.gist else {}
    items = tuple(ListedItem.of(number, item, known=known.get(item.id)) for number, item in rows)
    if not items or not app.was_read:
        return
    with suppress(WrapgenError, OSError):
        new = LastList(app.now, items, _terminal(), os.getppid(), program, _into_nothing())
        others = [one for one in state.load(app.root, LISTED_FILE, LastList).records if one.reader != new.reader]
        state.save(app.root, LISTED_FILE, [*others[1 - _MOST_LISTS :], new], durable=False)


def carry_numbers(app: App, became: Mapping[str, Item]) -> None:
    """Let numbers go on to mean what was reworded or moved, on every terminal."""
    with suppress(WrapgenError, OSError):
        lists = state.load(app.root, LISTED_FILE, LastList).records
        if any(row.id in became for listed in lists for row in listed.items):
            state.save(app.root, LISTED_FILE, [replace(one, items=_carried(one, became)) for one in lists])


def _carried(listed: LastList, became: Mapping[str, Item]) -> tuple[ListedItem, ...]:
    return tuple(ListedItem.of(row.number, became[row.id], row.id) if row.id in became else row for row in listed.items)


def last_list(app: App) -> LastList | None:
    """The list that was printed last on this terminal.

    What was run without one (by a script or an agent) has the list that its own parent process printed last; else the
    last that was printed without a terminal.
    """
    here, parent = _terminal(), os.getppid()
    lists = [
        one
        for one in state.load(app.root, LISTED_FILE, LastList).records
        if one.terminal == here and (one.parent == parent or not one.unread)
    ]
    printed = [at for at, one in enumerate(lists) if not one.program]
    read = [at for at in printed if not lists[at].unread]
    own = [at for at in printed if lists[at].parent == parent]
    best = (read if here else [at for at in own if at in read]) or own or read
    at = next(reversed(best), -1)
    later = next((one for one in reversed(lists[at + 1 :]) if one.program), None)
    return _agreed(lists[at] if at >= 0 else None, later)


def _agreed(printed: LastList | None, later: LastList | None) -> LastList | None:
    """The list that was printed for people; a number that means another item in a later one for programs goes."""
    if printed is None or later is None:
        return printed or later
    ids = {row.number: row.id for row in printed.items}
    new = {row.number: row.id for row in later.items}
    same = [row for row in printed.items if new.get(row.number, row.id) == row.id]
    return replace(printed, items=(*same, *(row for row in later.items if row.number not in ids)))


def _terminal() -> str:
    """The terminal and its session: a new window may have the name of one that was closed."""
    for stream in (0, 1, 2):
        with suppress(OSError, AttributeError):  # Windows has neither
            return f"{os.ttyname(stream)} {os.getsid(0)}"
    return ""


def _into_nothing() -> bool:
    """Whether what is printed goes to a device that no one reads, as /dev/null."""
    with suppress(OSError):
        return stat.S_ISCHR(os.fstat(1).st_mode) and not os.isatty(1)
    return False
