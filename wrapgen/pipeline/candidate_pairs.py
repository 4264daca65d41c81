"""Finds items or evidence that may be the same work as another one: by place, project and words. PURE.

Two lists, or two tasks, are never one piece of work: journals alone carry the work of all of them. So an entry of a
list is compared with journals, and with the other files of its own list, however many lists say the same. Items of two
projects never match either, so each project is searched by itself; what has no project is searched for all.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from wrapgen.pipeline.similar import SimilarityIndex

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from wrapgen.model import Evidence, Item
    from wrapgen.pipeline.blocking import Crowds

_JOURNALS = ""
# The scope of all entries, journals and lists; no list is called so.
_EVERYTHING = "*"


class PossiblePlaces:
    """Where entries stand, as far as that tells whether anything can be one with another entry.

    Args:
        entries: all that may be partners, tagged.
    """

    def __init__(self, entries: Iterable[Item | Evidence]) -> None:
        self._journals: set[str | None] = set()
        files: defaultdict[str, set[str]] = defaultdict(set)
        for entry in entries:
            if entry.own_list:
                files[entry.own_list].add(entry.path)
            else:
                self._journals.add(entry.project)
        self._files = dict(files)

    def alone(self, entry: Item | Evidence) -> bool:
        """Whether an entry can be one with nothing, whatever the words: no journal and no other file of its list."""
        if not entry.own_list or (self._journals if entry.project is None else self._journals & {entry.project, None}):
            return False
        return self._files.get(entry.own_list, set()) <= {entry.path}


class Pool:
    """Entries that can be partners; a position among them is the key of every answer.

    Args:
        entries: all of them, tagged.
        cutoff: least similarity, above 0 and up to 100.
        crowds: the crowds among these entries and those that will ask.
    """

    def __init__(self, entries: Sequence[Item | Evidence], cutoff: float, crowds: Crowds) -> None:
        self._entries = entries
        self._cutoff = cutoff
        self._crowds = crowds
        self._positions: defaultdict[tuple[str, str | None], list[int]] = defaultdict(list)
        self._projects: defaultdict[str, set[str | None]] = defaultdict(set)
        for position, entry in enumerate(entries):
            for scope in (_EVERYTHING, entry.own_list):
                self._positions[scope, entry.project].append(position)
                self._projects[scope].add(entry.project)
        self._indexes: dict[tuple[str, frozenset[str | None]], tuple[list[int], SimilarityIndex]] = {}

    def query(self, entry: Item | Evidence) -> list[int]:
        """Give the positions of all that may be this entry's twin, ascending; the guard is to be asked of each.

        Entries that ask in the order of their texts' lengths are answered faster.
        """
        if not entry.own_list:
            return sorted(self._within(_EVERYTHING, entry))
        return sorted([*self._within(_JOURNALS, entry), *self._within(entry.own_list, entry)])

    def in_own_list(self, entry: Item | Evidence) -> list[int]:
        """The same among the entries of a list alone, in no order."""
        return self._within(entry.own_list, entry)

    def apart(self, entry: Item | Evidence, position: int) -> bool:
        """Whether the guard is known to refuse one of the answers."""
        return self._crowds.apart(entry, self._entries[position])

    def _within(self, scope: str, entry: Item | Evidence) -> list[int]:
        known = self._projects.get(scope, set())
        if entry.project is None:
            return self._found(scope, known, entry)
        return [at for project in known & {entry.project, None} for at in self._found(scope, {project}, entry)]

    def _found(self, scope: str, projects: Collection[str | None], entry: Item | Evidence) -> list[int]:
        key = scope, frozenset(projects)
        if key not in self._indexes:
            self._indexes[key] = self._index(scope, projects)
        positions, index = self._indexes[key]
        return [positions[place] for place in index.query(entry.folded, self._crowds.of(entry))]

    def _index(self, scope: str, projects: Collection[str | None]) -> tuple[list[int], SimilarityIndex]:
        positions = sorted(at for project in projects for at in self._positions[scope, project])
        entries = [self._entries[position] for position in positions]
        crowds = [self._crowds.of(entry) for entry in entries]
        return positions, SimilarityIndex([entry.folded for entry in entries], self._cutoff, crowds)
