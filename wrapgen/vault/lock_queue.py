"""Waiters get a lock in order of arrival: the kernel queues them.

With polling alone, chance decides: one of fifty waits eight times as long as the others. The queue only decides the
order; only its first member tries to take the lock.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from wrapgen.regular_files import make

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def in_turn(queue: Path, deadline: float) -> Iterator[None]:
    """Wait for all earlier arrivals, without being overtaken; Windows has no such queues.

    A first member that does not move (a stopped process) is waited for until the deadline.

    Args:
        queue: the file that stands for the queue, in a folder that exists.
        deadline: when to go on in any case, by `time.monotonic`.
    """
    first, done = threading.Event(), threading.Event()
    # A blocking kernel call has no deadline: it gets its own thread, which may be left behind.
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
    with suppress(OSError):  # the order is only fairness; the lock is what counts
        _hold_a_place(queue, first, done)
    first.set()


if sys.platform == "win32":

    def _hold_a_place(queue: Path, first: threading.Event, done: threading.Event) -> None:
        """Windows has no queue."""

else:

    def _hold_a_place(queue: Path, first: threading.Event, done: threading.Event) -> None:
        # Do not follow links or wait for pipes.
        descriptor = make(os.fspath(queue), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            first.set()
            done.wait()
        finally:
            os.close(descriptor)
