"""The store's database on a team's PostgreSQL server, by psycopg.

Two processes that write at once do not wait for each other, unless they write of the same session or task.
"""

from __future__ import annotations

import re
import socket
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from wrapgen.agents.database import newer, storable
from wrapgen.agents.dialect import translated, translated_step
from wrapgen.agents.sql import FORGET_SENT, PARTS
from wrapgen.agents.timeouts import OF_A_COMMAND, Bounded, Timeouts, TooLateError
from wrapgen.config import shown_address
from wrapgen.errors import SlowError, StoreError, UnavailableError
from wrapgen.text.display import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import psycopg

T = TypeVar("T")

# What all writers of one store agree on: any number, but this one.
_EVERYBODY = 0x77726170
_WRITE = f"BEGIN; SELECT pg_advisory_xact_lock_shared({_EVERYBODY})"
_WRITE_ALONE = f"BEGIN; SELECT pg_advisory_xact_lock({_EVERYBODY})"
_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_VERSIONS = """
CREATE TABLE IF NOT EXISTS schema_version (part TEXT COLLATE "C" PRIMARY KEY, version INTEGER NOT NULL)"""
_SET_VERSION = """
INSERT INTO schema_version VALUES (%(part)s, %(version)s) ON CONFLICT (part) DO UPDATE SET version = excluded.version"""
_NO_TABLE = "42P01"
# Classes of errors that are a row's own fault: data, integrity, limits. All others may go by.
_ROWS_FAULT = ("22", "23", "54")
_BUSY = frozenset({"57014", "53300", "40001", "40P01", "55P03"})  # timeout, too many at once, in each other's way
_GRACE = 1.0  # extra seconds for the server to report that it was too slow
_IDLE = 10.0  # seconds after which the server aborts an idle transaction
_TABLE = re.compile(r"\bCREATE TABLE (\w+)")
_SENT_DAYS = 90  # for which a vault that could not note that something was sent will not send it again


class PostgresDatabase:
    """A database on a server, open; its tables are made and brought up to date when they have to be."""

    def __init__(
        self, address: str, *, timeouts: Timeouts = OF_A_COMMAND, parts: Mapping[str, tuple[str, ...]] = PARTS
    ) -> None:
        """Connect.

        Args:
            address: `postgresql://...`, see `wrapgen.config.store_address`.
            timeouts: how long to wait for the server; what psycopg takes to be loaded does not count.
            parts: the steps of each part of the store. Each part has a version of its own.

        Raises:
            UnavailableError: the server does not answer or does not let us in, psycopg is not installed, or the store
                is one of a newer wrapgen or not kept in UTF-8.
        """
        self._where = shown_address(address)
        self._parts = parts
        self._timeouts = timeouts
        self._psycopg = _psycopg(self._where)
        self._given = self._understood(address)
        self._opened: psycopg.Connection[Any] | None = None
        self._bounded = Bounded(timeouts)
        try:
            self._call(self._connect, timeouts.connect + _GRACE)
            self._prepare()
        except BaseException:
            self.close()
            raise

    def rows(self, statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """See `Database`."""
        return self._run(translated(statement), storable(values))

    def many(self, statement: str, values: Iterable[Mapping[str, Any]]) -> None:
        """See `Database`."""
        listed = [storable(one) for one in values]

        def run() -> None:
            with self._connection.cursor() as cursor:
                cursor.executemany(translated(statement).encode(), listed)

        if listed:
            self._call(run, self._timeouts.statement + _GRACE)

    @contextmanager
    def writing(self, *, alone: bool = False) -> Iterator[None]:
        """See `Database`."""
        with self._transaction(_WRITE_ALONE if alone else _WRITE):
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See `Database`."""
        with self._transaction(_READ):
            yield

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        self._run(begin)
        try:
            yield
            self._run("COMMIT")
        except BaseException:
            with suppress(StoreError):
                self._run("ROLLBACK")
            raise

    def compact(self) -> None:
        """See `Database`: the server does so itself, but learns late how few rows are left."""
        self.rows(FORGET_SENT, {"days": _SENT_DAYS})
        for steps in self._parts.values():
            for table in _TABLE.findall("".join(steps)):
                self._run(f"VACUUM (ANALYZE) {table}")

    def close(self) -> None:
        """See `Database`."""

        def close() -> None:
            if self._opened is not None:
                with suppress(self._psycopg.Error):
                    self._opened.close()

        self._bounded.end(close)

    @property
    def _connection(self) -> psycopg.Connection[Any]:
        assert self._opened is not None
        return self._opened

    def left(self) -> float | None:
        """Seconds for which the server may still be waited for, None without a bound."""
        return self._bounded.left()

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

    def _connect(self) -> None:
        # A bound in whole seconds, for a thread that no one waits for any longer.
        defaults = {"connect_timeout": max(2, round(self._timeouts.connect)), "application_name": "wrapgen"}
        options = {**defaults, **self._given, "client_encoding": "UTF8"}
        self._opened = self._psycopg.connect("", autocommit=True, **{**options, **_addresses(self._given)})

    def _prepare(self) -> None:
        encoding = self._connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise UnavailableError(
                f"the database is kept in {encoding}, which cannot hold every text",
                where=self._where,
                next_step="Make one with `CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0`.",
            )
        self._run(
            "SELECT set_config('statement_timeout', %(statement)s, false),"
            " set_config('idle_in_transaction_session_timeout', %(idle)s, false)",
            {"statement": _milliseconds(self._timeouts.statement), "idle": _milliseconds(_IDLE)},
        )
        if self._versions() != {part: len(steps) for part, steps in self._parts.items()}:
            self._migrate()

    def _versions(self) -> dict[str, int]:
        """The version of each part that is known here."""
        try:
            found = dict(self._run("SELECT part, version FROM schema_version"))
        except StoreError as error:
            if getattr(error.__cause__, "sqlstate", None) != _NO_TABLE:
                raise
            return {}
        for part, steps in self._parts.items():
            if found.get(part, 0) > len(steps):
                raise newer(found[part], len(steps), self._where)
        return {part: version for part, version in found.items() if part in self._parts}

    def _migrate(self) -> None:
        with self.writing(alone=True):
            self._run(_VERSIONS)
            versions = self._versions()  # another process may have been faster
            for part, steps in self._parts.items():
                for step in steps[versions.get(part, 0) :]:
                    self._run(translated_step(step))
                self._run(_SET_VERSION, {"part": part, "version": len(steps)})

    def _run(self, statement: str, values: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        def run() -> list[tuple[Any, ...]]:
            cursor = self._connection.execute(statement.encode(), values)
            return cursor.fetchall() if cursor.description else []

        return self._call(run, self._timeouts.statement + _GRACE)

    def _call(self, function: Callable[[], T], seconds: float) -> T:
        try:
            return self._bounded.call(function, seconds)
        except TooLateError:
            raise SlowError("the team's server did not answer in time", where=self._where, next_step=_LATER) from None
        except self._psycopg.Error as error:
            self._explain(error)

    def _explain(self, error: psycopg.Error) -> NoReturn:
        said = one_line(str(error))
        for name in ("password", "sslpassword"):
            if secret := self._given.get(name):
                said = said.replace(str(secret), "***")
        state = error.sqlstate or ""
        if state.startswith(_ROWS_FAULT):
            raise StoreError(
                f"the team's server rejected this ({said})",
                where=self._where,
                next_step="The server stored none of it.",
            ) from error
        kind = SlowError if state in _BUSY else UnavailableError
        raise kind(f"the team's server cannot be used ({said})", where=self._where, next_step=_LATER) from error


_LATER = "Start it or fix its address, then run `wrap doctor --fix`."


def open_postgres(address: str, timeouts: Timeouts = OF_A_COMMAND) -> PostgresDatabase:
    """The database at an address; see `PostgresDatabase` for what it raises."""
    return PostgresDatabase(address, timeouts=timeouts)


def _psycopg(where: str) -> Any:  # noqa: ANN401 - a module
    try:
        import psycopg
    except ImportError as error:
        raise UnavailableError(
            f"psycopg is not installed ({error}), which is needed for PostgreSQL",
            where=where,
            next_step="Run `pip install 'wrapgen[postgres]'`.",
        ) from error
    return psycopg


def _addresses(given: Mapping[str, Any]) -> dict[str, str]:
    """A host's addresses. libpq would resolve them too, but block the whole process meanwhile."""
    host = str(given.get("host") or "")
    if not host or host.startswith("/") or "," in host or "hostaddr" in given:
        return {}
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return {}  # libpq says why, in its words
    listed = list(dict.fromkeys(str(one[4][0]) for one in found))
    return {"host": ",".join([host] * len(listed)), "hostaddr": ",".join(listed)}


def _milliseconds(seconds: float) -> str:
    return str(round(seconds * 1000))
