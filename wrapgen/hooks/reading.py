"""Conversations that wait for the reader that the user has named; the background run hands them over one by one."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from wrapgen.commands import userfile
from wrapgen.commands.reading import read_conversation
from wrapgen.commands.rebuild import publish_after
from wrapgen.commands.sessions import sessions_since_last_wrap
from wrapgen.errors import LockHeldError, WrapgenError
from wrapgen.ledger import FollowUpCounts
from wrapgen.session.reading.presets import command_of
from wrapgen.vault.hookfiles import folder_of, put_json
from wrapgen.vault.lock import OTHER_LOCKS, Wait, file_lock

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wrapgen.commands.app import App
    from wrapgen.hooks.detach import Request

LOCK_NAME = "reader.lock"
_FOLDER = "to-read"
_IDLE_SECONDS = 3_600
"""After so long without a word a conversation counts as ended: many ends are never told (claude-code issue 17885)."""
_AGAIN_SECONDS = 3_600
"""A conversation on which the reader failed is tried again by the first run after so long."""


def queue_for_reading(app: App, requests: Sequence[Request]) -> None:
    """Note which conversations are to be read, before the run that looks through them forgets which were new.

    Args:
        app: the vault.
        requests: what hooks ask for.
    """
    if not command_of(userfile.reader()):
        return
    ended = {os.path.realpath(one.transcript): one.ended for one in requests if one.transcript}
    for path in sessions_since_last_wrap(app):
        ended.setdefault(os.path.realpath(path), _is_idle(path))
    for transcript, to_the_end in ended.items():
        name = sha256(transcript.encode("utf-8", "surrogatepass")).hexdigest()[:24]
        file = Path(folder_of(str(app.root), _FOLDER), f"{name}.json")
        former = _Note.read(file)
        put_json(
            str(file), former._replace(transcript=transcript, to_the_end=to_the_end or former.to_the_end)._asdict()
        )


class _Note(NamedTuple):
    """What waits for the reader.

    Attributes:
        transcript: the conversation.
        to_the_end: also its last piece, which may still grow.
        failed: when the reader failed on it last, in seconds since the epoch.
    """

    transcript: str = ""
    to_the_end: bool = False
    failed: float = 0.0

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read a note; an empty one where there is none, or it is broken."""
        try:
            said = json.loads(file.read_bytes())
            return cls(str(said["transcript"]), said["to_the_end"] is True, float(said.get("failed", 0)))
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return cls()


def read_queued(app: App) -> Iterator[str]:
    """Let the reader read what waits, unless another run does that just now; gives what went wrong.

    Who holds the lock looks again after letting it go: what came in between is not left for another day.

    Args:
        app: the vault.
    """
    folder = Path(folder_of(str(app.root), _FOLDER))
    seen: set[tuple[Path, int]] = set()
    while new := {(file, _changed(file)) for file in folder.glob("*.json")} - seen:
        seen |= new
        try:
            wait = Wait("the reader", 0, "nothing")
            with file_lock(app.root / OTHER_LOCKS / LOCK_NAME, wait, root=app.root, shared=app.config.lock == "shared"):
                for file, _ in sorted(new):
                    yield from _read(app, file)
        except LockHeldError:
            return


def _read(app: App, file: Path) -> Iterator[str]:
    """Read one conversation. Its note goes afterwards: a run that is killed, or a reader that fails, leaves it."""
    noted, note = _changed(file), _Note.read(file)
    if time.time() - note.failed < _AGAIN_SECONDS:
        return
    failed = False
    try:
        result = read_conversation(app, Path(note.transcript), to_the_end=note.to_the_end)
        if result.error:
            failed = True
            yield f"{note.transcript}: {result.error}"
        if result.pieces:
            with app.locked():
                publish_after(app, FollowUpCounts())
    except (WrapgenError, OSError) as error:
        yield f"{note.transcript}: {error}"
    finally:
        with suppress(OSError):
            if failed:
                put_json(str(file), _Note.read(file)._replace(failed=time.time())._asdict())
            elif _changed(file) == noted:  # else it was asked for again meanwhile
                file.unlink()


def _changed(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def _is_idle(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime > _IDLE_SECONDS
    except OSError:
        return True
