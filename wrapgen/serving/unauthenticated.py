"""Connections that have not shown the token yet: few at a time, and none for long."""

from __future__ import annotations

import socket
from threading import Lock

_OF_ONE_ADDRESS = 16
_IN_ALL = 64  # every address that begins with 127 is this machine
_SECONDS = 10.0  # for a whole request, however it trickles in


class UnauthenticatedConnections:
    """Connections by when they came; the oldest makes room for a new one, as a browser asks at once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._came: dict[socket.socket, tuple[str, float]] = {}

    def add(self, connection: socket.socket, address: str, now: float) -> None:
        """Let one in; an older one goes where there are too many."""
        with self._lock:
            beside = [one for one, (theirs, _) in self._came.items() if theirs == address]
            if len(beside) >= _OF_ONE_ADDRESS:
                self._close(beside[0])
            elif len(self._came) >= _IN_ALL:
                self._close(next(iter(self._came)))
            self._came[connection] = (address, now)

    def forget(self, connection: socket.socket) -> None:
        """It has shown the token, or has ended."""
        with self._lock:
            self._came.pop(connection, None)

    def close_idle(self, now: float) -> None:
        """Close those that have had time enough."""
        with self._lock:
            for one in [one for one, (_, came) in self._came.items() if now - came > _SECONDS]:
                self._close(one)

    def _close(self, connection: socket.socket) -> None:
        """Its thread reads the end of it, and ends."""
        del self._came[connection]
        try:
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # it has left by itself
