"""One list item: its state, its fields and its words. PURE."""

from __future__ import annotations

import re
from bisect import bisect_right

from wrapgen.late_pattern import late
from wrapgen.notes import Entry
from wrapgen.text.blocks import outside_code, without_comments
from wrapgen.text.display import one_line
from wrapgen.vault.markdown.marks.fields import Fields, are_labels, list_number, stronger, take_priority
from wrapgen.vault.markdown.marks.state import state_of, without_done_signs

_MAY_HOLD_MARKS = late(
    "[📅📆🗓⏳⌛🛫➕✅✔☑✓☒✘❌🔁🏁🆔⛔🔺⏫🔼🔽⏬]|~~|!!|<!--|%%|::|\\bP[0-3]\\b|\\([A-C]\\)|\\[#|\\^|due|[DE]:"
    "|@[{\\[@c]|from |\\[>\\]|(?-i:[A-Z]{4})|\\d-\\d\\d\\D{0,9}$",
    re.IGNORECASE,
)
# What Obsidian's plugins hide in a line: `%%[todoist_id:: 7261]%%`. Other words between such signs may be anybody's.
_PLUGIN_DATA = late(r"%%\[\w{1,40}:: ?[^\[\]%\n]{0,200}\]%%")
# Lines below an item's first one that are no words: Logseq's properties, Org's drawers and clocks.
_DRAWER = late(r"[ \t]*:[A-Z][A-Z0-9_-]*:[ \t]*$")
_OPEN_DRAWER = late(r"[ \t]*:(?:LOGBOOK|PROPERTIES):[ \t]*$")
_DRAWER_END = late(r"[ \t]*:END:[ \t]*$")
_PROPERTY = late(r"[ \t]*[A-Za-z][\w./?-]*::(?:[ \t]|$)")
# What Dataview writes on a line of its own and means the item; it is read like the same in brackets.
_FIELD = late(r"[ \t]*(due|scheduled|start|created|completion|cancelled|priority|repeat)::[ \t]*([^\[\]()]*)$")
# A comment of Obsidian's at the end of a line.
_HIDDEN_WORDS = late(r"(?<!\S)%%(?!\[)[^%]*%%\s*$")
# What is left behind where an unfinished item is carried to the next day's note.
_ROLLED_OVER = late(
    r" ?[(（](?:(?:rolled|carried|moved|migrated)(?: over)? )?from:? (?:\[\[[^\[\]]*\]\]|\d{4}-\d{2}-\d{2})[)）]"
    r"|(?<=\s)\[>\]$",
    re.IGNORECASE,
)
_CLOCK = late(r"[ \t]*CLOCK:[ \t]*\[")
# Longer ones are no placeholders; looking for the ends of those takes time where there is none.
_LONGEST = 1_000
# Most items begin with a word: those need no second look.
_WORDS_FIRST = late(r"[^\W\d_]{2,}[ ,.:;!?'’-]|[\uac00-\ud7af\u3400-\u9fff\u3040-\u30ff]")
_PLACEHOLDER = late(r"\{\{.*?\}\}|<%.*?%>|\$\{[^{}]*\}|^<[^<>/]+>$")
_TAG = late(r"(?<!\S)[#@](?!\d+(?!\S))[^\s#]+|\[\[\s*\]\]|\[\s*\]\(\s*\)")
_TIME = late(r"(?<!\w)\d{1,2}[:.h]\d{2}(?:\s*[ap]m)?(?!\w)", re.IGNORECASE)


def read_item(
    raw: str, *, line: int, section: int, above: tuple[str, ...] = (), numbered: bool = False
) -> Entry | None:
    """The entry of a list item with its marks; None when it has no words of its own (an empty box, a tag alone)."""
    state = state_of(one_line(words_of(raw)))
    text = state.rest
    if not _MAY_HOLD_MARKS.search(text):  # nearly none does
        if not has_words(text):
            return None
        return Entry(
            text=text, line=line, section=section, done=state.done, box=bool(state.mark), mark=state.mark,
            above=above,
        )  # fmt: skip
    words, found = take_marks(text, numbered=numbered)
    if not has_words(words):
        return None
    days, boxed = found.days, bool(state.mark)
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
        recurrence=found.recurrence,
        mark=state.mark,
        scheduled=days.get("scheduled"),
        start=days.get("start"),
        ident=found.ident,
        depends=found.depends,
        unreadable=tuple(found.unreadable),
        above=above,
    )


def open_mark(raw: str) -> str:
    """The open box or marker of an item that has no words; nothing where there is none."""
    state = state_of(one_line(words_of(raw)))
    return "" if state.done else state.mark


def take_marks(text: str, *, numbered: bool = False) -> tuple[str, Fields]:
    """The words of a text, if any, and the marks that are written on it besides them."""
    found = Fields()
    text = one_line(outside_code(_PLUGIN_DATA, lambda _: " ", without_comments(text)))
    if "from" in text or "[>" in text:
        text = outside_code(_ROLLED_OVER, lambda _: "", text).rstrip() or text
    if "%%" in text:
        text = outside_code(_HIDDEN_WORDS, lambda _: "", text).rstrip() or text
    # Marks leave blanks behind; long runs of them would make the patterns below slow.
    words, priority = take_priority(one_line(found.take(text)), numbered=numbered)
    found.priority = stronger(found.priority, priority)
    words, signed = without_done_signs(found.take_recurrence(words))
    found.done = signed or "finished" in found.days or "cancelled" in found.days
    # An item of nothing but a recurrence sign is the words behind the sign.
    return one_line(words) or (one_line(text) if found.recurrence else ""), found


def words_of(raw: str) -> str:
    """An item's first paragraph without the lines that are properties, drawers or clocks."""
    if ":" not in raw or ("::" not in raw and "\n" not in raw):
        return raw
    lines = raw.split("\n")
    ends = [at for at, line in enumerate(lines) if _DRAWER_END.match(line)]
    kept: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if at and ends and ends[-1] > at and _DRAWER.match(line):
            at = ends[bisect_right(ends, at)] + 1
            continue
        if at and _OPEN_DRAWER.match(line):  # its end stands below the list that it holds
            break
        if at and (field := _FIELD.match(line)):
            kept.append(f"[{field[1]}:: {field[2]}]")
        elif not _PROPERTY.match(line) and not (at and _CLOCK.match(line)):
            kept.append(line)
        at += 1
    return "\n".join(kept)


def has_words(text: str) -> bool:
    """Whether a text has words of its own, or names an issue."""
    if len(text) > _LONGEST:
        return True
    if _WORDS_FIRST.match(text) and "{" not in text and "<%" not in text:
        return True
    left = _TIME.sub(" ", _TAG.sub(" ", _PLACEHOLDER.sub(" ", text)))
    return re.search(r"[^\W\d_]|#\d", left) is not None


class ListedItems:
    """Collects the items of one list."""

    def __init__(self, entries: list[Entry]) -> None:
        self._entries = entries
        self._numbered: list[tuple[int, int, str]] = []

    def add(self, entry: Entry, raw: str) -> None:
        """Add an item."""
        if "P" in raw[:80] and (number := list_number(state_of(raw[:80]).rest)) is not None:
            self._numbered.append((number, len(self._entries), raw))
        self._entries.append(entry)

    def close(self) -> None:
        """End the list: items that are numbered by `P1`, `P2` ... are read again."""
        if self._numbered and are_labels([number for number, _, _ in self._numbered]):
            for _, at, raw in self._numbered:
                entry = self._entries[at]
                again = read_item(raw, line=entry.line, section=entry.section, above=entry.above, numbered=True)
                self._entries[at] = again or entry
