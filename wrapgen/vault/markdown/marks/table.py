"""The rows of a table as items: which column says what is to be done, and which one how far it is. PURE."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import starmap
from typing import NamedTuple

from msgspec.structs import replace

from wrapgen.days import iso_day
from wrapgen.late_pattern import late
from wrapgen.notes import Entry, Priority
from wrapgen.resources import any_word, words_for
from wrapgen.text.display import one_line
from wrapgen.text.headings import fold_name
from wrapgen.vault.markdown.marks.fields import stronger
from wrapgen.vault.markdown.marks.item import read_item, take_marks
from wrapgen.vault.markdown.marks.state import BLANKS, BOX, DONE_SIGN, VS, state_of

_TASK_COLUMNS = words_for("task_columns")  # the ones that say most about their cells first
_STATE_COLUMNS = frozenset(words_for("state_columns"))
_OTHER_COLUMNS = _STATE_COLUMNS.union(words_for("other_columns"))  # never what a row is about
_DUE_COLUMNS = frozenset(words_for("due_columns"))
_DONE_WORDS, _OPEN_WORDS = frozenset(words_for("done_cells")), frozenset(words_for("open_cells"))
_CLAIMS = late(any_word("claims"))
_RISKS = words_for("risks")
_LEGEND = 5
_URGENCIES = {word: one for one in Priority if one is not Priority.LOWEST for word in words_for(one.name.lower())}
_OPEN_SIGN = f"[⏳🔄🚧❌☐⬜🔲]{VS}"
_SIGNS = late(f"{DONE_SIGN}|{_OPEN_SIGN}")
# A box in front of a cell's words, or alone; HTML's is ticked or not.
_BOX = late(rf"(?:(?:[-*+•]|\d+[.)])[{BLANKS}]*)?(?={BOX.pattern})")
_INPUT = late(r"<input\b[^<>]*\btype\s*=\s*[\"']?checkbox\b[^<>]*>", re.IGNORECASE)
_TICKED_INPUT = late(r"\schecked(?=[\s=/>])", re.IGNORECASE)
# What says at an end of a cell of words that the row is done.
_SAID_DONE = late(rf"[(（](?:{'|'.join(sorted(_DONE_WORDS))})[)）]\W*$", re.IGNORECASE)
_MARKUP = late(r"[*_`~]")
_DECORATION = late(r"^[^\w\s]+")  # a coloured circle in front of a state
_PERSON = late(r"@[\w.-]+(?:\s*[,/&]\s*@[\w.-]+)*$")
_DAY = late(r"\d{4}-\d{2}-\d{2}")
_LINK = late(r"\[([^\[\]]*+)\]\([^()]*+\)")
# A ticket, a number or the name of a step.
_TICKET = late(
    r"\b(?:PR|MR|GH|issue)\W{0,2}(?=\d)|\b[A-Z][A-Z0-9]*+-\d++\b"
    r"|^\W*(?:step|phase|task|stage|part|item|no|단계|步骤|阶段|ステップ)?\W{0,2}[a-z]{0,3}\d+(?:\.\d+)*[a-z]?\W*$",
    re.IGNORECASE,
)


class _Row(NamedTuple):
    line: int
    cells: Sequence[str]


class Table:
    """One table."""

    def __init__(self, head: Sequence[str], rows: Iterable[tuple[int, Sequence[str]]], section: int) -> None:
        self._names = [fold_name(cell) for cell in head]
        self._section = section
        self._state = next((at for at, name in enumerate(self._names) if name in _STATE_COLUMNS), None)
        self._due = next((at for at, name in enumerate(self._names) if name in _DUE_COLUMNS), None)
        self._tasks = [at for _, at in sorted(self._task_columns())]
        self._claimed = any(map(_CLAIMS.fullmatch, self._names))
        self._of_risks = any(name.startswith(_RISKS) for name in self._names)
        self._rows = [*starmap(_Row, rows)]

    def entries(self) -> Iterator[Entry]:
        """An entry for each row that has words.

        They have boxes when the table is a list of items by itself: it has a column of states, and one of work. A list
        of risks is none, whatever it stands below.
        """
        stated = self._is_list()
        for row in self._rows:
            entry = self._read(row, stated=stated)
            if entry and (stated or not entry.row or not self._of_risks):
                yield entry

    def _is_list(self) -> bool:
        """Whether the header has a column of work, and a state column of which at least half of the cells are states.

        What has states alone says how requirements, components, checks stand: of 38 such tables of 27 vaults, 4 were
        lists of work. Whose it is, or what it waits for, is told of work alone: in those 4.
        """
        if self._state is None or not (self._tasks or self._claimed) or not self._rows:
            return False
        cells = [row.cells[self._state] for row in self._rows if len(row.cells) > self._state]
        said = {_plain(cell) for cell in cells}
        if len(cells) >= _LEGEND and len(said) == len(cells):
            return False  # each state once: it says what the states mean
        states = sum(
            bool(cell.strip()) and (_box_of(cell)[0] is not None or _state_in_column(cell) is not None)
            for cell in cells
        )
        return 2 * states >= len(self._rows)

    def _task_columns(self) -> Iterator[tuple[int, int]]:
        """The columns that say what is to be done, each with its place among the names of such."""
        for at, name in enumerate(self._names):
            words = name.split()
            if name in _OTHER_COLUMNS or not _OTHER_COLUMNS.isdisjoint(words):
                continue
            known = (
                place for place, one in enumerate(_TASK_COLUMNS) if one == name or one in words or f"{one}s" == name
            )
            if (place := next(known, None)) is not None:
                yield place, at

    def _read(self, row: _Row, *, stated: bool) -> Entry | None:
        states: list[bool] = []
        box: bool | None = None
        urgency: Priority | None = None
        words: list[int] = []
        for at, cell in enumerate(row.cells):
            ticked, rest = _box_of(cell)
            plain = _plain(rest)
            box = ticked if box is None else box
            in_column = at == self._state and (plain or ticked is None)
            state = _state_in_column(rest) if in_column else cell_state(plain)
            if state is not None:
                states.append(state)
            elif plain in _URGENCIES:
                urgency = stronger(urgency, _URGENCIES[plain])
            elif at != self._state and plain:
                words.append(at)
                if _SAID_DONE.search(rest):
                    states.append(True)
        entry = self._item(row, words)
        if entry is None:
            return None
        for at in words:
            said, marks = take_marks(one_line(row.cells[at]))
            urgency = urgency if _has_letters(said) else stronger(urgency, marks.priority)
        done = any(states) or bool(box) or (entry.done and box is None)
        return replace(
            entry,
            done=done,
            box=box is not None or entry.box or stated,
            row=box is None and not entry.box,
            mark="",
            conflict=False,
            due=entry.due or self._due_day(row),
            priority=stronger(urgency, entry.priority),
        )

    def _item(self, row: _Row, words: list[int]) -> Entry | None:
        """The cell that the row is about: by the header, else the longest one of words."""
        for at in self._tasks:
            if at in words and (entry := self._cell(row, at)) is not None and _has_words(entry.text):
                return entry
        aside = {at for at, name in enumerate(self._names) if name in _OTHER_COLUMNS}
        rest = [at for at in words if at not in aside and not _PERSON.match(_plain(row.cells[at]))]
        found = [entry for at in rest if (entry := self._cell(row, at)) is not None and _has_words(entry.text)]
        return max(found, key=lambda entry: len(entry.text), default=None)

    def _cell(self, row: _Row, at: int) -> Entry | None:
        words = _box_of(row.cells[at])[1] if at < len(row.cells) else ""
        return read_item(words, line=row.line, section=self._section) if words else None

    def _due_day(self, row: _Row) -> date | None:
        found = _DAY.search(row.cells[self._due]) if self._due is not None and self._due < len(row.cells) else None
        return iso_day(found[0]) if found else None


def _box_of(cell: str) -> tuple[bool | None, str]:
    """Whether the box in front of a cell's words, or alone in it, is ticked, None without one; and the words."""
    if html := _INPUT.search(cell):
        return _TICKED_INPUT.search(html[0]) is not None, one_line(cell[: html.start()] + " " + cell[html.end() :])
    if "[" not in cell and "［" not in cell:
        return None, cell
    text = one_line(cell)
    if found := _BOX.match(text):
        state = state_of(text[found.end() :])
        return state.done, state.rest
    return None, cell


def _has_letters(text: str) -> bool:
    return any(char.isalpha() for char in text)


def _has_words(text: str) -> bool:
    """Whether a cell says more than which ticket, as `[#12](https://...)` or `WEB-12`."""
    return _has_letters(_TICKET.sub("", _LINK.sub(r"\1", text)))


def _plain(cell: str) -> str:
    return _MARKUP.sub("", one_line(cell)).strip().casefold()


def cell_state(words: str) -> bool | None:
    """True for a cell that only says done, False for one that only says open, None for any other."""
    if not words:
        return None
    signs = _SIGNS.findall(words)
    bare = _SIGNS.sub("", words).strip(" .:!")
    if bare in _DONE_WORDS:
        return True
    if bare in _OPEN_WORDS:
        return False
    if bare or not signs:
        return None
    return re.match(DONE_SIGN, signs[0]) is not None


def _state_in_column(cell: str) -> bool | None:
    """What a cell below a state heading says; a remark may follow (`done in #12`), and no word at all means open."""
    words = _plain(cell)
    if (whole := cell_state(words)) is not None:
        return whole
    bare = _DECORATION.sub("", _SIGNS.sub(" ", words)).strip(" .:!")
    first = re.match(r"[^\W\d_]+(?:[ -][^\W\d_]+)?", bare)
    for part in (first[0].replace("-", " "), first[0].split()[0].split("-")[0]) if first else ():
        if part in _DONE_WORDS or part in _OPEN_WORDS:
            return part in _DONE_WORDS
    if sign := _SIGNS.search(words):
        return re.match(DONE_SIGN, sign[0]) is not None
    return False if words in ("", "-", "–", "—") else None
