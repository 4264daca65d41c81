"""The index of the cold log: a cache, made again whenever it is missing, damaged, older or of another log.

What it finds are places in the log; the words are there alone.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from wrapgen.errors import WrapgenError
from wrapgen.regular_files import make
from wrapgen.tracks.entries import DecisionRecord, TombstoneRecord, TurnRecord, WithdrawnRecord, decoded
from wrapgen.tracks.fts_tokens import pieces, queries
from wrapgen.vault import disk
from wrapgen.vault.held import inside

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wrapgen.tracks.entries import Record
    from wrapgen.tracks.log import Log

Kind = Literal["tombstone", "turn", "decision"]
KINDS: tuple[Kind, ...] = ("tombstone", "turn", "decision")
_VERSION = 2
_BUSY_SECONDS = 10.0
_CHECKED = 256  # bytes at the end of what is indexed, by which the log is known again
# What a tombstone or a decision says in a few words weighs more than a turn that mentions it.
_RANK = "bm25(words, 4.0, 1.0)"
_TABLES = """
CREATE TABLE entries (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, start INTEGER NOT NULL,
                      gone INTEGER NOT NULL DEFAULT 0);
CREATE INDEX entries_by_key ON entries (key);
CREATE TABLE indexed (end INTEGER NOT NULL, tail BLOB NOT NULL);
INSERT INTO indexed VALUES (0, x'');
CREATE VIRTUAL TABLE words USING fts5 (title, body, content = '', tokenize = 'unicode61 remove_diacritics 2');
"""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A record that was found."""

    record: TurnRecord | TombstoneRecord | DecisionRecord
    score: float  # how well it fits, more is better


def search(log: Log, index: Path, words: str, kind: Kind | None, limit: int) -> list[SearchHit]:
    """Search the log.

    Args:
        index: the index's file; its folder must exist, or else the index is made in memory and forgotten.
        kind: of the records, None for all.
        limit: how many at most.

    Returns:
        what fits best first.

    Raises:
        WrapgenError: the log cannot be read, or SQLite has no FTS5.
    """
    with _opened(log, index) as connection:
        for query in queries(words):
            if rows := _rows(connection, query, kind, limit):
                return _hits(log, rows)
    return []


@contextmanager
def _opened(log: Log, index: Path) -> Iterator[sqlite3.Connection]:
    """The index, up to date: from its file, else a new one, else in memory only."""
    for place in (index, index, None):
        try:
            connection = _fresh(log, place)
        except sqlite3.DatabaseError as error:
            if place is None:
                raise WrapgenError(
                    f"the cold track cannot be searched ({error})",
                    where=str(log.path),
                    next_step="Use a Python whose SQLite has FTS5.",
                ) from error
            _drop(index, error)
        except OSError:
            continue
        else:
            try:
                yield connection
            finally:
                connection.close()
            return


def _drop(index: Path, error: sqlite3.DatabaseError) -> None:
    """Remove an index that cannot be used; one that another process is writing is left alone."""
    if isinstance(error, sqlite3.OperationalError) and "lock" in str(error):
        return
    for suffix in ("", "-journal"):
        with suppress(OSError):
            index.with_name(index.name + suffix).unlink()


def _fresh(log: Log, index: Path | None) -> sqlite3.Connection:
    """The index with everything that the log holds.

    Raises:
        sqlite3.Error: it is damaged, or cannot be written.
        OSError: its file cannot be made.
    """
    if index is not None:
        inside(index, log.root)
        # SQLite would make it as the umask says. To close one that is there would end this process's locks on it.
        with suppress(FileExistsError):
            os.close(make(os.fspath(index), os.O_RDWR | os.O_CREAT | os.O_EXCL))
    connection = sqlite3.connect(index or ":memory:", timeout=_BUSY_SECONDS, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = OFF")  # a cache
        if not _is_current(connection, log):
            connection.execute("BEGIN IMMEDIATE")
            if not _is_current(connection, log):
                _update(connection, log)
            connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _is_current(connection: sqlite3.Connection, log: Log) -> bool:
    if connection.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
        return False
    end, tail = connection.execute("SELECT end, tail FROM indexed").fetchone()
    return bool(end == _whole_lines(log) and tail == _tail(log, end))


def _update(connection: sqlite3.Connection, log: Log) -> None:
    """Take in what was appended to the log; all of it when the log is another one than before."""
    end = 0
    if connection.execute("PRAGMA user_version").fetchone()[0] == _VERSION:
        end, tail = connection.execute("SELECT end, tail FROM indexed").fetchone()
        if tail != _tail(log, end):
            end = 0
    if not end:
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('entries', 'indexed', 'words')"
        ).fetchall():
            connection.execute(f"DROP TABLE {name}")
        for statement in _TABLES.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {_VERSION}")
    new_end = _whole_lines(log)
    for start, line in log.lines(end):
        if start + len(line) > new_end:
            break
        record = decoded(line)
        if record is not None:
            _take(connection, record, start)
    connection.execute("UPDATE indexed SET end = ?, tail = ?", (new_end, _tail(log, new_end)))


def _take(connection: sqlite3.Connection, record: Record, start: int) -> None:
    match record:
        case TurnRecord():
            kind, key, title, body = "turn", record.key, "", f"{record.text} {' '.join(record.files)}"
            connection.execute("UPDATE entries SET gone = 1 WHERE key = ? AND kind = 'turn'", (key,))
        case TombstoneRecord():
            told = " ".join(one.text for one in record.story)
            connection.execute("UPDATE entries SET gone = 1 WHERE key = ? AND kind = 'tombstone'", (record.id,))
            kind, key, title, body = "tombstone", record.id, f"{record.id} {record.name} {record.reason}", told
        case DecisionRecord():
            kind, key, title, body = "decision", record.key, record.text, record.source
        case WithdrawnRecord():
            values = (not record.back, record.id)
            connection.execute("UPDATE entries SET gone = ? WHERE key = ? AND kind = 'tombstone'", values)
            return
        case _:
            return
    added = connection.execute("INSERT INTO entries (kind, key, start) VALUES (?, ?, ?)", (kind, key, start))
    connection.execute(
        "INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)", (added.lastrowid, pieces(title), pieces(body))
    )


def _rows(connection: sqlite3.Connection, query: str, kind: Kind | None, limit: int) -> list[tuple[int, float]]:
    return connection.execute(
        f"SELECT entries.start, {_RANK} AS rank FROM words JOIN entries ON entries.id = words.rowid"
        " WHERE words MATCH ? AND NOT entries.gone AND (? IS NULL OR entries.kind = ?)"
        " ORDER BY rank, entries.id DESC LIMIT ?",
        (query, kind, kind, limit),
    ).fetchall()


def _hits(log: Log, rows: list[tuple[int, float]]) -> list[SearchHit]:
    found = []
    for start, rank in rows:
        line = next((line for _, line in log.lines(start)), b"")
        record = decoded(line)
        if isinstance(record, TurnRecord | TombstoneRecord | DecisionRecord):
            found.append(SearchHit(record, round(-rank, 3)))
    return found


def _whole_lines(log: Log) -> int:
    """The size of the log without a line at its end that is not whole yet."""
    try:
        with disk.opened(log.path) as descriptor, open(descriptor, "rb", buffering=0, closefd=False) as file:
            end = file.seek(0, os.SEEK_END)
            while end > 0:
                start = file.seek(max(0, end - (1 << 16)))
                block = file.read(end - start)
                if (at := block.rfind(b"\n")) >= 0:
                    return start + at + 1
                end = start
    except FileNotFoundError:
        pass
    return 0


def _tail(log: Log, end: int) -> bytes:
    """The last bytes before a place of the log."""
    try:
        with disk.opened(log.path) as descriptor, open(descriptor, "rb", buffering=0, closefd=False) as file:
            file.seek(max(0, end - _CHECKED))
            return file.read(min(end, _CHECKED))
    except FileNotFoundError:
        return b""
