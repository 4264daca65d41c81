"""Reads and parses files, on all cores when there are many."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from wrapgen.notes import Document
from wrapgen.vault.cache import NOTHING, FileReading
from wrapgen.vault.disk import LARGEST_FILE, read
from wrapgen.vault.markdown.blocks import unfinished_merge
from wrapgen.vault.markdown.parse import parse
from wrapgen.vault.markdown.todo_txt import is_todo_txt, parse_todo_txt
from wrapgen.vault.walk import FoundFile

if TYPE_CHECKING:
    import re

# Starting a worker takes as long as parsing some hundred files.
_MANY_BYTES = 2_000_000
_CHUNK_BYTES = 200_000


Then = Callable[[FoundFile, Document], bytes]


def read_all(
    files: Sequence[FoundFile],
    then: Then | None = None,
    progress: Callable[[int, int], None] | None = None,
    *,
    only: re.Pattern[str] | None = None,
    cores: int | None = None,
) -> list[FileReading]:
    """What came of reading and parsing files, in their order; the same whatever the number of cores.

    Args:
        then: what is to be made of each document by the process that parsed it; it must be possible to pickle it.
        progress: called from time to time with the number of files done, and the total.
        only: files in which this is not found are taken for empty ones.
    """
    if cores is None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    read_chunk = partial(_read_chunk, then=then, only=only)
    chunks = list(_chunks(files))
    done: list[list[FileReading]] = []
    many = cores > 1 and sum(one.stamp.size for one in files) >= _MANY_BYTES
    shared: Iterator[list[FileReading]] = _shared(chunks, read_chunk, cores) if many else iter(())
    while len(done) < len(chunks):
        done.append(next(shared, []) or read_chunk(chunks[len(done)]))
        if progress is not None:
            progress(sum(map(len, done)), len(files))
    return [reading for chunk in done for reading in chunk]


def _shared(
    chunks: list[list[FoundFile]], read_chunk: Callable[[list[FoundFile]], list[FileReading]], workers: int
) -> Iterator[list[FileReading]]:
    """Read chunks in other processes; it ends early where that cannot be: no semaphores, no memory, a worker died."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    try:
        # A fork would copy the caller's threads and locks; a fresh interpreter has none. Records live as long as a
        # worker, so garbage collection would find nothing.
        with ProcessPoolExecutor(workers, get_context("spawn"), initializer=gc.disable) as pool:
            for packed in pool.map(partial(_packed, read_chunk), chunks):
                yield msgspec.msgpack.decode(packed, type=list[FileReading])
    except (OSError, ImportError, RuntimeError):  # a broken pool is a RuntimeError
        return


def _chunks(files: Sequence[FoundFile]) -> Iterator[list[FoundFile]]:
    chunk: list[FoundFile] = []
    size = 0
    for one in files:
        chunk.append(one)
        size += one.stamp.size
        if size >= _CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _packed(read_chunk: Callable[[list[FoundFile]], list[FileReading]], chunk: list[FoundFile]) -> bytes:
    return msgspec.msgpack.encode(read_chunk(chunk))


def _read_chunk(chunk: list[FoundFile], then: Then | None, only: re.Pattern[str] | None) -> list[FileReading]:
    found: list[FileReading] = []
    for one in chunk:
        try:
            text = read(one.file, LARGEST_FILE)
        except OSError as error:
            found.append(FileReading(one.stamp, NOTHING, (error.strerror or str(error),), readable=False))
        else:
            parsed = parse_todo_txt if is_todo_txt(one.path) else parse
            is_wanted = only is None or only.search(text.text)
            document = parsed(text.text) if is_wanted else Document()
            made = msgspec.Raw(then(one, document)) if then else NOTHING
            troubles = tuple(why for why in (text.trouble, document.trouble, _merging(text.text)) if why)
            packed = msgspec.Raw(msgspec.msgpack.encode(document))
            found.append(FileReading(one.stamp, packed, troubles, made=made))
    return found


def _merging(text: str) -> str | None:
    line = unfinished_merge(text.encode("utf-8", "surrogatepass")) if "<<<<<<<" in text else None
    return f"holds the two sides of an unfinished merge (line {line}), so it is read but not written" if line else None
