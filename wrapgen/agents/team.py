"""The store of a team: on its server, and for as long as that is away in the vault.

Whatever is done is written down here first, in the order in which it happens, and then sent: so it is sent once and in
order whoever sends it, and nothing is lost by whoever is killed. It is done to the vault's own store too, so that what
was done on this computer is known here while the server is away.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Self

from wrapgen.agents.outage import Outage
from wrapgen.agents.outbox import Outbox
from wrapgen.agents.patience import OF_A_COMMAND, Patience
from wrapgen.agents.postgres import open_postgres
from wrapgen.agents.sqlite import open_sqlite
from wrapgen.agents.store import Store
from wrapgen.errors import UnavailableError, WrapgenError

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from wrapgen.agents.context import Asking, Found
    from wrapgen.agents.operations import Operation
    from wrapgen.agents.postgres import PostgresDatabase


class TeamStore:
    """The store of a team, seen from a vault; to be used in a `with` block.

    Attributes:
        trouble: why the server could not be used just now; "" while that is remembered only.
    """

    def __init__(self, root: Path, address: str, *, shared: bool = False, patience: Patience = OF_A_COMMAND) -> None:
        """Open what waits in the vault; the server is talked to when there is something to say.

        Args:
            root: the vault.
            address: the server's.
            shared: the vault is on a network file system.
            patience: how long to wait for the server. Where there is a bound for everything, a server that was down
                within the last minute is not asked at all.

        Raises:
            StoreError: a file cannot be opened.
            PublishError: its folder cannot be made.
        """
        self.trouble = ""
        self._address = address
        self._patience = patience
        self._outage = Outage(root, address)
        self._server: PostgresDatabase | None = None
        self._away: UnavailableError | None = None
        self._root, self._shared = root, shared
        self._outbox = Outbox(root, shared=shared)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._outbox.close()
        if "here" in self.__dict__:
            self.here.database.close()
        if self._server is not None:
            self._server.close()

    def do(self, operation: Operation) -> object:
        """Do something, here and on the server.

        Args:
            operation: what is to be done.

        Returns:
            what came of it on the server; None while it waits.

        Raises:
            StoreError: it cannot be written down, so that it will never be done.
        """
        new = self._outbox.add(operation)
        try:
            operation.do(self.here)
        except WrapgenError as error:
            self.trouble = str(error)  # what is known here is a help, and no more
        try:
            return self._outbox.send(self._open(), self._is_enough).get(new)
        except UnavailableError as error:
            self._lost(error)
            return None

    def find(self, asking: Asking) -> Found:
        """See `Store.find`; while the server is away, what is known here."""
        try:
            return Store(self._open()).find(asking)
        except UnavailableError as error:
            self._lost(error)
            return self.here.find(asking)

    def server(self) -> Store:
        """The store on the server, after what waits was sent there.

        Raises:
            UnavailableError: it is away.
        """
        try:
            self._outbox.send(self._open())
            return Store(self._open())
        except UnavailableError as error:
            self._lost(error)
            raise

    @cached_property
    def here(self) -> Store:
        """What was done on this computer; raises what `open_sqlite` raises."""
        return Store(open_sqlite(self._root, shared=self._shared))

    def _open(self) -> PostgresDatabase:
        if self._away is not None:
            raise self._away
        if self._server is None:
            if self._patience.total is not None and not self._outage.is_over():
                self._away = UnavailableError("the team's server was down within the last minute")
                raise self._away
            self._server = open_postgres(self._address, self._patience)
            self._outage.forget()
        return self._server

    def _is_enough(self) -> bool:
        """Whether what is left of the time is for asking."""
        left, total = self._open().left(), self._patience.total
        return left is not None and total is not None and left < total / 2

    def _lost(self, error: UnavailableError) -> None:
        """Do without the server from here on."""
        if self._away is None:
            self._away = error
            self._outage.note(error.what)
            self.trouble = str(error)
