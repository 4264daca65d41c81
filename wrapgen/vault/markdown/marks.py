"""The marks on one item: checkbox, done signs, dates, priority. PURE.

Dates and priorities are written as the Obsidian Tasks plugin (emoji), todo.txt (`(A)`, `due:`) and plain trackers
(`P1`, `!!`) write them. A mark inside inline code is text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from datetime import date
from typing import TYPE_CHECKING

from wrapgen.model import Entry, Priority
from wrapgen.text import code_spans, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

_VS = "\ufe0f?"
_DATE = r"(\d{4}-\d{2}-\d{2})(?!\d)"
_DONE = f"[✅✔☑✓]{_VS}"

# A digit in brackets is a footnote or a reference; `[text](url)`, `[x][ref]`, `[x]: url` and `[[page]]` are links.
BOX = re.compile(r"\[(?P<mark>[^\d\[\]]?)\](?=\s|$)\s*|\[(?P<glued>[ \u3000xX])\](?![(\[:])")
BALLOT = re.compile(f"[☐⬜🔲]{_VS}\\s*")
_LEADING_DONE = re.compile(f"(?:{_DONE}\\s*)+")
# Matched against the text read backwards: a search would try every sign in the middle to the end.
_DONE_BACKWARDS = re.compile(rf"\s*(?:{_VS}[✅✔☑✓]\s*)+")
_STRUCK = re.compile(r"~~(?!\s)((?:(?!~~).)+)~~[\s.。!]*", re.DOTALL)

_DATED = re.compile(
    rf"""
      📅{_VS}\s*(?P<due>{_DATE})
    | [(\[]\s*due(?:::?)?\s*(?P<due_in_brackets>{_DATE})\s*[)\]]
    | (?<![\w-])due::?\s*(?P<due_plain>{_DATE})
    | ➕{_VS}\s*(?P<created>{_DATE})
    | {_DONE}\s*(?P<finished>{_DATE})
    """,
    re.VERBOSE | re.IGNORECASE,
)
_RECURRENCE = re.compile(r"🔁\ufe0f?\s*(?P<rule>[^📅🔺⏫🔼🔽⏬➕✅✔☑🔁]*)")
_PRIORITY = re.compile(
    rf"""
      (?P<emoji>[🔺⏫🔼🔽⏬]){_VS}
    | (?<!\S)(?P<bangs>!!)(?!\S)
    | [(\[]P(?P<bracketed>[0-3])[)\]]:?
    | (?<!\S)P(?P<last>[0-3])\s*$
    """,
    re.VERBOSE,
)
# The item's own project tag may stand before its priority.
_LEADING_PRIORITY = re.compile(
    r"""
    (?P<tag>(?:[(（][^()（）]*[)）]\s*)?)
    (?:\*\*|__)?
    (?:P(?P<number>[0-3])(?![\w.-]) | \((?P<letter>[A-C])\)(?=\s))
    (?:\*\*|__)? \s*[:–—-]?\s* (?:\*\*|__)?
    """,
    re.VERBOSE,
)
_MEANS = {
    "🔺": Priority.HIGHEST, "⏫": Priority.HIGH, "🔼": Priority.MEDIUM, "🔽": Priority.LOW, "⏬": Priority.LOWEST,
    "0": Priority.HIGHEST, "1": Priority.HIGH, "2": Priority.MEDIUM, "3": Priority.LOW,
    "A": Priority.HIGH, "B": Priority.MEDIUM, "C": Priority.LOW, "!!": Priority.HIGH,
}  # fmt: skip
_MAY_HOLD_MARKS = re.compile("[📅➕✅✔☑✓🔁🔺⏫🔼🔽⏬☐⬜🔲]|~~|!!|<!--|\\bP[0-3]\\b|\\([A-C]\\)|due", re.IGNORECASE)
# One of these is in every ASCII text that holds a mark; looking for them is faster.
_ASCII_SIGNS = ("~~", "!!", "<!--", "due", "p0", "p1", "p2", "p3", "(a)", "(b)", "(c)")

_DONE_WORDS = frozenset(("done", "완료", "已完成", "完了"))
# Words of a state or urgency column; they are not what the row is about.
_OPEN_WORDS = frozenset((
    "todo", "to do", "wip", "open", "pending", "in progress", "not started",
    "진행중", "진행 중", "예정", "대기", "미완료", "待办", "进行中", "未完成", "未着手", "進行中", "対応中",
))  # fmt: skip
_URGENCY_WORDS = {
    Priority.HIGHEST: ("urgent", "critical", "긴급"),
    Priority.HIGH: ("high", "높음", "高"),
    Priority.MEDIUM: ("medium", "중간", "보통", "中"),
    Priority.LOW: ("low", "낮음", "低"),
}
_URGENCIES = {word: priority for priority, words in _URGENCY_WORDS.items() for word in words}
_OPEN_SIGNS = re.compile(f"[⏳🔄❌☐⬜🔲]{_VS}")


def read_item(raw: str, *, line: int, section: int) -> Entry | None:
    """Read the marks of a list item.

    Args:
        raw: the item's first paragraph as written, without its bullet.
        line: 1-based line where the item starts.
        section: index of the section that it stands in.

    Returns:
        the entry, or None when nothing but marks is there (an empty box).
    """
    text = one_line(raw)
    box = BOX.match(text)
    mark = (box["mark"] if box["mark"] is not None else box["glued"]) if box else ""
    ticked = box is not None and mark in ("x", "X", "-", "✓", "✔", "✅", "☑")
    if box:
        text = text[box.end() :].lstrip()
    if not _may_hold_marks(text):
        return Entry(text=text, line=line, section=section, done=ticked, box=box is not None) if text else None
    if box is None and (ballot := BALLOT.match(text)):
        box, text = ballot, text[ballot.end() :]
    found = _Marks()
    words = found.take(text)
    if not words:
        return None
    return Entry(
        text=words,
        line=line,
        section=section,
        done=ticked or (found.done and box is None),
        box=box is not None,
        conflict=found.done and box is not None and not ticked,
        due=found.due,
        priority=found.priority,
        created=found.created,
        finished=found.finished,
        recurrence=found.recurrence,
    )


def _may_hold_marks(text: str) -> bool:
    if text.isascii():
        folded = text.lower()
        if not any(sign in folded for sign in _ASCII_SIGNS):
            return False
    return _MAY_HOLD_MARKS.search(text) is not None


def read_row(cells: list[str], *, line: int, section: int) -> Entry | None:
    """Read the marks of a table row: its item is the first cell of words.

    Args:
        cells: the row's cells as written.
        line: 1-based line of the row.
        section: index of the section that it stands in.

    Returns:
        the entry, or None when no cell holds words.
    """
    state: bool | None = None
    entry: Entry | None = None
    urgency: Priority | None = None
    for cell in cells:
        words = re.sub(r"[*_`~]", "", one_line(cell)).strip().casefold()
        if (said := _cell_state(words)) is not None:
            state = said if state is None else state
        elif words in _URGENCIES:
            urgency = _stronger(urgency, _URGENCIES[words])
        elif entry is None:
            entry = read_item(cell, line=line, section=section)
            if entry is not None and not any(char.isalpha() for char in entry.text):
                urgency, entry = _stronger(urgency, entry.priority), None
    if entry is None:
        return None
    done = state if state is not None and not entry.box else entry.done
    return Entry(
        text=entry.text,
        line=line,
        section=section,
        done=done,
        box=entry.box or state is not None,
        conflict=entry.conflict,
        due=entry.due,
        priority=_stronger(urgency, entry.priority),
        created=entry.created,
        finished=entry.finished,
        recurrence=entry.recurrence,
    )


def _stronger(one: Priority | None, other: Priority | None) -> Priority | None:
    return min((priority for priority in (one, other) if priority is not None), default=None)


def _cell_state(words: str) -> bool | None:
    """True for a cell that only says done, False for one that only says open, None for any other."""
    if not words:
        return None
    if words in ("[x]", "[-]"):
        return True
    if words == "[ ]":
        return False
    bare = re.sub(f"{_DONE}|{_OPEN_SIGNS.pattern}", "", words).strip(" .:!")
    if bare in _DONE_WORDS or (not bare and re.search(_DONE, words)):
        return True
    if bare in _OPEN_WORDS or (not bare and _OPEN_SIGNS.search(words)):
        return False
    return None


class _Marks:
    """What is written on an item besides its words."""

    def __init__(self) -> None:
        self.due: date | None = None
        self.priority: Priority | None = None
        self.created: date | None = None
        self.finished: date | None = None
        self.recurrence: str | None = None
        self.done = False

    def take(self, text: str) -> str:
        """Take the marks off a text and return its words, if any."""
        text = one_line(_without_comments(text))
        words = one_line(self._take(text))
        if not words and self.recurrence:
            return one_line(text)  # an item of nothing but a recurrence sign is the words behind the sign
        return words

    def _take(self, text: str) -> str:
        text = one_line(_outside_code(_DATED, self._dated, text))
        # Marks leave blanks behind; long runs of them would make the patterns below slow.
        text = one_line(_outside_code(_PRIORITY, self._ranked, text))
        text = one_line(_outside_code(_RECURRENCE, self._recurs, text))
        if (leading := _LEADING_PRIORITY.match(text)) and text[leading.end() :]:
            self._strongest(_MEANS[leading["number"] or leading["letter"]])
            text = leading["tag"] + text[leading.end() :]
        trailing = _DONE_BACKWARDS.match(text[::-1])
        if trailing or _LEADING_DONE.match(text):
            self.done = True
        text = text[: len(text) - trailing.end()] if trailing else text
        text = _LEADING_DONE.sub("", text, count=1) if _LEADING_DONE.match(text) else text
        if struck := _STRUCK.fullmatch(text):
            self.done = True
            return struck[1]
        return text

    def _dated(self, match: re.Match[str]) -> str:
        name, day = next((name, value) for name, value in match.groupdict().items() if value is not None)
        try:
            when = date.fromisoformat(day)
        except ValueError:
            return match[0]
        if name == "created":
            self.created = when
        elif name == "finished":
            self.finished, self.done = when, True
        else:
            self.due = min(self.due, when) if self.due else when
        return " "

    def _recurs(self, match: re.Match[str]) -> str:
        self.recurrence = one_line(match["rule"]) or "🔁"
        return " "

    def _ranked(self, match: re.Match[str]) -> str:
        self._strongest(_MEANS[next(value for value in match.groups() if value is not None)])
        return " "

    def _strongest(self, priority: Priority) -> None:
        self.priority = _stronger(self.priority, priority)


def _without_comments(text: str) -> str:
    """Take HTML comments out; one that is not closed is text. Not a pattern: that would try every `<!--` to the end."""
    spans = code_spans(text) if "<!--" in text else []
    out, end = [], 0
    start = text.find("<!--")
    while start >= 0 and (close := text.find("-->", start + 4)) >= 0:
        if _overlaps(spans, start, start + 1):
            start = text.find("<!--", start + 4)
            continue
        out.append(text[end:start])
        end = close + 3
        start = text.find("<!--", end)
    return " ".join([*out, text[end:]])


def _outside_code(pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str], text: str) -> str:
    """`pattern.sub` that leaves inline code alone."""
    if "`" not in text:
        return pattern.sub(replace, text)
    spans = code_spans(text)

    def guarded(match: re.Match[str]) -> str:
        return match[0] if _overlaps(spans, *match.span()) else replace(match)

    return pattern.sub(guarded, text)


def _overlaps(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a stretch of text has something in common with one of the spans, which are in order and apart."""
    before = bisect_left(spans, (end,))
    return before > 0 and spans[before - 1][1] > start
