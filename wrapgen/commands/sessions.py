"""Which conversations are to be looked through: those that changed since the last wrap."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.days import moved
from wrapgen.errors import ConfigError, WrapgenError
from wrapgen.session.discover import Folders, host_sessions, is_transcript, working_folder
from wrapgen.vault import state, told
from wrapgen.vault.trust import is_trusted

if TYPE_CHECKING:
    from wrapgen.commands.app import App

LAST_WRAP_FILE = "last-wrap.jsonl"
_RUNNING = "CLAUDE_CODE_SESSION_ID"
"""Names the session for programs that Claude Code's agent runs."""
_NEWEST = 200
"""Conversations whose beginning is read to find one of a folder."""


def sessions_since_last_wrap(app: App) -> list[Path]:
    """The conversations of this vault that changed since the last wrap, oldest change first.

    They are those that hosts ran in its folders, and those that hooks were told of. The first time: those inside the
    look-back.
    """
    changed = Changed.since_last_wrap(app)
    return [path for path in changed.candidates if changed.is_ours(path)]


@dataclass(frozen=True, slots=True)
class Changed:
    """What hosts wrote since the last wrap, of whatever vault.

    Attributes:
        candidates: conversations, those that nobody told of first; none of them was opened yet.
        told: those that hooks were told of.
        folders: the vault's.
    """

    candidates: tuple[Path, ...]
    told: frozenset[Path]
    folders: Folders

    @classmethod
    def since_last_wrap(cls, app: App) -> Changed:
        """List what changed."""
        stored = state.load(app.root, LAST_WRAP_FILE, datetime).records
        first = moved(app.day, -app.config.lookback_days)
        since = stored[-1] if stored else datetime(max(first.year, 1970), first.month, first.day).astimezone()
        heard = _told_of(app.root, since.timestamp())
        hosts = host_sessions(since.timestamp(), Path.home(), os.environ)
        others = [path for path in hosts if Path(os.path.realpath(path)) not in heard]
        return cls((*others, *heard), frozenset(heard), Folders.of(app.root, app.config.projects))

    def is_ours(self, path: Path) -> bool:
        """Whether a candidate is a conversation of this vault; its beginning is read."""
        if path in self.told:
            return is_transcript(path)
        cwd = working_folder(path)
        return cwd is not None and self.folders.project_of(cwd)[0]


def newest_session_here() -> Path:
    """The newest conversation of the current folder: the one that runs here, as far as the host says.

    Raises:
        WrapgenError: no host keeps one of this folder.
    """
    here = Path(os.path.realpath(Path.cwd()))
    running = os.environ.get(_RUNNING, "")
    sessions = list(host_sessions(0, Path.home(), os.environ))[::-1]
    if known := [path for path in sessions if running and path.stem == running]:
        return known[0]
    for path in sessions[:_NEWEST]:
        cwd = working_folder(path)
        if cwd is not None and Path(os.path.realpath(cwd)) in (here, *here.parents):
            return path
    raise WrapgenError(
        "no conversation of this folder is known", where=str(here), next_step="Name one with --transcript FILE."
    )


def remember_wrap(app: App, begun: datetime) -> None:
    """Note that conversations were read up to a moment; the caller holds the lock."""
    state.save(app.root, LAST_WRAP_FILE, [begun])


def _told_of(root: Path, since: float) -> dict[Path, None]:
    """What hooks were told of, by real path, oldest change first.

    Notes of them may have come with somebody's vault, and name anybody's conversations: only a trusted one is believed.
    """
    heard = {os.path.realpath(one): at for one, at in told.transcripts(str(root)) if "\0" not in one}
    if not heard or not _is_trusted(root):
        return {}
    changed: list[tuple[float, str]] = []
    for path, at in heard.items():
        try:
            changed.append((max(at, os.stat(path).st_mtime), path))  # noqa: PTH116 - of many files
        except OSError:  # gone, as all are after some time
            continue
    return dict.fromkeys(Path(path) for at, path in sorted(changed) if at >= since)


def _is_trusted(root: Path) -> bool:
    try:
        return is_trusted(root)
    except ConfigError:  # of the user's own file: then nothing is known to be trusted
        return False
