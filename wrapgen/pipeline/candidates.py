"""Which entries may be one piece of work with another: by place and project first, then by words. PURE.

Two lists, or two tasks, are never one piece of work: journals alone carry the work of all of them. So an entry of a
list is compared with journals, and with the other files of its own list (in a log, the other entries), however many
lists say the same. Of what its place lets through, an inverted index finds all that shares half of its words, or more.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from datetime import date
from functools import lru_cache
from itertools import chain

from wrapgen.model import Evidence, Item
from wrapgen.pipeline.matching import similarity
from wrapgen.pipeline.places import spot

JOURNALS = ""
_EVERYWHERE = "*"  # journals and all lists; no list is called so
_DENSE = re.compile("[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7a3]{2,}")


@lru_cache(maxsize=200_000)
def words_of(text: str) -> frozenset[str]:
    """The words of a folded text; of scripts that write without blanks each two characters beside each other."""
    words = text.split()
    if text.isascii():
        return frozenset(words) or frozenset(("",))
    pairs = (run[at : at + 2] for run in _DENSE.findall(text) for at in range(len(run) - 1))
    return frozenset((*(_DENSE.sub(" ", text).split()), *pairs)) or frozenset(words)


class Candidates:
    """Entries that can be partners; a position among them is the key of every answer.

    Args:
        entries: all of them, tagged.
        cutoff: least similarity, above 0 and up to 100.
    """

    def __init__(self, entries: Sequence[Item | Evidence], cutoff: float) -> None:
        self._entries = entries
        self._cutoff = cutoff
        self._days = [(one.written or one.day) if isinstance(one, Evidence) else None for one in entries]
        self._texts = [one.folded for one in entries]
        self._said: dict[str, list[int]] | None = None
        self._positions: defaultdict[tuple[str, str | None], list[int]] = defaultdict(list)
        self._projects: defaultdict[str, set[str | None]] = defaultdict(set)
        self._spot = [spot(one) for one in entries]
        self._spots: defaultdict[str, set[tuple[str, int]]] = defaultdict(set)
        for position, entry in enumerate(entries):
            for scope in (_EVERYWHERE, entry.own_list):
                self._positions[scope, entry.project].append(position)
                self._projects[scope].add(entry.project)
            if entry.own_list:
                self._spots[entry.own_list].add(self._spot[position])
        self._shelves: dict[tuple[str, frozenset[str | None]], _Shelf] = {}
        self._asked: dict[tuple[str, str | None], tuple[_Shelf, ...]] = {}

    def _scopes(self, entry: Item | Evidence, *, lists: bool) -> list[str]:
        own_list = entry.own_list
        scopes = [_EVERYWHERE if lists and not own_list else JOURNALS]
        spots = self._spots.get(own_list) if own_list else None
        if spots and (len(spots) > 1 or spot(entry) not in spots):
            scopes.append(own_list)
        return [scope for scope in scopes if scope in self._projects]

    def is_alone(self, entry: Item | Evidence) -> bool:
        """Whether an entry can be one with nothing: no journal, no other file of its list or entry of its log."""
        return not self._scopes(entry, lists=True)

    def near(
        self, entry: Item | Evidence, *, lists: bool, since: date | None = None, end: int | None = None
    ) -> list[tuple[int, float]]:
        """The positions of all that may be one with an entry, ascending, each with its similarity (0 to 100).

        Args:
            lists: whether an entry of a journal asks for those of lists, too.
            since: finished work of the same project that was written down before this day is left out.
            end: the position at which to stop, and leave out what stands in the same spot: what is merged, nobody
                writes down there twice. All when not given.
        """
        shelves = [shelf for scope in self._scopes(entry, lists=lists) for shelf in self._of(scope, entry.project)]
        if not shelves:
            return []
        mine, scores = entry.folded, dict[str, float]()
        words = words_of(mine.text)
        # Texts whose lengths differ by more are never so alike, see rapidfuzz's `ratio`.
        length, share = len(mine.text), self._cutoff / (200 - self._cutoff)
        shortest, longest = length * share - 1, length / share + 1
        own = None if end is None else spot(entry)
        found: list[tuple[int, float]] = []
        for position in chain.from_iterable(shelf.near(words, own) for shelf in shelves):
            other = self._texts[position]
            if not shortest <= len(other.text) <= longest or (end is not None and position >= end):
                continue
            if since and (day := self._days[position]) and day < since and self._entries[position].project:
                continue
            score = scores.get(other.text)
            if score is None:
                score = scores[other.text] = similarity(mine, other, self._cutoff)
            if score >= self._cutoff:
                found.append((position, score))
        return sorted(found)

    def same(self, entry: Item | Evidence) -> list[tuple[int, float]]:
        """The positions of all that say the very same, in a project that can be the entry's, as `near` gives them."""
        if self._said is None:
            self._said = defaultdict(list)
            for position, other in enumerate(self._entries):
                self._said[other.folded.text].append(position)
        found = self._said.get(entry.folded.text, ())
        ours = (None, entry.project)
        return [(at, 100.0) for at in found if entry.project is None or self._entries[at].project in ours]

    def _of(self, scope: str, project: str | None) -> "tuple[_Shelf, ...]":
        """Those of a project and of none; what has no project itself may belong to any."""
        asked = self._asked.get((scope, project))
        if asked is None:
            known = self._projects[scope]
            parts = (known,) if project is None else ({one} for one in known & {project, None})
            asked = self._asked[scope, project] = tuple(self._shelf(scope, frozenset(part)) for part in parts)
        return asked

    def _shelf(self, scope: str, projects: frozenset[str | None]) -> "_Shelf":
        if (scope, projects) not in self._shelves:
            places = (at for one in projects for at in self._positions[scope, one])
            self._shelves[scope, projects] = _Shelf({at: words_of(self._texts[at].text) for at in places}, self._spot)
        return self._shelves[scope, projects]


class _Shelf:
    """Positions by words. Of two that share half of their words one of the rarest is in both, if all but half are kept.

    Args:
        words: of each position.
        spots: by position.
    """

    def __init__(self, words: dict[int, frozenset[str]], spots: Sequence[tuple[str, int]]) -> None:
        often = Counter(chain.from_iterable(words.values()))
        self._order = _Ranks({word: at for at, word in enumerate(sorted(often, key=lambda w: (often[w], w)), 1)})
        self._having: dict[str, dict[tuple[str, int], list[int]]] = {}
        for position, own in words.items():
            for word in self._rarest(own):
                self._having.setdefault(word, {}).setdefault(spots[position], []).append(position)

    def near(self, words: frozenset[str], without: tuple[str, int] | None) -> set[int]:
        """The positions that share such a word, those of one spot left out."""
        found: set[int] = set()
        for word in self._rarest(words):
            for place, positions in self._having.get(word, _NOWHERE).items():
                if place != without:
                    found.update(positions)
        return found

    def _rarest(self, words: Collection[str]) -> list[str]:
        return sorted(words, key=self._order.__getitem__)[: len(words) // 2 + 1]


_NOWHERE: dict[tuple[str, int], list[int]] = {}


class _Ranks(dict[str, int]):
    """Words by how rare they are; what is not known is rarer than all."""

    def __missing__(self, word: str) -> int:
        return 0
