"""Files read and parsed, by all the cores there are when they are many."""

from __future__ import annotations

import os
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future, ProcessPoolExecutor

# Starting a worker takes as long as parsing some hundred files.
_MANY_BYTES = 2_000_000
_CHUNK_BYTES = 200_000
# Chunks that wait for each worker, so that none is idle while this process parses one itself.
_AHEAD = 3


class Job(NamedTuple):
    """A file to read.

    Attributes:
        file: its path.
        size: bytes, about.
    """

    file: str
    size: int


class Reading(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What came of a file.

    Attributes:
        error: why it could not be read, or None.
        trouble: what was wrong although it was read, or None.
        document: the document, packed; empty when it could not be read.
    """

    error: str | None
    trouble: str | None
    document: msgspec.Raw


def read_all(
    jobs: Sequence[Job], max_bytes: int, progress: Callable[[int, int], None] | None = None, *, cores: int | None = None
) -> list[Reading]:
    """Read and parse files.

    Args:
        jobs: the files.
        max_bytes: size from which a file is refused.
        progress: told from time to time how many files are done, and of how many.
        cores: how many processes may work; by default as many as there are cores.

    Returns:
        what came of each, in their order; the same whatever the number of cores.
    """
    if cores is None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    work = _Work(list(_chunks(jobs)), max_bytes, progress or (lambda _done, _all: None))
    if cores > 1 and sum(job.size for job in jobs) >= _MANY_BYTES:
        work.share(cores - 1)
    work.do()
    return [reading for chunk in work.done for reading in chunk or ()]


def _chunks(jobs: Sequence[Job]) -> Iterator[list[str]]:
    chunk: list[str] = []
    size = 0
    for job in jobs:
        chunk.append(job.file)
        size += job.size
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
        progress: told how many files are done, and of how many.
    """

    def __init__(self, chunks: list[list[str]], max_bytes: int, progress: Callable[[int, int], None]) -> None:
        self.chunks = chunks
        self.done: list[list[Reading] | None] = [None] * len(chunks)
        self._max_bytes = max_bytes
        self._progress = progress
        self._files = sum(map(len, chunks))
        self._files_done = 0

    def do(self) -> None:
        """Do here what is not done yet."""
        for at, found in enumerate(self.done):
            if found is None:
                self._keep(at, _read_chunk(self.chunks[at], self._max_bytes))

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
            with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
                self._share(pool, workers)
        except (OSError, ImportError, RuntimeError):  # a broken pool is a RuntimeError
            return

    def _share(self, pool: ProcessPoolExecutor, workers: int) -> None:
        ahead = deque(range(len(self.chunks)))
        given: deque[tuple[int, Future[bytes]]] = deque()
        while ahead or given:
            while ahead and len(given) < _AHEAD * workers:
                at = ahead.popleft()
                given.append((at, pool.submit(_packed_chunk, self.chunks[at], self._max_bytes)))
            if ahead:
                at = ahead.pop()
                self._keep(at, _read_chunk(self.chunks[at], self._max_bytes))
            while given and (not ahead or given[0][1].done()):
                at, future = given.popleft()
                self._keep(at, msgspec.msgpack.decode(future.result(), type=list[Reading]))

    def _keep(self, at: int, found: list[Reading]) -> None:
        self.done[at] = found
        self._files_done += len(found)
        self._progress(self._files_done, self._files)


def _packed_chunk(files: list[str], max_bytes: int) -> bytes:
    return msgspec.msgpack.encode(_read_chunk(files, max_bytes))


def _read_chunk(files: list[str], max_bytes: int) -> list[Reading]:
    from wrapgen.vault import files as disk
    from wrapgen.vault.markdown.parse import parse

    nothing = msgspec.Raw(msgspec.msgpack.encode(None))
    found: list[Reading] = []
    for file in files:
        try:
            text = disk.read(Path(file), max_bytes)
        except OSError as error:
            found.append(Reading(error.strerror or str(error), None, nothing))
        else:
            document = msgspec.Raw(msgspec.msgpack.encode(parse(text.text)))
            found.append(Reading(None, text.trouble, document))
    return found
