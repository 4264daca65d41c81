"""Which entries may be one piece of work with another, by words, projects and places: the guard is not asked. PURE.

An entry that is like no other has the fate that its date gives it, whatever else the vault holds.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.pipeline.matching import alike
from wrapgen.pipeline.similar import SimilarityIndex
from wrapgen.text.folding import ComparableText

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wrapgen.pipeline.summary import FileSummary


class _Entry(NamedTuple):
    path: str
    place: int
    text: str
    project: str | None
    is_open: bool
    own_list: str


# Beyond this many partners of one item, there is no point in knowing them all.
_CROWD = 50

Alike = dict[str, set[int]]
Places = frozenset[int] | range


def find_all(summaries: Mapping[str, FileSummary], cutoff: float) -> Alike:
    """Compare all entries with each other.

    Args:
        summaries: every file's, by path.
        cutoff: least similarity, above 0 and up to 100.

    Returns:
        by path, the places of the entries that have a partner: items one of any kind, evidence an item.
    """
    projects = _by_project(summaries)
    untagged = projects.pop(None, [])
    found: Alike = defaultdict(set)
    for entries in projects.values():
        _find(entries, entries, cutoff, found)
    if untagged:
        # An untagged entry may be one with that of any project; two projects' entries are never one.
        tagged = [entry for entries in projects.values() for entry in entries]
        _find(untagged, [*untagged, *tagged], cutoff, found)
        _find(tagged, untagged, cutoff, found)
    return found


def find_new(summaries: Mapping[str, FileSummary], new: Mapping[str, Iterable[int]], cutoff: float) -> Alike:
    """Compare a few entries with all others.

    Args:
        summaries: every file's, by path.
        new: the places of those to be compared, by path.
        cutoff: least similarity, above 0 and up to 100.

    Returns:
        by path, the places of these entries and of all others that have one of these as a partner.
    """
    found: Alike = defaultdict(set)
    asking = [entry for path in new for entry in _entries(path, summaries[path], frozenset(new[path]))]
    if not asking:
        return found
    projects = {entry.project for entry in asking}
    known = _by_project(summaries, None if None in projects else frozenset((*projects, None)))
    for entry in asking:
        of_project = known.values() if entry.project is None else (known[entry.project], known[None])
        among = [other for entries in of_project for other in entries if _possible(entry, other)]
        for at in alike(entry.text, [other.text for other in among], cutoff):
            _note(entry, among[at], found)
    return found


def _possible(one: _Entry, other: _Entry) -> bool:
    """Whether the places of two entries let them be one: two lists never are, nor two lines of a list's file."""
    if not one.own_list or not other.own_list:
        return True
    return one.own_list == other.own_list and one.path != other.path


def _by_project(
    summaries: Mapping[str, FileSummary], only: frozenset[str | None] | None = None
) -> defaultdict[str | None, list[_Entry]]:
    found: defaultdict[str | None, list[_Entry]] = defaultdict(list)
    for path, summary in summaries.items():
        if only is None or not only.isdisjoint(summary.projects):
            for entry in _entries(path, summary, range(len(summary.texts))):
                if only is None or entry.project in only:
                    found[entry.project].append(entry)
    return found


def _entries(path: str, summary: FileSummary, places: Places) -> list[_Entry]:
    return [
        _Entry(path, place, summary.texts[place], summary.projects[place], place < summary.items, summary.own_list)
        for place in sorted(places)
    ]


def _find(asking: list[_Entry], among: list[_Entry], cutoff: float, found: Alike) -> None:
    """Look for the partners of all items among those that ask, as far as places let them have any."""
    of_lists, lists = defaultdict(list), defaultdict(list)
    for entry in asking:
        of_lists[entry.own_list].append(entry)
    for entry in among:
        lists[entry.own_list].append(entry)
    journals = lists.pop("", [])
    _find_alike(of_lists.pop("", []), among, cutoff, found)
    if journals:
        _find_alike([entry for entries in of_lists.values() for entry in entries], journals, cutoff, found)
    for name, entries in of_lists.items():
        if len({entry.path for entry in (*entries, *lists[name])}) > 1:
            _find_alike(entries, lists[name], cutoff, found)


def _find_alike(asking: list[_Entry], among: list[_Entry], cutoff: float, found: Alike) -> None:
    """Look for the partners of all items by their words."""
    items = sorted((entry for entry in asking if entry.is_open), key=_length)
    if items and not _find_all_of(items, among, cutoff, found):
        # What the items of a crowd have not found must ask for itself.
        _find_one_of_each([entry for entry in among if entry.place not in found[entry.path]], items, cutoff, found)


def _find_all_of(items: list[_Entry], among: list[_Entry], cutoff: float, found: Alike) -> bool:
    """Find all partners of the items, unless they are a crowd: then at least one of each, and the answer is no."""
    index = SimilarityIndex([ComparableText(entry.text) for entry in among], cutoff)
    crowded = False
    for entry in items:
        if crowded and entry.place in found[entry.path]:
            continue
        partners = 0
        for at in index.matches(ComparableText(entry.text)):
            partners += _note(entry, among[at], found)
            if partners >= (1 if crowded else _CROWD):
                crowded = True
                break
    return not crowded


def _find_one_of_each(entries: list[_Entry], items: list[_Entry], cutoff: float, found: Alike) -> None:
    index = SimilarityIndex([ComparableText(entry.text) for entry in items], cutoff)
    for entry in sorted(entries, key=_length):
        for at in index.matches(ComparableText(entry.text)):
            if _note(entry, items[at], found):
                break


def _length(entry: _Entry) -> int:
    return len(entry.text)


def _note(one: _Entry, other: _Entry, found: Alike) -> bool:
    """Write down that two entries are alike, if that can mean anything: two finished ones are nothing to each other."""
    if one is other or (one.path, one.place) == (other.path, other.place) or not (one.is_open or other.is_open):
        return False
    if not _possible(one, other):
        return False
    found[one.path].add(one.place)
    found[other.path].add(other.place)
    return True
