"""wrapgen's own state: one JSON object per line, in `.wrapgen/state/`.

These files contain conversation text, so they are private and ignored by git. An unreadable line (after a crash, or an
edit by hand) is reported and kept, never thrown away.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from wrapgen.errors import WrapgenError, remedy
from wrapgen.jsonl import NOT_JSON
from wrapgen.regular_files import put
from wrapgen.vault import disk
from wrapgen.vault.disk import make_private_folder, publish
from wrapgen.vault.held import held

STATE_FOLDER = ".wrapgen/state"
TORN = ".torn"

T = TypeVar("T")


class Stored(msgspec.Struct, Generic[T], frozen=True):
    """The lines of a state file."""

    records: tuple[T, ...]  # those that could be read, oldest first
    unreadable: tuple[tuple[int, bytes], ...] = ()  # those that could not, with their 1-based numbers


def state_file(root: Path, name: str) -> Path:
    """The path of a state file."""
    return root / STATE_FOLDER / name


def load(root: Path, name: str, kind: type[T]) -> Stored[T]:
    """Read a state file; WrapgenError when it is there but cannot be read."""
    return read_lines(state_file(root, name), kind)


def read_lines(path: Path, kind: type[T]) -> Stored[T]:
    """Read a file of one record a line; as `load`."""
    decoder = msgspec.json.Decoder(kind)
    records: list[T] = []
    unreadable: list[tuple[int, bytes]] = []
    for number, line in enumerate(_lines(path), 1):
        if line.strip():
            try:
                records.append(decoder.decode(line))
            except NOT_JSON:
                unreadable.append((number, line))
    return Stored(tuple(records), tuple(unreadable))


def _lines(path: Path) -> list[bytes]:
    try:
        return disk.whole(path).split(b"\n")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise WrapgenError(
            f"cannot be read ({error.strerror or error}); it holds what wrapgen remembers",
            where=str(path),
            next_step=remedy(error),
        ) from error


def set_aside(root: Path, name: str, kind: type[T]) -> Path | None:
    """Move the lines of a state file that cannot be read behind those that were moved before; nothing is deleted.

    The caller holds the vault's lock; a crash in the middle leaves them in both files. Returns the file that holds them
    now; None when there were none.
    """
    path = state_file(root, name)
    unreadable = dict(load(root, name, kind).unreadable)
    if not unreadable:
        return None
    aside = path.with_name(name + TORN)
    append_lines(aside, b"".join(line + b"\n" for line in unreadable.values()), root=root)
    kept = (line for number, line in enumerate(_lines(path), 1) if number not in unreadable and line.strip())
    publish(path, b"".join(line + b"\n" for line in kept), root=root, private=True)
    return aside


def save(
    root: Path, name: str, records: Iterable[Any], *, keep: Iterable[tuple[int, bytes]] = (), durable: bool = True
) -> None:
    """Replace a state file in one step; the caller holds the vault's lock, unless what a power cut takes is no loss.

    Lines to keep stay at the end.
    """
    path = state_file(root, name)
    make_private_folder(path.parent, root)
    lines = [msgspec.json.encode(record) for record in records] + [line for _, line in keep]
    data = b"".join(line + b"\n" for line in lines)
    if durable:
        publish(path, data, root=root, private=True)
    else:
        with held(path, root) as file:
            put(file.at, data, folder=file.folder)


def add_record(root: Path, name: str, record: Any, *, durable: bool = True) -> None:  # noqa: ANN401 - what msgspec encodes
    """Add a record to the end of a state file; the caller holds the vault's lock.

    Durable: wait until it is on the disk. What a power cut may take needs no lock either: short lines that are appended
    at once do not mix. Raises PublishError; at most, on a failing disk, a torn line is there, which reading skips.
    """
    path = state_file(root, name)
    make_private_folder(path.parent, root)
    append_lines(path, msgspec.json.encode(record) + b"\n", root=root, durable=durable)


def append_lines(path: Path, line: bytes, *, root: Path, durable: bool = True) -> None:
    """Append whole lines to a private file, creating it when missing; never to an incomplete line left by a crash."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
    with disk.refused("cannot be written", path), held(path, root) as file, file.opened(flags) as descriptor:
        size = os.lseek(descriptor, 0, os.SEEK_END)
        if size and (os.lseek(descriptor, size - 1, os.SEEK_SET), os.read(descriptor, 1))[1] != b"\n":
            line = b"\n" + line  # a crash left the last line incomplete: start a new one
        disk.append(descriptor, line, durable=durable)
        if durable and not size:
            file.sync_folder()  # a new one, or one whose name may not have reached the disk
