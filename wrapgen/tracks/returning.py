"""Whether somebody is about to walk into a dead end again. PURE."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from wrapgen.tracks.load_cues import load_cues
from wrapgen.tracks.terms import terms
from wrapgen.words import Folded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wrapgen.tracks.record import Tombstone

_SAME = 0.6


def name_terms(tombstone: Tombstone) -> frozenset[str]:
    """The words that the name of a dead end consists of."""
    return _terms(tombstone.name)


def same_thing(one: Tombstone, other: Tombstone) -> bool:
    """Whether two tombstones stand for one dead end."""
    mine, theirs = name_terms(one), name_terms(other)
    if not mine or not theirs:
        return one.name.casefold() == other.name.casefold()
    return len(mine & theirs) >= _SAME * min(len(mine), len(theirs))


def resembles(text: str, tombstones: Iterable[Tombstone]) -> Tombstone | None:
    """The dead end that a text would walk into again.

    Args:
        text: a follow-up, a plan or a prompt.
        tombstones: what is known not to work.

    Returns:
        the tombstone whose name the text says most of, None when it says too little of any.
    """
    said = _terms(text)
    best, most = None, 0.0
    for tombstone in tombstones:
        named = name_terms(tombstone)
        share = len(named & said) / len(named) if named else 0.0
        if share >= _SAME and share >= most:
            best, most = tombstone, share
    return best


@lru_cache(maxsize=1024)
def _terms(text: str) -> frozenset[str]:
    return terms(Folded(text).text, load_cues())
