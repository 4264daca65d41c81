"""What is served of a vault: its page, rendered on request, and the notes that it links to."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING

from wrapgen.config import VAULT_FILE
from wrapgen.errors import WrapgenError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wrapgen.workflows.app import App

_LEAST = 0.5  # seconds between two looks at the vault
_SHARE = 3  # or so many times what a look takes, so that a large vault does not keep a core busy
# The program's own files that the page shows: pending follow-ups, decisions, the history, and its own template.
_SHOWN = ("", "state", "templates")
_ENDINGS = (".jsonl", ".j2", ".css", ".js")
_NEVER_SHOWN = ("listed.jsonl", "published.jsonl")


class VaultShelf:
    """A vault's page and notes; called from several threads. Nothing is written."""

    def __init__(self, app: App) -> None:
        self._app, self._root = app, app.root
        self._looking = Lock()
        self._version, self._next_look = "", 0.0

    def version(self) -> str:
        """The same text as long as the page would show the same."""
        with self._looking:
            begun = time.monotonic()
            if begun >= self._next_look:
                self._version = self._look()
                now = time.monotonic()
                self._next_look = now + max(_LEAST, _SHARE * (now - begun))
            return self._version

    def page(self) -> str:
        """The page of the vault's current state.

        Raises:
            Exception: whatever keeps it from being made.
        """
        from wrapgen.workflows.html_page import page_of

        app = replace(self._app, vault=self._root)
        try:
            return page_of(app, app.root)[1].decode("utf-8")
        except Exception as error:
            app.warn(str(error) or type(error).__name__)
            raise

    def source(self, path: str) -> bytes | None:
        """The text of a note; None when no source of the page is there.

        Args:
            path: relative to the vault, as somebody sent it.
        """
        from wrapgen.vault.files import LARGEST_FILE, read

        found = next((one for one in self._quiet().glance().listing.found if one.path == path), None)
        try:
            return read(found.file, LARGEST_FILE).text.encode("utf-8", "replace") if found else None
        except OSError as error:
            self._app.note(f"{path}: {error.strerror or error}")
            return None

    def _quiet(self) -> App:
        """The vault with its configuration as that is now."""
        return replace(self._app, vault=self._root, quiet=True)

    def _look(self) -> str:
        app = self._quiet()
        digest = blake2b(app.day.isoformat().encode(), digest_size=12)
        try:
            digest.update(app.glance().fingerprint)
        except (WrapgenError, OSError) as error:
            digest.update(str(error).encode("utf-8", "replace"))
        digest.update(repr(sorted(_stamps(self._root))).encode())
        return digest.hexdigest()


def _stamps(root: Path) -> Iterator[tuple[str, int, int]]:
    own = root / ".wrapgen"
    found = (file for folder in _SHOWN for file in (own / folder).glob("*") if file.name not in _NEVER_SHOWN)
    for file in (root / VAULT_FILE, *(file for file in found if file.suffix in _ENDINGS)):
        with suppress(OSError):
            status = file.stat()
            yield str(file), status.st_mtime_ns, status.st_size
