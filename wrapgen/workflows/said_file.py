"""`.wrapgen/said.jsonl`: what was said of items, kept with the notes, so that every clone of the vault knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.notes import Trouble
from wrapgen.vault import disk

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.triage.said import Record

SAID_FILE = ".wrapgen/said.jsonl"


def read_said(root: Path) -> tuple[list[Record], list[Trouble]]:
    """Read all that was said; lines that cannot be read are named, and stay as they are."""
    try:
        data = disk.whole(root / SAID_FILE)
    except FileNotFoundError:
        return [], []
    except OSError as error:
        return [], [Trouble(SAID_FILE, f"cannot be read ({error.strerror or error})")]
    from wrapgen.triage.said import decoded  # most vaults have none of it

    records, odd = decoded(data)
    return records, [Trouble(SAID_FILE, f"line {number} cannot be read; it is kept as is") for number in odd]
