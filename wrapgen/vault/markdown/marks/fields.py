"""What is written on an item besides its words: priority, dates, in the forms of many tools. PURE."""

from __future__ import annotations

import re
from datetime import date
from itertools import pairwise

from wrapgen.late_pattern import late
from wrapgen.notes import PRIORITY_SIGNS, Priority
from wrapgen.text.blocks import outside_code
from wrapgen.text.display import one_line
from wrapgen.vault.markdown.marks.state import DONE_SIGN, VS

_PRIORITY = late(
    rf"""
      (?P<emoji>[{PRIORITY_SIGNS}]){VS}
    | (?<!\S)(?P<bangs>!!)(?!\S)
    | \[\#(?P<cookie>[ABC])\]
    | [(\[]P(?P<bracketed>[0-3])[)\]]:?
    | (?<!\S)P(?P<last>[0-3])\s*$
    """,
    re.VERBOSE,
)
# The item's own project tag may stand before its priority.
_LEADING = late(
    r"""
    (?P<tag>(?:[(（][^()（）]*[)）]\s*)?)
    (?:\*\*|__)?
    (?:P(?P<number>[0-3])(?![\w.-]) | \((?P<letter>[A-C])\)(?=\s))
    (?:\*\*|__)? \s*[:–—-]?\s* (?:\*\*|__)?
    """,
    re.VERBOSE,
)
# Emphasis that a mark in front leaves behind: around nothing, or with a blank where the mark was.
_EMPHASIS = late(
    r"(?P<tag>(?:[(（][^()（）]*[)）]\s*)?)(?:(?P<empty>\*\*|__)\s*(?P=empty)\s*[:–—-]?\s*|(?P<opening>\*\*|__)\s+)(?=\S)"
)
# `P1`, `P2` ... in front of an item may also be its number in the list.
_NUMBER = late(r"(?:[(（][^()（）]*[)）]\s*)?(?:\*\*|__)?[(\[]?P(\d{1,2})(?![\w.-])")
_FEWEST = 3
_MEANS = {
    **{sign: Priority(rank) for rank, sign in enumerate(PRIORITY_SIGNS)},
    "0": Priority.HIGHEST, "1": Priority.HIGH, "2": Priority.MEDIUM, "3": Priority.LOW,
    "A": Priority.HIGH, "B": Priority.MEDIUM, "C": Priority.LOW, "!!": Priority.HIGH,
}  # fmt: skip


def priority_named(word: str) -> Priority | None:
    """The priority of a word such as `high`, None for any other word."""
    return Priority.__members__.get(word.strip().upper())


def stronger(one: Priority | None, other: Priority | None) -> Priority | None:
    """The more urgent of two."""
    return min((priority for priority in (one, other) if priority is not None), default=None)


def take_priority(text: str, *, numbered: bool) -> tuple[str, Priority | None]:
    """Take the marks of urgency off a text."""
    found: Priority | None = None

    def ranked(match: re.Match[str]) -> str:
        nonlocal found
        if numbered and match["bracketed"] and not text[: match.start()].strip("*_ "):
            return match[0]
        found = stronger(found, _MEANS[next(value for value in match.groups() if value is not None)])
        return " "

    left = " ".join(outside_code(_PRIORITY, ranked, text).split())
    leading = _LEADING.match(left)
    if leading and left[leading.end() :] and not (numbered and leading["number"]):
        found = stronger(found, _MEANS[leading["number"] or leading["letter"]])
        words = left[leading.end() :]
        opening = next((two for two in ("**", "__") if words.count(two) % 2 and not left.count(two) % 2), "")
        left = leading["tag"] + opening + words
    if found is not None and (emphasis := _EMPHASIS.match(left)):
        left = emphasis["tag"] + (emphasis["opening"] or "") + left[emphasis.end() :]
    return left, found


def list_number(text: str) -> int | None:
    """The number behind a `P` in front of an item's words, None where there is none."""
    found = _NUMBER.match(text)
    return int(found[1]) if found else None


def are_labels(numbers: list[int]) -> bool:
    """Whether the numbers behind `P` of a list's items count them: rising from 1 on, each once, at least three."""
    rising = all(one < other for one, other in pairwise(numbers))
    return len(numbers) >= _FEWEST and rising and numbers[0] > 0


_DATE = r"(?P<{}>\d{{4}}-\d{{2}}-\d{{2}})(?!\d)"
_ID = r"[A-Za-z0-9_-]+"
_SIGNS = {
    "due": "[📅📆🗓]", "scheduled": "[⏳⌛]", "start": "🛫", "created": "➕", "finished": DONE_SIGN, "cancelled": "❌",
}  # fmt: skip
_ALL_SIGNS = f"{PRIORITY_SIGNS}📅📆🗓⏳⌛🛫➕✅✔☑✓❌🔁🏁🆔⛔"
_ALONE = rf"(?![^\s{_ALL_SIGNS}])"
_SIGNED = late(
    "|".join(rf"{sign}{VS}\s*{_DATE.format(name)}" for name, sign in _SIGNS.items())
    + rf"|🆔{VS}\s*(?P<ident>{_ID}){_ALONE}|⛔{VS}\s*(?P<depends>{_ID}(?:\s*,\s*{_ID})*){_ALONE}"
    + rf"|🏁{VS}\s*(?P<completion>[A-Za-z]+){_ALONE}"
)
_PLAIN_DUE = late(
    rf"""
      \(\s*due(?:::?)?\s*{_DATE.format("bracketed")}\s*\)
    | \[\s*due(?:::?)?\s*{_DATE.format("square")}\s*\]
    | (?<![\w\-(\[])due::?\s*{_DATE.format("plain")}(?:T\d{{1,2}}:\d{{2}}(?::\d{{2}})?)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
# What is said at the end of the words, where it stays.
_SAID_DUE = late(
    rf"(?:(?<!\w)(?:expires|expiring|before|by|due|bis|avant|antes del|до)\s+(?:(?:on|by|zum|le)\s+)?"
    rf"{_DATE.format('before')}|{_DATE.format('glued')}\s?(?:까지|以前|之前|まで|までに))[\s.!){_ALL_SIGNS}]*{VS}$",
    re.IGNORECASE,
)
_NOT = late(r"(?<!\w)(?:not|never|no)(?!\w)|n['’]t(?!\w)", re.IGNORECASE)
_SAID_LENGTH = 60  # characters at the end of a text in which it stands
# Both brackets of one kind; a comma behind them belongs to the field.
_NAMES = "due|scheduled|start|created|completion|cancelled|priority|repeat|id|dependsOn|onCompletion"
_INLINE = late(
    rf"\[\s*(?P<name>{_NAMES})\s*::(?P<value>[^\[\]()]*)\],?|\(\s*(?P<name2>{_NAMES})\s*::(?P<value2>[^\[\]()]*)\),?"
)
_INLINE_DATES = {
    "due": "due", "scheduled": "scheduled", "start": "start", "created": "created", "completion": "finished",
    "cancelled": "cancelled",
}  # fmt: skip
# The weekday, the hour, a repeater (`+1w`, `++1w`, `.+1d`) and a warning (`-3d`) may follow the day.
_PLANNED = late(rf"\b(?P<name>DEADLINE|SCHEDULED|CLOSED):\s*[<\[]{_DATE.format('day')}(?P<rest>[^<>\[\]]*)[>\]]")
_PLANNED_DATES = {"DEADLINE": "due", "SCHEDULED": "scheduled", "CLOSED": "finished"}
_REPEATER = late(r"(?<!\S)[.+]?\+\d+[hdwmy](?!\w)")
# The dates of Obsidian's Kanban and CardBoard; an hour is none.
_CARD = late(
    rf"(?<!\S)@(?:\{{{_DATE.format('card')}\}}|\[\[{_DATE.format('linked')}\]\]|due\({_DATE.format('due')}[^()]*\)"
    rf"|completed\({_DATE.format('completed')}[^()]*\)|@\{{[\d:. apmAPM]+\}})"
)
# What nobody sees between a mark and its day, and hyphens that look like one.
_HYPHEN = "[-\u2010\u2011\u2012\u2013\u2212]"
_UNSEEN = late(
    rf"(?P<mark>[📅📆🗓⏳⌛🛫➕✅✔☑✓❌]{VS}|\b(?:{_NAMES})\s*[:：]{{1,2}}|(?<!\S)@(?:\w+\(|\{{|\[\[)|[<\[])"
    rf"(?P<gap>[\s\u200b-\u200f\u2060\ufeff\u00ad\u202a-\u202e\u2066-\u2069]*)"
    rf"(?P<y>\d{{4}}){_HYPHEN}(?P<m>\d{{2}}){_HYPHEN}(?P<d>\d{{2}})(?!\d)",
    re.IGNORECASE,
)
_RECURRENCE = late(rf"🔁{VS}\s*(?P<rule>[^{_ALL_SIGNS}#\[(]*)")
_BLOCK_ID = late(r"(?:^|\s)\^[A-Za-z0-9-]+\s*$")
_BLANK_BEFORE_STOP = late(r"(?<=\w) (?=[.!?,;:](?:\s|$))")


class Fields:
    """What is written on an item besides its words; `take` reads it off a text."""

    def __init__(self) -> None:
        self.days: dict[str, date] = {}
        self.priority: Priority | None = None
        self.recurrence: str | None = None
        self.ident: str | None = None
        self.depends: tuple[str, ...] = ()
        self.unreadable: list[str] = []
        self.done = False  # whether a day or a sign says that it is finished or cancelled

    def take(self, text: str) -> str:
        """Take the fields off a text on one line; what cannot be read stays in it."""
        if not text.isascii():
            text = outside_code(_UNSEEN, _plain_day, text)
        if "::" in text:
            cut = outside_code(_INLINE, self._inline, text)
            if cut != text:  # the blank in front of a field must not stand in front of a full stop
                text = _BLANK_BEFORE_STOP.sub("", one_line(cut))
        if "@" in text:
            text = one_line(outside_code(_CARD, self._card, text))
        if "<" in text or "[" in text:
            text = outside_code(_PLANNED, self._planned, text)
        text = outside_code(_PLAIN_DUE, self._due, text)
        text = one_line(outside_code(_SIGNED, self._signed, text))
        if "^" in text:
            text = outside_code(_BLOCK_ID, lambda _: " ", text)
        said = _SAID_DUE.search(text, max(0, len(text) - _SAID_LENGTH)) if "due" not in self.days else None
        if said and not _NOT.search(text):  # "not before 2026-12-01"
            self._day("due", said["before"] or said["glued"], said[0])
        return text

    def take_recurrence(self, text: str) -> str:
        """Take `🔁` and its rule off a text, after every other sign is off."""
        return one_line(outside_code(_RECURRENCE, self._recurs, text)) if "🔁" in text else text

    def _day(self, name: str, day: str, written: str) -> str:
        try:
            when = date.fromisoformat(day)
        except ValueError:
            if (bit := one_line(written)) not in self.unreadable:  # two patterns may fit one field
                self.unreadable.append(bit)
            return written
        # Of two due days the first counts.
        self.days[name] = min(when, self.days.get(name, when)) if name == "due" else when
        return " "

    def _signed(self, match: re.Match[str]) -> str:
        name, value = next((name, value) for name, value in match.groupdict().items() if value is not None)
        if name == "ident":
            self.ident = value
        elif name == "depends":
            self.depends = _ids(value)
        elif name != "completion":
            return self._day(name, value, match[0])
        return " "

    def _due(self, match: re.Match[str]) -> str:
        return self._day("due", match["bracketed"] or match["square"] or match["plain"], match[0])

    def _card(self, match: re.Match[str]) -> str:
        if match["completed"]:
            return self._day("finished", match["completed"], match[0])
        day = match["card"] or match["linked"] or match["due"]
        return self._day("due", day, match[0]) if day else " "

    def _planned(self, match: re.Match[str]) -> str:
        left = self._day(_PLANNED_DATES[match["name"]], match["day"], match[0])
        if left == " " and (repeater := _REPEATER.search(match["rest"])):
            self.recurrence = repeater[0]
        return left

    def _inline(self, match: re.Match[str]) -> str:
        name = match["name"] or match["name2"]
        value = one_line(match["value"] if match["name"] else match["value2"])
        if name in _INLINE_DATES and re.match(r"\d{4}-\d{2}-\d{2}(?!\d)", value):
            return self._day(_INLINE_DATES[name], value[:10], match[0])
        if name == "priority" and (priority := priority_named(value)) is not None:
            self.priority = stronger(self.priority, priority)
        elif name == "repeat" and value:
            self.recurrence = value
        elif name == "id" and re.fullmatch(_ID, value):
            self.ident = value
        elif name == "dependsOn" and re.fullmatch(rf"{_ID}(?:\s*,\s*{_ID})*", value):
            self.depends = _ids(value)
        elif name != "onCompletion":
            return match[0]
        return " "

    def _recurs(self, match: re.Match[str]) -> str:
        self.recurrence = one_line(match["rule"]) or "🔁"
        return " "


def _plain_day(match: re.Match[str]) -> str:
    blank = " " if any(map(str.isspace, match["gap"])) else ""
    return f"{match['mark'].replace('：', ':')}{blank}{match['y']}-{match['m']}-{match['d']}"


def _ids(listed: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in listed.split(","))
