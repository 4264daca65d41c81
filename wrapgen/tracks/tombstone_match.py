"""Whether a text is about to repeat a dead end. PURE.

A wrong warning is noise, and noise is no longer read. So a text has to contain most of what a dead end is about: the
words that its story repeats. One word alone is enough only when it is the name of something. A text about taking the
thing away, or about why it failed, returns to nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from wrapgen.text.scripts import has_cjk
from wrapgen.text.words import Folded, masked
from wrapgen.tracks.lexicon import load_cues
from wrapgen.tracks.terms import terms

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wrapgen.tracks.record import Tombstone

_SHARE = 0.6
"""Least share of a dead end's words that a text has to say."""
_SAME = 0.6
"""Least share of words of the shorter one of two names for one dead end."""
_NAME = re.compile(
    r"`[^`\n]+`|(?<=[^.!?\n] )[A-Z][\w.-]+|\b[a-z]+[A-Z]\w*|\b[A-Z]+[a-z]*[A-Z]\w*|\b\w+[-_.]\w+|\b[a-z]+\d\w*"
)
_LATIN_AMONG_OTHER = re.compile(r"[A-Za-z][\w.-]{2,}")


def resembles(text: str, tombstones: Iterable[Tombstone]) -> Tombstone | None:
    """The dead end that a text would repeat.

    Args:
        text: a follow-up, a plan or a prompt.

    Returns:
        the tombstone of whose words the text says most; None when it says too little of any, or speaks of it as gone.
    """
    said = _terms(text)
    found = [(share, one) for one in tombstones if (share := _share(said, one)) >= _SHARE]
    if not found or _buries(text):
        return None
    return max(found, key=lambda pair: (pair[0], len(name_terms(pair[1]) & said)))[1]


def same_thing(one: Tombstone, other: Tombstone) -> bool:
    """Whether two tombstones are the same dead end."""
    mine, theirs = name_terms(one), name_terms(other)
    if not mine or not theirs:
        return one.name.casefold() == other.name.casefold()
    return len(mine & theirs) >= _SAME * min(len(mine), len(theirs))


def name_terms(tombstone: Tombstone) -> frozenset[str]:
    """The words that the name of a dead end consists of."""
    return _terms(tombstone.name)


def _share(said: frozenset[str], tombstone: Tombstone) -> float:
    core = _core(tombstone)
    shared = core & said
    if not shared:
        return 0.0
    named = shared & _named(tombstone)
    also = (name_terms(tombstone) & said) - shared
    if len(shared) + len(also) < 2 and not named:
        return 0.0
    return (len(shared) + len(named)) / (len(core) + len(core & _named(tombstone)))


@lru_cache(maxsize=1024)
def _core(tombstone: Tombstone) -> frozenset[str]:
    """The words of the name that its story repeats, or else the whole name."""
    told = Counter(term for part in {quoted.text for quoted in tombstone.story} for term in _terms(part))
    name = name_terms(tombstone)
    return frozenset(term for term in name if told[term] > 1) or name


@lru_cache(maxsize=1024)
def _named(tombstone: Tombstone) -> frozenset[str]:
    """Words that are names: code, capitals within a sentence, Latin words among Chinese or Korean ones."""
    found: set[str] = set()
    for text in (tombstone.name, *(quoted.text for quoted in tombstone.story)):
        pattern = _LATIN_AMONG_OTHER if has_cjk(text) else _NAME
        found.update(*(_terms(match[0]) for match in pattern.finditer(text)))
    return frozenset(found)


def _buries(text: str) -> bool:
    """Whether a text takes something away or asks why it failed, instead of trying it."""
    said, cues = masked(Folded(text).text), load_cues()
    return any(cues[group].found(said) for group in ("left", "left_it", "looks_back"))


@lru_cache(maxsize=2048)
def _terms(text: str) -> frozenset[str]:
    return terms(Folded(text).text, load_cues())
