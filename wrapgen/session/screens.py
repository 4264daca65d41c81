"""How the form of the prompt looks: lines of styled text, cut to the size of the screen. PURE."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wrapgen.session.follow_up import Answer, FollowUp, Places, Route, Suggestion
from wrapgen.text.display import Line, Size, cells, count, cut, cut_middle, visible_line, without_marks, wrap

# Below this many columns only the row that is pointed to says where it goes.
_NARROW = 60
_INDENT = 3
# Below this many lines nothing is left empty, and the hints are one line.
_LOW = 14
# Of the row that is pointed to, which shows its words in full.
_TEXT_LINES = 6
_LEAST_AROUND = 12  # columns
_HINT_LINES = 3
_LEAST_HEAD = 5
_LEAST_DETAIL = 24  # columns

_SECTIONS = {Route.JOURNAL: "today's Next", Route.PROJECT: "Next Session", Route.ACTIVE: "active task"}


Draw = Callable[[Size], list[Line]]


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice: what it gives, its name, and what that means."""

    value: object
    label: str
    detail: str


@dataclass(slots=True, eq=False)
class FormRow:
    """An orphan of the form, and what Enter would do with it."""

    orphan: FollowUp
    where: Suggestion  # the place that is chosen
    ticked: bool  # whether it is filed there
    skipped: bool = False  # whether it is skipped for good; then it is not ticked
    reworded: str | None = None  # other words for it, None for its own

    @property
    def is_unsure(self) -> bool:
        """Whether nobody who found it is sure; then it is left out unless it is ticked."""
        return not self.orphan.sure

    @property
    def text(self) -> str:
        return self.reworded or self.orphan.text

    def put(self, where: Suggestion) -> None:
        self.where, self.ticked, self.skipped = where, True, False

    def answer(self) -> Answer | None:
        """The answer that carries it out, None when the orphan stays pending, or is left out."""
        if self.skipped:
            return Answer(self.orphan.id, Route.SKIP)
        return Answer.taking(self.orphan, self.where, self.reworded) if self.ticked else None


def form_lines(
    rows: Sequence[FormRow], at: int, older: int, more: int, places: Places, size: Size, note: str = ""
) -> list[Line]:
    """The form: as many rows as there is room for around the one at `at`, and how many `older` and unsure ones wait.

    Args:
        note: stands in the place of what is ticked.
    """
    unsure = sum(row.is_unsure for row in rows)
    told = len(rows) - unsure
    title = f"{count(told, 'follow-up') if told else count(unsure, 'unsure follow-up')} mentioned in chat but never"
    title += f" written down, {unsure} unsure." if told and unsure else " written down."
    title += f" {older} older {'one' if older == 1 else 'ones'}: o." if older else ""
    title += f" {more} more unsure: u." if more else ""
    hints = ["Enter write", "Esc leave all pending", "Space take or leave", "← → place", "e words", "p other file"]
    hints += ["s skip for good", "a all as suggested", "n none"]
    hints += [*(["o older ones"] if older else []), *(["u more unsure"] if more else [])]
    gap: list[Line] = [] if size.height < _LOW else [()]
    above = [*(_plain("title", f" {line}") for line in wrap(title, size.width - 2, 2)), *gap]
    below = [*gap, _plain("question", f" {cut(note or _summary(rows), size.width - 2)}"), *hint_lines(hints, size)]
    pointed = _pointed(rows, at, places, size.width)
    room = max(size.height - len(above) - len(below) - len(pointed), 0)
    first, last = _window(len(rows), at, room)
    listed: list[Line] = [_plain("note", f"{' ' * _INDENT}↑ {first} more")] if first else []
    longest = max(cells(_label(row)) for row in rows[first:last]) + 2
    column = 0 if size.width < _NARROW else min(longest, size.width // 3)
    for index in range(first, last):
        listed += pointed if index == at else [_one_line(rows, index, column, size.width)]
    if last < len(rows):
        listed.append(_plain("note", f"{' ' * _INDENT}↓ {len(rows) - last} more"))
    return [*above, *listed, *below][: size.height]


def details(row: FormRow, places: Places, size: Size) -> list[Line]:
    """One orphan with all that is known of it, above a question about it."""
    lines = [*_in_context(row, size.width - 2 * _INDENT), _about(row, places, size.width - 2 * _INDENT)]
    return [(("", " " * _INDENT), *line) for line in lines][: size.height]


def _window(rows: int, at: int, room: int) -> tuple[int, int]:
    """Which rows are shown beside the one that is pointed to, with room for what says how many are not."""
    if rows - 1 <= room:
        return 0, rows
    beside = max(room - 2, 0)
    first = min(max(at - beside // 2, 0), rows - 1 - beside)
    return first, first + beside + 1


def _summary(rows: Sequence[FormRow]) -> str:
    ticked, skipped = sum(row.ticked for row in rows), sum(row.skipped for row in rows)
    parts = [f"{ticked} to file", *([f"{skipped} to skip for good"] if skipped else [])]
    doubtful = sum(row.is_unsure and not (row.ticked or row.skipped) for row in rows)
    if left := len(rows) - ticked - skipped - doubtful:
        parts.append(f"{left} {'stays' if left == 1 else 'stay'} pending")
    if doubtful:
        parts.append(f"{doubtful} unsure left out, not asked again (kept: wrap orphans --all)")
    return ", ".join(parts)


def hint_lines(hints: Sequence[str], size: Size) -> list[Line]:
    """What keys do, in as few lines as it takes; lines are only broken between two hints."""
    joined = "\u00a0· ".join(hint.replace(" ", "\u00a0") for hint in hints)
    most = 1 if size.height < _LOW else _HINT_LINES
    return [_plain("note", f" {line}") for line in wrap(joined, size.width - 2, most)]


def picker_lines(question: str, typed: str, choices: Sequence[Choice], at: int, head: Draw, size: Size) -> list[Line]:
    """A list to choose from, below what it is about; names and details in two columns where there is room."""
    above = [
        *head(Size(size.width, max(size.height // 2, _LEAST_HEAD))),
        (),
        _plain("question", f" {question}{f' / {typed}' if typed else ''}"),
    ]
    hints = ["↑ ↓ choose", "type to narrow down", "← or Esc back", "Enter take"]
    below = [(), *hint_lines(hints, size)]
    room = max(size.height - len(above) - len(below) - 1, 1)
    first = min(max(at - room // 2, 0), max(len(choices) - room, 0))
    column = max((cells(one.label) for one in choices), default=0)
    wide = size.width - column - len(" »   ") - 1 >= _LEAST_DETAIL
    listed: list[Line] = []
    for index, one in enumerate(choices[first : first + room], first):
        detail = (
            f"{' ' * (column - cells(one.label))}  {cut_middle(one.detail, size.width - column - 6)}" if wide else ""
        )
        name = cut(one.label, size.width - 4)
        listed.append(
            ((("class:pointer", " » ")), ("class:words", name), ("class:note", detail))
            if index == at
            else (("", "   "), ("class:text", name), ("class:note", detail))
        )
    if not choices:
        listed = [_plain("note", "   nothing by this name")]
    elif len(choices) > first + room:
        listed.append(_plain("note", f"   ↓ {len(choices) - first - room} more"))
    return [*above, *listed, *below][: size.height]


def _plain(style: str, text: str) -> Line:
    return ((f"class:{style}", text),)


def _mark(rows: Sequence[FormRow], index: int, *, pointed: bool) -> str:
    """What stands in front of a row's words; `?` follows the number of an uncertain finding."""
    row = rows[index]
    box = "[-]" if row.skipped else "[x]" if row.ticked else "[ ]"
    number = f"{index + 1:>{len(str(len(rows)))}}{' ' if row.orphan.sure else '?'}"
    return f" {'»' if pointed else ' '} {box} {number} "


def _label(row: FormRow) -> str:
    if row.skipped:
        return "skip"
    where = row.where
    names = () if where.route is Route.JOURNAL else (where.project, where.task)
    return visible_line("/".join(filter(None, names)) or str(where.route))


def _one_line(rows: Sequence[FormRow], index: int, column: int, width: int) -> Line:
    row = rows[index]
    mark = _mark(rows, index, pointed=False)
    room = max(width - cells(mark) - column - 3, 2)
    before, words, after = _said(row)
    if cells(before + words + after) > room:
        before = ""
        left = room - cells(words)
        words, after = cut(words, room), cut(after, left) if after and left >= _LEAST_AROUND else ""
    line = (("class:number", mark), ("class:note", before), ("class:text", words), ("class:note", after))
    if not column:
        return line
    blank = " " * (room - cells(before + words + after) + 2)
    return (*line, ("", blank), ("class:file", cut(f"→ {_label(row)}", column)))


def _pointed(rows: Sequence[FormRow], at: int, places: Places, width: int) -> list[Line]:
    mark = _mark(rows, at, pointed=True)
    indent = " " * cells(mark)
    room = max(width - cells(mark) - 1, 2)
    first, *rest = [*_in_context(rows[at], room), _about(rows[at], places, room)]
    return [(("class:pointer", mark), *first), *((("", indent), *line) for line in rest)]


def _about(row: FormRow, places: Places, room: int) -> Line:
    said = row.orphan.role + (f", {row.orphan.said_on}" if row.orphan.said_on else "")
    said += f", due {row.orphan.due}" if row.orphan.due else ""
    file = None if row.skipped else places.file(row.where)
    if file is None:
        return _plain("note", cut(f"not filed, never asked again · {said}", room))
    path = f"→ {cut_middle(visible_line(file), max(room - 2, 2))}"
    note = f"  ({_section(file, row.where.route, places)}) · {said}"
    return (("class:file", path), ("class:note", cut(note, room - cells(path)) if room - cells(path) > 2 else ""))


def _section(file: str, route: Route, places: Places) -> str:
    """Where in a file a line goes: the heading as it is called there, or that the file has to be made."""
    if places.sections is None:
        return _SECTIONS[route]
    return visible_line(places.sections.get(file, "new file")) or _SECTIONS[route]


def _in_context(row: FormRow, room: int) -> list[Line]:
    """A row's words within the turn's, broken into lines."""
    parts = [("class:note", "class:words", "class:note")[at] for at, part in enumerate(_said(row)) for _ in part]
    text = "".join(_said(row))
    lines: list[Line] = []
    at = 0
    for line in wrap(text, room, _TEXT_LINES):
        at += len(text[at:]) - len(text[at:].lstrip())
        styled = [(parts[min(at + index, len(parts) - 1)], character) for index, character in enumerate(line)]
        lines.append(tuple(styled))
        at += len(line)
    return lines


def _said(row: FormRow) -> tuple[str, str, str]:
    """A row's words, and those of the turn before and behind them where they say more than the cue."""
    orphan = row.orphan
    words, quote = (without_marks(visible_line(one)) for one in (row.text, orphan.quote))
    reason = f"  ({visible_line(orphan.reason)})" if orphan.reason else ""
    at = quote.find(words)
    if at < 0:
        found = None if row.reworded else re.search(re.escape(words), quote, re.IGNORECASE)
        at = found.start() if found else -1
    if at < 0:
        return "", words, f"  “{quote}”{reason}" if quote and not row.reworded else reason
    before, after = quote[:at], quote[at + len(words) :]
    told = f"{before} {after}".casefold().replace(visible_line(orphan.cue).casefold(), " ")
    told = told.replace((orphan.project or "").casefold(), " ") if orphan.project else told
    return (before, words, after + reason) if any(map(str.isalnum, told)) else ("", words, reason)
