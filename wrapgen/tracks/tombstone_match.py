"""Whether a text is about to repeat a dead end. PURE.

A wrong warning is noise, and noise is no longer read. So a text has to contain most of what a dead end is about: the
words that its story repeats. One word alone is enough only when it is the name of something, or when another word of
the story stands with it. A text about taking the
thing away, or about why it failed, returns to nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from wrapgen.text.scripts import has_cjk
from wrapgen.text.words import Folded, masked
from wrapgen.tracks.signals import about, phrases

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wrapgen.tracks.record import Tombstone

_SHARE = 0.6
"""Least share of a dead end's words that a text has to say."""
_NAME = re.compile(
    r"`[^`\n]+`|(?<=[^.!?\n] )[A-Z][\w.-]+|\b[a-z]+[A-Z]\w*|\b[A-Z]+[a-z]*[A-Z]\w*|\b\w+[-_.]\w+|\b[a-z]+\d\w*"
)
_LATIN_AMONG_OTHER = re.compile(r"[A-Za-z][\w.-]{2,}")


def resembles(text: str, dead_ends: Iterable[Tombstone]) -> Tombstone | None:
    """The dead end of whose words a follow-up, a plan or a prompt says most; None when it speaks of it as gone."""
    said = about(text)
    found = [(share, one) for one in dead_ends if (share := _share(said, one)) >= _SHARE]
    if not found or _buries(text):
        return None
    return max(found, key=lambda pair: (pair[0], len(about(pair[1].name) & said)))[1]


def _share(said: frozenset[str], tombstone: Tombstone) -> float:
    core, names = _core(tombstone), _names(tombstone)
    shared = core & said
    if not shared:
        return 0.0
    named = shared & names
    also = (about(tombstone.name) & said) - shared
    if len(about(tombstone.name)) == 1:  # `websockets`: what it was tried for says whether this is it again
        also = frozenset[str]().union(*(about(quoted.text) for quoted in tombstone.story)) & said - shared
    if len(shared) + len(also) < 2 and not named:
        return 0.0
    return (len(shared) + len(named)) / (len(core) + len(core & names))


@lru_cache(maxsize=1024)
def _core(tombstone: Tombstone) -> frozenset[str]:
    """The words of the name that its story repeats, or else the whole name."""
    told = Counter(term for part in {quoted.text for quoted in tombstone.story} for term in about(part))
    name = about(tombstone.name)
    return frozenset(term for term in name if told[term] > 1) or name


@lru_cache(maxsize=1024)
def _names(tombstone: Tombstone) -> frozenset[str]:
    """Words that are names: code, capitals within a sentence, Latin words among Chinese or Korean ones."""
    found: set[str] = set()
    for text in (tombstone.name, *(quoted.text for quoted in tombstone.story)):
        pattern = _LATIN_AMONG_OTHER if has_cjk(text) else _NAME
        found.update(*(about(match[0]) for match in pattern.finditer(text)))
    return frozenset(found)


def _buries(text: str) -> bool:
    """Whether a text takes something away or asks why it failed, instead of trying it."""
    said = masked(Folded(text).text)
    return any(phrases(group).found(said) for group in ("left", "left_it", "looks_back"))
