"""The host's JSON, read until it is complete: some hosts never close stdin (anthropics/claude-code issue 79508)."""

import json
import os
import sys
import time
from typing import Any

SECONDS = 1.0  # all hooks of a session's end share 1.5 seconds
_CHUNK = 1 << 16
_LARGEST = 64 << 20  # bytes
_ENDS = (b"}", b"]", b'"', b"l", b"e")  # of an object, an array, a string, null, true or false


class NoJSONError(Exception):
    """Standard input holds no JSON object."""


def read_object(descriptor: int, seconds: float = SECONDS) -> dict[str, Any]:
    """Read one JSON object.

    Args:
        descriptor: where from.
        seconds: how long to wait for it.

    Raises:
        NoJSONError: it is not complete in time, is something else, or too large.
    """
    data = bytearray()
    deadline = time.monotonic() + seconds
    take = _reader(descriptor)
    while (chunk := take(deadline - time.monotonic(), len(data))) is not None:
        data += chunk
        found = _parsed(data, certain=not chunk)
        if found is not _INCOMPLETE:
            return _as_object(found)
        if not chunk or len(data) > _LARGEST:
            break
    raise NoJSONError(f"stdin held no complete JSON ({len(data)} bytes)")


_INCOMPLETE = object()


def _parsed(data: bytearray, *, certain: bool) -> object:
    text = data.strip()
    if not certain and not text.endswith(_ENDS):
        return _INCOMPLETE
    try:
        return json.loads(text.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return _INCOMPLETE


def _as_object(found: object) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise NoJSONError(f"stdin held no JSON object but {type(found).__name__}")
    return found


class _Polled:
    """Reads a descriptor that can be waited for."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __call__(self, seconds: float, so_far: int) -> bytes | None:
        """What comes, b"" at the end; None when nothing comes in time.

        A large document comes in many pieces: they are taken together, so that it is parsed once and not each time.
        """
        data = b""
        while self._ready(seconds if not data else 0.0):
            chunk = os.read(self._descriptor, _CHUNK)
            data += chunk
            if not chunk or so_far + len(data) > _LARGEST:
                return data
        return data or None

    def _ready(self, seconds: float) -> bool:
        import select

        poll = getattr(select, "poll", None)
        if poll is None:
            return bool(select.select([self._descriptor], [], [], max(0.0, seconds))[0])
        one = poll()
        one.register(self._descriptor, select.POLLIN)
        return bool(one.poll(max(0.0, seconds) * 1000))


class _Threaded:
    """Reads a descriptor that cannot be waited for, as pipes on Windows: a thread does, and may be left behind."""

    def __init__(self, descriptor: int) -> None:
        import queue
        import threading

        self._chunks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._read, args=(descriptor,), daemon=True).start()

    def __call__(self, seconds: float, _: int) -> bytes | None:
        import queue

        try:
            return self._chunks.get(timeout=max(0.0, seconds))
        except queue.Empty:
            return None

    def _read(self, descriptor: int) -> None:
        chunk = b"."
        while chunk:
            try:
                chunk = os.read(descriptor, _CHUNK)
            except OSError:
                chunk = b""
            self._chunks.put(chunk)


def _reader(descriptor: int) -> _Polled | _Threaded:
    return _Threaded(descriptor) if sys.platform == "win32" else _Polled(descriptor)
