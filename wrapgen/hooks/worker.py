"""The process that takes the requests of hooks: it looks through what was said and rebuilds, as `wrap --no-prompt`.

One at a time works in a vault. Who comes meanwhile waits, and finds its request done: ten sessions that end at once
cost one run or two.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.commands.agent_store import send_waiting
from wrapgen.commands.app import App
from wrapgen.commands.wrap_ import Options, wrap_session
from wrapgen.errors import ExitCode, UnavailableError, WrapgenError
from wrapgen.hooks import once
from wrapgen.hooks.brief import remember_state
from wrapgen.hooks.detach import Request, requests_folder
from wrapgen.hooks.reading import queue_for_reading, read_queued
from wrapgen.vault import disk, told
from wrapgen.vault.hooklog import log, log_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LOCK_NAME = "hooks.lock"
_PATIENCE = 600.0  # seconds to wait for the run before
_TOGETHER = 0.2  # seconds in which requests that come at once become one run
_QUIET = 0.3  # seconds without a change after which a transcript counts as written
_LONGEST_WRITING = 3.0
_NICE = 10
_TAIL = 1 << 20  # bytes of a transcript in which the last turn is looked for
_ENOUGH = 200  # characters by which it is known
_KEPT_SECONDS = 86_400  # a request that made every run fail is given up


def main(words: Sequence[str]) -> int:
    """Take what is requested in a vault.

    Args:
        words: the vault.

    Returns:
        0; what went wrong is in the vault's log.
    """
    root = Path(words[0])
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(_NICE)
    try:
        _work(root)
    except Exception as error:
        with suppress(Exception):
            log(log_of(str(root)), f"background run: {type(error).__name__}: {error}")
    return 0


def _work(root: Path) -> None:
    from wrapgen.config import VAULT_FILE, Config, load
    from wrapgen.vault.lock import OTHER_LOCKS, Wait, file_lock

    config = load(root / VAULT_FILE, Config)
    wait = Wait("the background run", _PATIENCE, "nothing")
    with file_lock(root / OTHER_LOCKS / LOCK_NAME, wait, root=root, shared=config.lock == "shared"):
        if not all(request.hurry for _, request in _requests(root)):
            time.sleep(_TOGETHER)
        taken = dict(_requests(root))
        if taken:
            troubles = list(_carry_out(root, list(taken.values())))
            for line in troubles:
                log(log_of(str(root)), f"background run: {line}")
            _forget(taken, failed=bool(troubles))
            once.forget(str(root))
            told.forget(str(root))
    for line in read_queued(App(vault=root, quiet=True)):
        log(log_of(str(root)), f"reader: {line}")


def _requests(root: Path) -> Iterator[tuple[Path, Request]]:
    for file in sorted(Path(requests_folder(str(root))).glob("*.json")):
        try:
            yield file, Request.of(json.loads(file.read_bytes()))
        except FileNotFoundError:
            continue
        except (OSError, ValueError, RecursionError):
            yield file, Request(search=False)


def _carry_out(root: Path, requests: list[Request]) -> Iterator[str]:
    """Do what is requested; gives what went wrong."""
    app = App(vault=root, quiet=True)
    if any(request.search for request in requests):
        for request in requests:
            _settle_down(request)
            _keep_words(root, request)
        try:
            queue_for_reading(app, requests)
        except (WrapgenError, OSError) as error:
            yield f"nothing is read: {error}"
        try:
            # As the end of a session that nobody is asked about.
            if wrap_session(app, Options(prompt=False)) != ExitCode.DONE:
                yield "some conversations could not be looked through; `wrap` says which"
        except (WrapgenError, OSError) as error:
            yield str(error)
    try:
        send_waiting(app)
    except UnavailableError:
        pass  # the next run tries again, and `wrap doctor` says so: no reason to do all else twice
    except WrapgenError as error:
        yield f"the team's store: {error}"
    for cwd in {request.cwd for request in requests if os.path.isdir(request.cwd)}:
        try:
            remember_state(app, cwd)
        except (WrapgenError, OSError) as error:
            yield f"the brief for sub-agents: {error}"


def _forget(taken: dict[Path, Request], *, failed: bool) -> None:
    """Take requests off the list; those that could not be carried out stay for the next run, for a day."""
    for file in taken:
        with suppress(OSError):
            if not failed or time.time() - file.stat().st_mtime > _KEPT_SECONDS:
                file.unlink()


def _settle_down(request: Request) -> None:
    """Let the host finish writing: at the end of a turn its transcript lacks that turn (claude-code issue 15812)."""
    if not request.transcript:
        return
    deadline = time.monotonic() + _LONGEST_WRITING
    while time.monotonic() < deadline:
        try:
            age = time.time() - os.stat(request.transcript).st_mtime
        except (OSError, ValueError):
            return
        if not 0 <= age < _QUIET:
            return
        time.sleep(_QUIET - age)


def _keep_words(root: Path, request: Request) -> None:
    """Keep the last words of a turn where no transcript has them: some hosts keep none, or are killed too early."""
    words, session = request.message, request.session
    if not (session and words.strip()) or _holds(request.transcript, words):
        return
    from wrapgen.redact import redact

    file = Path(told.words_file(str(root), session))
    try:
        turns = json.loads(file.read_bytes())["turns"]
    except (OSError, ValueError, LookupError, TypeError):
        turns = []
    turn = {"role": "assistant", "text": redact(words)[0]}
    if not turns or turns[-1] != turn:
        cwd = told.recall(str(root), session).cwd
        told.keep_words(str(root), session, {"session_id": session, "cwd": cwd, "turns": [*turns, turn]})


def _holds(transcript: str, words: str) -> bool:
    """Whether a transcript ends with something that was said, as far as its beginning tells."""
    beginnings = {json.dumps(words[:_ENOUGH], ensure_ascii=choice)[1:-1] for choice in (True, False)}
    try:
        with disk.opened(transcript) as descriptor:
            os.lseek(descriptor, max(0, os.fstat(descriptor).st_size - _TAIL), os.SEEK_SET)
            tail = os.read(descriptor, _TAIL)
    except (OSError, ValueError):
        return False
    return any(one.encode("utf-8", "replace") in tail for one in beginnings)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
