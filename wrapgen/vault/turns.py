"""Who waits for a lock gets it in the order of coming: the kernel queues those who wait.

With tries again and again alone, chance decides who comes next: one of fifty waits eight times as long as the others.
The queue decides about nothing but the order, and only the first in it tries to take the lock.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PRIVATE_FILE = 0o600


@contextmanager
def in_turn(queue: Path, deadline: float) -> Iterator[None]:
    """Wait for everybody who came before, and let nobody pass meanwhile; Windows has no such queues.

    Somebody who stands first and does not move (a stopped process) is waited for no longer than to the deadline.

    Args:
        queue: the file that stands for the queue, in a folder that exists.
        deadline: when to go on in any case, by `time.monotonic`.
    """
    first, done = threading.Event(), threading.Event()
    # A call that waits in the kernel knows no deadline: it has a thread of its own, which may be left behind.
    thread = threading.Thread(target=_stand_in, args=(queue, first, done), daemon=True)
    thread.start()
    try:
        came = first.wait(max(0.0, deadline - time.monotonic()))
        yield
    finally:
        done.set()
    if came:
        thread.join()


def _stand_in(queue: Path, first: threading.Event, done: threading.Event) -> None:
    with suppress(OSError):  # the order is a courtesy, the lock is what counts
        _hold_a_place(queue, first, done)
    first.set()


if sys.platform == "win32":

    def _hold_a_place(queue: Path, first: threading.Event, done: threading.Event) -> None:
        """Nothing to stand in here."""

else:

    def _hold_a_place(queue: Path, first: threading.Event, done: threading.Event) -> None:
        # No link that stands there is followed, and no pipe waited for.
        descriptor = os.open(queue, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, _PRIVATE_FILE)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            first.set()
            done.wait()
        finally:
            os.close(descriptor)
