"""The items and the finished work of all files: from the cache, or by reading and parsing those that changed."""

from __future__ import annotations

from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from wrapgen.notes import Trouble
from wrapgen.pipeline.collected import Collected, FileEntries, SourceFile, canonical, entries_of, gathered
from wrapgen.pipeline.summary import FileSummary, summarise
from wrapgen.vault.cache import program_key, time_zone
from wrapgen.vault.cached_files import CachedFiles
from wrapgen.vault.index import in_order, source_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wrapgen.config import Config
    from wrapgen.notes import Document
    from wrapgen.pipeline.projects import Projects
    from wrapgen.vault.cached_files import FileReading
    from wrapgen.vault.index import Glance
    from wrapgen.vault.walk import FoundFile


class FileCollected(NamedTuple):
    """A file of which entries are wanted."""

    found: FoundFile
    reading: FileReading  # its entries, packed
    summary: FileSummary | None = None  # of a file that was not in the cache

    @property
    def entries(self) -> FileEntries:
        """Its entries; none when it could not be read."""
        return _decode(self.reading.packed) if self.reading.readable else FileEntries()


_decode = msgspec.msgpack.Decoder(FileEntries).decode
_decode_made = msgspec.msgpack.Decoder(tuple[FileSummary, msgspec.Raw]).decode


class EntryFiles:
    """The entries of each file of a vault.

    Args:
        glance: the vault, listed.

    Attributes:
        key: what entries depend on, files aside.
    """

    def __init__(self, glance: Glance, projects: Projects) -> None:
        self._glance = glance
        self._projects = projects
        depends = msgspec.msgpack.encode((program_key(), glance.config, glance.listing.projects, time_zone()))
        self.key = blake2b(depends, digest_size=20).hexdigest()
        self._cache = CachedFiles(glance.root, "entries", self.key, glance.manner.say)

    def collected(self) -> Collected:
        """Everything, as the stages want it."""
        files = list(self.of(self._glance.listing.found))
        read = sorted((one for one in files if one.reading.readable), key=lambda one: canonical(_file(one.found)))
        troubles = [Trouble(one.found.path, why) for one in files for why in one.reading.troubles]
        return Collected(
            tuple(_file(one.found) for one in read),
            gathered(one.entries for one in read),
            in_order([*self._glance.listing.troubles, *troubles]),
        )

    def of(self, files: Iterable[FoundFile], *, summaries: bool = False) -> Iterator[FileCollected]:
        """Return files with their entries.

        Args:
            summaries: the summaries are wanted, which are made when a file is parsed.

        Yields:
            each file, in their order.
        """
        wanted = list(files)
        known = (
            {} if summaries else {one.path: kept for one in wanted if (kept := self._cache.get(one.path, one.stamp))}
        )
        unknown = [one for one in wanted if one.path not in known]
        then = partial(_made, self._glance.config, self._projects)
        fresh: dict[str, FileCollected] = {}
        for found, parsed in self._glance.parse(unknown, then) if unknown else ():
            if not parsed.readable:
                fresh[found.path] = FileCollected(found, parsed)
                continue
            summary, entries = _decode_made(parsed.made)
            reading = msgspec.structs.replace(parsed, packed=entries, made=b"")
            fresh[found.path] = FileCollected(found, reading, summary)
            if self._glance.manner.remember and self._glance.is_settled(found):
                self._cache.put(found.path, reading)
        self._cache.save({one.path for one in self._glance.listing.found})
        for one in wanted:
            kept = known.get(one.path)
            yield FileCollected(one, kept) if kept else fresh[one.path]


def _file(found: FoundFile) -> SourceFile:
    return SourceFile(found.path, found.kind, found.place.day)


def _made(config: Config, projects: Projects, found: FoundFile, document: Document) -> bytes:
    source = source_of(found, document)
    entries = entries_of(source, config, projects)
    packed = msgspec.Raw(msgspec.msgpack.encode(entries))
    return msgspec.msgpack.encode((summarise(source, entries), packed))
