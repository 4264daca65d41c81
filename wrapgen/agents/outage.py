"""That the team's server is down, remembered for a minute by all processes of a vault: then one of them tries it.

Silence may be that of a server that is busy for a moment, so it counts for seconds at first, each time for twice as
many.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from wrapgen.vault.hookfiles import HOOKS_FOLDER, folder_of, put_json

if TYPE_CHECKING:
    from pathlib import Path

SECONDS = 60.0
FIRST_SECONDS = 3.0

_TRYING = 1.0  # seconds for which the others let one process try

_FOLDER = "store"
_FILE = "down.json"


class Outage:
    """What a vault remembers of a server.

    Args:
        root: the vault.
        address: the server's.
    """

    def __init__(self, root: Path, address: str) -> None:
        self._root = root
        self._file = root / HOOKS_FOLDER / _FOLDER / _FILE
        # Another address is another server; this one may hold a password, and is kept nowhere.
        self._server = sha256(address.encode("utf-8", "surrogatepass")).hexdigest()

    def why(self) -> str | None:
        """Why it was down when it was tried last, None when it was not."""
        found = self._found()
        return None if found is None else str(found.get("why"))

    def is_over(self) -> bool:
        """Whether the server may be tried. Where it was down, this one process is who tries it now."""
        found = self._found()
        if found is None:
            return True
        until = found.get("until")
        if isinstance(until, (int, float)) and 0 <= until - time.time() <= SECONDS:
            return False
        self._put({**found, "until": time.time() + _TRYING})
        return True

    def note(self, why: str, *, silent: bool = False) -> None:
        """Remember that it is down; where that cannot be written, everybody tries for himself.

        Args:
            why: why.
            silent: it did not answer, or not in time.
        """
        seconds = SECONDS
        if silent:
            before = (self._found() or {}).get("seconds")
            seconds = min(SECONDS, 2 * before if isinstance(before, (int, float)) else FIRST_SECONDS)
        self._put({"server": self._server, "until": time.time() + seconds, "seconds": seconds, "why": why})

    def _put(self, document: dict[str, object]) -> None:
        with suppress(OSError):
            folder_of(str(self._root), _FOLDER)
            put_json(str(self._file), document)

    def forget(self) -> None:
        """It is up."""
        with suppress(OSError):
            self._file.unlink(missing_ok=True)

    def _found(self) -> dict[str, object] | None:
        try:
            found = json.loads(self._file.read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) and found.get("server") == self._server else None
