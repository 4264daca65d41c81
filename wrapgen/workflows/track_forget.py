"""Forgetting what is kept of a project's conversations: single dead ends, or everything but what people wrote."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.errors import WrapgenError
from wrapgen.tracks.hot import COLD_FILE
from wrapgen.tracks.log import HOT_FILE, LOG_FILE, context_folder
from wrapgen.tracks.record import Drawn, WithdrawnRecord
from wrapgen.tracks.user_lines import MOVED_FILE
from wrapgen.vault import disk
from wrapgen.vault.held import inside
from wrapgen.workflows.track_entries import first_snapshot
from wrapgen.workflows.track_files import tracks_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from wrapgen.tracks.record import Tombstone
    from wrapgen.workflows.app import App

_MADE = (HOT_FILE, COLD_FILE, LOG_FILE)
_KEPT = {
    HOT_FILE: "what the next context starts with after a compaction",
    COLD_FILE: "everything that was said, to read",
    LOG_FILE: "everything that was said, tried and decided: what `wrap track query` searches",
    MOVED_FILE: "what you added by hand and had no room in HOT_TRACK.md",
}


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file in `.claude/context`, with its size in bytes and what it holds."""

    path: Path
    size: int
    what: str


def kept_files(project: Path) -> list[KeptFile]:
    """What is kept of a project's conversations."""
    found = []
    for name, what in _KEPT.items():
        path = context_folder(project) / name
        with suppress(OSError):
            found.append(KeptFile(path, path.stat().st_size, what))
    return found


def withdraw(app: App, project: Path, ids: Sequence[str]) -> list[Tombstone]:
    """Take dead ends back for good; both files are written anew."""
    with tracks_of(app, project) as tracks:
        known = tracks.known
        wanted = list(dict.fromkeys(one.upper() for one in ids))
        if unknown := [one for one in wanted if one not in known.tombstones]:
            raise WrapgenError(
                f"no dead end {', '.join(unknown)}",
                where=str(tracks.folder),
                next_step="`wrap track query --kind dead-end WORDS` finds it.",
            )
        records = [WithdrawnRecord(one, by="said") for one in wanted]
        tracks.log.append(records)
        for record in records:
            known.take(record)
        drawn = known.last.drawn if known.last else Drawn()
        if drawn is None:
            tracks.publish_cold()
        else:
            tracks.publish(drawn, known.last or first_snapshot(app, project, "", None))
        return [known.tombstones[one] for one in wanted]


def forget_all(app: App, project: Path) -> list[Path]:
    """Delete what was made from conversations; what people added to it goes to a file of its own first."""
    removed = []
    with tracks_of(app, project) as tracks:
        tracks.keep_added()
        for name in _MADE:
            path = inside(tracks.folder / name, project)
            try:
                path.unlink()
            except FileNotFoundError:
                continue
            except OSError as error:
                raise disk.cannot("cannot be deleted", path, error) from error
            removed.append(path)
    return removed
