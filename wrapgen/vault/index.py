"""The vault as the pipeline sees it: every source parsed, unless the cache knows it, and every trouble named."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from wrapgen.model import Contents, Document, Source, Trouble
from wrapgen.vault import walk
from wrapgen.vault.cache import CacheFile, clock, program_key
from wrapgen.vault.stamps import Stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date
    from pathlib import Path

    from wrapgen.config import Config
    from wrapgen.vault.walk import Found, Listing

_FILE = "parsed"


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


class Record(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A parsed file.

    Attributes:
        stamp: by what its content is known.
        trouble: what was wrong although it was read, or None.
        document: the document, packed.
    """

    stamp: Stamp
    trouble: str | None
    document: msgspec.Raw


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

    @property
    def settled(self) -> bool:
        """Whether the fingerprint must be another one after the next change."""
        return all(one.stamp.settled(self.now_ns) for one in self.listing.found)

    def is_whole(self, contents: Contents) -> bool:
        """Whether all files are in what was read, but for those that are too large."""
        limit = self.config.max_file_bytes
        return len(contents.sources) == sum(one.stamp.size <= limit for one in self.listing.found)

    def read(self) -> Contents:
        """Read every source, and parse those that changed.

        Returns:
            the contents; a file that cannot be read is among the troubles, and everything else is still read.
        """
        cache = CacheFile(self.root, _FILE, dict[str, Record], self._key, self.manner.say)
        known = cache.load() or {}
        found = self.listing.found
        records = {one.path: known[one.path] for one in found if _is_known(one, known)}
        changed = [one for one in found if one.path not in records]
        fresh, errors = self._parsed(changed)
        kept = {one.path for one in changed if one.path in fresh and one.stamp.settled(self.now_ns)}
        if self.manner.remember and (kept or len(records) < len(known)):
            cache.save(records | {path: fresh[path] for path in kept})
        return _contents(self, records | fresh, errors)

    @property
    def _key(self) -> str:
        return f"{program_key()} {self.config.max_file_bytes}"

    def _parsed(self, changed: list[Found]) -> tuple[dict[str, Record], dict[str, str]]:
        """Read files; those that cannot be read come with the reason."""
        if not changed:
            return {}, {}
        from wrapgen.vault.reading import Job, read_all

        jobs = [Job(one.file, one.stamp.size) for one in changed]
        readings = read_all(jobs, self.config.max_file_bytes, self.manner.progress)
        records: dict[str, Record] = {}
        errors: dict[str, str] = {}
        for one, reading in zip(changed, readings, strict=True):
            if reading.error is None:
                records[one.path] = Record(one.stamp, reading.trouble, reading.document)
            else:
                errors[one.path] = reading.error
        return records, errors


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


def _is_known(one: Found, known: Mapping[str, Record]) -> bool:
    record = known.get(one.path)
    return record is not None and record.stamp == one.stamp


def _contents(glance: Glance, records: Mapping[str, Record], errors: Mapping[str, str]) -> Contents:
    decode = msgspec.msgpack.Decoder(Document).decode
    days: dict[int, date] = {}
    sources: list[Source] = []
    troubles = [*glance.listing.troubles, *(Trouble(path, error) for path, error in errors.items())]
    for one in glance.listing.found:
        record = records.get(one.path)
        if record is None:
            continue
        document = decode(record.document)
        troubles += [Trouble(one.path, why) for why in (record.trouble, document.trouble) if why]
        place = one.place
        changed = _local_day(one.stamp.mtime_ns, days)
        sources.append(Source(one.path, one.kind, document, place.day, place.project, place.task, changed=changed))
    if glance.config.dates == "git":
        from dataclasses import replace

        from wrapgen.vault import history

        sources = [replace(source, line_days=history.line_days(glance.root, source.path)) for source in sources]
    ordered = tuple(sorted(troubles, key=lambda trouble: (trouble.path, trouble.error)))
    return Contents(tuple(sources), glance.listing.projects, ordered)


def _local_day(time_ns: int, known: dict[int, date]) -> date:
    """The day of a moment in local time; `known` remembers it for each quarter of an hour, inside which none ends."""
    quarter = time_ns // (900 * 1_000_000_000)
    if quarter not in known:
        known[quarter] = datetime.fromtimestamp(quarter * 900).astimezone().date()
    return known[quarter]
