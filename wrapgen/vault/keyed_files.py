"""What hooks keep in a vault, without waiting for a disk or loading anything large.

Small files by key; for `wrap doctor`, when each event last fired, and errors.
"""

import json
import os
import time
from typing import Any

from wrapgen.late_pattern import late
from wrapgen.regular_files import discard, json_of, opened, put, text_of

_PARENT = ".wrapgen/state/hooks"
_LARGEST = 1 << 20  # bytes
# Longer than the name of any other key, and the same on a disk that knows no capitals.
_PLAIN = late(r"[0-9a-f][0-9a-f-]{30,60}[0-9a-f]")


def put_json(file: str, document: dict[str, Any]) -> None:
    """As `put`."""
    put(file, json.dumps(document).encode())


def name_of(key: str) -> str:
    """A file's name for a key, whatever that holds: itself where it is like a UUID, as the ids of sessions are."""
    if _PLAIN.fullmatch(key):
        return key
    from hashlib import sha256  # loads OpenSSL, for as long as all else takes here

    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:24]


class KeyedFiles:
    """One small JSON document a key, each in a file of its own, in a folder among those that hooks keep in a vault.

    After `kept_seconds` nobody asks for a document; of one no more than `largest` bytes are read.
    """

    def __init__(self, folder: str, *, kept_seconds: float = float("inf"), largest: int | None = _LARGEST) -> None:
        self._folder = f"{_PARENT}/{folder}"
        self._kept_seconds = kept_seconds
        self._largest = largest

    def path(self, root: str) -> str:
        """The folder, which may be missing."""
        return f"{root}/{self._folder}"

    def folder(self, root: str) -> str:
        """The folder, made when it is missing; WrapgenError when it cannot be, or is a link out of the vault."""
        folder = self.path(root)
        own = os.path.join(os.path.realpath(root), *self._folder.split("/"))
        if os.path.realpath(folder) != own or not os.path.isdir(folder):  # new, or a link that came with the vault
            from pathlib import Path

            from wrapgen.vault.disk import make_private_folder

            make_private_folder(Path(folder), Path(root))
        return folder

    def file(self, root: str, key: str) -> str:
        """Where the document of a key stands, if there is one."""
        return f"{self.path(root)}/{name_of(key)}.json"

    def files(self, root: str) -> list[str]:
        """Where all documents of a vault stand."""
        try:
            with os.scandir(self.path(root)) as found:
                return [entry.path for entry in found if entry.name.endswith(".json")]
        except OSError:
            return []

    def read(self, file: str) -> dict[str, Any] | None:
        """A document, None when there is none that can be read."""
        found = json_of(file, self._largest)
        return found if isinstance(found, dict) else None

    def get(self, root: str, key: str) -> dict[str, Any] | None:
        """The document of a key, None when there is none that can be read."""
        return self.read(self.file(root, key)) if os.path.isdir(self.path(root)) else None

    def take(self, root: str, key: str) -> dict[str, Any] | None:
        """The document of a key, which is given once: of several processes that ask for it one gets it."""
        document = self.get(root, key)
        if document is None:
            return None
        self.folder(root)
        try:
            os.unlink(self.file(root, key))
        except OSError:
            return None
        return document

    def put(self, root: str, key: str, document: dict[str, Any]) -> None:
        """Keep a document in the place of the former one; raises OSError, and what `folder` raises."""
        self.folder(root)
        put_json(self.file(root, key), document)

    def remove(self, root: str, key: str) -> None:
        """Forget the document of a key, if there is one."""
        discard(self.file(root, key))

    def forget_old(self, root: str) -> None:
        """Remove what was written so long ago that nobody asks for it."""
        if not os.path.isdir(self.path(root)):
            return
        oldest = time.time() - self._kept_seconds
        try:
            with os.scandir(self.folder(root)) as entries:
                old = [entry.path for entry in entries if entry.stat().st_mtime < oldest]
        except OSError:
            return
        for file in old:
            discard(file)


LOG_FILE = ".wrapgen/state/hooks.log"
_FIRED = KeyedFiles("fired")
_LARGEST_LOG = 128 * 1024  # bytes; the previous log of that size is kept beside
_LONGEST = 2_000  # characters of an entry


def note_fired(root: str, event: str) -> None:
    """Record that an event fired now; OSError or WrapgenError where that cannot be."""
    file = f"{_FIRED.folder(root)}/{event}"
    with opened(file, os.O_WRONLY | os.O_CREAT, follow=False):
        os.utime(file)


def last_fired(root: str) -> dict[str, float]:
    """When each event fired last, in seconds since the epoch; events that never did are missing."""
    try:
        with os.scandir(_FIRED.path(root)) as entries:
            return {entry.name: entry.stat().st_mtime for entry in entries}
    except OSError:
        return {}


def log(file: str, words: str) -> None:
    """Add an entry, on one line without control characters, to a log; a log that is too large is rotated."""
    from wrapgen.text.display import shorten, visible_line

    stamp = time.strftime("%Y-%m-%dT%H:%M:%S%z")
    line = f"{stamp} {shorten(visible_line(words), _LONGEST)}\n".encode("utf-8", "replace")
    with opened(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, follow=False) as descriptor:
        os.write(descriptor, line)
        size = os.fstat(descriptor).st_size
    if size > _LARGEST_LOG:
        os.replace(file, f"{file}.1")


def log_of(root: str) -> str:
    """The log of a vault, its folder made when it is missing."""
    _FIRED.folder(root)
    return f"{root}/{LOG_FILE}"


def entries(root: str) -> list[str]:
    """The entries of a vault's log, oldest first; none when it cannot be read."""
    files = (f"{root}/{LOG_FILE}.1", f"{root}/{LOG_FILE}")
    return [line for file in files for line in text_of(file, 2 * _LARGEST_LOG).splitlines()]
