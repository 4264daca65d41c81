"""Which item a person means: its number in `wrap list`, the beginning of its id, or `path:line`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wrapgen.errors import UsageError
from wrapgen.model import Fate

if TYPE_CHECKING:
    from wrapgen.ledger import Outcome, Run

SHORTEST_ID = 4


def numbered(run: Run, *, expired: bool = False) -> list[tuple[int, Outcome]]:
    """The items that can be named by number: shown ones, then those beyond the cap.

    Args:
        run: the run.
        expired: number the expired ones instead, newest first.
    """
    if expired:
        old = sorted(run.of(Fate.EXPIRED), key=lambda one: one.item.raised or run.today, reverse=True)
        return list(enumerate(old, 1))
    return list(enumerate((*run.of(Fate.SHOWN), *run.of(Fate.OVERFLOW)), 1))


def named(run: Run, words: str) -> list[Outcome]:
    """The collected items that stand at `path:line`, or whose id begins so; none when the words are neither."""
    if re.fullmatch(r".+:\d+", words):
        return [one for one in run.outcomes if one.item.place == words]
    if re.fullmatch(f"[0-9a-f]{{{SHORTEST_ID},12}}", words):
        return [one for one in run.outcomes if one.item.id.startswith(words)]
    return []


def meant(run: Run, words: str) -> list[Outcome]:
    """The items that are named by number, by the beginning of an id, or by place; none when the words are neither."""
    # A long number may also be the beginning of an id; the list's numbers come first, as they are what is read there.
    return [one for number, one in numbered(run) if words == str(number)] or named(run, words)


def pick(run: Run, words: str) -> Outcome:
    """The one item that a person means.

    Args:
        run: the run.
        words: a number of `wrap list`, an id or its beginning, or `path:line`.

    Raises:
        UsageError: no item is meant, or several.
    """
    found = meant(run, words)
    if len(found) == 1:
        return found[0]
    if found:
        places = ", ".join(f"{one.item.id} ({one.item.place})" for one in found[:3])
        raise UsageError(f"{words!r} means {len(found)} items", next_step=f"Name one: {places}.")
    raise UsageError(
        f"no open item is {words!r}",
        next_step="Give its number in `wrap list --all`, its id, or path:line; `wrap explain WORDS` finds it.",
    )
