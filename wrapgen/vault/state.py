"""What wrapgen itself must remember: one JSON object a line, in `.wrapgen/state/`.

These files hold words of conversations, so only their owner may read them and git ignores them. A line that cannot be
read (a crash in the middle of it, an edit by hand) is reported and kept, never thrown away.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from wrapgen.errors import WrapgenError, remedy
from wrapgen.vault import disk
from wrapgen.vault.files import make_private_folder, publish

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

STATE_FOLDER = ".wrapgen/state"
TORN = ".torn"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Stored(Generic[T]):
    """The lines of a state file.

    Attributes:
        records: those that could be read, oldest first.
        unreadable: those that could not, with their 1-based numbers.
    """

    records: tuple[T, ...]
    unreadable: tuple[tuple[int, bytes], ...] = ()


def state_file(root: Path, name: str) -> Path:
    """The path of a state file."""
    return root / STATE_FOLDER / name


def load(root: Path, name: str, kind: type[T]) -> Stored[T]:
    """Read a state file.

    Args:
        root: the vault.
        name: the file's name.
        kind: the type of its records.

    Raises:
        WrapgenError: the file is there but cannot be read.
    """
    decoder = msgspec.json.Decoder(kind)
    records: list[T] = []
    unreadable: list[tuple[int, bytes]] = []
    for number, line in enumerate(_lines(state_file(root, name)), 1):
        if line.strip():
            try:
                records.append(decoder.decode(line))
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                unreadable.append((number, line))
    return Stored(tuple(records), tuple(unreadable))


def _lines(path: Path) -> list[bytes]:
    try:
        return disk.whole(path).split(b"\n")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise WrapgenError(
            f"cannot be read ({error.strerror or error}); wrapgen remembers there what was said and decided",
            where=str(path),
            next_step=remedy(error),
        ) from error


def set_aside(root: Path, name: str, kind: type[T]) -> Path | None:
    """Move the lines of a state file that cannot be read behind those that were moved before; nothing is deleted.

    The caller holds the vault's lock. A crash in the middle leaves them in both files.

    Args:
        root: the vault.
        name: the file's name.
        kind: the type of its records.

    Returns:
        the file that holds them now; None when there were none.

    Raises:
        WrapgenError: a file cannot be read or written.
    """
    path = state_file(root, name)
    unreadable = dict(load(root, name, kind).unreadable)
    if not unreadable:
        return None
    aside = path.with_name(name + TORN)
    append_lines(disk.inside(aside, root), b"".join(line + b"\n" for line in unreadable.values()))
    kept = (line for number, line in enumerate(_lines(path), 1) if number not in unreadable and line.strip())
    publish(path, b"".join(line + b"\n" for line in kept), root=root, private=True)
    return aside


def save(root: Path, name: str, records: Iterable[Any], *, keep: Iterable[tuple[int, bytes]] = ()) -> None:
    """Replace a state file in one step; the caller holds the vault's lock.

    Args:
        root: the vault.
        name: the file's name.
        records: its records, oldest first.
        keep: lines that could not be read; they stay at the end.

    Raises:
        PublishError: it cannot be written; the former file is untouched.
    """
    path = state_file(root, name)
    make_private_folder(path.parent, root)
    lines = [msgspec.json.encode(record) for record in records] + [line for _, line in keep]
    publish(path, b"".join(line + b"\n" for line in lines), root=root, private=True)


def append(root: Path, name: str, record: Any, *, durable: bool = True) -> None:  # noqa: ANN401 - what msgspec encodes
    """Add a record to the end of a state file; the caller holds the vault's lock.

    Args:
        root: the vault.
        name: the file's name.
        record: the record.
        durable: wait until it is on the disk. What a power cut may take needs no lock either: short lines that are
            appended at once do not mix.

    Raises:
        PublishError: it cannot be written; at most, on a failing disk, a torn line stands there, which
            reading passes over.
    """
    path = state_file(root, name)
    make_private_folder(path.parent, root)
    append_lines(disk.inside(path, root), msgspec.json.encode(record) + b"\n", durable=durable)


def append_lines(path: Path, line: bytes, *, durable: bool = True) -> None:
    """Add whole lines to the end of a private file, which is made when missing; never to a line that a crash tore.

    Args:
        path: the file, links followed; its folder must exist.
        line: one line or several, each with its end.
        durable: wait until they are on the disk.

    Raises:
        PublishError: they cannot be written.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        with open(descriptor, "r+b", buffering=0) as file:  # noqa: PTH123 - a descriptor, not a path
            size = file.seek(0, os.SEEK_END)
            if size and (file.seek(size - 1), file.read(1))[1] != b"\n":
                line = b"\n" + line  # a crash tore the last line: do not tear this one too
            disk.append(file.fileno(), line, durable=durable)
    except OSError as error:
        raise disk.cannot("cannot be written", path, error) from error
