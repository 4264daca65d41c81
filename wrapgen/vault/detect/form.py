"""The form of `wrap init`: a place of the notes a row with two of its lines, a key a role; Enter takes them. PURE."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from wrapgen.text.display import Line, Size, cells, cut, cut_middle, visible_line
from wrapgen.text.patterns import Pattern
from wrapgen.text.row_form import LOW, RowForm, frame, with_rest
from wrapgen.vault.detect.proposal import Key

ROLES: Mapping[str, Key | None] = {"h": "hand_overs", "l": "lists", "j": "journals", "i": "ignore", " ": None}
_SAID: Mapping[Key | None, str] = {
    "hand_overs": "hand-over", "lists": "list", "journals": "journal", "ignore": "no work", None: "",
}  # fmt: skip
_COLUMN = max(map(len, _SAID.values()))
_HINTS = (
    "h hand-over: of it the newest counts", "l list: open until it is ticked", "j journal", "i no work",
    "Space not read", "Enter take", "Esc take nothing",
)  # fmt: skip
_PAGE = 5


@dataclass(slots=True, eq=False)
class PlaceRow:
    """A place that may have a role."""

    glob: str  # as it would stand in `wrapgen.toml`
    about: str  # what it is, and what it holds
    lines: tuple[str, ...]  # the first that stand there
    role: Key | None = None  # what it is taken for; None for nothing

    def fits(self, role: Key | None) -> bool:
        """Tell whether it can have a role: a journal's place says the day."""
        return role != "journals" or Pattern(self.glob).dated


class PlacesForm(RowForm):
    """What each key does to the places, the likeliest first."""

    def __init__(self, rows: Sequence[PlaceRow]) -> None:
        self.rows = rows
        super().__init__(len(rows), _PAGE, {key: partial(self._take, role) for key, role in ROLES.items()})

    def _take(self, role: Key | None) -> None:
        row = self.rows[self._at]
        if row.fits(role):
            row.role = role
            self._move(1)

    def draw(self, size: Size) -> list[Line]:
        """Return the whole form: as many rows as there is room for around the one that is pointed to."""
        taken = sum(bool(row.role) for row in self.rows)
        title = f" Where does your next work stand? {len(self.rows)} places, {taken} taken"
        above, below = frame(title, _HINTS, size)
        drawn = [self._row(at, size) for at in range(len(self.rows))]
        room = max(size.height - len(above) - len(below) - 2, 1)
        first = last = self._at
        used = len(drawn[self._at])
        while True:  # rows below come first: a form is read downwards
            if last + 1 < len(drawn) and used + len(drawn[last + 1]) <= room:
                last += 1
                used += len(drawn[last])
            elif first and used + len(drawn[first - 1]) <= room:
                first -= 1
                used += len(drawn[first])
            else:
                break
        shown = [line for row in drawn[first : last + 1] for line in row]
        return [*above, *with_rest(shown, first, len(drawn) - last - 1), *below][: size.height]

    def _row(self, at: int, size: Size) -> list[Line]:
        row, pointed = self.rows[at], at == self._at
        front = f" {'»' if pointed else ' '} {_SAID[row.role]:<{_COLUMN}}  "
        about = f"  {row.about}"
        room = max(size.width - len(front) - 1, 8)
        place = cut_middle(visible_line(row.glob), max(room - cells(about), room // 2))
        head: Line = (
            ("class:pointer" if pointed else "class:number", front),
            ("class:words" if pointed else "class:text", place),
            ("class:note", cut(about, max(room - cells(place), 0))),
        )
        shown = row.lines if pointed or size.height >= LOW else ()
        indent = " " * len(front)
        return [head, *((("class:note", f"{indent}{cut(visible_line(f'- {line}'), room)}"),) for line in shown)]
