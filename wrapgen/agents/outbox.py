"""What waits in a vault for the team's server: operations, in the order in which they were done.

Each is done there inside one transaction with a note of its id, and forgotten here afterwards. Whoever is killed
between the two leaves an operation that is found done. Several processes may send at once: the note of an id is what
they wait for, and nobody goes on to the next operation before the one in front of it is settled.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from uuid import uuid4

from wrapgen.agents import sql
from wrapgen.agents.database import Joined
from wrapgen.agents.operations import read, written
from wrapgen.agents.store import Store
from wrapgen.errors import StoreError, UnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from wrapgen.agents.database import Database
    from wrapgen.agents.operations import Operation


class Outbox:
    """What waits in a vault's own store. Every method raises `StoreError` when that cannot be used.

    Args:
        file: the store's database.
    """

    def __init__(self, file: Database) -> None:
        self._file = file

    def do(self, operation: Operation) -> str:
        """Do something here, and put it behind all that waits; both, or nothing.

        Args:
            operation: what is done.

        Returns:
            its id.
        """
        with self._file.writing():
            new = self.add(operation)
            operation.do(Store(Joined(self._file)))
        return new

    def add(self, operation: Operation) -> str:
        """Put something that only the server keeps behind all that waits.

        Args:
            operation: what is done there.

        Returns:
            its id.
        """
        new = uuid4().hex
        self._file.rows(sql.ADD_WAITING, {"id": new, "since": time.time(), "operation": written(operation)})
        return new

    def send(self, server: Database, enough: Callable[[], bool] = lambda: False) -> dict[str, object]:
        """Do what waits on the server, oldest first, until nothing waits.

        What the server does not take because of what it is would hold up all others, and is put aside with the reason.

        Args:
            server: its database.
            enough: asked before each operation.

        Returns:
            what came of the operations that this process did there, by their ids.

        Raises:
            UnavailableError: the server is not there any more; what was not done yet waits on.
        """
        done: dict[str, object] = {}
        while (found := self._file.rows(sql.FIRST_WAITING, {})) and not enough():
            ((one, text),) = found
            try:
                with server.writing():
                    if server.rows(sql.MARK_SENT, {"id": one}):
                        done[one] = read(text).do(Store(Joined(server)))
            except UnavailableError:
                raise
            except StoreError as error:
                self._refuse(one, text, error)
            else:
                self._file.rows(sql.NO_LONGER_WAITING, {"id": one})
        return done

    def _refuse(self, one: str, text: str, error: StoreError) -> None:
        with self._file.writing():
            self._file.rows(sql.REFUSED, {"id": one, "operation": text, "why": error.what})
            self._file.rows(sql.NO_LONGER_WAITING, {"id": one})

    def waiting(self) -> int:
        """How many operations wait."""
        return int(self._file.rows(sql.WAITING, {})[0][0])

    def longest(self) -> float:
        """For how many seconds the oldest operation has waited; 0 when none waits."""
        ((number, since),) = self._file.rows(sql.WAITING, {})
        return time.time() - float(since) if number else 0.0

    def refused(self) -> list[str]:
        """Why operations were put aside, oldest first."""
        return [str(why) for (why,) in self._file.rows(sql.WHY_REFUSED, {})]
