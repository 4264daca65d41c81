"""The outbox of a vault for the team's server: operations, in the order in which they were done.

Each is done there inside one transaction with a note of its id, and forgotten here afterwards. A process killed
between the two leaves an operation that is found done. Several processes may send at once: they wait on the recorded
id, and none goes on to the next operation before the previous one is finished.
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
    """What is pending in a vault's own store. Every method raises `StoreError` when that cannot be used."""

    def __init__(self, file: Database) -> None:
        self._file = file

    def do(self, operation: Operation) -> str:
        """Do something here, and append it to the outbox; both, or nothing.

        Returns:
            its id.
        """
        with self._file.writing():
            new = self.add(operation)
            operation.do(Store(Joined(self._file)))
        return new

    def add(self, operation: Operation) -> str:
        """Append something that only the server stores to the outbox.

        Returns:
            its id.
        """
        new = uuid4().hex
        self._file.rows(sql.ADD_WAITING, {"id": new, "since": time.time(), "operation": written(operation)})
        return new

    def send(self, server: Database, enough: Callable[[], bool] = lambda: False) -> dict[str, object]:
        """Send the outbox to the server, oldest first, until it is empty.

        An operation that the server rejects would block all others, so it is put aside with the reason.

        Args:
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
        """How many operations are queued."""
        return int(self._file.rows(sql.WAITING, {})[0][0])

    def longest(self) -> float:
        """How many seconds the oldest operation has been queued; 0 when there is none."""
        ((number, since),) = self._file.rows(sql.WAITING, {})
        return time.time() - float(since) if number else 0.0

    def refused(self) -> list[str]:
        """Why operations were put aside, oldest first."""
        return [str(why) for (why,) in self._file.rows(sql.WHY_REFUSED, {})]
