"""Conversations queued for the configured reader; the background run hands them over one by one."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

from wrapgen.errors import LockHeldError, WrapgenError
from wrapgen.hooks.detach import Request
from wrapgen.session.reading import command_of
from wrapgen.vault.keyed_files import KeyedFiles, put_json
from wrapgen.vault.lock import OTHER_LOCKS, LockWait, file_lock
from wrapgen.workflows import user_config
from wrapgen.workflows.app import App
from wrapgen.workflows.reader_run import read_conversation
from wrapgen.workflows.rebuild import publish_after
from wrapgen.workflows.unread_sessions import UnreadSessions
from wrapgen.workflows.vault_session import VaultSession

LOCK_NAME = "reader.lock"
_TO_READ = KeyedFiles("to-read")
_IDLE_SECONDS = 3_600
"""After this much silence a conversation counts as ended: many ends are never reported (claude-code issue 17885)."""
_AGAIN_SECONDS = 3_600  # a conversation on which the reader failed is tried again by the first run after this time


def queue_for_reading(app: App, requests: Sequence[Request]) -> None:
    """Record which conversations are to be read, before the search forgets which were new."""
    if not command_of(user_config.own().reader):
        return
    root = str(app.root)
    ended = {os.path.realpath(one.transcript): one.ended for one in requests if one.transcript}
    for path in UnreadSessions(app).ours():
        ended.setdefault(os.path.realpath(path), _is_idle(path))
    for transcript, to_the_end in ended.items():
        former = _Note.read(_TO_READ.file(root, transcript))
        note = former._replace(transcript=transcript, to_the_end=to_the_end or former.to_the_end)
        _TO_READ.put(root, transcript, note._asdict())


class _Note(NamedTuple):
    transcript: str = ""  # the conversation
    to_the_end: bool = False  # also its last piece, which may still grow
    failed: float = 0.0  # when the reader failed on it last, in seconds since the epoch

    @classmethod
    def read(cls, file: str) -> Self:
        try:
            said = _TO_READ.read(file) or {}
            return cls(str(said["transcript"]), said["to_the_end"] is True, float(said.get("failed", 0)))
        except (ValueError, LookupError, TypeError):
            return cls()


def read_queued(app: App) -> Iterator[str]:
    """Run the reader on the queue, unless another run is doing so; returns errors.

    The lock holder checks again after releasing it, so that entries added in between are not left behind.
    """
    _TO_READ.folder(str(app.root))
    seen: set[tuple[str, int]] = set()
    while new := {(file, _changed(file)) for file in _TO_READ.files(str(app.root))} - seen:
        seen |= new
        try:
            wait = LockWait("the reader", 0, "nothing")
            with file_lock(app.root / OTHER_LOCKS / LOCK_NAME, wait, root=app.root, shared=app.config.is_shared):
                for file, _ in sorted(new):
                    yield from _read(app, file)
        except LockHeldError:
            return


def _read(app: App, file: str) -> Iterator[str]:
    """Read one conversation. Its queue entry is removed afterwards, so a killed run or a failed reader leaves it."""
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
                publish_after(VaultSession.look(app))
    except (WrapgenError, OSError) as error:
        yield f"{note.transcript}: {error}"
    finally:
        with suppress(OSError):
            if failed:
                put_json(file, _Note.read(file)._replace(failed=time.time())._asdict())
            elif _changed(file) == noted:  # else it was queued again meanwhile
                os.unlink(file)


def _changed(file: str) -> int:
    try:
        return os.stat(file).st_mtime_ns
    except OSError:
        return 0


def _is_idle(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime > _IDLE_SECONDS
    except OSError:
        return True
