"""Files read and parsed, by all the cores there are when they are many."""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from wrapgen.model import Document
from wrapgen.vault.walk import Found

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Future, ProcessPoolExecutor

# Starting a worker takes as long as parsing some hundred files.
_MANY_BYTES = 2_000_000
_CHUNK_BYTES = 200_000
# Chunks that wait for each worker, so that none is idle while this process parses one itself.
_AHEAD = 3


class Reading(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What came of a file.

    Attributes:
        error: why it could not be read, or None.
        troubles: what was wrong although it was read.
        document: the document, packed; None when it could not be read.
        made: what `then` made of it, packed.
    """

    error: str | None
    troubles: tuple[str, ...]
    document: msgspec.Raw
    made: bytes = b""


Then = Callable[[Found, Document], bytes]


def read_all(
    files: Sequence[Found],
    max_bytes: int,
    then: Then | None = None,
    progress: Callable[[int, int], None] | None = None,
    *,
    cores: int | None = None,
) -> list[Reading]:
    """Read and parse files.

    Args:
        files: the files.
        max_bytes: size from which a file is refused.
        then: what is to be made of each document by the process that parsed it; it must be possible to pickle it.
        progress: told from time to time how many files are done, and of how many.
        cores: how many processes may work; by default as many as there are cores.

    Returns:
        what came of each, in their order; the same whatever the number of cores.
    """
    if cores is None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    work = _Work(list(_chunks(files)), max_bytes, then, progress or (lambda _done, _all: None))
    if cores > 1 and sum(one.stamp.size for one in files) >= _MANY_BYTES:
        work.share(cores - 1)
    work.do()
    return [reading for chunk in work.done for reading in chunk or ()]


def _chunks(files: Sequence[Found]) -> Iterator[list[Found]]:
    chunk: list[Found] = []
    size = 0
    for one in files:
        chunk.append(one)
        size += one.stamp.size
        if size >= _CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


class _Work:
    """Chunks of files, and what came of those that are done.

    Args:
        chunks: the files.
        max_bytes: size from which a file is refused.
        then: what is to be made of each document.
        progress: told how many files are done, and of how many.
    """

    def __init__(
        self, chunks: list[list[Found]], max_bytes: int, then: Then | None, progress: Callable[[int, int], None]
    ) -> None:
        self.chunks = chunks
        self.done: list[list[Reading] | None] = [None] * len(chunks)
        self._max_bytes = max_bytes
        self._then = then
        self._progress = progress
        self._files = sum(map(len, chunks))
        self._files_done = 0

    def do(self) -> None:
        """Do here what is not done yet."""
        for at, found in enumerate(self.done):
            if found is None:
                self._keep(at, _read_chunk(self.chunks[at], self._max_bytes, self._then))

    def share(self, workers: int) -> None:
        """Do the chunks together with other processes.

        What cannot be done so (no semaphores, no memory, a worker that died) is left undone.

        Args:
            workers: how many processes help.
        """
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        try:
            # A fork would copy whatever threads and locks the caller has: a fresh interpreter has none.
            with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_begin) as pool:
                self._share(pool, workers)
        except (OSError, ImportError, RuntimeError):  # a broken pool is a RuntimeError
            return

    def _share(self, pool: ProcessPoolExecutor, workers: int) -> None:
        ahead = deque(range(len(self.chunks)))
        given: deque[tuple[int, Future[bytes]]] = deque()
        while ahead or given:
            while ahead and len(given) < _AHEAD * workers:
                at = ahead.popleft()
                given.append((at, pool.submit(_packed_chunk, self.chunks[at], self._max_bytes, self._then)))
            if ahead:
                at = ahead.pop()
                self._keep(at, _read_chunk(self.chunks[at], self._max_bytes, self._then))
            while given and (not ahead or given[0][1].done()):
                at, future = given.popleft()
                self._keep(at, msgspec.msgpack.decode(future.result(), type=list[Reading]))

    def _keep(self, at: int, found: list[Reading]) -> None:
        self.done[at] = found
        self._files_done += len(found)
        self._progress(self._files_done, self._files)


def _begin() -> None:
    """Records live as long as a worker does: looking for garbage among them finds none."""
    gc.disable()


def _packed_chunk(files: list[Found], max_bytes: int, then: Then | None) -> bytes:
    return msgspec.msgpack.encode(_read_chunk(files, max_bytes, then))


def _read_chunk(files: list[Found], max_bytes: int, then: Then | None) -> list[Reading]:
    from wrapgen.vault.files import read
    from wrapgen.vault.markdown.parse import parse

    nothing = msgspec.Raw(msgspec.msgpack.encode(None))
    found: list[Reading] = []
    for one in files:
        try:
            text = read(one.file, max_bytes)
        except OSError as error:
            found.append(Reading(error.strerror or str(error), (), nothing))
        else:
            document = parse(text.text)
            made = then(one, document) if then else b""
            troubles = tuple(why for why in (text.trouble, document.trouble) if why)
            found.append(Reading(None, troubles, msgspec.Raw(msgspec.msgpack.encode(document)), made))
    return found
