"""Finishing an item where it stands, whatever the format of its file. PURE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.vault.markdown.blocks import Lines, read_blocks
from wrapgen.vault.markdown.tick import Replacement, tick
from wrapgen.vault.markdown.todo_txt import finished_line, is_todo_txt

if TYPE_CHECKING:
    from datetime import date


def finish(path: str, data: bytes, line: int, day: date) -> Replacement | None:
    """Finish the item that starts on a line: tick its box, or mark the line of a todo.txt.

    Args:
        path: the file, whose name tells its format.
        line: 1-based line of the item.
        day: when it was done.

    Returns:
        what to replace, or None when nothing open with a box starts there.

    Raises:
        EditError: the file is UTF-16.
    """
    if not is_todo_txt(path):
        return tick(read_blocks(data), line)
    lines = Lines(data)
    if not 0 < line <= len(lines):
        return None
    old = lines.text(line - 1)
    new = finished_line(old.decode("utf-8", "surrogateescape"), day)
    if new is None:
        return None
    return Replacement(lines.start(line - 1), old, new.encode("utf-8", "surrogateescape"))
