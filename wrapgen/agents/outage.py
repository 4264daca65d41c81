"""That the team's server is down, remembered for a minute by all processes of a vault: one in a minute tries it."""

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
        tried = found.get("tried")
        if isinstance(tried, (int, float)) and 0 <= time.time() - tried < SECONDS:
            return False
        self.note(str(found.get("why")))
        return True

    def note(self, why: str) -> None:
        """Remember that it is down; where that cannot be written, everybody tries for himself."""
        with suppress(OSError):
            folder_of(str(self._root), _FOLDER)
            put_json(str(self._file), {"server": self._server, "tried": time.time(), "why": why})

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
