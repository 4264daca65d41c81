"""What could not be stored because another process held the store: a file each, taken up by whoever opens it next.

A host waits for its hooks, so they cannot wait for the store. They are taken up in the order in which they came, one
by one, and a file goes when its operation is stored: a run that dies between the two does it once more, which changes
nothing.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from wrapgen.agents.operations import read, written
from wrapgen.errors import StoreError, UnavailableError
from wrapgen.regular_files import whole
from wrapgen.vault.claim import take
from wrapgen.vault.files import make_private_folder
from wrapgen.vault.state import state_file
from wrapgen.vault.temporary import put

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.agents.operations import Operation
    from wrapgen.agents.store import Store
    from wrapgen.agents.team import TeamStore

FOLDER = "agents-spool"
_ENDING = ".json"
_REFUSED = ".refused"


class Spool:
    """The operations of a vault that wait for its store."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folder = state_file(root, FOLDER)

    def put(self, operation: Operation) -> None:
        """Keep an operation for later, without the secrets that are recognised.

        Raises:
            OSError: it cannot be written.
            PublishError: its folder cannot be made.
        """
        make_private_folder(self._folder, self._root)
        name = f"{time.time_ns():020}-{os.getpid()}{_ENDING}"
        put(str(self._folder / name), written(operation).encode())

    def waiting(self) -> list[Path]:
        """The files that wait, oldest first."""
        try:
            return sorted(file for file in self._folder.iterdir() if file.name.endswith(_ENDING))
        except OSError:
            return []

    def take_up(self, store: Store | TeamStore, seconds: float | None = None) -> None:
        """Store what waits.

        Args:
            seconds: how long at most; what is left then waits on.

        Raises:
            UnavailableError: another process is at it, or holds the store.
            StoreError: the store fails otherwise.
            OSError: a file cannot be opened or removed.
        """
        if not self.waiting():
            return
        deadline = float("inf") if seconds is None else time.monotonic() + seconds
        claim = take(str(self._folder))
        if claim is None:
            raise UnavailableError("another process takes up what waits for the store of sub-agents")
        with os.fdopen(claim):
            for file in self.waiting():
                if time.monotonic() > deadline:
                    return
                _take_up(file, store)


def _take_up(file: Path, store: Store | TeamStore) -> None:
    """Store one; what is no operation is put aside, so that it does not keep the others waiting."""
    try:
        operation = read(whole(file).decode())
    except (StoreError, OSError, ValueError):
        file.replace(file.with_suffix(_REFUSED))
        return
    store.keep(operation)
    file.unlink()
