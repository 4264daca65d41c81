"""The summary of each file, from the cache or by parsing those that changed, and which of their entries are alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from wrapgen.notes import Trouble
from wrapgen.pipeline.summary import FileSummary
from wrapgen.vault.cache import CacheFile
from wrapgen.vault.files import LARGEST_FILE
from wrapgen.vault.stamps import Stamp

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wrapgen.vault.index import Glance
    from wrapgen.workflows.collecting import EntryFiles

_FILE = "summaries"
# When one file in so many is new, comparing all entries with each other is faster than each new one with all.
_MANY = 20


class Kept(msgspec.Struct, array_like=True, gc=False):
    """A file that was summarised."""

    stamp: Stamp  # identifies its content
    troubles: tuple[str, ...]  # problems with it
    summary: FileSummary  # what it holds


class SummaryFiles:
    """The summaries of a vault's files.

    Args:
        glance: the vault, listed.
        entry_files: gives the entries of its files.

    Attributes:
        known: what the cache holds, of files as they were.
        kept: every file that can be read, in their order, after `read`.
        errors: why others cannot be read, after `read`.
        whole: whether every file was read that could be, after `read`.
    """

    def __init__(self, glance: Glance, entry_files: EntryFiles) -> None:
        self._glance = glance
        self._entry_files = entry_files
        self._file = CacheFile(glance.root, _FILE, dict[str, Kept], entry_files.key, glance.manner.say)
        self.known: Mapping[str, Kept] = self._file.load() or {}
        listed = glance.listing.found
        self._changed = [one for one in listed if one.path not in self.known or self.known[one.path].stamp != one.stamp]
        self.kept: dict[str, Kept] = {}
        self.errors: list[Trouble] = []
        self.whole = True

    @property
    def are_new(self) -> bool:
        """Whether so many files changed that all entries have to be compared with each other."""
        return len(self._changed) * _MANY > len(self._glance.listing.found)

    def read(self) -> dict[str, FileSummary]:
        """Summarise what changed, and compare its entries with all others.

        Returns:
            the summary of every file that can be read, by path.
        """
        self._summarise()
        summaries = {path: one.summary for path, one in self.kept.items()}
        self._compare(summaries)
        if self._glance.manner.remember:
            found = {one.path: one for one in self._glance.listing.found}
            self._file.save({path: one for path, one in self.kept.items() if self._glance.is_settled(found[path])})
        return summaries

    def _summarise(self) -> None:
        fresh: dict[str, Kept] = {}
        for one in self._entry_files.of(self._changed, summaries=True):
            found = one.found
            if one.summary is not None:
                fresh[found.path] = Kept(found.stamp, one.reading.troubles, one.summary)
                continue
            self.errors += [Trouble(found.path, why) for why in one.reading.troubles]
            self.whole = self.whole and found.stamp.size > LARGEST_FILE
        unread = {error.path for error in self.errors}
        readable = (one.path for one in self._glance.listing.found if one.path not in unread)
        self.kept = {path: fresh.get(path) or self.known[path] for path in readable}

    def _compare(self, summaries: Mapping[str, FileSummary]) -> None:
        """Compare the new entries with the others."""
        from wrapgen.pipeline import same_texts  # a look at notes that did not change compares nothing

        cutoff = self._glance.config.evidence_threshold  # the least of all
        known = {path: one.summary for path, one in self.known.items()}
        changed = [path for path, summary in summaries.items() if known.get(path) is not summary]
        if len(changed) * _MANY > len(summaries):
            found = same_texts.find_all(summaries, cutoff)
        else:
            new = {path: _new_places(known.get(path), summaries[path]) for path in changed}
            found = same_texts.find_new(summaries, new, cutoff)
        for path, places in found.items():
            summaries[path].alike = sorted(places.union(summaries[path].alike))


def _new_places(former: FileSummary | None, summary: FileSummary) -> list[int]:
    """The entries that a file did not have before; comparisons of old ones are reused."""
    if former is None:
        return list(range(len(summary.texts)))
    known: dict[tuple[str, str | None, bool], bool] = {}
    liked = set(former.alike)
    for place, entry in enumerate(_entries(former)):
        known[entry] = known.get(entry, False) or place in liked
    new: list[int] = []
    for place, entry in enumerate(_entries(summary)):
        if entry not in known:
            new.append(place)
        elif known[entry]:
            summary.alike.append(place)
    return new


def _entries(summary: FileSummary) -> list[tuple[str, str | None, bool]]:
    opened = [place < summary.items for place in range(len(summary.texts))]
    return list(zip(summary.texts, summary.projects, opened, strict=True))
