"""Items or evidence, asked which of them may be one piece of work with another: alike, and of no other project. PURE.

Items of two projects never match, so each project is searched by itself; what has no project is searched for all.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from typing import TYPE_CHECKING

from wrapgen.pipeline.similar import SimilarityIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.model import Evidence, Item
    from wrapgen.pipeline.crowds import Crowds


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
        self._projects: defaultdict[str | None, list[int]] = defaultdict(list)
        for position, entry in enumerate(entries):
            self._projects[entry.project].append(position)
        self._all = range(len(entries))
        self._indexes: dict[str | None, SimilarityIndex] = {}
        self._whole: SimilarityIndex | None = None
        self._across: dict[int, list[int]] | None = None

    def query(self, entry: Item | Evidence) -> list[int]:
        """Give the positions of all that may be this entry's twin, ascending; the guard is to be asked of each.

        Entries that ask in the order of their texts' lengths are answered faster.
        """
        if entry.project is None and len(self._projects) > (None in self._projects):
            if self._whole is None:
                self._whole = self._index(self._all)
            return self._whole.query(entry.folded, self._crowds.of(entry))
        found = self._in_project(entry.project, entry)
        return sorted(found + self._in_project(None, entry)) if entry.project is not None else found

    def earlier(self, position: int) -> list[int]:
        """Give the positions before this one that may be its twins, ascending.

        The first call compares all entries with each other.

        Args:
            position: a position of the entries given at the beginning.
        """
        if self._across is None:
            self._across = self._between_projects()
        project = self._entries[position].project
        positions = self._projects[project]
        within = self._index_of(project).earlier(bisect_left(positions, position))
        found = [positions[place] for place in within]
        return sorted(found + across) if (across := self._across.get(position)) else found

    def apart(self, entry: Item | Evidence, position: int) -> bool:
        """Whether the guard is known to refuse one of the answers."""
        return self._crowds.apart(entry, self._entries[position])

    def _in_project(self, project: str | None, entry: Item | Evidence) -> list[int]:
        if project not in self._projects:
            return []
        positions = self._projects[project]
        found = self._index_of(project).query(entry.folded, self._crowds.of(entry))
        return [positions[place] for place in found]

    def _index_of(self, project: str | None) -> SimilarityIndex:
        if project not in self._indexes:
            self._indexes[project] = self._index(self._projects[project])
        return self._indexes[project]

    def _index(self, positions: Sequence[int]) -> SimilarityIndex:
        entries = [self._entries[position] for position in positions]
        crowds = [self._crowds.of(entry) for entry in entries]
        return SimilarityIndex([entry.folded for entry in entries], self._cutoff, crowds)

    def _between_projects(self) -> dict[int, list[int]]:
        """For each position the earlier ones that are alike, where one of the two has a project and the other none."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        if None not in self._projects:
            return found
        tagged = (position for position in self._all if self._entries[position].project is not None)
        for position in sorted(tagged, key=lambda position: len(self._entries[position].folded.text)):
            for other in self._in_project(None, self._entries[position]):
                found[max(position, other)].append(min(position, other))
        return found
