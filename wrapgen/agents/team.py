"""A team's store: on its server, and in the vault while the server is down.

Every change goes to the vault's own store and its outbox first, and is then sent. So it is sent once and in order,
nothing is lost by a killed process, and during an outage the changes of this computer are available.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from wrapgen.agents.circuit_breaker import Outage
from wrapgen.agents.outbox import Outbox
from wrapgen.agents.postgres import open_postgres
from wrapgen.agents.sqlite import open_sqlite
from wrapgen.agents.store import Store
from wrapgen.agents.timeouts import OF_A_COMMAND, Timeouts
from wrapgen.errors import SlowError, UnavailableError

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from wrapgen.agents.context import Asking, StepRows
    from wrapgen.agents.operations import Operation
    from wrapgen.agents.postgres import PostgresDatabase


_FOR_ASKING = 0.3  # of the time that there is
_LONG = 2.0  # seconds


class TeamStore:
    """The store of a team, seen from a vault; to be used in a `with` block.

    Attributes:
        trouble: why the server could not be used just now; "" while that is remembered only.
        here: what was done on this computer, in the vault's own file.
        outbox: what of it waits for the server.
    """

    def __init__(self, root: Path, address: str, *, shared: bool = False, timeouts: Timeouts = OF_A_COMMAND) -> None:
        """Open the vault's own store; the server is contacted only when needed.

        Args:
            shared: the vault is on a network file system.
            timeouts: how long to wait for the server. Where there is a bound for everything, a server that was down
                within the last minute is not asked at all.

        Raises:
            StoreError: the vault's own store cannot be opened or written, or is damaged.
            PublishError: its folder cannot be made.
        """
        self.trouble = ""
        self._address = address
        self._timeouts = timeouts
        self._outage = Outage(root, address)
        self._server: PostgresDatabase | None = None
        self._away: UnavailableError | None = None
        self._remembered = False
        self.here = Store(open_sqlite(root, shared=shared, at_most=timeouts.total))
        self.outbox = Outbox(self.here.database)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.here.database.close()
        if self._server is not None:
            self._server.close()

    def do(self, operation: Operation) -> object:
        """Do something, here and on the server.

        Returns:
            what came of it on the server; None while it waits.

        Raises:
            StoreError: it cannot be written down, so that it will never be done.
        """
        new = self.outbox.do(operation)
        try:
            return self.outbox.send(self._open(), self._is_enough).get(new)
        except UnavailableError as error:
            self._lost(error)
            return None

    def keep(self, operation: Operation) -> None:
        """Do something here, and send it to the server with the next change.

        Raises:
            StoreError: it cannot be written down.
        """
        self.outbox.do(operation)

    def find(self, asking: Asking) -> StepRows:
        """See `Store.find`; while the server is down, what is known here."""
        try:
            return Store(self._open()).find(asking)
        except UnavailableError as error:
            self._lost(error)
            return self.here.find(asking)

    def server(self) -> Store:
        """The store on the server, after what is pending was sent there.

        Raises:
            UnavailableError: it is away.
        """
        try:
            self.outbox.send(self._open())
            return Store(self._open())
        except UnavailableError as error:
            self._lost(error)
            raise

    @property
    def behind(self) -> bool:
        """Whether something has been queued long enough to start a background run for it."""
        return not self._remembered and self.outbox.longest() > _LONG

    def _open(self) -> PostgresDatabase:
        if self._away is not None:
            raise self._away
        if self._server is None:
            if self._timeouts.total is not None and not self._outage.is_over():
                self._remembered = True
                self._away = UnavailableError("the team's server was down within the last minute")
                raise self._away
            self._server = open_postgres(self._address, self._timeouts)
            self._outage.forget()
        return self._server

    def _is_enough(self) -> bool:
        """Whether what is left of the time is for asking."""
        left, total = self._open().left(), self._timeouts.total
        return left is not None and total is not None and left < total * _FOR_ASKING

    def _lost(self, error: UnavailableError) -> None:
        """Do without the server from here on. One that accepts the connection and is then slow is not down."""
        if self._away is not None:
            return
        self._away = error
        silent = isinstance(error, SlowError)
        if self._server is None or not silent:
            self._outage.note(error.what, silent=silent)
            self.trouble = str(error)
