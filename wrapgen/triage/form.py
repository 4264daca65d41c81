"""The form of `wrap triage`: a line an item, a key a verdict; Enter carries out what was marked. PURE."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from wrapgen.model import TriageVerdict
from wrapgen.text.display import Line, Size, cells, cut, cut_middle, visible_line, without_marks, wrap
from wrapgen.text.row_form import RowForm, frame, with_rest

VERDICTS = {
    "o": TriageVerdict.OPEN,
    "d": TriageVerdict.DONE,
    "x": TriageVerdict.NOT_WORK,
    "p": TriageVerdict.PARKED,
    "m": TriageVerdict.SAME_AS,
    " ": None,
}
_SAID = {
    TriageVerdict.OPEN: "open",
    TriageVerdict.DONE: "done",
    TriageVerdict.NOT_WORK: "no work",
    TriageVerdict.PARKED: "parked",
    TriageVerdict.SAME_AS: "same ↑",
}
_FILE, _SECTION, _NEXT = "whole file", "section", "next"
_COLUMN = max(map(cells, (*_SAID.values(), _FILE, _SECTION)))
_HINTS = (
    "n next", "o open", "d done", "x no work", "p parked", "m same as the one above", "f section, whole file: no work",
    "Space clear", "Enter carry out", "Esc leave",
)  # fmt: skip
_WORD_LINES = 3
_PAGE = 10


@dataclass(slots=True, eq=False)
class TriageRow:
    """An item of the form, and what was marked."""

    id: str
    words: str
    path: str
    line: int
    section: str  # the heading that it stands under; "" for none
    age: str
    hint: str  # the best fact about it
    verdict: TriageVerdict | None = None
    is_next: bool = False  # put first
    scope: str = ""  # `section` or `whole file`, when all of that is no work

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"

    @property
    def said(self) -> str:
        return self.scope or (_NEXT if self.is_next else "") or (_SAID[self.verdict] if self.verdict else "")


class TriageForm(RowForm):
    """What each key does to the items, which are in the order of the page."""

    def __init__(self, rows: Sequence[TriageRow]) -> None:
        self.rows = rows
        marks = {key: partial(self._mark, verdict) for key, verdict in VERDICTS.items()}
        super().__init__(len(rows), _PAGE, {**marks, "n": partial(self._mark, None, is_next=True), "f": self._widen})

    def _mark(self, verdict: TriageVerdict | None, *, is_next: bool = False) -> None:
        """Mark the row and go on; the first has none above it that it could be the same as."""
        if verdict is TriageVerdict.SAME_AS and self._at == 0:
            return
        row = self.rows[self._at]
        row.verdict, row.scope, row.is_next = verdict, "", is_next
        self._move(1)

    def _widen(self) -> None:
        """Mark its section, then its whole file, then neither."""
        row = self.rows[self._at]
        scopes = [*([_SECTION] if row.section else []), _FILE, ""]
        row.scope = scopes[(scopes.index(row.scope) + 1) % len(scopes)] if row.scope else scopes[0]
        row.verdict, row.is_next = None, False

    def above(self, row: TriageRow) -> TriageRow:
        """Return the item that a row is the same as: the nearest above that is not itself the same as another."""
        at = self.rows.index(row)
        return next(
            one for one in reversed(self.rows[:at]) if one.verdict is not TriageVerdict.SAME_AS or one is self.rows[0]
        )

    def draw(self, size: Size) -> list[Line]:
        """Return the whole form: as many rows as there is room for around the one that is pointed to."""
        marked = sum(bool(row.said) for row in self.rows)
        title = f" {len(self.rows)} items: what is next, what are the others? {marked} marked"
        above, below = frame(title, _HINTS, size)
        pointed = self._pointed(size.width)
        room = max(size.height - len(above) - len(below) - len(pointed) - 2, 0)
        first = min(max(self._at - room // 2, 0), max(len(self.rows) - 1 - room, 0))
        last = min(first + room + 1, len(self.rows))
        shown: list[Line] = []
        for index in range(first, last):
            shown += pointed if index == self._at else [self._one_line(index, size.width)]
        return [*above, *with_rest(shown, first, len(self.rows) - last), *below][: size.height]

    def _front(self, index: int) -> str:
        row = self.rows[index]
        pointer, blank = "»" if index == self._at else " ", " " * max(_COLUMN - cells(row.said), 0)
        return f" {pointer} {row.said}{blank} {index + 1:>{len(str(len(self.rows)))}} "

    def _one_line(self, index: int, width: int) -> Line:
        front = self._front(index)
        words = cut(without_marks(visible_line(self.rows[index].words)), max(width - cells(front) - 1, 2))
        return (("class:number", front), ("class:text", words))

    def _pointed(self, width: int) -> list[Line]:
        row, front = self.rows[self._at], self._front(self._at)
        indent, room = " " * cells(front), max(width - cells(front) - 1, 2)
        first, *rest = wrap(without_marks(visible_line(row.words)), room, _WORD_LINES)
        about = cut_middle(visible_line(row.place), room) + (f" · {row.age}" if row.age else "")
        under = [about, *([f"? {visible_line(row.hint)}"] if row.hint else [])]
        return [
            (("class:pointer", front), ("class:words", first)),
            *((("", indent), ("class:words", line)) for line in rest),
            *((("", indent), ("class:note", cut(line, room))) for line in under),
        ]
