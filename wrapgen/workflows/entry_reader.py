"""The entries of a vault's files: the index brought up to date, and read."""

from __future__ import annotations

from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from wrapgen.model import Evidence, Item
from wrapgen.pipeline.candidates import place_of
from wrapgen.pipeline.collected import (
    FileEntries,
    FileRest,
    FileSummary,
    SourceFile,
    canonical,
    entries_of,
    gathered,
    summary_of,
)
from wrapgen.vault.cache import program_key, time_zone
from wrapgen.vault.entry_index import DamagedIndexError
from wrapgen.vault.index import Made, source_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import date

    from wrapgen.config import Config
    from wrapgen.notes import Document
    from wrapgen.pipeline.projects import Projects
    from wrapgen.pipeline.stage import StageResult
    from wrapgen.vault.index import Glance
    from wrapgen.vault.walk import FoundFile

_items = msgspec.msgpack.Decoder(tuple[Item, ...]).decode
_evidence = msgspec.msgpack.Decoder(tuple[Evidence, ...]).decode
_rest = msgspec.msgpack.Decoder(FileRest).decode
_summary = msgspec.msgpack.Decoder(FileSummary).decode
NO_REST = FileRest()
_FEW = 200  # files that are decoded at once


class LineWords(msgspec.Struct, frozen=True, gc=False):
    """What names an item: of each that there is, no more is decoded."""

    text: str
    path: str
    context: tuple[str, ...] = ()
    project: str | None = None


class _RestWords(msgspec.Struct, frozen=True, array_like=True, gc=False):
    backlog: tuple[LineWords, ...] = ()


_words = msgspec.msgpack.Decoder(tuple[LineWords, ...]).decode
_rest_words = msgspec.msgpack.Decoder(_RestWords).decode


class ReadFile(NamedTuple):
    """A source that could be read."""

    id: int
    found: FoundFile
    summary: FileSummary

    @property
    def day(self) -> date | None:
        return self.found.place.day

    @property
    def source(self) -> SourceFile:
        return source_file(self.found)


def source_file(found: FoundFile) -> SourceFile:
    """Return what later stages ask of a file."""
    return SourceFile(found.path, found.kind, found.place.day)


def made_of(config: Config, projects: Projects, found: FoundFile, document: Document) -> bytes:
    """Return what is kept of a source, packed: what a process that parses it gives back."""
    entries = entries_of(source_of(found, document), config, projects)
    rest = FileRest(entries.backlog, entries.unread, entries.unreadable_dates)
    pack = msgspec.msgpack.encode
    return pack(
        Made(
            pack(summary_of(entries)),
            pack(entries.items) if entries.items else b"",
            pack(entries.evidence) if entries.evidence else b"",
            pack(rest) if rest != NO_REST else b"",
        )
    )


class EntryReader:
    """Gives the entries of a vault's files, of which only those that changed are parsed.

    Attributes:
        key: what the entries depend on besides their files.
        files: the sources that could be read, in canonical order.
        by_id: the same by their numbers in the index.
    """

    def __init__(self, glance: Glance, projects: Projects) -> None:
        self._glance, self._projects = glance, projects
        self.index = glance.index
        depends = msgspec.msgpack.encode((program_key(), glance.config, glance.listing.projects, time_zone()))
        self.key = blake2b(depends, digest_size=20).hexdigest()
        self._loaded: dict[int, tuple[tuple[Item, ...], tuple[Evidence, ...]]] = {}
        self._bring_up_to_date()
        known = self.index.files
        self.files = sorted(
            (
                ReadFile(known[one.path].id, one, _summary(head.known))
                for one, head in glance.heads(glance.listing.found)
            ),
            key=lambda one: canonical(one.source),
        )
        self.by_id = {one.id: one for one in self.files}

    def _bring_up_to_date(self) -> None:
        glance, index, key = self._glance, self.index, self.key
        found, others = glance.listing.found, glance.listing.others
        index.forget(index.files.keys() - {one.path for one in (*found, *others)})
        worn = index.is_worn or 2 * len(glance.changed(found, key)) > len(found)
        if index.files and worn and not index.is_used:
            index.renew()
        glance.read_anew(found, partial(made_of, glance.config, self._projects), key)

    @property
    def unreadable(self) -> set[str]:
        """The files of which nothing can be said, because they could not be read."""
        return {one.path for one in self._glance.listing.found} & self._glance.unreadable.keys()

    def entries(self, keys: Sequence[int]) -> Iterator[tuple[int, tuple[Item, ...], tuple[Evidence, ...]]]:
        """Return the items and the evidence of files, some files at a time."""
        for at in range(0, len(keys), _FEW):
            part = keys[at : at + _FEW]
            items = {key: _items(data) for key, data in self._content("items", part)}
            evidence = {key: _evidence(data) for key, data in self._content("evidence", part)}
            for key in part:
                yield key, items.get(key, ()), evidence.get(key, ())

    def _content(self, part: str, keys: Collection[int]) -> list[tuple[int, bytes]]:
        try:
            return list(self.index.contents(part, keys))
        except DamagedIndexError:
            return [(key, data) for key in keys if (data := self._parsed(part, key))]

    def _parsed(self, part: str, key: int) -> bytes:
        from wrapgen.vault.reading import read_all

        make = partial(made_of, self._glance.config, self._projects)
        (reading,) = read_all([self.by_id[key].found], make)
        made: bytes = getattr(msgspec.msgpack.decode(reading.made, type=Made), part) if reading.readable else b""
        return made

    def entry_at(self, number: int) -> Item | Evidence:
        """Return an entry by its number, and keep those of its file at hand."""
        key, place = place_of(number)
        if key not in self._loaded:
            ((_, items, evidence),) = self.entries([key])
            self._loaded[key] = items, evidence
        items, evidence = self._loaded[key]
        return items[place] if place < len(items) else evidence[place - len(items)]

    def load(self, keys: AbstractSet[int]) -> None:
        """Keep the entries of files at hand."""
        for key, items, evidence in self.entries(sorted(keys - self._loaded.keys())):
            self._loaded[key] = items, evidence

    def hold(self, key: int, items: tuple[Item, ...]) -> None:
        """Keep items at hand that stand in no file, under a number of their own."""
        self._loaded[key] = items, ()

    def let_go(self, *, but: int | None = None) -> None:
        """Keep nothing at hand any more, one number apart."""
        self._loaded = {key: one for key, one in self._loaded.items() if key == but}

    def items_of(self, files: Collection[ReadFile]) -> dict[int, tuple[Item, ...]]:
        """Return the items of files by their numbers; none for a file without items."""
        unknown = [one.id for one in files if one.id not in self._loaded]
        found = {key: _items(data) for key, data in self._content("items", unknown)}
        return found | {one.id: self._loaded[one.id][0] for one in files if one.id in self._loaded}

    def rests(self, files: Iterable[ReadFile]) -> dict[int, FileRest]:
        """Return what few runs ask about files, by their numbers; none for a file that has nothing of it."""
        return {key: _rest(data) for key, data in self._content("rest", [one.id for one in files])}

    def words(self) -> list[LineWords]:
        """Return what names every open item, next or not, whatever became of it."""
        found = [one for _, data in self._content("items", [one.id for one in self.files]) for one in _words(data)]
        later = self._content("rest", [one.id for one in self.files if one.summary.backlog])
        return found + [one for _, data in later for one in _rest_words(data).backlog]

    def everything(self) -> StageResult:
        """Return all items and all evidence, whatever became of them."""
        rests = self.rests(self.files)
        entries = {key: (items, evidence) for key, items, evidence in self.entries([one.id for one in self.files])}
        return gathered(FileEntries(*entries[one.id], rests.get(one.id, NO_REST).backlog) for one in self.files)
