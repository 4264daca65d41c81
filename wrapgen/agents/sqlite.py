"""The store's database in one file of the vault, by SQLite."""

import errno
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wrapgen.agents.store import Store, storable
from wrapgen.errors import StoreError, UnavailableError, remedy
from wrapgen.regular_files import make
from wrapgen.vault.files import make_private_folder
from wrapgen.vault.held import inside
from wrapgen.vault.state import state_file

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
