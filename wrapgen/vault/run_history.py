"""The vault's history on disk: one JSON line a day.

Nothing else depends on it. It contains numbers and project names, no text of notes.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import msgspec

from wrapgen.errors import PublishError, WrapgenError, remedy
from wrapgen.jsonl import NOT_JSON
from wrapgen.run_history import VERSION, Day, by_day
from wrapgen.vault import disk
from wrapgen.vault.files import make_private_folder, publish
from wrapgen.vault.held import inside

FILE = ".wrapgen/history.jsonl"
_DAYS = 3_000  # that are kept, the newest ones
_LARGEST = 4 << 20  # bytes, beyond which the oldest lines go


@dataclass(frozen=True, slots=True)
class _Book:
    """The lines of the file."""

    rebuilds: tuple[Day, ...]  # those that could be read, in the order in which they were written
    others: tuple[bytes, ...]  # torn ones, those of newer versions, and what else is there


def days(root: Path) -> tuple[Day, ...]:
    """What is known of each day, oldest first; lines that cannot be read are skipped."""
    return by_day(_read(root / FILE).rebuilds)


def add(root: Path, rebuild: Day) -> None:
    """Add a rebuild to its day, unless it says nothing new; the caller holds the vault's lock.

    Raises:
        WrapgenError: the file cannot be read or written; the previous lines stand.
    """
    path = _own_file(root)
    book = _read(path)
    last = next((one for one in reversed(book.rebuilds) if one.day == rebuild.day), None)
    if last is None or msgspec.structs.replace(last, new=0, resolved=0) != rebuild:
        make_private_folder(path.parent, root, pattern=path.name)
        publish(path, _written(book, rebuild), root=root, private=True)


def _own_file(root: Path) -> Path:
    """The file; it must not be a link, or lines could be added to a note."""
    own = Path(os.path.realpath(root), *FILE.split("/"))
    if inside(root / FILE, root) != own:
        raise PublishError(
            "is behind a symbolic link, so no history is kept", where=str(own), next_step="Remove the link."
        )
    return own


def _read(path: Path) -> _Book:
    try:
        with disk.opened(path) as descriptor:
            data = disk.content(descriptor, 2 * _LARGEST)
    except FileNotFoundError:
        return _Book((), ())
    except OSError as error:
        raise WrapgenError(
            f"the history cannot be read ({error.strerror or error})", where=str(path), next_step=remedy(error)
        ) from error
    if len(data) == 2 * _LARGEST:
        raise WrapgenError(
            f"the history is larger than {_LARGEST} bytes",
            where=str(path),
            next_step="Move it away; the next rebuild starts a new one.",
        )
    return _sorted_out(data)


def _sorted_out(data: bytes) -> _Book:
    decoder = msgspec.json.Decoder(Day)
    rebuilds: list[Day] = []
    others: list[bytes] = []
    for line in filter(None, map(bytes.strip, data.split(b"\n"))):
        try:
            one = decoder.decode(line)
        except NOT_JSON:
            others.append(line)
            continue
        if one.version == VERSION:
            rebuilds.append(one)
        else:
            others.append(line)
    return _Book(tuple(rebuilds), tuple(others))


def _written(book: _Book, rebuild: Day) -> bytes:
    """One line a day, behind those that cannot be read; the newest ones where there are too many."""
    kept = [msgspec.json.encode(one) for one in by_day((*book.rebuilds, rebuild))[-_DAYS:]]
    newest_first = [line + b"\n" for line in (*reversed(kept), *reversed(book.others))]
    fitting = sum(size <= _LARGEST for size in accumulate(map(len, newest_first)))
    return b"".join(reversed(newest_first[: max(1, fitting)]))
