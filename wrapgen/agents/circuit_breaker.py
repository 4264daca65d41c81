"""Remembers for a minute, for all processes of a vault, that the team's server is down; then one of them tries it.

Silence may be that of a server that is busy for a moment, so it counts for seconds at first, each time for twice as
many.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

from wrapgen.vault.keyed_files import KeyedFiles

if TYPE_CHECKING:
    from pathlib import Path

SECONDS = 60.0
FIRST_SECONDS = 3.0

_TRYING = 1.0  # seconds for which the others let one process try

# By address: another one is another server. It may hold a password, and the store keeps only its digest.
_DOWN = KeyedFiles("store")


class Outage:
    """What a vault remembers of a server."""

    def __init__(self, root: Path, address: str) -> None:
        self._root = str(root)
        self._address = address

    def why(self) -> str | None:
        """Why it was down when it was tried last, None when it was not."""
        found = self._found()
        return None if found is None else str(found.get("why"))

    def is_over(self) -> bool:
        """Whether to try the server. After an outage, only one process gets to try it."""
        found = self._found()
        if found is None:
            return True
        until = found.get("until")
        if isinstance(until, (int, float)) and 0 <= until - time.time() <= SECONDS:
            return False
        self._put({**found, "until": time.time() + _TRYING})
        return True

    def note(self, why: str, *, silent: bool = False) -> None:
        """Remember that it is down; where that cannot be written, each process tries on its own.

        Args:
            silent: it did not answer, or not in time.
        """
        seconds = SECONDS
        if silent:
            before = (self._found() or {}).get("seconds")
            seconds = min(SECONDS, 2 * before if isinstance(before, (int, float)) else FIRST_SECONDS)
        self._put({"until": time.time() + seconds, "seconds": seconds, "why": why})

    def _put(self, document: dict[str, object]) -> None:
        with suppress(OSError):
            _DOWN.put(self._root, self._address, document)

    def forget(self) -> None:
        """Forget the outage: the server answers."""
        _DOWN.remove(self._root, self._address)

    def _found(self) -> dict[str, object] | None:
        found = _DOWN.get(self._root, self._address)
        return found if found is not None and "why" in found else None
