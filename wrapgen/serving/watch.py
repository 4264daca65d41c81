"""Watching a vault: whatever changes in it, but for what the program writes for itself. Only importer of watchfiles."""

from __future__ import annotations

import os
from pathlib import PurePath
from threading import Event, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from watchfiles import Change

# Milliseconds: an editor writes a file in several steps, and git many files at once.
_TOGETHER = 400
_STEP = 50
_TURN = 250
_POLL = 1_000
_LAST = 2.0  # seconds to wait for the thread's end
_LEFT_OUT = (".git", ".agents")
_OWN = ".wrapgen"
# The program's own files that the page shows: pending follow-ups, the history, and its own template.
_SHOWN = ("history.jsonl", "templates")
_STATE = "state"
_PASSING = (".wrapgen-tmp", ".wrapgen-swap", "~", ".swp", ".swx", "4913")


class Watcher:
    """Watches a vault until it is stopped.

    Args:
        output: the dashboard, relative to it.
        changed: called after each change.
        say: called with one line when the system cannot report changes.
    """

    def __init__(self, root: Path, output: str, changed: Callable[[], None], say: Callable[[str], None]) -> None:
        self._root = os.path.realpath(root)  # as some systems name what has changed
        self._output = PurePath(output)
        self._changed = changed
        self._say = say
        self._over = Event()
        self._ready = Event()
        self._thread = Thread(target=self._watch, name="watcher", daemon=True)

    def start(self) -> None:
        """Watch from here on, in a thread of its own."""
        self._thread.start()
        self._ready.wait()

    def stop(self) -> None:
        """Watch no more."""
        self._over.set()
        self._thread.join(_LAST)

    def _watch(self) -> None:
        try:
            try:
                self._follow(polling=None)
            except (OSError, RuntimeError) as error:
                self._say(f"the system reports no file changes ({error}); checking the vault every second instead")
                self._follow(polling=True)
        except (OSError, RuntimeError) as error:
            self._say(f"changes are no longer detected ({error}); run `wrap serve` again")
        finally:
            self._ready.set()

    def _follow(self, *, polling: bool | None) -> None:
        from watchfiles import watch

        found = watch(
            self._root,
            watch_filter=self._counts,
            debounce=_TOGETHER,
            step=_STEP,
            stop_event=self._over,
            rust_timeout=_TURN,
            yield_on_timeout=True,  # the first round shows that the system reports changes
            raise_interrupt=False,
            force_polling=polling,
            poll_delay_ms=_POLL,
            ignore_permission_denied=True,
        )
        for changes in found:
            self._ready.set()
            if changes:
                self._changed()

    def _counts(self, _: Change, file: str) -> bool:
        try:
            return matters(PurePath(file).relative_to(self._root), self._output)
        except ValueError:
            return True


def matters(path: PurePath, output: PurePath) -> bool:
    """Whether a change of a file may change what the page shows.

    Args:
        path: relative to the vault.
    """
    if path == output or path.name.endswith(_PASSING):
        return False
    match path.parts:
        case (first, *_) if first in _LEFT_OUT:
            return False
        case (first, *rest) if first == _OWN:
            return rest[0] in _SHOWN if rest and rest[0] != _STATE else len(rest) == 2 and path.suffix == ".jsonl"
        case _:
            return True
