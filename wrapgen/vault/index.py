"""The vault as the pipeline sees it: every source parsed, unless the cache knows it, and every trouble named."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from wrapgen.model import Contents, Document, Source, Trouble
from wrapgen.vault import walk
from wrapgen.vault.cache import CacheFile, clock, program_key
from wrapgen.vault.parsed import ParsedFiles, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from wrapgen.config import Config
    from wrapgen.vault.reading import Then
    from wrapgen.vault.walk import Found, Listing


class Manner(NamedTuple):
    """How a vault is read.

    Attributes:
        remember: whether the cache may be written; then the caller holds the vault's lock.
        say: told in one line what is wrong with the cache.
        progress: told from time to time how many files are read, and of how many.
    """

    remember: bool = False
    say: Callable[[str], None] = lambda _: None
    progress: Callable[[int, int], None] | None = None


QUIETLY = Manner()
_LINE_DAYS = "line-days"


class Parsed(NamedTuple):
    """A file that was read, or could not be.

    Attributes:
        found: the file.
        packed: the document, packed; None when it could not be read.
        troubles: what was wrong with it.
        made: what `then` made of it, packed.
    """

    found: Found
    packed: msgspec.Raw | None
    troubles: tuple[str, ...]
    made: bytes = b""

    def source(self) -> Source | None:
        """The file as the pipeline takes it, if it could be read."""
        return None if self.packed is None else source_of(self.found, _decode(self.packed))


_decode = msgspec.msgpack.Decoder(Document).decode


@dataclass(frozen=True)
class Glance:
    """A vault whose files are listed but not read.

    Attributes:
        listing: its files and folders.
        now_ns: a moment before they were listed, by the vault's file system; 0 when nothing is to be remembered.
    """

    root: Path
    config: Config
    manner: Manner
    listing: Listing
    now_ns: int

    @classmethod
    def at(cls, root: Path, config: Config, manner: Manner = QUIETLY) -> Glance:
        """List a vault's files.

        Args:
            root: the vault.
            config: its configuration.
            manner: how it is going to be read.
        """
        now = clock(root, manner.say) if manner.remember else 0
        return cls(root, config, manner, walk.list_sources(root, config), now)

    @cached_property
    def fingerprint(self) -> bytes:
        """The same for a vault in which no source came, went or changed."""
        listing = self.listing
        files = [(one.path, one.stamp) for one in listing.found]
        troubles = [(one.path, one.error) for one in listing.troubles]
        return blake2b(msgspec.msgpack.encode((files, listing.projects, troubles)), digest_size=20).digest()

    def is_settled(self, one: Found) -> bool:
        """Whether a file may be remembered: its next change must give it another stamp."""
        return one.stamp.settled(self.now_ns)

    def read(self) -> Contents:
        """Read every source, and parse those that changed.

        Returns:
            the contents; a file that cannot be read is among the troubles, and everything else is still read.
        """
        sources: list[Source] = []
        troubles = list(self.listing.troubles)
        for parsed in self.parse(self.listing.found):
            troubles += [Trouble(parsed.found.path, why) for why in parsed.troubles]
            if source := parsed.source():
                sources.append(source)
        if self.config.dates == "git":
            sources = self._dated(sources)
        return Contents(tuple(sources), self.listing.projects, in_order(troubles))

    def parse(self, files: Iterable[Found], then: Then | None = None) -> Iterator[Parsed]:
        """Give files parsed, from the cache where it knows them.

        Args:
            files: some of the listed files.
            then: what is to be made of each file at once, by whichever process parses it; a function of a module.

        Yields:
            each file, in their order.
        """
        from wrapgen.vault.reading import read_all

        wanted = list(files)
        known = {one.path: record for one in wanted if (record := self._cache.get(one.path, one.stamp))}
        unknown = [one for one in wanted if one.path not in known]
        readings = read_all(unknown, self.config.max_file_bytes, then, self.manner.progress)
        fresh = dict(zip((one.path for one in unknown), readings, strict=True))
        if self.manner.remember and unknown:
            for one in unknown:
                reading = fresh[one.path]
                if reading.error is None and self.is_settled(one):
                    self._cache.put(one.path, Record(one.stamp, reading.troubles, reading.document))
            self._cache.save({one.path for one in self.listing.found})
        for one in wanted:
            if record := known.get(one.path):
                made = then(one, _decode(record.document)) if then else b""
                yield Parsed(one, record.document, record.troubles, made)
            elif (reading := fresh[one.path]).error is not None:
                yield Parsed(one, None, (reading.error,))
            else:
                yield Parsed(one, reading.document, reading.troubles, reading.made)

    def _dated(self, sources: list[Source]) -> list[Source]:
        """Sources with the days of their lines, by git, where a tick has none of its own."""
        from wrapgen.vault.git import Git
        from wrapgen.vault.history import Blamed, History, has_undated_ticks

        asked = {source.path for source in sources if has_undated_ticks(source, self.config.sections)}
        files = {one.path: one for one in self.listing.found if one.path in asked}
        settled = {path for path, one in files.items() if self.manner.remember and self.is_settled(one)}
        cache = CacheFile(self.root, _LINE_DAYS, Blamed, program_key(), self.manner.say)
        days = History(Git(self.root), cache).days({path: one.stamp for path, one in files.items()}, settled)
        return [replace(source, line_days=days.get(source.path, {})) for source in sources]

    @cached_property
    def _cache(self) -> ParsedFiles:
        return ParsedFiles(self.root, f"{program_key()} {self.config.max_file_bytes}", self.manner.say)


def read_vault(root: Path, config: Config, manner: Manner = QUIETLY) -> Contents:
    """List and read a vault.

    Args:
        root: the vault.
        config: its configuration.
        manner: how.

    Returns:
        the contents; a file that cannot be read is among the troubles, and everything else is still read.
    """
    return Glance.at(root, config, manner).read()


def in_order(troubles: Iterable[Trouble]) -> tuple[Trouble, ...]:
    """Troubles by path and words."""
    return tuple(sorted(troubles, key=lambda trouble: (trouble.path, trouble.error)))


def source_of(found: Found, document: Document) -> Source:
    """A parsed file with what its place in the vault says about it."""
    place = found.place
    changed = _local_day(found.stamp.mtime_ns // _QUARTER_NS)
    return Source(found.path, found.kind, document, place.day, place.project, place.task, changed=changed)


_QUARTER_NS = 900 * 1_000_000_000


@lru_cache(maxsize=100_000)
def _local_day(quarter: int) -> date:
    """The local day of a quarter of an hour since 1970: a day begins with one, in every zone."""
    return datetime.fromtimestamp(quarter * 900).astimezone().date()
