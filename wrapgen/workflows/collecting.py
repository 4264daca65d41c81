"""The items and the finished work of all files: from the cache, or by reading and parsing those that changed."""

from __future__ import annotations

from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from wrapgen.notes import Trouble
from wrapgen.pipeline.collected import Collected, FileEntries, SourceFile, canonical, entries_of, gathered
from wrapgen.vault.cache import program_key, time_zone
from wrapgen.vault.index import in_order, source_of

if TYPE_CHECKING:
    from wrapgen.config import Config
    from wrapgen.notes import Document
    from wrapgen.pipeline.projects import Projects
    from wrapgen.vault.index import Glance
    from wrapgen.vault.walk import FoundFile


_decode = msgspec.msgpack.Decoder(FileEntries).decode


class EntryFiles:
    """The entries of each file of a vault."""

    def __init__(self, glance: Glance, projects: Projects) -> None:
        self._glance = glance
        self._projects = projects
        depends = msgspec.msgpack.encode((program_key(), glance.config, glance.listing.projects, time_zone()))
        self._key = blake2b(depends, digest_size=20).hexdigest()
        self.unreadable: set[str] = set()

    def collected(self) -> Collected:
        then = partial(_made, self._glance.config, self._projects)
        files = list(self._glance.parse(self._glance.listing.found, then, self._key))
        self.unreadable = {found.path for found, reading in files if not reading.readable}
        read = sorted((one for one in files if one[1].readable), key=lambda one: canonical(_file(one[0])))
        troubles = [Trouble(found.path, why) for found, reading in files for why in reading.troubles]
        return Collected(
            tuple(_file(found) for found, _ in read),
            gathered(_decode(reading.made) for _, reading in read),
            in_order([*self._glance.listing.troubles, *troubles]),
        )


def _file(found: FoundFile) -> SourceFile:
    return SourceFile(found.path, found.kind, found.place.day)


def _made(config: Config, projects: Projects, found: FoundFile, document: Document) -> bytes:
    return msgspec.msgpack.encode(entries_of(source_of(found, document), config, projects))
