"""One list item: its state, its fields and its words. PURE."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wrapgen.notes import Entry
from wrapgen.text.display import one_line
from wrapgen.vault.markdown.marks.blocks import words_of
from wrapgen.vault.markdown.marks.fields import Fields
from wrapgen.vault.markdown.marks.outside_code import outside_code, without_comments
from wrapgen.vault.markdown.marks.priority import list_number, stronger, take_priority
from wrapgen.vault.markdown.marks.state import state_of, without_done_signs
from wrapgen.vault.markdown.marks.wording import has_words

if TYPE_CHECKING:
    from wrapgen.notes import Priority

_MAY_HOLD_MARKS = re.compile(
    "[📅📆🗓⏳⌛🛫➕✅✔☑✓❌🔁🏁🆔⛔🔺⏫🔼🔽⏬]|~~|!!|<!--|%%|::|\\bP[0-3]\\b|\\([A-C]\\)|\\[#|\\^|due|[DE]:",
    re.IGNORECASE,
)
# What Obsidian's plugins hide in a line: `%%[todoist_id:: 7261]%%`. Other words between such signs may be anybody's.
_PLUGIN_DATA = re.compile(r"%%\[\w{1,40}:: ?[^\[\]%\n]{0,200}\]%%")
# One of these is in every ASCII text that holds a mark; looking for them is faster.
_ASCII_SIGNS = re.compile(r"[~!<(^]|%%|::|\[#|\[P|[Dd][Uu][Ee]|[EDed]:|\bP[0-3]\b")


def read_item(
    raw: str, *, line: int, section: int, above: tuple[str, ...] = (), numbered: bool = False
) -> Entry | None:
    """Read the marks of a list item.

    Args:
        raw: the item's first paragraph as written, without its bullet.
        line: 1-based line where the item starts.
        section: index of the section that it stands in.
        above: texts of the list items that it is nested in, outermost first.
        numbered: whether `P1`, `P2` ... number the items of its list.

    Returns:
        the entry, or None when it has no words of its own (an empty box, a tag alone).
    """
    state = state_of(one_line(words_of(raw)))
    text = state.rest
    if not may_hold_marks(text):
        if not has_words(text):
            return None
        return Entry(
            text=text, line=line, section=section, done=state.done, box=bool(state.mark), mark=state.mark,
            above=above,
        )  # fmt: skip
    found = Marks(numbered=numbered)
    words = found.take(text)
    if not has_words(words):
        return None
    days, boxed = found.fields.days, bool(state.mark)
    return Entry(
        text=words,
        line=line,
        section=section,
        done=state.done or (found.done and not boxed),
        box=boxed,
        conflict=found.done and boxed and not state.done,
        due=days.get("due"),
        priority=found.priority,
        created=days.get("created"),
        finished=days.get("finished", days.get("cancelled")),
        recurrence=found.fields.recurrence,
        mark=state.mark,
        scheduled=days.get("scheduled"),
        start=days.get("start"),
        ident=found.fields.ident,
        depends=found.fields.depends,
        unreadable=tuple(found.fields.unreadable),
        above=above,
    )


def open_mark(raw: str) -> str:
    """The open box or marker of an item that has no words; nothing where there is none."""
    state = state_of(one_line(words_of(raw)))
    return "" if state.done else state.mark


def number_of(raw: str) -> int | None:
    """The number behind a `P` in front of an item's words, None where there is none."""
    return list_number(state_of(raw[:80]).rest) if "P" in raw[:80] else None


def may_hold_marks(text: str) -> bool:
    """Whether a text may hold any mark; nearly none does."""
    if text.isascii() and not _ASCII_SIGNS.search(text):
        return False
    return _MAY_HOLD_MARKS.search(text) is not None


class Marks:
    """What is written on an item besides its box and its words.

    Args:
        numbered: whether `P1` in front of the words is the item's number.
    """

    def __init__(self, *, numbered: bool = False) -> None:
        self._numbered = numbered
        self.fields = Fields()
        self.priority: Priority | None = None
        self.done = False

    def take(self, text: str) -> str:
        """Take the marks off a text and return its words, if any."""
        text = one_line(outside_code(_PLUGIN_DATA, lambda _: " ", without_comments(text)))
        words = one_line(self._take(text))
        if not words and self.fields.recurrence:
            return one_line(text)  # an item of nothing but a recurrence sign is the words behind the sign
        return words

    def _take(self, text: str) -> str:
        # Marks leave blanks behind; long runs of them would make the patterns below slow.
        text = one_line(self.fields.take(text))
        text, priority = take_priority(text, numbered=self._numbered)
        self.priority = stronger(self.fields.priority, priority)
        text = self.fields.take_recurrence(text)
        text, signed = without_done_signs(text)
        self.done = signed or self.fields.done
        return text
