"""The vault's history on disk: one JSON line a day.

Nothing else depends on it. It contains numbers and project names, no text of notes.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from wrapgen.errors import PublishError
from wrapgen.run_history import Day, by_day
from wrapgen.vault.disk import make_private_folder, publish
from wrapgen.vault.held import inside
from wrapgen.vault.state import read_lines

FILE = ".wrapgen/history.jsonl"
_DAYS = 3_000  # that are kept, the newest ones


def days(root: Path) -> tuple[Day, ...]:
    """What is known of each day, oldest first; lines that cannot be read are skipped."""
    return by_day(read_lines(root / FILE, Day).records)


def add(root: Path, rebuild: Day) -> None:
    """Add a rebuild to its day, unless it says nothing new; the caller holds the vault's lock.

    Raises WrapgenError when the file cannot be read or written, or is a link, by which lines could get into a note.
    """
    path = Path(os.path.realpath(root), *FILE.split("/"))
    if inside(root / FILE, root) != path:
        raise PublishError(
            "is behind a symbolic link, so no history is kept", where=str(path), next_step="Remove the link."
        )
    stored = read_lines(path, Day)
    last = next((one for one in reversed(stored.records) if one.day == rebuild.day), None)
    if last is None or msgspec.structs.replace(last, new=0, resolved=0) != rebuild:
        make_private_folder(path.parent, root, pattern=path.name)
        kept = map(msgspec.json.encode, by_day((*stored.records, rebuild))[-_DAYS:])
        lines = [*(line for _, line in stored.unreadable), *kept]
        publish(path, b"".join(line + b"\n" for line in lines), root=root, private=True)
