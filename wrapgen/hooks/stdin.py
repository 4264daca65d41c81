"""The host's JSON, read until it is complete: some hosts never close stdin (anthropics/claude-code issue 79508)."""

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

SECONDS = 1.0  # all hooks of a session's end share 1.5 seconds
_CHUNK = 1 << 16
_LARGEST = 16 << 20  # bytes; twenty hooks may read at once
_WAITING = 16  # pieces that a thread reads ahead
_PAUSE = 0.005  # seconds of silence after which a large document may be complete
_ENDS = (b"}", b"]", b'"', b"l", b"e")  # of an object, an array, a string, null, true or false


class NoJSONError(Exception):
    """Standard input holds no JSON object."""


def read_object(
    descriptor: int, seconds: float = SECONDS, say: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Read one JSON object; of one that is too large, the fields before the one that exceeds the limit, which is said.

    Raises `NoJSONError` when it is not complete in time, is something else, or too large with nothing before that.
    """
    data = bytearray()
    deadline = time.monotonic() + seconds
    take = _Threaded(descriptor) if sys.platform == "win32" else _Polled(descriptor)
    while (chunk := take(deadline)) is not None:
        data += chunk
        if len(data) > _LARGEST:
            return _cut(data, take, deadline, say)
        found = _parsed(data, certain=not chunk)
        if found is not _INCOMPLETE:
            if not isinstance(found, dict):
                raise NoJSONError(f"stdin held no JSON object but {type(found).__name__}")
            return found
        if not chunk:
            break
    raise NoJSONError(f"stdin held no complete JSON ({len(data)} bytes)")


_INCOMPLETE = object()


def _parsed(data: bytearray, *, certain: bool) -> object:
    if not certain and not data[-_CHUNK:].rstrip().endswith(_ENDS):
        return _INCOMPLETE
    try:
        return json.loads(data.strip().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return _INCOMPLETE


def _cut(data: bytearray, take: "_Polled | _Threaded", deadline: float, say: Callable[[str], None]) -> dict[str, Any]:
    """The fields that are complete. The rest is read and dropped while there is time, so that the host can go on."""
    fields = _first_fields(data[:_LARGEST].decode("utf-8", "replace"))
    size = len(data)
    while chunk := take(deadline):
        size += len(chunk)
    more = "" if chunk is not None else " and more"
    if not fields:
        raise NoJSONError(f"stdin held no complete JSON ({size} bytes{more})")
    say(f"stdin was cut ({size} bytes{more}); read were {', '.join(fields)}")
    return fields


def _first_fields(text: str) -> dict[str, Any]:
    decoder = json.JSONDecoder()
    fields: dict[str, Any] = {}
    at = text.find("{") + 1
    try:
        while at:
            key, at = decoder.raw_decode(text, _behind_space(text, at))
            at = _behind_space(text, at)
            value, at = decoder.raw_decode(text, _behind_space(text, at + 1))
            at = _behind_space(text, at)
            if text[at] not in ",}":
                break
            fields[str(key)] = value
            at = at + 1 if text[at] == "," else 0
    except (ValueError, IndexError, RecursionError):
        pass
    return fields


def _behind_space(text: str, at: int) -> int:
    while text[at].isspace():
        at += 1
    return at


class _Polled:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._taken = 0

    def __call__(self, deadline: float) -> bytes | None:
        """The next bytes, b"" at the end; None when nothing arrives in time.

        A large document arrives in many pieces: they are joined, so that it is parsed once and not each time.
        """
        data = bytearray()
        while (left := deadline - time.monotonic()) > 0 and len(data) <= _LARGEST:
            pause = _PAUSE if self._taken > _CHUNK else 0.0
            if not self._ready(min(left, pause) if data else left):
                break
            chunk = os.read(self._descriptor, _CHUNK)
            data += chunk
            self._taken += len(chunk)
            if not chunk:
                return bytes(data)
        return bytes(data) or None

    def _ready(self, seconds: float) -> bool:
        import select

        poll = getattr(select, "poll", None)
        if poll is None:
            return bool(select.select([self._descriptor], [], [], max(0.0, seconds))[0])
        one = poll()
        one.register(self._descriptor, select.POLLIN)
        return bool(one.poll(max(0.0, seconds) * 1000))


class _Threaded:
    """Reads a descriptor that cannot be polled, such as a pipe on Windows, in a thread that may be left behind."""

    def __init__(self, descriptor: int) -> None:
        import queue
        import threading

        self._chunks: queue.Queue[bytes] = queue.Queue(_WAITING)
        threading.Thread(target=self._read, args=(descriptor,), daemon=True).start()

    def __call__(self, deadline: float) -> bytes | None:
        import queue

        try:
            return self._chunks.get(timeout=max(0.0, deadline - time.monotonic()))
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
