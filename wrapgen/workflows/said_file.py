"""`.wrapgen/said.jsonl`: what was said of items, kept with the notes, so that every clone of the vault knows it."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from wrapgen.notes import Trouble
from wrapgen.session.memory import Change
from wrapgen.triage.said import Record, decoded, encoded
from wrapgen.vault import disk
from wrapgen.vault.disk import make_private_folder
from wrapgen.vault.rewrite import rewrite

SAID_FILE = ".wrapgen/said.jsonl"


def read_said(root: Path) -> tuple[list[Record], list[Trouble]]:
    """Read all that was said; lines that cannot be read are named, and stay as they are."""
    try:
        data = disk.whole(root / SAID_FILE)
    except FileNotFoundError:
        return [], []
    except OSError as error:
        return [], [Trouble(SAID_FILE, f"cannot be read ({error.strerror or error})")]
    records, odd = decoded(data)
    return records, [Trouble(SAID_FILE, f"line {number} cannot be read; it is kept as is") for number in odd]


def appending(records: Sequence[Record]) -> Callable[[bytes | None], bytes]:
    """Return what adds records to the end of the file."""
    lines = encoded(records)

    def transform(data: bytes | None) -> bytes:
        data = data or b""
        return data + (b"" if not data or data.endswith(b"\n") else b"\n") + lines

    return transform


def appended(root: Path, records: Sequence[Record]) -> Change:
    """Return the change of the file that adds records, as it stands now."""
    try:
        former: bytes | None = disk.whole(root / SAID_FILE)
    except OSError:
        former = None
    return change_of(former, appending(records)(former))


def change_of(former: bytes | None, data: bytes) -> Change:
    """Return what was added to the file."""
    start = len(former or b"")
    return Change(SAID_FILE, start, data[start:], created=former is None)


def append_said(root: Path, records: Sequence[Record]) -> Change:
    """Add records to the file; the caller holds the vault's lock and has planned it."""
    _let_through((root / SAID_FILE).parent, root)
    result = rewrite(root / SAID_FILE, appending(records), root=root)
    return change_of(result.former, result.data or b"")


def _let_through(folder: Path, root: Path) -> None:
    """Make the folder, and let git see the file there; one that ignores everything is from an earlier version."""
    make_private_folder(folder, root)
    ignore = folder / ".gitignore"
    with suppress(OSError):
        if disk.whole(ignore) == b"*\n":
            disk.publish(ignore, f"*\n{disk.SHARED}".encode(), root=root, private=True)
