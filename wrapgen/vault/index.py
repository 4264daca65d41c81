"""The vault as the pipeline sees it: every source parsed, from the cache if possible, and every error listed."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, datetime
from functools import cached_property, lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from wrapgen.config import Config
from wrapgen.late_pattern import late
from wrapgen.notes import LEADING_LINE_LEVEL, Contents, Document, Source, Trouble, UnreadBoxes, UnreadGroup
from wrapgen.resources import any_word
from wrapgen.vault import walk
from wrapgen.vault.cache import FileReading, clock, program_key
from wrapgen.vault.entry_index import Content, DamagedIndexError, EntryIndex, Kept, stamp_of
from wrapgen.vault.walk import Listing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from wrapgen.config import SectionNames
    from wrapgen.vault.reading import Then
    from wrapgen.vault.walk import FoundFile

# Without one of these, or a heading that may be one of *Next*, a file holds nothing open, so it need not be parsed.
_SIGNS = r"\[[^xX\]\n]?\]|[☐⬜🔲]|\b(?:TODO|LATER|NOW|DOING|WAIT|WAITING|IN-PROGRESS)\b"
_FOR_READERS = late(r"(?:.*/)?(?:readme|contributing|changelog|license|code_of_conduct)\b[^/]*", re.IGNORECASE)

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


def count_boxes(tallies: Iterable[tuple[str, Tally]], states: Mapping[str, str]) -> Unread:
    """Return the open boxes of files, where marks mean what a vault says."""
    boxes: dict[str, Headings] = {}
    empty = ignored = 0
    for path, tally in tallies:
        headings, no_work = tally.seen_as(states)
        empty, ignored = empty + tally.empty, ignored + no_work
        if headings:
            boxes[path] = headings
    return Unread(boxes, empty=empty, ignored=ignored)


def is_for_readers(path: str) -> bool:
    """Tell whether a file tells others about the work: what it says to be next is for them."""
    return _FOR_READERS.fullmatch(path) is not None


@lru_cache(maxsize=4)
def signs(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return what stands in every file that holds something open."""
    words = "|".join([any_word("sign_of_open"), *map(re.escape, names)])
    return re.compile(rf"{_SIGNS}|^\s{{0,3}}(?:#{{1,6}}\s|\*\*).*?(?i:{words})", re.MULTILINE)


@lru_cache(maxsize=1)
def _worth_parsing(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return what stands in every file that somebody could call a list: measurements in long tables are none."""
    listed, long_table = r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]", r"[\s\S]*(?:^[ \t]*\|[^\n]*\n){20}"
    return re.compile(rf"{signs(names).pattern}|{listed}|\A(?!{long_table})", re.MULTILINE)


def tally_of(names: SectionNames, found: FoundFile, document: Document) -> Tally:
    """Count the boxes of a file, and what it says to be next."""
    # Late: their patterns take 20 ms to compile, and notes that did not change need none.
    from wrapgen.text.headings import NEXT, is_parked, roles

    sections = document.sections
    means = roles(sections, names)
    if is_for_readers(found.path):
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
    return Tally(tuple((*kind, number) for kind, number in boxes.items()), len(document.empty), document.ignored)


def boxes_of(names: SectionNames, found: FoundFile, document: Document) -> bytes:
    """The same, packed: what a process that parses it gives back."""
    tally = tally_of(names, found, document)
    return msgspec.msgpack.encode(Made(b"" if tally == Tally() else msgspec.msgpack.encode(tally)))


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


class Surveyed(NamedTuple):
    """All notes of a folder, parsed once, whatever is a source."""

    readings: Mapping[str, FileReading]  # by path; a file that is missing is parsed where it is asked for
    boxes: Mapping[str, Headings]  # the open boxes of those that hold some

    def document(self, path: str) -> Document:
        """Return what a file holds; nothing of one that nobody could call a list."""
        reading = self.readings.get(path)
        return _decode(reading.packed) if reading else Document()


class Made(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What was made of a file, each part packed; nothing for what need not be kept."""

    known: bytes = b""  # what is asked about every file
    items: bytes = b""
    evidence: bytes = b""
    rest: bytes = b""


class FileHead(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is asked about every file."""

    troubles: tuple[str, ...] = ()  # why it could not be read whole
    known: bytes = b""


class ReadOptions(NamedTuple):
    """How a vault is read."""

    remember: bool = False  # whether the cache may be written; then the caller holds the vault's lock
    say: Callable[[str], None] = lambda _: None  # called with one line about a problem with the cache
    # called from time to time with the number of files read, and the total
    progress: Callable[[int, int], None] | None = None


QUIETLY = ReadOptions()
_LINE_DAYS = "line-days"


_decode = msgspec.msgpack.Decoder(Document).decode
_decode_made = msgspec.msgpack.Decoder(Made).decode
_decode_tally = msgspec.msgpack.Decoder(Tally).decode
_decode_head = msgspec.msgpack.Decoder(FileHead).decode
_EMPTY = msgspec.Raw(msgspec.msgpack.encode(Document()))


class Glance(msgspec.Struct, frozen=True, dict=True):
    """A vault whose files are listed but not read."""

    root: Path
    config: Config
    manner: ReadOptions
    listing: Listing  # its files and folders
    now_ns: int  # a moment before they were listed, by the vault's file system; 0 when nothing is to be remembered
    surveyed: Surveyed | None = None  # all notes, when somebody has parsed them already
    unreadable: dict[str, str] = {}  # why, of the files that were tried and could not be read

    @classmethod
    def at(cls, root: Path, config: Config, manner: ReadOptions = QUIETLY, surveyed: Surveyed | None = None) -> Glance:
        """List a vault's files."""
        now = clock(root, manner.say) if manner.remember else 0
        return cls(root, config, manner, walk.list_sources(root, config), now, surveyed)

    def after(self, former: Glance) -> Glance:
        """Go on with the index of a look that was had before some files were written."""
        if former.manner.remember is self.manner.remember:
            self.__dict__["index"] = former.index
            former.index.is_used = True
        return self

    @cached_property
    def index(self) -> EntryIndex:
        """What is known of the files."""
        return EntryIndex(self.root, remember=self.manner.remember, say=self.manner.say)

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

    def read_anew(
        self, files: Sequence[FoundFile], then: Then, key: str, *, only: re.Pattern[str] | None = None
    ) -> None:
        """Take those files that have changed into the index.

        Args:
            then: what is to be made of each, by whichever process parses it, as a packed `Made`; of a module.
            key: what that depends on, the file aside.
            only: files in which this is not found are taken for empty ones; no document is kept.
        """
        unread = [one for one in self.changed(files, key) if not self._is_taken_over(one, then, key)]
        readings: list[FileReading] = []
        if unread:
            from wrapgen.vault.reading import read_all  # the parser: an unchanged vault needs none

            readings = read_all(unread, then, self.manner.progress, only=only)
        for one, reading in zip(unread, readings, strict=True):
            if reading.readable:
                self._take(one, key, reading.troubles, reading.made, b"" if only else bytes(reading.packed))
            else:
                self.unreadable[one.path] = reading.troubles[0]
                self.index.forget([one.path])

    def changed(self, files: Iterable[FoundFile], key: str) -> list[FoundFile]:
        """Return the files of which the index knows nothing, or another state."""
        known = self.index.files

        def is_known(one: FoundFile) -> bool:
            found = known.get(one.path)
            return found is not None and found.stamp == stamp_of(one.stamp) and found.made_by == key

        return [one for one in files if one.path not in self.unreadable and not is_known(one)]

    def _is_taken_over(self, one: FoundFile, then: Then, key: str) -> bool:
        """Take over what is known of a file that has not changed; what depends on something else is made anew."""
        stands = self.index.standing(one.path, stamp_of(one.stamp))
        if stands is None:
            return False
        known, content = stands
        if known.made_by == key:
            self.index.put(one.path, known.stamp, key, known.known, content)
            return True
        if content.document is None:
            return False
        troubles = _decode_head(known.known).troubles
        self._take(one, key, troubles, msgspec.Raw(then(one, _decode(content.document))), content.document)
        return True

    def _take(self, one: FoundFile, key: str, troubles: tuple[str, ...], packed: msgspec.Raw, document: bytes) -> None:
        made = _decode_made(packed)
        head = msgspec.msgpack.encode(FileHead(troubles, made.known))
        parts = (document, *map(bytes, (made.items, made.evidence, made.rest)))
        content = Content(*(part or None for part in parts))
        self.index.put(one.path, stamp_of(one.stamp), key, head, content, settled=self.is_settled(one))

    def heads(self, files: Iterable[FoundFile]) -> Iterator[tuple[FoundFile, FileHead]]:
        """Return what is known of each file, of those that could be read."""
        known = self.index.files
        return ((one, _decode_head(known[one.path].known)) for one in files if one.path in known)

    @cached_property
    def unread(self) -> Unread:
        """The files that no source reads: their open boxes, and which could not be looked at."""
        others = self.listing.others
        if self.surveyed is not None:
            boxes = self.surveyed.boxes
            return Unread({one.path: boxes[one.path] for one in self.listing.others if one.path in boxes})
        named = msgspec.json.encode(self.config.names)
        key = f"boxes {blake2b(named, digest_size=8).hexdigest()}"
        self.read_anew(others, partial(boxes_of, self.config.names), key, only=signs(self.config.names.next))
        tallies = ((one.path, _decode_tally(head.known)) for one, head in self.heads(others) if head.known)
        return count_boxes(tallies, self.config.tasks.states)._replace(troubles=tuple(self._refused(others)))

    @cached_property
    def unread_boxes(self) -> UnreadBoxes:
        """Their boxes, summed up."""
        return summed(self.unread)

    def survey(self) -> Surveyed:
        """Parse every note, once for all looks at the same files."""
        from wrapgen.vault.reading import read_all

        notes = (*self.listing.found, *self.listing.others)
        known = self._kept(notes)
        rest = [one for one in notes if one.path not in known]
        only = _worth_parsing(self.config.names.next)
        for one, reading in zip(rest, read_all(rest, progress=self.manner.progress, only=only), strict=True):
            if reading.readable and reading.packed != _EMPTY:
                known[one.path] = reading
        names = self.config.names
        tallies = (
            (one.path, tally)
            for one in notes
            if one.path in known and (tally := tally_of(names, one, _decode(known[one.path].packed))) != Tally()
        )
        return Surveyed(known, count_boxes(tallies, self.config.tasks.states).boxes)

    def unread_documents(self) -> Iterator[tuple[FoundFile, Document]]:
        """The files that no source reads and that hold open boxes, parsed."""
        return self.documents(one for one in self.listing.others if one.path in self.unread.boxes)

    def read(self) -> Contents:
        """Every source, parsed; what cannot be read is among the troubles."""
        found = self.listing.found
        sources = tuple(source_of(one, document) for one, document in self.documents(found))
        return Contents(sources, self.listing.projects, self.troubles_of(found))

    def troubles_of(self, files: Sequence[FoundFile]) -> tuple[Trouble, ...]:
        """What could not be listed, or not be read whole, of files that were read; by path and message."""
        not_whole = (Trouble(one.path, why) for one, head in self.heads(files) for why in head.troubles)
        return in_order([*self.listing.troubles, *not_whole, *self._refused(files)])

    def _refused(self, files: Iterable[FoundFile]) -> Iterator[Trouble]:
        refused = self.unreadable
        return (Trouble(one.path, refused[one.path], unread=True) for one in files if one.path in refused)

    def documents(self, files: Iterable[FoundFile]) -> Iterator[tuple[FoundFile, Document]]:
        """Files with what they hold, in their order; those that cannot be read are passed over."""
        return ((one, _decode(reading.packed)) for one, reading in self.readings(files) if reading.readable)

    def readings(self, files: Iterable[FoundFile]) -> Iterator[tuple[FoundFile, FileReading]]:
        """Files with their packed documents, as somebody has parsed them, from the index, or parsed now."""
        wanted = list(files)
        found = {one.path: reading for one in wanted if (reading := self._parsed(one))}
        found |= self._kept([one for one in wanted if one.path not in found])
        if unknown := [one for one in wanted if one.path not in found]:
            from wrapgen.vault.reading import read_all

            readings = read_all(unknown, None, self.manner.progress)
            found |= {one.path: reading for one, reading in zip(unknown, readings, strict=True)}
        return ((one, found[one.path]) for one in wanted)

    def _parsed(self, one: FoundFile) -> FileReading | None:
        return self.surveyed.readings.get(one.path) if self.surveyed else None

    def _kept(self, files: Sequence[FoundFile]) -> dict[str, FileReading]:
        """The documents of files that the index has in the state that they are in."""
        known = self.index.files
        stands = {
            known[one.path].id: one
            for one in files
            if one.path in known and known[one.path].stamp == stamp_of(one.stamp)
        }
        try:
            kept = list(self.index.contents("document", stands))
        except DamagedIndexError:
            return {}
        return {
            stands[key].path: FileReading(
                stands[key].stamp, msgspec.Raw(data), _decode_head(known[stands[key].path].known).troubles
            )
            for key, data in kept
        }

    def tick_days(self, paths: Collection[str]) -> Mapping[str, Mapping[int, date | None]]:
        """The commit days of lines by path and line; git gave no answer about a file that is missing."""
        from wrapgen.vault.git_blame import Blamed, commit_days

        stamps = {one.path: one.stamp for one in self.listing.found}
        settled = {one.path for one in self.listing.found if self.manner.remember and self.is_settled(one)}
        days = commit_days(self.root, Kept(self.index, _LINE_DAYS, Blamed, program_key()), paths, stamps, settled)
        self.index.finish()
        return days


def in_order(troubles: Iterable[Trouble]) -> tuple[Trouble, ...]:
    """Troubles ordered by path and message."""
    return tuple(sorted(troubles, key=lambda trouble: (trouble.path, trouble.error)))


def day_of(found: FoundFile) -> date:
    """Return the local day of a file's last change."""
    return _local_day(found.stamp.mtime_ns // _QUARTER_NS)


def source_of(found: FoundFile, document: Document) -> Source:
    """A parsed file with what its place in the vault says about it."""
    place, changed = found.place, day_of(found)
    return Source(found.path, found.kind, document, place.day, place.project, place.task, changed=changed)


_QUARTER_NS = 900 * 1_000_000_000


@lru_cache(maxsize=100_000)
def _local_day(quarter: int) -> date:
    """The local day of a quarter of an hour since 1970: a day begins with one, in every zone."""
    return datetime.fromtimestamp(quarter * 900).astimezone().date()
