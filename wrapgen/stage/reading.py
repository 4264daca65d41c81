"""What `wrap stage` reads beside snapshots: the text of a stage, and the lines of a vault that name a task.

Of a text never more is in memory than a snapshot can hold; the lines are those of todos, progress files and journals.
"""

import os
import re
import stat
from pathlib import Path
from typing import BinaryIO, NamedTuple

from wrapgen.config import Config
from wrapgen.errors import SnapshotError
from wrapgen.notes import Kind
from wrapgen.stage.record import CAP, Body
from wrapgen.text.display import one_line, shorten
from wrapgen.vault import disk
from wrapgen.vault.disk import LARGEST_FILE, read
from wrapgen.vault.walk import list_sources

_CHUNK = 1 << 20
PATIENCE_SECONDS = 60.0  # a program that writes a body may pause for a while; one that pauses longer never ends


def read_file(file: Path) -> Body:
    """Read the text from a regular file; raises `SnapshotError`.

    A symbolic link is not followed: in a folder that others may write to it could name any file of the caller's.
    """
    try:
        with disk.opened(file, follow=False) as descriptor, open(descriptor, "rb", closefd=False) as stream:
            return read_stream(stream)
    except OSError as error:
        raise SnapshotError(
            f"the body cannot be read ({error.strerror or error})",
            where=str(file),
            next_step="Pass a regular file with --body-file, or - for stdin.",
        ) from error


def read_stream(stream: BinaryIO, patience: float = PATIENCE_SECONDS) -> Body:
    """Read a pipe to its end, keeping only its ends; `patience` are seconds to wait for its first bytes.

    Raises `SnapshotError` when nothing comes for a minute.
    """
    head, tail, size = b"", b"", 0
    while chunk := _next(stream, PATIENCE_SECONDS if size else patience):
        if size < CAP:
            head += chunk[: CAP - size]
        size += len(chunk)
        tail = (tail + chunk)[-CAP:] if len(chunk) < CAP else chunk[-CAP:]
    return Body(head, tail, size)


def _next(stream: BinaryIO, patience: float) -> bytes:
    try:
        descriptor = stream.fileno()
    except OSError:  # no file of the system's
        return stream.read(_CHUNK)
    if os.name == "posix" and not _ready(descriptor, patience):
        raise SnapshotError(
            f"stdin does not end and has sent nothing for {patience:g} seconds; nothing was written",
            next_step="Pass a file with --body-file, or close stdin: `</dev/null` for no body.",
        )
    return os.read(descriptor, _CHUNK)


def _ready(descriptor: int, patience: float) -> bool:
    import select

    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return True
    poll = select.poll()  # select() knows only the first 1,024 descriptors
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(patience * 1000))


_TEXT_LIMIT = 300
# What a task is made of first, what was said about it last.
_ORDER = (Kind.ACTIVE_TODOS, Kind.PROJECT_TODOS, Kind.PROGRESS, Kind.LISTS, Kind.JOURNAL_NEXT)


class TaskLine(NamedTuple):
    """A line that names a task."""

    path: str  # relative to the vault
    line: int  # 1-based
    text: str  # its words, shortened


def lines_naming(root: Path, config: Config, task: str) -> list[TaskLine]:
    """The lines of lists and progress files that name a task by path, then those of journals, newest first.

    A file that cannot be read is skipped; `wrap audit` names it.
    """
    named = re.compile(rf"(?<![A-Za-z0-9]){re.escape(task)}(?![A-Za-z0-9])")
    found = list_sources(root, config).found
    lists = sorted(
        (one for one in found if one.kind is not Kind.JOURNAL_NEXT), key=lambda one: (_ORDER.index(one.kind), one.path)
    )
    journals = sorted((one for one in found if one.kind is Kind.JOURNAL_NEXT), key=lambda one: one.path, reverse=True)
    lines: list[TaskLine] = []
    for one in [*lists, *journals]:
        try:
            text = read(one.file, LARGEST_FILE).text
        except OSError:
            continue
        if task in text:
            lines += [
                TaskLine(one.path, number, shorten(one_line(words), _TEXT_LIMIT))
                for number, words in enumerate(re.split("\r\n|\r|\n", text), 1)
                if named.search(words)
            ]
    return lines
