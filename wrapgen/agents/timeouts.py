"""Runs calls that may never return in a thread of their own, with a timeout.

A server that accepts a connection and stays silent, a name that no resolver answers, a network that drops every packet:
libpq can bound only some of these, in whole seconds.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_PARTING = 0.1  # seconds for a farewell to the server, which is a courtesy

_Call = tuple["Callable[[], Any]", "SimpleQueue[tuple[Any, BaseException | None]] | None"]


class TooLateError(Exception):
    """A call did not return in time. Its effect may still happen, or not."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long to wait for a server."""

    connect: float  # seconds until a connection stands
    statement: float  # seconds for each statement
    total: float | None = None  # seconds for everything together, None without such a bound


OF_A_HOOK = Timeouts(0.15, 0.15, 0.15)
"""Chapter 8: a host waits for its hooks, and a hook for the server 150 ms at most."""
OF_A_COMMAND = Timeouts(5, 30)
OF_AN_OVERHAUL = Timeouts(5, 600)
"""For long operations, such as deleting a million rows."""


class Bounded:
    """A thread that makes calls, one after the other.

    It ends with the process, in the middle of a call if need be.
    """

    def __init__(self, timeouts: Timeouts) -> None:
        self._calls: SimpleQueue[_Call] = SimpleQueue()
        self._end = None if timeouts.total is None else time.monotonic() + timeouts.total
        self._late = False
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def call(self, function: Callable[[], T], seconds: float) -> T:
        """Make a call.

        Args:
            function: what is called; what it raises is raised.
            seconds: how long to wait at most, and never beyond the deadline for all calls.

        Raises:
            TooLateError: it did not come back; then nothing can be called any more.
        """
        left = self.left()
        seconds = seconds if left is None else min(seconds, left)
        if self._late or seconds <= 0:
            raise TooLateError
        answers: SimpleQueue[tuple[T, BaseException | None]] = SimpleQueue()
        self._calls.put((function, answers))
        try:
            answer, error = answers.get(timeout=seconds)
        except Empty:
            self._late = True
            raise TooLateError from None
        if error is not None:
            raise error
        return answer

    def left(self) -> float | None:
        """Seconds until the deadline for all calls, None without one."""
        return None if self._end is None else self._end - time.monotonic()

    def end(self, function: Callable[[], None]) -> None:
        """Make a final call, without waiting if an earlier one did not return."""
        self._calls.put((function, None))
        if not self._late:
            self._thread.join(_PARTING)

    def _work(self) -> None:
        while True:
            function, answers = self._calls.get()
            if answers is None:
                function()
                return
            try:
                answers.put((function(), None))
            except BaseException as error:
                answers.put((None, error))
