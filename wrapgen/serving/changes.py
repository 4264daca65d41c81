"""Counts the vault's changes, for all who wait for the next one."""

from __future__ import annotations

from threading import Condition


class Changes:
    """Counts changes; may be used by any number of threads."""

    def __init__(self) -> None:
        self._number = 0
        self._closed = False
        self._news = Condition()

    @property
    def number(self) -> int:
        """How many there have been."""
        return self._number

    @property
    def closed(self) -> bool:
        """Whether waiting has ended."""
        return self._closed

    def add(self) -> None:
        """Tell everybody that there is another one."""
        with self._news:
            self._number += 1
            self._news.notify_all()

    def close(self) -> None:
        """Release everyone who waits."""
        with self._news:
            self._closed = True
            self._news.notify_all()

    def differ(self, seen: int, seconds: float) -> bool:
        """Wait until there have been other changes than those.

        Returns:
            whether there have been.
        """
        with self._news:
            self._news.wait_for(lambda: self._closed or self._number != seen, seconds)
            return self._number != seen
