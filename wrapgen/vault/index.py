"""The vault as the pipeline sees it: every source parsed, from the cache if possible, and every error listed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property, lru_cache, partial
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from wrapgen.late_pattern import late
from wrapgen.notes import LEADING_LINE_LEVEL, Contents, Document, Source, Trouble, UnreadBoxes, UnreadGroup
from wrapgen.resources import any_word
from wrapgen.vault import walk
from wrapgen.vault.cache import NOTHING, CachedFiles, CacheFile, clock, program_key

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from wrapgen.config import Config, SectionNames
    from wrapgen.vault.cache import FileReading
    from wrapgen.vault.reading import Then
    from wrapgen.vault.walk import FoundFile, Listing

# Without one of these, or a heading that may be one of *Next*, a file holds nothing open, so it need not be parsed.
_SIGNS = r"\[[^xX\]\n]?\]|[☐⬜🔲]|\b(?:TODO|LATER|NOW|DOING|WAIT|WAITING|IN-PROGRESS)\b"
_FOR_READERS = late(r"(?:readme|contributing|changelog|license|code_of_conduct)\b.*", re.IGNORECASE)

Headings = tuple[tuple[str, int], ...]
"""The open boxes of a file: headings as written, and how many stand below each."""


class Unread(NamedTuple):
    """The files that no source reads; what a *Next* list says without boxes counts as boxes do."""

    boxes: Mapping[str, Headings]  # those that hold open boxes, by path
    troubles: tuple[Trouble, ...] = ()  # why others could not be looked at: nobody knows what is open in them
    empty: int = 0  # how many open boxes in them have no words
    ignored: int = 0  # how many stand in code, quotes, comments or front matter, or have a mark that means no task


class Tally(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The boxes of a file: each kind as heading, mark, whether it is done, and how many; and those that are no work."""

    boxes: tuple[tuple[str, str, bool, int], ...] = ()
    empty: int = 0
    ignored: int = 0

    def seen_as(self, states: Mapping[str, str]) -> tuple[Headings, int]:
        """The open boxes by heading, and how many are ignored, where marks mean what a vault says."""
        headings: Counter[str] = Counter()
        ignored = self.ignored
        for heading, mark, done, number in self.boxes:
            state = states.get(mark)
            if state == "ignored":
                ignored += 0 if done else number
            elif state == "open" or (state is None and not done):
                headings[heading] += number
        return tuple(headings.items()), ignored


def count_boxes(readings: Iterable[tuple[FoundFile, FileReading]], states: Mapping[str, str]) -> Unread:
    """Count the open boxes of files, by what `boxes_of` made of each, and by what marks mean in this vault."""
    decode = msgspec.msgpack.Decoder[Tally | None](Tally | None).decode
    boxes: dict[str, Headings] = {}
    troubles: list[Trouble] = []
    empty = ignored = 0
    for found, reading in readings:
        if not reading.readable:
            troubles.append(Trouble(found.path, reading.troubles[0]))
        elif tally := decode(reading.made):
            headings, no_work = tally.seen_as(states)
            empty, ignored = empty + tally.empty, ignored + no_work
            if headings:
                boxes[found.path] = headings
    return Unread(boxes, tuple(troubles), empty, ignored)


@lru_cache(maxsize=4)
def signs(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return what stands in every file that holds something open."""
    words = "|".join([any_word("sign_of_open"), *map(re.escape, names)])
    return re.compile(rf"{_SIGNS}|^\s{{0,3}}(?:#{{1,6}}\s|\*\*).*?(?i:{words})", re.MULTILINE)


def boxes_of(names: SectionNames, found: FoundFile, document: Document) -> bytes:
    """The boxes of a file, and what it says to be next, packed: what a process that parses it gives back."""
    # Late: their patterns take 20 ms to compile, and notes that did not change need none.
    from wrapgen.text.headings import NEXT, is_parked, roles

    sections = document.sections
    means = roles(sections, names)
    if _FOR_READERS.fullmatch(found.path.rpartition("/")[2]):
        means = [""] * len(means)
    is_next = [  # in prose, a line that ends in a colon heads lists of anything
        role == NEXT and one.level < LEADING_LINE_LEVEL and not is_parked(one.title)
        for one, role in zip(sections, means, strict=True)
    ]
    boxes: Counter[tuple[str, str, bool]] = Counter()
    for entry in document.entries:
        title = sections[entry.section].title if entry.section >= 0 else ""
        if entry.box:
            boxes[title, entry.mark, entry.done] += 1
        elif not entry.done and entry.section >= 0 and is_next[entry.section]:
            boxes[title, "", False] += 1
    tally = Tally(tuple((*kind, number) for kind, number in boxes.items()), len(document.empty), document.ignored)
    return msgspec.msgpack.encode(None if tally == Tally() else tally)


def summed(unread: Unread) -> UnreadBoxes:
    """The same by folder and heading."""
    counted = unread.boxes
    by: Counter[tuple[str, str]] = Counter()
    for path, headings in counted.items():
        folder = path.rpartition("/")[0]
        for heading, boxes in headings:
            by[folder, heading] += boxes
    groups = [UnreadGroup(folder, heading, boxes) for (folder, heading), boxes in by.items()]
    ordered = sorted(groups, key=lambda one: (-one.boxes, one.folder, one.heading))
    return UnreadBoxes(sum(by.values()), len(counted), tuple(ordered), unread.empty, unread.ignored)


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
        named = msgspec.json.encode(self.config.names)
        key = f"boxes {blake2b(named, digest_size=8).hexdigest()}"
        count = partial(boxes_of, self.config.names)
        readings = self.parse(self.listing.others, count, key, only=signs(self.config.names.next))
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
            only: files in which this is not found are taken for empty ones; no document is kept.
        """
        wanted = list(files)
        known = {one.path: kept for one in wanted if (kept := self._known(one, then, key))}
        unknown = [one for one in wanted if one.path not in known]
        readings: list[FileReading] = []
        if unknown:
            from wrapgen.vault.reading import read_all  # the parser: an unchanged vault needs none

            readings = read_all(unknown, then, self.manner.progress, only=only)
        for one, reading in zip(unknown, readings, strict=True):
            packed = NOTHING if only else reading.packed
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
        if kept.packed == NOTHING:
            return None
        if then is None:
            return kept
        anew = msgspec.structs.replace(kept, made=msgspec.Raw(then(one, _decode(kept.packed))), made_by=key)
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

    def let_go(self) -> None:
        """Keep nothing in memory of the files that were read, where the cache keeps it: 75 MB of 10,000 files."""
        if self.manner.remember:
            self.__dict__.pop("_cache", None)

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
