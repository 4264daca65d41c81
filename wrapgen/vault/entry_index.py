"""What is known of the notes, in one SQLite file of the cache: each file, its entries, and which of them are alike.

Only a cache: if it is deleted, damaged, of another version or not writable, that costs time and nothing else. It is
written under the vault's lock; whoever only looks keeps what is new in tables of its own, in memory.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import struct
import zlib
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import msgspec

from wrapgen.errors import WrapgenError
from wrapgen.regular_files import ENDING, make
from wrapgen.vault import headline
from wrapgen.vault.cache import CACHE_FOLDER, Stamp, program_key, reason_of
from wrapgen.vault.disk import make_private_folder
from wrapgen.vault.held import inside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

FILE = "index.db"
_PATIENCE = 2.0  # seconds for which somebody else's writing is waited for
_AT_ONCE = 500  # values in one question
_TABLES = """
    CREATE TABLE {0}.file (id INTEGER PRIMARY KEY, path TEXT NOT NULL, stamp BLOB, made_by TEXT, known BLOB);
    CREATE TABLE {0}.content (id INTEGER PRIMARY KEY, document BLOB, items BLOB, evidence BLOB, rest BLOB);
    CREATE TABLE {0}.pair (id INTEGER PRIMARY KEY, found BLOB);
    CREATE TABLE {0}.post (key INTEGER PRIMARY KEY, numbers BLOB);
    CREATE TABLE {0}.kept (name TEXT PRIMARY KEY, value BLOB);
"""
_STAMP = struct.Struct("<qqqQ")
_PROGRAM = "program"
COMPARED = "compared"
"""The record that is worth nothing in a new index: how far the entries were compared."""
_OF_SQLITE = ("-journal",)

T = TypeVar("T")


class DamagedIndexError(Exception):
    """The index cannot be used any more; what was being done with it can be begun anew."""


class KnownFile(NamedTuple):
    """A file as it was when it was looked at last."""

    id: int  # another one for each state of the file
    path: str
    stamp: bytes  # of that state, see `stamp_of`
    made_by: str  # what was made of it depends on this besides
    known: bytes  # what is asked about every file


class Content(NamedTuple):
    """What is asked about few files, each part packed; None for what is not kept."""

    document: bytes | None = None
    items: bytes | None = None
    evidence: bytes | None = None
    rest: bytes | None = None


def stamp_of(stamp: Stamp) -> bytes:
    """Return a stamp as it is kept."""
    return _STAMP.pack(*stamp)


class _OtherProgramError(Exception):
    """The index is that of another version."""

    def __init__(self, kept: list[tuple[str, bytes]]) -> None:
        super().__init__()
        self.kept = kept


def _connected(place: str) -> sqlite3.Connection:
    is_address = place.startswith("file:")
    found = sqlite3.connect(place, uri=is_address, timeout=_PATIENCE, isolation_level=None, cached_statements=32)
    found.execute("PRAGMA temp_store = MEMORY")
    found.execute("PRAGMA synchronous = NORMAL")  # a power cut may lose the last run, never the index
    return found


def _sealed(data: bytes) -> bytes:
    """Put a checksum in front: SQLite has none of its own."""
    return zlib.crc32(data).to_bytes(4, "big") + data


def _unsealed(data: bytes) -> bytes:
    if zlib.crc32(data[4:]) != int.from_bytes(data[:4], "big"):
        raise DamagedIndexError
    return data[4:]


class EntryIndex:
    """The index of one vault.

    Attributes:
        files: what is known of each file, by its path.
    """

    def __init__(self, root: Path, *, remember: bool, say: Callable[[str], None]) -> None:
        """Open the index; `remember` says that it may be written, and that the vault's lock is held."""
        self._root, self._say, self._remember = root, say, remember
        self._path = root / CACHE_FOLDER / FILE
        self._beside = ""  # a new one that is not in its place yet
        self._former: tuple[dict[str, KnownFile], sqlite3.Connection] | None = None
        self.files: dict[str, KnownFile] = {}
        self._pairs: dict[int, bytes] = {}  # sealed
        self.is_used = False  # then what was read of files that change now may still be asked for
        try:
            self._open()
        except _OtherProgramError as other:
            self._begin(other.kept)
        except FileNotFoundError:
            self._begin()
        except (OSError, WrapgenError) as error:
            self._say(f"{self._path.parent}: the cache cannot be read ({reason_of(error)}); the notes are parsed again")
            self._begin()
        except (sqlite3.Error, DamagedIndexError):
            self._say(f"{self._path.parent}: the cache is damaged; the notes are parsed again")
            self._begin()

    def _open(self) -> None:
        """Open what is there; raises when that cannot be used."""
        if not stat.S_ISREG(os.lstat(inside(self._path, self._root)).st_mode):
            raise DamagedIndexError
        self._connection = _connected(f"{self._path.absolute().as_uri()}?mode={'rw' if self._remember else 'ro'}")
        self._tables = ("main",) if self._remember else ("temp", "main")
        try:
            if not self._remember:
                self._connection.executescript(_TABLES.format("temp"))
            self._load()
        except BaseException:
            self._connection.close()
            raise

    def _load(self) -> None:
        run = self._connection.execute
        run("BEGIN")  # one state of it, whoever writes meanwhile
        kept = run("SELECT name, value FROM main.kept").fetchall()
        if _unsealed(dict(kept).get(_PROGRAM, b"")) != program_key().encode():
            raise _OtherProgramError(kept)
        rows = run("SELECT id, path, stamp, made_by, known FROM main.file ORDER BY id").fetchall()
        self._pairs = dict(run("SELECT id, found FROM main.pair").fetchall())
        run("COMMIT")
        self.files = {row[1]: KnownFile(row[0], row[1], row[2], row[3], _unsealed(row[4])) for row in rows}
        self._next = 1 + max((row[0] for row in rows), default=0)
        if self._remember and len(rows) > len(self.files):
            self._delete({row[0] for row in rows} - {known.id for known in self.files.values()})

    def _begin(self, kept: Iterable[tuple[str, bytes]] = ()) -> None:
        """Begin an empty index: beside the old one where it may be written, else in memory."""
        self.files, self._next, self._tables = {}, 1, ("main",)
        self._pairs = {}
        own = [one for one in kept if one[0] != COMPARED] + [(_PROGRAM, _sealed(program_key().encode()))]
        try:
            self._connection = self._begun_beside() or _connected(":memory:")
            self._fill(own)
        except sqlite3.Error as error:
            if not self._beside:
                raise
            self._not_written(str(error))
            self._connection = _connected(":memory:")
            self._fill(own)

    def _fill(self, kept: list[tuple[str, bytes]]) -> None:
        self._connection.executescript(_TABLES.format("main"))
        self._connection.execute("BEGIN")
        self._connection.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", kept)

    def _begun_beside(self) -> sqlite3.Connection | None:
        if not self._remember:
            return None
        try:
            make_private_folder(self._path.parent, self._root)
            beside = f"{inside(self._path, self._root)}.{os.getpid()}.{os.urandom(4).hex()}{ENDING}"
            os.close(make(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL))
        except (OSError, WrapgenError) as error:
            self._not_written(reason_of(error))
            return None
        self._beside = beside
        connection = _connected(beside)
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")  # nobody reads it yet
        return connection

    def _not_written(self, why: str) -> None:
        self._say(f"{self._path.parent}: the cache cannot be written ({why})")
        self._remember = False
        if self._beside:
            with suppress(OSError):
                os.unlink(self._beside)  # noqa: PTH108
            self._beside = ""

    def renew(self) -> None:
        """Begin an empty index because most of what is known is out of date; `former_document` takes over."""
        kept = self._all("SELECT name, value FROM main.kept")
        former = self.files, self._connection
        self._begin(kept)
        self._former = former

    def give_up(self) -> None:
        """Begin anew, because this one is damaged; in memory where a new one cannot be written either."""
        self._connection.close()
        self._former = None
        if self._beside:
            self._not_written("the disk refuses it")
        else:
            self._say(f"{self._path.parent}: the cache is damaged; the notes are parsed again")
        self._begin()

    def _all(self, question: str, values: Iterable[Any] = ()) -> list[Any]:
        try:
            return self._connection.execute(question, tuple(values)).fetchall()
        except sqlite3.Error as error:
            raise DamagedIndexError from error

    def _each(self, question: str, values: Iterable[Any]) -> Iterator[Any]:
        """Answer a question with `{table}` and a list of values, for all tables, some values at a time."""
        wanted = list(values)
        for table in self._tables:
            for at in range(0, len(wanted), _AT_ONCE):
                part = wanted[at : at + _AT_ONCE]
                marks = ",".join("?" * len(part))
                yield from self._all(question.format(table=table, marks=marks), part)

    def _write(self, command: str, rows: Iterable[tuple[Any, ...]]) -> None:
        try:
            if self._remember and not self._connection.in_transaction:
                self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(command.format(table=self._tables[0]), rows)
        except sqlite3.Error as error:
            raise DamagedIndexError from error

    def standing(self, path: str, stamp: bytes) -> tuple[KnownFile, Content] | None:
        """Return what is known of a file in that state, here or in the former index; None for nothing."""
        former, connection = self._former or ({}, self._connection)
        known = self.files.get(path)
        if known is None:
            known = former.get(path)
        else:
            connection = self._connection
        if known is None or known.stamp != stamp:
            return None
        question = "SELECT document, items, evidence, rest FROM {}.content WHERE id = ?"
        with suppress(sqlite3.Error, DamagedIndexError):
            for table in self._tables if connection is self._connection else ("main",):
                for row in connection.execute(question.format(table), (known.id,)):
                    return known, Content(*(None if part is None else _unsealed(part) for part in row))
        return known, Content()

    def put(
        self, path: str, stamp: bytes, made_by: str, known: bytes, content: Content, *, settled: bool = True
    ) -> None:
        """Take a file in, in the place of what was known of it; one that is not settled is read anew the next time."""
        self.forget([path])
        key, self._next = self._next, self._next + 1
        kept = stamp if settled else b""
        self._write("INSERT INTO {table}.file VALUES (?, ?, ?, ?, ?)", [(key, path, kept, made_by, _sealed(known))])
        parts = [None if part is None else _sealed(part) for part in content]
        if any(parts):
            self._write("INSERT INTO {table}.content VALUES (?, ?, ?, ?, ?)", [(key, *parts)])
        self.files[path] = KnownFile(key, path, stamp, made_by, known)

    def forget(self, paths: Iterable[str]) -> None:
        """Let go of files that have changed or are gone."""
        keys = [known.id for path in paths if (known := self.files.pop(path, None))]
        if not self.is_used:
            self._delete(keys)

    def _delete(self, keys: Iterable[int]) -> None:
        rows = [(key,) for key in keys]
        for table in ("file", "content", "pair") if rows else ():
            self._write(f"DELETE FROM {{table}}.{table} WHERE id = ?", rows)

    def contents(self, part: str, keys: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        """Return one part of the content of files, packed, by their numbers; none where it is not kept."""
        question = f"SELECT id, {part} FROM {{table}}.content WHERE id IN ({{marks}}) AND {part} IS NOT NULL"
        return ((key, _unsealed(data)) for key, data in self._each(question, keys))

    def pairs(self) -> Iterator[tuple[int, bytes]]:
        """Return what is alike, by the file that was taken in last."""
        keys = (known.id for known in self.files.values())
        return ((key, _unsealed(self._pairs[key])) for key in keys if key in self._pairs)

    def put_pairs(self, key: int, found: bytes) -> None:
        self._pairs[key] = _sealed(found)
        self._write("INSERT OR REPLACE INTO {table}.pair VALUES (?, ?)", [(key, self._pairs[key])])

    def numbers(self, keys: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        """Return what is posted under keys, by key."""
        return self._each("SELECT key, numbers FROM {table}.post WHERE key IN ({marks})", keys)

    def post(self, numbers: Mapping[int, bytes]) -> None:
        """Post more under keys."""
        self._write(
            "INSERT INTO {table}.post VALUES (?, ?) "
            "ON CONFLICT (key) DO UPDATE SET numbers = CAST(numbers || excluded.numbers AS BLOB)",
            sorted(numbers.items()),
        )

    @property
    def is_worn(self) -> bool:
        """Whether more is posted of files that are gone than of those that there are."""
        return self._next > 2 * len(self.files) + 1_000

    def kept(self, name: str) -> bytes | None:
        for table in self._tables:
            for row in self._all(f"SELECT value FROM {table}.kept WHERE name = ?", (name,)):
                return _unsealed(row[0])
        return None

    def keep(self, name: str, value: bytes) -> None:
        self._write("INSERT OR REPLACE INTO {table}.kept VALUES (?, ?)", [(name, _sealed(value))])

    def save(self) -> None:
        """Write what has changed; the caller holds the vault's lock."""
        if not (self._remember and self._connection.in_transaction):
            return
        try:
            self._connection.execute("COMMIT")
            if self._beside:
                self._connection.close()
                os.replace(self._beside, self._path)  # noqa: PTH105
                self._beside = ""
                self._connection = _connected(f"{self._path.absolute().as_uri()}?mode=rw")
        except (OSError, sqlite3.Error) as error:
            raise DamagedIndexError from error

    def finish(self) -> None:
        """Save at the end of a run; a failure costs the next run time."""
        try:
            self.save()
        except DamagedIndexError as error:
            self._not_written(str(error.__cause__))


class Kept(Generic[T]):
    """One record in the index, worthless under another key."""

    def __init__(self, index: EntryIndex, name: str, kind: type[T], key: str) -> None:
        self._index, self._name, self._key = index, name, key
        self._decode = msgspec.msgpack.Decoder[tuple[str, T]](tuple[str, kind]).decode  # type: ignore[valid-type]

    def load(self) -> T | None:
        """Read the record; None when there is no usable one."""
        try:
            data = self._index.kept(self._name)
            key, value = self._decode(data) if data else ("", None)
        except (DamagedIndexError, msgspec.MsgspecError):
            return None
        return value if key == self._key else None

    def save(self, value: T) -> None:
        """Replace the record; failures are ignored."""
        with suppress(DamagedIndexError):
            self._index.keep(self._name, msgspec.msgpack.encode((self._key, value)))


def damaged(root: Path) -> list[Path]:
    """Return the files of the cache that no version can use; temporary ones go with whoever takes the lock next."""
    folder = inside(root / CACHE_FOLDER, root)
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    whole = {".gitignore", *((FILE,) if _is_whole(folder / FILE) else ())}
    whole |= {Path(headline.FILE).name} if headline.counts(str(root)) else set()
    return [one for one in files if not (one.name in whole or one.name.endswith((ENDING, *_OF_SQLITE)))]


def _is_whole(file: Path) -> bool:
    try:
        if not file.is_file():  # opening a pipe would wait for whoever writes into it
            return False
        with closing(_connected(f"{file.absolute().as_uri()}?mode=ro")) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.Error:
        return False
