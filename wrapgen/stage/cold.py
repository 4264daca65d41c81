"""Where else a vault mentions a task: the lines of todos, progress files and journals that name its id."""

import re
from pathlib import Path
from typing import NamedTuple

from wrapgen.config import Config
from wrapgen.notes import Kind
from wrapgen.text.display import one_line, shorten
from wrapgen.vault.disk import LARGEST_FILE, read
from wrapgen.vault.walk import list_sources

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
