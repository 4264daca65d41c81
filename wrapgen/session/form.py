"""The form about all orphans: what each key does to it. The screen module decides how it looks.

Pure.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Protocol

from wrapgen.session.answers import Answers
from wrapgen.session.follow_up import FollowUp, Places, Suggestion, alternatives
from wrapgen.session.screens import Choice, Draw, FormRow, details, form_lines, picker_lines
from wrapgen.text.display import Line, Size, visible_line

Keys = Mapping[str, Callable[..., object]]

MOST_UNSURE = 10  # unsure ones that are shown at once
# With more than these the form begins with what the newest conversation left.
_ALL_AT_ONCE = 20
_PAGE = 10  # rows that a page key goes


class FormLeftError(Exception):
    """A form, or the field that one is in, was left by Esc."""


class Screen(Protocol):
    """A screen that can ask; raises `FormLeftError` when it is left."""

    def form(self, draw: Draw, keys: Keys) -> object:
        """Draw lines anew after each key until one gives something but None; `<any>` takes what is typed."""

    def words(self, question: str, text: str, head: Draw) -> str:
        """Have a line of text edited."""


class Form:
    """All orphans with a checkbox each, unsure ones unticked; Enter takes what is ticked and leaves those out."""

    def __init__(
        self, orphans: Sequence[FollowUp], places: Places, screen: Screen, unsure: Sequence[FollowUp] = ()
    ) -> None:
        self._places = places
        self._screen = screen
        rows = [FormRow(one, one.suggested, ticked=one.sure) for one in orphans]
        newest = [row for row in rows if row.orphan.transcript == rows[0].orphan.transcript]
        few = len(rows) <= _ALL_AT_ONCE
        # What is not on the screen is not written, whatever its box would say.
        self._rows, self._older = (rows, []) if few else (newest, [row for row in rows if row not in newest])
        doubtful = [FormRow(one, one.suggested, ticked=False) for one in unsure]
        self._rows, self._more = [*self._rows, *doubtful[:MOST_UNSURE]], doubtful[MOST_UNSURE:]
        self._at = 0
        self._note = ""  # what the last key could not do, until the next
        moves = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -_PAGE, "pagedown": _PAGE}
        moves |= {"home": -len(rows), "end": len(rows)}
        keys: Keys = {
            **{key: partial(self._move, by) for key, by in moves.items()},
            " ": self._tick,
            "left": partial(self._turn, -1),
            "right": partial(self._turn, 1),
            "s": self._skip,
            "a": self._take_all,
            "n": self._take_none,
            "o": self._show_older,
            "u": self._show_more,
            # What is asked beside the form is asked once it is off the screen.
            "e": lambda: self._reword,
            "p": lambda: self._elsewhere if self._others() else self._say("There is no other file to choose."),
            "enter": lambda: True,
        }
        self._keys: Keys = {key: partial(self._pressed, act) for key, act in keys.items()}

    def answers(self) -> Answers:
        """Ask; of orphans without an answer the sure ones stay pending, the others were seen and left.

        Raises `FormLeftError` when the form itself is left.
        """
        while callable(beside := self._screen.form(self._draw, self._keys)):
            beside()
        given = {row.orphan.id: row.answer() for row in self._rows}
        left = tuple(row.orphan.id for row in self._rows if row.is_unsure and given[row.orphan.id] is None)
        return Answers(tuple(filter(None, given.values())), seen=left)

    def _draw(self, size: Size) -> list[Line]:
        return form_lines(self._rows, self._at, len(self._older), len(self._more), self._places, size, self._note)

    def _pressed(self, act: Callable[..., object]) -> object:
        self._note = ""
        return act()

    def _say(self, what: str) -> None:
        self._note = f"{what} A project makes one: wrap projects add NAME"

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
        if len(near) == 1:
            self._say("There is no other place to choose.")
        row.put(near[(near.index(row.where) + by) % len(near)])

    def _take_all(self) -> None:
        for row in self._rows:
            row.put(row.orphan.suggested)

    def _take_none(self) -> None:
        for row in self._rows:
            row.ticked = row.skipped = False

    def _show_older(self) -> None:
        self._rows, self._older = sorted([*self._rows, *self._older], key=lambda row: row.is_unsure), []

    def _show_more(self) -> None:
        self._rows, self._more = [*self._rows, *self._more], []

    def _head(self, size: Size) -> list[Line]:
        return details(self._row, self._places, size)

    def _reword(self) -> None:
        row = self._row
        # Control characters are edited in their visible form, and kept as they are if unchanged.
        before = visible_line(row.text)
        try:
            words = self._screen.words("Words:", before, self._head)
        except FormLeftError:
            return
        if words != before:
            row.reworded = words
        row.put(row.where)

    def _others(self) -> list[Suggestion]:
        """The lists of projects and active tasks that the arrows do not offer."""
        near = alternatives(self._row.orphan, self._places)
        return [where for where in self._places.lists() if where not in near]

    def _elsewhere(self) -> None:
        choices = [
            Choice(
                where,
                visible_line(" / ".join(filter(None, (where.project, where.task)))),
                visible_line(self._places.file(where) or ""),
            )
            for where in self._others()
        ]
        picker = Picker("Which file?", choices, self._head)
        try:
            chosen = self._screen.form(picker.draw, picker.keys)
        except FormLeftError:
            return
        if isinstance(chosen, Suggestion):
            self._row.put(chosen)


class Picker:
    """A list of which one row is chosen; typing narrows it down, and where nothing matches nothing is chosen."""

    def __init__(self, question: str, choices: Sequence[Choice], head: Draw) -> None:
        self._question = question
        self._choices = choices
        self._head = head
        self._typed = ""
        self._at = 0
        self.keys: Keys = {
            "<any>": self._type,
            "backspace": self._erase,
            "up": partial(self._move, -1),
            "down": partial(self._move, 1),
            "left": lambda: False,  # back, with nothing taken
            "enter": self._take,
        }

    @property
    def _shown(self) -> list[Choice]:
        typed = self._typed.casefold()
        return [one for one in self._choices if typed in f"{one.label} {one.detail}".casefold()]

    def draw(self, size: Size) -> list[Line]:
        return picker_lines(self._question, self._typed, self._shown, self._at, self._head, size)

    def _type(self, typed: str) -> None:
        self._typed, self._at = self._typed + typed, 0

    def _erase(self) -> None:
        self._typed, self._at = self._typed[:-1], 0

    def _move(self, by: int) -> None:
        self._at = min(max(self._at + by, 0), max(len(self._shown) - 1, 0))

    def _take(self) -> object:
        shown = self._shown
        return shown[self._at].value if shown else None
