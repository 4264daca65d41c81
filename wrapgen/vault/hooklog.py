"""What hooks record for `wrap doctor`: when each event last fired, and errors. Imports nothing large."""

import os
import time

from wrapgen.regular_files import opened, text_of
from wrapgen.vault.keyed_files import KeyedFiles

LOG_FILE = ".wrapgen/state/hooks.log"
_FIRED = KeyedFiles("fired")
_LARGEST = 128 * 1024  # bytes; the previous log of that size is kept beside
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
    if size > _LARGEST:
        os.replace(file, f"{file}.1")


def log_of(root: str) -> str:
    """The log of a vault, its folder made when it is missing."""
    _FIRED.folder(root)
    return f"{root}/{LOG_FILE}"


def entries(root: str) -> list[str]:
    """The entries of a vault's log, oldest first; none when it cannot be read."""
    files = (f"{root}/{LOG_FILE}.1", f"{root}/{LOG_FILE}")
    return [line for file in files for line in text_of(file, 2 * _LARGEST).splitlines()]
