"""The host's JSON, read until it is complete: some hosts never close stdin (anthropics/claude-code issue 79508)."""

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

SECONDS = 1.0  # all hooks of a session's end share 1.5 seconds
_CHUNK = 1 << 16
_LARGEST = 16 << 20  # bytes; twenty hooks may read at once, and an event is a megabyte at most
_WAITING = 16  # pieces that a thread reads ahead


class NoJSONError(Exception):
    """Standard input holds no JSON object."""


def read_object(descriptor: int, seconds: float = SECONDS) -> dict[str, Any]:
    """Read one JSON object; raises `NoJSONError` when it is not complete in time, is something else, or too large."""
    data = bytearray()
    pieces = _threaded if sys.platform == "win32" else _polled
    for piece in pieces(descriptor, time.monotonic() + seconds):
        data += piece
        if len(data) > _LARGEST:
            raise NoJSONError(f"stdin held more than {_LARGEST} bytes")
        if data[-_CHUNK:].rstrip().endswith(b"}") and isinstance(found := _parsed(data), dict):
            return found
    found = _parsed(data)
    if not isinstance(found, dict):
        what = "complete JSON" if found is _INCOMPLETE else f"JSON object but {type(found).__name__}"
        raise NoJSONError(f"stdin held no {what} ({len(data)} bytes)")
    return found


_INCOMPLETE = object()


def _parsed(data: bytearray) -> object:
    try:
        return json.loads(data.strip().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return _INCOMPLETE


def _polled(descriptor: int, deadline: float) -> Iterator[bytes]:
    """The pieces that arrive in time."""
    import select

    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    while (left := deadline - time.monotonic()) > 0 and poll.poll(left * 1000):
        if not (piece := os.read(descriptor, _CHUNK)):
            return
        yield piece


def _threaded(descriptor: int, deadline: float) -> Iterator[bytes]:
    """The same of a descriptor that cannot be polled, such as a pipe on Windows: its thread may be left behind."""
    import queue
    import threading

    pieces: queue.Queue[bytes] = queue.Queue(_WAITING)

    def read() -> None:
        piece = b"."
        while piece:
            try:
                piece = os.read(descriptor, _CHUNK)
            except OSError:
                piece = b""
            pieces.put(piece)

    threading.Thread(target=read, daemon=True).start()
    with suppress(queue.Empty):
        while piece := pieces.get(timeout=max(0.0, deadline - time.monotonic())):
            yield piece
