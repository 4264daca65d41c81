"""Which conversations are to be looked through: those that changed since the last wrap."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.days import moved
from wrapgen.errors import WrapgenError
from wrapgen.session.discover import Folders, host_sessions, working_folder
from wrapgen.session.readers import open_transcript
from wrapgen.vault import state, told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.commands.app import App

LAST_WRAP_FILE = "last-wrap.jsonl"


def sessions_since_last_wrap(app: App) -> list[Path]:
    """The conversations of this vault that changed since the last wrap, oldest change first.

    They are those that hosts ran in its folders, and those that hooks were told of. The first time: those inside the
    look-back.
    """
    stored = state.load(app.root, LAST_WRAP_FILE, datetime).records
    first = moved(app.day, -app.config.lookback_days)
    since = stored[-1] if stored else datetime(max(first.year, 1970), first.month, first.day).astimezone()
    folders = Folders.of(app.root, app.config.projects)
    paths = host_sessions(since.timestamp(), Path.home(), os.environ)
    here = [path for path in paths if (cwd := working_folder(path)) and folders.project_of(cwd)[0]]
    known = {os.path.realpath(path) for path in here}
    heard = [(changed, path) for changed, path in _told_of(app.root, since.timestamp()) if str(path) not in known]
    return [*here, *(path for _, path in sorted(heard))]


def remember_wrap(app: App, begun: datetime) -> None:
    """Note that conversations were read up to a moment; the caller holds the lock."""
    state.save(app.root, LAST_WRAP_FILE, [begun])


def _told_of(root: Path, since: float) -> Iterator[tuple[float, Path]]:
    """What hooks were told of, by real path, with the time of its last change."""
    for path in {os.path.realpath(one) for one in told.transcripts(str(root)) if "\0" not in one}:
        try:
            changed = os.stat(path).st_mtime  # noqa: PTH116 - of many files
            if changed >= since:
                open_transcript(Path(path))
                yield changed, Path(path)
        except (OSError, WrapgenError):  # gone, or of a host whose form nobody can read
            continue
