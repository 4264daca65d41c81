"""What the store needs from a database: rows for a statement, and transactions."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Protocol

from wrapgen.errors import UnavailableError
from wrapgen.jsonl import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from contextlib import AbstractContextManager


class Database(Protocol):
    """An open database that has the tables of `wrapgen.agents.sql`.

    Every method raises `StoreError` when the database cannot do it, `UnavailableError` when it could at another time.
    """

    def rows(self, statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Run a statement.

        Args:
            statement: with named values, as in `wrapgen.agents.sql`.
            values: by name; names that the statement lacks are skipped.

        Returns:
            its rows, none for a statement that has none.
        """
        ...

    def many(self, statement: str, values: Iterable[Mapping[str, Any]]) -> None:
        """Run a statement for each of many values."""
        ...

    def writing(self, *, alone: bool = False) -> AbstractContextManager[None]:
        """One transaction: all of it is kept, or nothing.

        Args:
            alone: nobody else may write meanwhile. Else others may, but not to what this one has changed or read
                `FOR UPDATE`.
        """
        ...

    def reading(self) -> AbstractContextManager[None]:
        """Several statements that see the same moment."""
        ...

    def compact(self) -> None:
        """Give the room of deleted rows back."""
        ...

    def close(self) -> None:
        """Let go of the database."""
        ...


class Joined:
    """A database inside a transaction of the caller, which what is called here joins."""

    def __init__(self, database: Database) -> None:
        self.rows, self.many = database.rows, database.many
        self.compact, self.close = database.compact, database.close

    def writing(self, *, alone: bool = False) -> AbstractContextManager[None]:
        """See `Database`; the caller has to have begun one that nobody else gets into, if that is asked for."""
        return nullcontext()

    def reading(self) -> AbstractContextManager[None]:
        """See `Database`."""
        return nullcontext()


_INT64 = 2**63 - 1


def storable(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values that every database takes: texts without lone surrogates and NUL, numbers of 64 bits."""
    return {name: _one(value) for name, value in values.items()}


def _one(value: Any) -> Any:  # noqa: ANN401 - whatever a column holds
    if isinstance(value, str):
        return clean(value).replace("\0", "\ufffd")
    return max(-_INT64, min(value, _INT64)) if isinstance(value, int) else value


def newer(version: int, known: int, where: str) -> UnavailableError:
    """The error for a store that a newer wrapgen wrote.

    Args:
        version: how many steps it has had.
        known: how many this program knows.
    """
    return UnavailableError(
        f"the store of sub-agents was written by a newer wrapgen (version {version}; this one knows {known})",
        where=where,
        next_step="Install the newer wrapgen again; nothing was changed.",
    )
