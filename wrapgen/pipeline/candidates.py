"""Which entries may be one piece of work with another: by place and project first, then by words. PURE.

Two lists, or two tasks, are never one piece of work: journals alone carry the work of all of them. So an entry of a
list is compared with journals, and with the other files of its own list (in a log, the other entries), however many
lists say the same. Of what its place lets through, an inverted index finds all that shares half of its words, or more.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date
from functools import cached_property
from itertools import chain

from wrapgen.late_pattern import late
from wrapgen.model import Evidence, Item
from wrapgen.pipeline.matching import similarity
from wrapgen.pipeline.places import spot

JOURNALS = ""
_EVERYWHERE = "*"  # journals and all lists; no list is called so
_DENSE = late("[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7a3]{2,}")


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
        self._said: dict[str, list[int]] | None = None
        self._positions: defaultdict[tuple[str, str | None], list[int]] = defaultdict(list)
        self._projects: defaultdict[str, set[str | None]] = defaultdict(set)
        self._spots: defaultdict[str, set[tuple[str, int]]] = defaultdict(set)
        for position, entry in enumerate(entries):
            for scope in (_EVERYWHERE, entry.own_list):
                self._positions[scope, entry.project].append(position)
                self._projects[scope].add(entry.project)
            if entry.own_list:
                self._spots[entry.own_list].add(spot(entry))
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
        mine = entry.folded
        own = None if end is None else spot(entry)
        said: set[int] = set()
        for word in self._rarest(mine.text):
            for shelf in shelves:
                for place, positions in shelf.get(word, _NOWHERE).items():
                    if place != own:
                        said.update(positions)
        # Texts whose lengths differ by more are never so alike, see rapidfuzz's `ratio`.
        length, share = len(mine.text), self._cutoff / (200 - self._cutoff)
        shortest, longest = length * share - 1, length / share + 1
        found: list[tuple[int, float]] = []
        scores: dict[str, float] = {}
        for position in said:
            other = self._entries[position].folded
            if not shortest <= len(other.text) <= longest or (end is not None and position >= end):
                continue
            if since and _is_before(self._entries[position], since):
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
        shelf = self._shelves.get((scope, projects))
        if shelf is None:
            shelf = self._shelves[scope, projects] = {}
            for at in chain.from_iterable(self._positions[scope, one] for one in projects):
                for word in self._rarest(self._entries[at].folded.text):
                    shelf.setdefault(word, {}).setdefault(spot(self._entries[at]), []).append(at)
        return shelf

    @cached_property
    def _ranks(self) -> Counter[str]:
        """Every word by how few entries have it; 0 for what none has."""
        often = Counter(chain.from_iterable(words_of(one.folded.text) for one in self._entries))
        return Counter({word: at for at, word in enumerate(sorted(often, key=lambda word: (often[word], word)), 1)})

    def _rarest(self, text: str) -> list[str]:
        """Of two texts that share half of their words one of these is in both: the rarest of each, all but half."""
        words = words_of(text)
        return sorted(words, key=self._ranks.__getitem__)[: len(words) // 2 + 1]


_Shelf = dict[str, dict[tuple[str, int], list[int]]]  # the positions of each spot, by a word of theirs
_NOWHERE: dict[tuple[str, int], list[int]] = {}


def _is_before(done: Item | Evidence, day: date) -> bool:
    written = (done.written or done.day) if isinstance(done, Evidence) else None
    return written is not None and written < day and done.project is not None
