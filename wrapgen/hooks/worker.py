"""The background process for hook requests: it searches conversations and rebuilds, like `wrap --no-prompt`.

One at a time works in a vault, and one waits for its turn; it takes up all requests until then. Ten sessions that end
at once cost one run or two. Conversations for the configured reader are queued, and handed over one by one.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Self

from wrapgen.errors import LockHeldError, WrapgenError
from wrapgen.hooks import once
from wrapgen.hooks.detach import Request, requests_folder
from wrapgen.hooks.subagents import remember_state
from wrapgen.regular_files import take
from wrapgen.session.reading import command_of
from wrapgen.vault import disk, headline, session_registry
from wrapgen.vault.keyed_files import KeyedFiles, log, log_of, put_json
from wrapgen.vault.lock import OTHER_LOCKS, LockWait, file_lock
from wrapgen.workflows import user_config
from wrapgen.workflows.agent_store import drain, spool_of
from wrapgen.workflows.app import App
from wrapgen.workflows.reader_run import judge_by_reader, read_conversation
from wrapgen.workflows.rebuild import publish_after, rebuild
from wrapgen.workflows.session_end import end_session
from wrapgen.workflows.unread_sessions import UnreadSessions
from wrapgen.workflows.vault_session import VaultSession

LOCK_NAME = "hooks.lock"
_PATIENCE = 600.0  # seconds to wait for the run before
_TOGETHER = 0.2  # seconds in which simultaneous requests are combined into one run
_QUIET = 0.3  # seconds without a change after which a transcript counts as complete
_LONGEST_WRITING = 3.0
_TAIL = 1 << 20  # bytes of a transcript in which the last turn is looked for
_ENOUGH = 200  # characters by which it is known
_KEPT_SECONDS = 86_400  # a request that made every run fail is given up


def main(words: Sequence[str]) -> int:
    """Take what is requested in a vault (the first word); 0, what went wrong is in the vault's log.

    The second word is the descriptor that holds the place of those who wait, where one was handed over.
    """
    root = words[0]
    place = int(words[1]) if words[1:] else take(requests_folder(root))
    if place is None:
        return 0
    try:
        with os.fdopen(place) as waiting:
            _work(Path(root), waiting.close)
    except Exception as error:
        with suppress(Exception):
            log(log_of(root), f"background run: {type(error).__name__}: {error}")
    return 0


def _work(root: Path, stop_waiting: Callable[[], None]) -> None:
    from wrapgen.config import VAULT_FILE, Config, load

    config = load(root / VAULT_FILE, Config)
    wait = LockWait("the background run", _PATIENCE, "nothing")
    with file_lock(root / OTHER_LOCKS / LOCK_NAME, wait, root=root, shared=config.is_shared):
        if not all(request.hurry for _, request in _requests(root)):
            time.sleep(_TOGETHER)
        stop_waiting()  # before the requests are listed: what comes later finds the place free
        taken = dict(_requests(root))
        if taken:
            troubles = _carry_out(root, list(taken.values()))
            for line in troubles:
                log(log_of(str(root)), f"background run: {line}")
            _forget(taken, failed=bool(troubles))
            once.forget(str(root))
            session_registry.forget(str(root))
    app = App(vault=root, quiet=True)
    troubles = list(read_queued(app))
    with _noted(troubles, "triage: "):
        if error := judge_by_reader(app):
            troubles.append(f"triage: {error}")
    for line in troubles:
        log(log_of(str(root)), f"reader: {line}")


def _requests(root: Path) -> Iterator[tuple[Path, Request]]:
    for file in sorted(Path(requests_folder(str(root))).glob("*.json")):
        try:
            yield file, Request.of(json.loads(disk.whole(file)))
        except FileNotFoundError:
            continue
        except (OSError, ValueError, RecursionError):
            yield file, Request(search=False)


def _carry_out(root: Path, requests: list[Request]) -> list[str]:
    app, troubles = App(vault=root, quiet=True), list[str]()
    searched = [request for request in requests if request.search]
    if searched or _is_unread(app, [request.transcript for request in requests if request.sweep]):
        for request in searched:
            _settle_down(request)
            _keep_words(root, request)
        with _noted(troubles, "nothing was read: "):
            queue_for_reading(app, searched)
        with _noted(troubles):  # like the end of a session, without a question
            if end_session(app).errors:
                troubles.append("some conversations could not be searched; `wrap` says which")
    elif headline.counts(str(root)) is None:
        with _noted(troubles):
            rebuild(app)
    with _noted(troubles, "the store of sub-agents: "):
        if not (spool := spool_of(app)).is_empty():
            drain(app, spool)  # a server that is away is no reason to redo everything else: `wrap doctor` reports it
    for cwd in {request.cwd for request in requests if os.path.isdir(request.cwd)}:
        with _noted(troubles, "the brief for sub-agents: "):
            remember_state(app, cwd)
    return troubles


@contextmanager
def _noted(troubles: list[str], what: str = "") -> Iterator[None]:
    """What goes wrong is noted, and the other steps are taken all the same."""
    try:
        yield
    except (WrapgenError, OSError) as error:
        troubles.append(f"{what}{error}")


def _is_unread(app: App, started: list[str]) -> bool:
    """Whether a conversation needs to be searched, other than those ("" where not known) of sessions that start."""
    if not started:
        return False
    unread = UnreadSessions(app)
    own = {os.path.realpath(one) for one in started} if len(set(started)) == 1 else set()
    return any(os.path.realpath(path) not in own and unread.is_ours(path) for path in unread.candidates)


def _forget(taken: dict[Path, Request], *, failed: bool) -> None:
    """Remove done requests; failed ones stay for the next run, for at most a day."""
    for file in taken:
        with suppress(OSError):
            if not failed or time.time() - file.stat().st_mtime > _KEPT_SECONDS:
                file.unlink()


def _settle_down(request: Request) -> None:
    """Let the host finish writing: at the end of a turn its transcript lacks that turn (claude-code issue 15812).

    Claude Code may write it only when its hooks have ended, however long it wrote nothing before.
    """
    if not request.transcript:
        return
    deadline = time.monotonic() + _LONGEST_WRITING
    while time.monotonic() < deadline:
        try:
            age = time.time() - os.stat(request.transcript).st_mtime
        except (OSError, ValueError):
            return
        is_quiet = not 0 <= age < _QUIET
        if is_quiet and (not request.message.strip() or _holds(request.transcript, request.message)):
            return
        time.sleep(_QUIET if is_quiet else _QUIET - age)


def _keep_words(root: Path, request: Request) -> None:
    """Save the last message of a turn where no transcript has it: some hosts keep none, or are killed too early."""
    words, session = request.message, request.session
    if not (session and words.strip()) or _holds(request.transcript, words):
        return
    from wrapgen.redact import redact

    turns = session_registry.kept_words(str(root), session)
    turn = {"role": "assistant", "text": redact(words)[0]}
    if not turns or turns[-1] != turn:
        cwd = session_registry.recall(str(root), session).cwd
        session_registry.keep_words(str(root), session, {"session_id": session, "cwd": cwd, "turns": [*turns, turn]})


def _holds(transcript: str, words: str) -> bool:
    beginnings = {json.dumps(words[:_ENOUGH], ensure_ascii=choice)[1:-1] for choice in (True, False)}
    try:
        with disk.opened(transcript) as descriptor:
            os.lseek(descriptor, max(0, os.fstat(descriptor).st_size - _TAIL), os.SEEK_SET)
            tail = os.read(descriptor, _TAIL)
    except (OSError, ValueError):
        return False
    return any(one.encode("utf-8", "replace") in tail for one in beginnings)


READER_LOCK = "reader.lock"
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
            with file_lock(app.root / OTHER_LOCKS / READER_LOCK, wait, root=app.root, shared=app.config.is_shared):
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
