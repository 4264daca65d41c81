"""The homes of the store: one file of the vault, by SQLite, or a database on a team's PostgreSQL server, by psycopg.

On the server two processes that write at once do not wait for each other, unless they write of the same
session or task.
"""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wrapgen.agents.sql import STEPS
from wrapgen.agents.store import Store, storable
from wrapgen.config import shown_address
from wrapgen.errors import StoreError, UnavailableError, remedy
from wrapgen.regular_files import make
from wrapgen.text.display import one_line
from wrapgen.vault.disk import make_private_folder
from wrapgen.vault.held import inside
from wrapgen.vault.state import state_file

if TYPE_CHECKING:
    import psycopg


DATABASE_FILE = "agents.db"
BUSY_SECONDS = 10.0  # how long a writer waits for the others. Fifty of them at once need less than a tenth of it.

_POLL_SECONDS = 0.01
_MAKING = threading.Lock()
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DENIED = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH})
_BROKEN = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR})


class SqliteStore(Store):
    """The store of a vault, made for its owner alone; `shared` is for network file systems, which know no WAL.

    Raises `PublishError` when its folder cannot be made, and `UnavailableError` when another process holds it or it
    cannot be opened, is not a database, or is one of a newer wrapgen.
    """

    READ = "BEGIN"
    # A transaction that first reads and then writes could not wait for other writers.
    WRITE = WRITE_ALONE = "BEGIN IMMEDIATE"

    def __init__(self, root: Path, *, shared: bool = False, busy_seconds: float | None = None) -> None:
        self._path = state_file(root, DATABASE_FILE)
        self._make(root)
        seconds = BUSY_SECONDS if busy_seconds is None else busy_seconds
        with self._explained():
            self._connection = sqlite3.connect(self._path, timeout=seconds, isolation_level=None)
        try:
            with self._explained():
                self._prepare("delete" if shared else "wal", time.monotonic() + seconds)
        except BaseException:
            self._connection.close()
            raise

    def rows(self, statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        with self._explained():
            return self._connection.execute(statement, storable(values)).fetchall()

    def many(self, statement: str, values: Iterable[Mapping[str, Any]]) -> None:
        with self._explained():
            self._connection.executemany(statement, map(storable, values))

    def compact(self) -> None:
        self.rows("VACUUM", {})

    def close(self) -> None:
        self._connection.close()

    def _make(self, root: Path) -> None:
        make_private_folder(self._path.parent, root)
        inside(self._path, root)
        try:
            with _MAKING:
                # SQLite gives its other files the mode of this one, and would make this one as the umask says. One that
                # is there must not be opened: to close it again would end the locks of this process's connections.
                os.close(make(os.fspath(self._path), os.O_RDWR | os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            if not self._path.is_file() or not os.access(self._path, os.R_OK | os.W_OK):
                raise self._denied(PermissionError(errno.EACCES, os.strerror(errno.EACCES))) from None
        except OSError as error:
            raise self._denied(error) from error

    def _denied(self, error: OSError) -> StoreError:
        what = f"the store of sub-agents cannot be opened for writing ({error.strerror or error})"
        return UnavailableError(what, where=str(self._path), next_step=remedy(error))

    def _prepare(self, journal: str, deadline: float) -> None:
        self._connection.execute("PRAGMA foreign_keys = ON")
        # Safe against killed processes; a power cut may lose the last moments, never more.
        self._connection.execute("PRAGMA synchronous = NORMAL")
        while True:
            try:
                if self._connection.execute("PRAGMA journal_mode").fetchone()[0] != journal:
                    self._connection.execute(f"PRAGMA journal_mode = {journal}")
                break
            except sqlite3.OperationalError as error:
                # SQLite does not wait by itself where the wait could be mutual.
                if _code(error) not in _BUSY or time.monotonic() >= deadline:
                    raise
                time.sleep(_POLL_SECONDS)
        self._bring_up_to_date(str(self._path))

    def _version(self, *, alone: bool = False) -> int:
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])

    def _take_step(self, step: str, version: int) -> None:
        for statement in (*step.split(";"), f"PRAGMA user_version = {version}"):
            self._connection.execute(statement)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            kind, what, step = _explanation(_code(error), error)
            raise kind(what, where=str(self._path), next_step=step) from error


def _code(error: sqlite3.Error) -> int:
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def _explanation(code: int, error: sqlite3.Error) -> tuple[type[StoreError], str, str]:
    of_us = "the store of sub-agents"
    if code in _BUSY:
        return UnavailableError, f"{of_us} is locked by another process", "Wait for it to finish and run again."
    if code in _DENIED:
        return UnavailableError, f"{of_us} cannot be written ({error})", "Make the file and its folder writable."
    if code in _BROKEN:
        step = "Move the file away, and import an export into a new one with `wrap agent import FILE`."
        return UnavailableError, f"{of_us} is not a database, or is damaged ({error})", step
    if code in _NO_ROOM:
        return UnavailableError, f"the disk rejected a write of {of_us} ({error})", "Free some space and run again."
    return StoreError, f"{of_us} failed ({error})", "Nothing was changed."


# What all writers of one store agree on: any number, but this one.
_EVERYBODY = 0x77726170
_NO_TABLE = "42P01"
# Classes of errors that are a row's own fault: data, integrity, limits. All others may go by.
_ROWS_FAULT = ("22", "23", "54")
_LATER = "Start it or fix its address, then run `wrap doctor --fix`."
# A network that drops every packet: libpq notices after some ten seconds, a server that stands still ends an idle
# transaction of ours by itself.
_CONNECTION = {
    "connect_timeout": 3, "tcp_user_timeout": 15_000, "keepalives_idle": 5, "keepalives_interval": 3,
    "keepalives_count": 3, "application_name": "wrapgen",
}  # fmt: skip
_IDLE = "10s"
STATEMENT_SECONDS = 30.0

_ONLY_HERE = re.compile(r"/\*!(.*?)\*/", re.DOTALL)
_NAMED = re.compile(r"(?<![:\w]):([a-z_]+)")
_TABLE = re.compile(r"\bCREATE TABLE (\w+)")
# Moments and ids are compared by their letters, whatever language the server speaks.
_TYPES = (
    ("INTEGER PRIMARY KEY AUTOINCREMENT", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"),
    ("INTEGER", "BIGINT"),
    ("TEXT", 'TEXT COLLATE "C"'),
)


class PostgresStore(Store):
    """The store at `postgresql://...`, see `wrapgen.config.store_address`; its tables are made when they have to be.

    Raises `UnavailableError` when the server does not answer or let us in, psycopg is not installed, or the store is
    one of a newer wrapgen or not kept in UTF-8.
    """

    READ = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
    WRITE = f"BEGIN; SELECT pg_advisory_xact_lock_shared({_EVERYBODY})"
    WRITE_ALONE = f"BEGIN; SELECT pg_advisory_xact_lock({_EVERYBODY})"

    def __init__(self, address: str, *, statement_seconds: float = STATEMENT_SECONDS) -> None:
        self._where = shown_address(address)
        self._psycopg = loaded(self._where)
        self._given = self._understood(address)
        with self._explained():
            options = {**_CONNECTION, **self._given, "client_encoding": "UTF8"}
            self._connection: psycopg.Connection[Any] = self._psycopg.connect("", autocommit=True, **options)
        try:
            self._prepare(round(statement_seconds * 1000))
        except BaseException:
            self.close()
            raise

    def rows(self, statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        with self._explained():
            cursor = self._connection.execute(_translated(statement), storable(values))
            return cursor.fetchall() if cursor.description else []

    def many(self, statement: str, values: Iterable[Mapping[str, Any]]) -> None:
        listed = [storable(one) for one in values]
        if listed:
            with self._explained(), self._connection.cursor() as cursor:
                cursor.executemany(_translated(statement), listed)

    def compact(self) -> None:
        # The server does so itself, but learns late how few rows are left.
        for table in _TABLE.findall("".join(STEPS)):
            self.rows(f"VACUUM (ANALYZE) {table}", {})

    def close(self) -> None:
        with suppress(self._psycopg.Error):
            self._connection.close()

    def _understood(self, address: str) -> dict[str, Any]:
        """The address as parsed by libpq, whose error message may contain part of the password."""
        try:
            given: dict[str, Any] = self._psycopg.conninfo.conninfo_to_dict(address)
        except self._psycopg.Error:
            given = {"host": "@"}
        if "@" in str(given.get("host")):
            raise UnavailableError(
                "the address of the team's server is not valid",
                where=self._where,
                next_step="Write it as postgresql://user:password@host/database, and @ : / % in it as %40 %3A %2F %25.",
            )
        return given

    def _prepare(self, milliseconds: int) -> None:
        encoding = self._connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise UnavailableError(
                f"the database is kept in {encoding}, which cannot hold every text",
                where=self._where,
                next_step="Make one with `CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0`.",
            )
        self.rows(
            "SELECT set_config('statement_timeout', :statement, false),"
            " set_config('idle_in_transaction_session_timeout', :idle, false)",
            {"statement": str(milliseconds), "idle": _IDLE},
        )
        self._bring_up_to_date(self._where)

    def _version(self, *, alone: bool = False) -> int:
        if alone:
            self.rows("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY)", {})
        try:
            return int(self.rows("SELECT max(version) FROM schema_version", {})[0][0] or 0)
        except StoreError as error:
            if getattr(error.__cause__, "sqlstate", None) != _NO_TABLE:
                raise
            return 0

    def _take_step(self, step: str, version: int) -> None:
        self.rows(reduce(lambda text, pair: re.sub(rf"\b{pair[0]}\b", pair[1], text), _TYPES, step), {})
        self.rows("INSERT INTO schema_version VALUES (:version)", {"version": version})

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except self._psycopg.Error as error:
            said = one_line(str(error))
            for name in ("password", "sslpassword"):
                if secret := self._given.get(name):
                    said = said.replace(str(secret), "***")
            if (error.sqlstate or "").startswith(_ROWS_FAULT):
                what, step = f"the team's server rejected this ({said})", "The server stored none of it."
                raise StoreError(what, where=self._where, next_step=step) from error
            what = f"the team's server cannot be used ({said})"
            raise UnavailableError(what, where=self._where, next_step=_LATER) from error


@lru_cache(maxsize=256)
def _translated(statement: str) -> bytes:
    return _NAMED.sub(r"%(\1)s", _ONLY_HERE.sub(r"\1", statement).replace("%", "%%")).encode()


def loaded(where: str = "") -> Any:  # noqa: ANN401 - a module
    """psycopg, which takes longer to load than all that a hook does."""
    try:
        import psycopg
    except ImportError as error:
        raise UnavailableError(
            f"psycopg is not installed ({error}), which is needed for PostgreSQL",
            where=where or None,
            next_step="Run `pip install 'wrapgen[postgres]'`.",
        ) from error
    return psycopg
