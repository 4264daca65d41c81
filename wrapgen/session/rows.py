"""Rows of a table: their cells, and what a short cell says about the state of the work."""

import re
from dataclasses import dataclass

from wrapgen.session.inline import is_settled, status
from wrapgen.session.lexicon import Language

DONE_MARKS = ("✅", "☑", "✔", "✓", "🟢", "🎉")
_WAITING_MARKS = ("❌", "⏳", "⌛", "🚧", "⏸", "🔜", "🔲", "⬜", "☐", "🟡", "🔴", "⚠")
_STATUS_LENGTH = 32
_CELL = re.compile(r"[^|]+")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table.

    Args:
        cells: offset in the row and words of each cell.
        state: the cell that says that the work is open; empty without one.
        done: a cell or a mark says that it is done.
    """

    cells: tuple[tuple[int, str], ...]
    state: str
    done: bool

    @property
    def signed(self) -> bool:
        """Whether the state has a sign of its own, so that the table need not be known as one of tasks."""
        return self.state.startswith(_WAITING_MARKS)


def row_of(raw: str, languages: tuple[Language, ...]) -> Row:
    """Read a row.

    Args:
        raw: the line.
        languages: whose cues to look for.
    """
    cells = tuple((cell.start(), cell[0]) for cell in _CELL.finditer(raw))
    short = [cell for _, cell in cells[1:] if len(cell) <= _STATUS_LENGTH]
    done = any(mark in raw for mark in DONE_MARKS) or any(is_settled(cell, languages) for cell in short)
    state = next((cell.strip() for cell in short if status(cell, languages, whole=True)), "")
    return Row(cells, state, done)
