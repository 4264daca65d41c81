"""What the store asks of a database: rows for a statement, and transactions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from contextlib import AbstractContextManager


class Database(Protocol):
    """An open database that has the tables of `wrapgen.agents.sql`.

    Every method raises `StoreError` when the database cannot do it.
    """

    def rows(self, statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Run a statement.

        Args:
            statement: with named values, as in `wrapgen.agents.sql`.
            values: by name; names that the statement lacks are passed over.

        Returns:
            its rows, none for a statement that has none.
        """
        ...

    def many(self, statement: str, values: Iterable[Mapping[str, Any]]) -> None:
        """Run a statement for each of many values."""
        ...

    def writing(self) -> AbstractContextManager[None]:
        """One transaction that no other writer gets into: all of it is kept, or nothing."""
        ...

    def reading(self) -> AbstractContextManager[None]:
        """Several statements that see the same moment."""
        ...

    def compact(self) -> None:
        """Give the room of deleted rows back to the disk."""
        ...

    def close(self) -> None:
        """Let go of the database."""
        ...
