"""The form about all orphans: what each key does to it. The screen module decides how it looks.

Pure.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from types import MappingProxyType
from typing import Protocol

from wrapgen.session.follow_up import FollowUp, Suggestion
from wrapgen.session.routing import Answer, Places, alternatives
from wrapgen.session.screens import FormRow, details, form_lines
from wrapgen.text.display import visible_line
from wrapgen.text.screen import Line, Size

Draw = Callable[[Size], list[Line]]
Keys = Mapping[str, Callable[[], object]]
NO_KEYS: Keys = MappingProxyType({})

# With more than these the form begins with what the newest conversation left.
_ALL_AT_ONCE = 20
_PAGE = 10  # rows that a page key goes


class Do(Enum):
    """What a key asks for that the form cannot do alone."""

    WRITE = auto()
    WORDS = auto()
    OTHER = auto()
    BACK = auto()


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice: what it gives, its name, and what that means."""

    value: object
    label: str
    detail: str


class Screen(Protocol):
    """A screen that can ask; leaving it raises an error."""

    def form(self, draw: Draw, keys: Keys) -> object:
        """Show lines, drawn anew after each key, until a key gives something.

        Args:
            keys: what a key does; what it gives ends the form, None goes on with it.
        """

    def select(
        self, question: str, rows: Sequence[Choice], head: Draw, *, hints: Sequence[str], keys: Keys = NO_KEYS
    ) -> object:
        """Have one row chosen; typing narrows the rows down.

        Args:
            head: the lines above the question.

        Returns:
            The value of the row, or what a key gave.
        """

    def words(self, question: str, text: str, head: Draw) -> str:
        """Have a line of text edited."""


class Form:
    """All orphans with a checkbox each; Enter takes what is ticked.

    Args:
        orphans: what is asked about, the newest conversation first.
    """

    def __init__(self, orphans: Sequence[FollowUp], places: Places, screen: Screen) -> None:
        self._places = places
        self._screen = screen
        rows = [FormRow(one, one.suggested, ticked=one.sure) for one in orphans]
        newest = [row for row in rows if row.orphan.transcript == rows[0].orphan.transcript]
        few = len(rows) <= _ALL_AT_ONCE
        # What is not on the screen is not written, whatever its box would say.
        self._rows, self._older = (rows, []) if few else (newest, [row for row in rows if row not in newest])
        self._at = 0
        moves = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -_PAGE, "pagedown": _PAGE}
        moves |= {"home": -len(rows), "end": len(rows)}
        self._keys: Keys = {
            **{key: partial(self._move, by) for key, by in moves.items()},
            " ": self._tick,
            "left": partial(self._turn, -1),
            "right": partial(self._turn, 1),
            "s": self._skip,
            "a": self._take_all,
            "o": self._show_older,
            "e": lambda: Do.WORDS,
            "p": lambda: Do.OTHER if self._others() else None,
            "enter": lambda: Do.WRITE,
        }

    def answers(self) -> tuple[Answer, ...]:
        """Ask, and return the answers; an orphan without one stays pending."""
        while True:
            match self._screen.form(self._draw, self._keys):
                case Do.WORDS:
                    self._reword()
                case Do.OTHER:
                    self._elsewhere()
                case _:
                    given = (row.answer() for row in self._rows)
                    return tuple(answer for answer in given if answer is not None)

    def _draw(self, size: Size) -> list[Line]:
        return form_lines(self._rows, self._at, len(self._older), self._places, size)

    @property
    def _row(self) -> FormRow:
        return self._rows[self._at]

    def _move(self, by: int) -> None:
        self._at = min(max(self._at + by, 0), len(self._rows) - 1)

    def _tick(self) -> None:
        row = self._row
        row.ticked, row.skipped = row.skipped or not row.ticked, False

    def _skip(self) -> None:
        row = self._row
        row.ticked, row.skipped = False, not row.skipped

    def _turn(self, by: int) -> None:
        """The next of the places near by; who chooses a place wants it filed."""
        row = self._row
        *near, _ = alternatives(row.orphan, self._places)
        near += [row.where] if row.where not in near else []
        row.put(near[(near.index(row.where) + by) % len(near)])

    def _take_all(self) -> None:
        for row in self._rows:
            row.put(row.orphan.suggested)

    def _show_older(self) -> None:
        self._rows, self._older = [*self._rows, *self._older], []

    def _head(self, size: Size) -> list[Line]:
        return details(self._row, self._places, size)

    def _reword(self) -> None:
        row = self._row
        # Control characters are edited in their visible form, and kept as they are if unchanged.
        before = visible_line(row.text)
        words = self._screen.words("Words:", before, self._head)
        if words != before:
            row.reworded = words
        row.put(row.where)

    def _others(self) -> list[Suggestion]:
        """The lists of projects and active tasks that the arrows do not offer."""
        near = alternatives(self._row.orphan, self._places)
        return [where for where in self._places.lists() if where not in near]

    def _elsewhere(self) -> None:
        rows = [
            Choice(
                where,
                visible_line(" / ".join(filter(None, (where.project, where.task)))),
                visible_line(self._places.file(where) or ""),
            )
            for where in self._others()
        ]
        hints = ["↑ ↓ choose", "type to narrow down", "← back"]
        chosen = self._screen.select("Which file?", rows, self._head, hints=hints, keys={"left": lambda: Do.BACK})
        if isinstance(chosen, Suggestion):
            self._row.put(chosen)
