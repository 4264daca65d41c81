"""What hooks leave behind for people: which event fired last, and what went wrong. Loads nothing large."""

import os
import time

from wrapgen.vault.hookfiles import HOOKS_FOLDER, folder_of

LOG_FILE = ".wrapgen/state/hooks.log"
_FIRED = "fired"
_LARGEST = 128 * 1024  # bytes; the former log of that size is kept beside
_LONGEST = 2_000  # characters of an entry
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)


def note_fired(root: str, event: str) -> None:
    """Note that an event fired now.

    Args:
        root: the vault.
        event: its name.

    Raises:
        OSError: it cannot be written.
        WrapgenError: the folder cannot be made.
    """
    file = f"{folder_of(root, _FIRED)}/{event}"
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | _NO_LINKS, 0o600))
    os.utime(file)


def last_fired(root: str) -> dict[str, float]:
    """When each event fired last, in seconds since the epoch; events that never did are missing.

    Args:
        root: the vault.
    """
    try:
        with os.scandir(f"{root}/{HOOKS_FOLDER}/{_FIRED}") as entries:
            return {entry.name: entry.stat().st_mtime for entry in entries}
    except OSError:
        return {}


def log(file: str, words: str) -> None:
    """Add an entry to a log; a log that grows too large makes room by becoming the former one.

    Args:
        file: the log.
        words: what happened; put into one line without control characters.

    Raises:
        OSError: it cannot be written.
    """
    from wrapgen.text import one_line, shorten, visible

    stamp = time.strftime("%Y-%m-%dT%H:%M:%S%z")
    line = f"{stamp} {shorten(visible(one_line(words)), _LONGEST)}\n".encode("utf-8", "replace")
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _NO_LINKS, 0o600)
    try:
        os.write(descriptor, line)
        size = os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)
    if size > _LARGEST:
        os.replace(file, f"{file}.1")


def log_of(root: str) -> str:
    """The log of a vault, its folder made when it is missing.

    Raises:
        WrapgenError: the folder cannot be made.
    """
    folder_of(root, _FIRED)
    return f"{root}/{LOG_FILE}"


def entries(root: str) -> list[str]:
    """The entries of a vault's log, oldest first; none when it cannot be read.

    Args:
        root: the vault.
    """
    found: list[str] = []
    for file in (f"{root}/{LOG_FILE}.1", f"{root}/{LOG_FILE}"):
        try:
            with open(file, encoding="utf-8", errors="replace") as lines:
                found += [line.rstrip("\n") for line in lines]
        except OSError:
            continue
    return found
