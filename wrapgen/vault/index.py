"""The vault as the pipeline sees it: every source parsed, from the cache if possible, and every error listed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property, lru_cache, partial
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from wrapgen.notes import Contents, Document, Source, Trouble, UnreadBoxes
from wrapgen.vault import walk
from wrapgen.vault.cache import NO_DOCUMENT, CachedFiles, CacheFile, clock, program_key
from wrapgen.vault.unread import Headings, Unread, boxes_of, count_boxes, signs, summed

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from wrapgen.config import Config
    from wrapgen.vault.cache import FileReading
    from wrapgen.vault.reading import Then
    from wrapgen.vault.walk import FoundFile, Listing


class ReadOptions(NamedTuple):
    """How a vault is read."""

    remember: bool = False  # whether the cache may be written; then the caller holds the vault's lock
    say: Callable[[str], None] = lambda _: None  # called with one line about a problem with the cache
    # called from time to time with the number of files read, and the total
    progress: Callable[[int, int], None] | None = None


QUIETLY = ReadOptions()
_LINE_DAYS = "line-days"


_decode = msgspec.msgpack.Decoder(Document).decode


@dataclass(frozen=True)
class Glance:
    """A vault whose files are listed but not read."""

    root: Path
    config: Config
    manner: ReadOptions
    listing: Listing  # its files and folders
    now_ns: int  # a moment before they were listed, by the vault's file system; 0 when nothing is to be remembered
    counted: Mapping[str, Headings] | None = None  # the open boxes of all notes, when somebody has counted them already

    @classmethod
    def at(
        cls, root: Path, config: Config, manner: ReadOptions = QUIETLY, counted: Mapping[str, Headings] | None = None
    ) -> Glance:
        """List a vault's files."""
        now = clock(root, manner.say) if manner.remember else 0
        return cls(root, config, manner, walk.list_sources(root, config), now, counted)

    @cached_property
    def fingerprint(self) -> bytes:
        """The same value as long as no note is added, removed or changed, whether it is a source or not."""
        listing = self.listing
        files = [[(one.path, one.stamp) for one in listed] for listed in (listing.found, listing.others)]
        troubles = [(one.path, one.error) for one in listing.troubles]
        return blake2b(msgspec.msgpack.encode((files, listing.projects, troubles)), digest_size=20).digest()

    def is_settled(self, one: FoundFile) -> bool:
        """Whether a file may be cached: its next change must give it another stamp."""
        return one.stamp.settled(self.now_ns)

    @cached_property
    def unread(self) -> Unread:
        """The files that no source reads: their open boxes, and which could not be looked at."""
        if self.counted is not None:
            paths = (one.path for one in self.listing.others if one.path in self.counted)
            return Unread({path: self.counted[path] for path in paths})
        named = msgspec.json.encode(self.config.sections)
        key = f"boxes {blake2b(named, digest_size=8).hexdigest()}"
        count = partial(boxes_of, self.config.sections)
        readings = self.parse(self.listing.others, count, key, only=signs(self.config.sections.next))
        return count_boxes(readings, self.config.tasks.states)

    @cached_property
    def unread_boxes(self) -> UnreadBoxes:
        """Their boxes, summed up."""
        return summed(self.unread)

    def unread_documents(self) -> Iterator[tuple[FoundFile, Document]]:
        """The files that no source reads and that hold open boxes, parsed."""
        return self.documents(one for one in self.listing.others if one.path in self.unread.boxes)

    def read(self) -> Contents:
        """Every source, parsed; what cannot be read is among the troubles."""
        files = list(self.parse(self.listing.found))
        sources = tuple(source_of(found, _decode(reading.packed)) for found, reading in files if reading.readable)
        return Contents(sources, self.listing.projects, self.troubles_of(files))

    def troubles_of(self, files: Iterable[tuple[FoundFile, FileReading]]) -> tuple[Trouble, ...]:
        """What could not be listed, or not be read whole, of files that were read; by path and message."""
        troubles = (Trouble(found.path, why) for found, reading in files for why in reading.troubles)
        return in_order([*self.listing.troubles, *troubles])

    def parse(
        self,
        files: Iterable[FoundFile],
        then: Then | None = None,
        key: str = "",
        *,
        only: re.Pattern[str] | None = None,
    ) -> Iterator[tuple[FoundFile, FileReading]]:
        """Return files with their documents, or with what is made of these, from the cache if possible.

        Args:
            then: what is to be made of each file at once, by whichever process parses it; a function of a module.
            key: what that depends on, the file aside.
            only: files in which this is not found are taken for empty ones, hand-overs apart; no document is kept.
        """
        wanted = list(files)
        known = {one.path: kept for one in wanted if (kept := self._known(one, then, key))}
        unknown = [one for one in wanted if one.path not in known]
        readings: list[FileReading] = []
        if unknown:
            from wrapgen.vault.reading import read_all  # the parser: an unchanged vault needs none

            readings = read_all(unknown, then, self.manner.progress, only=only)
        for one, reading in zip(unknown, readings, strict=True):
            packed = NO_DOCUMENT if only else reading.packed
            known[one.path] = fresh = msgspec.structs.replace(reading, packed=packed, made_by=key)
            if fresh.readable and self.manner.remember and self.is_settled(one):
                self._cache.put(one.path, fresh)
        if self.manner.remember:
            self._cache.save({one.path for one in (*self.listing.found, *self.listing.others)})
        return ((one, known[one.path]) for one in wanted)

    def _known(self, one: FoundFile, then: Then | None, key: str) -> FileReading | None:
        """A file as it is in the cache; what depends on something else is made anew of its document."""
        kept = self._cache.get(one.path, one.stamp)
        if kept is None or (then and kept.made_by == key):
            return kept
        if kept.packed == NO_DOCUMENT:
            return None
        if then is None:
            return kept
        anew = msgspec.structs.replace(kept, made=then(one, _decode(kept.packed)), made_by=key)
        if self.manner.remember and self.is_settled(one):
            self._cache.put(one.path, anew)
        return anew

    def documents(self, files: Iterable[FoundFile]) -> Iterator[tuple[FoundFile, Document]]:
        """Files with what they hold, in their order; those that cannot be read are passed over."""
        return ((found, _decode(reading.packed)) for found, reading in self.parse(files) if reading.readable)

    def tick_days(self, paths: Collection[str]) -> Mapping[str, Mapping[int, date | None]]:
        """The commit days of lines by path and line; git gave no answer about a file that is missing."""
        from wrapgen.vault.git_blame import Blamed, commit_days

        stamps = {one.path: one.stamp for one in self.listing.found}
        settled = {one.path for one in self.listing.found if self.manner.remember and self.is_settled(one)}
        cache = CacheFile(self.root, _LINE_DAYS, Blamed, program_key(), self.manner.say)
        return commit_days(self.root, cache, paths, stamps, settled)

    @cached_property
    def _cache(self) -> CachedFiles:
        return CachedFiles(self.root, program_key(), self.manner.say)


def in_order(troubles: Iterable[Trouble]) -> tuple[Trouble, ...]:
    """Troubles ordered by path and message."""
    return tuple(sorted(troubles, key=lambda trouble: (trouble.path, trouble.error)))


def source_of(found: FoundFile, document: Document) -> Source:
    """A parsed file with what its place in the vault says about it."""
    place = found.place
    changed = _local_day(found.stamp.mtime_ns // _QUARTER_NS)
    return Source(found.path, found.kind, document, place.day, place.project, place.task, changed=changed)


_QUARTER_NS = 900 * 1_000_000_000


@lru_cache(maxsize=100_000)
def _local_day(quarter: int) -> date:
    """The local day of a quarter of an hour since 1970: a day begins with one, in every zone."""
    return datetime.fromtimestamp(quarter * 900).astimezone().date()
