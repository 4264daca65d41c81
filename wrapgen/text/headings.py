"""What headings mean: *Next*, *Done*, a session or a day, something that was put off. PURE."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple, Protocol

from wrapgen.late_pattern import late
from wrapgen.notes import Section
from wrapgen.resources import any_word

_BRACKETED = late(r"\([^()]*\)|\[[^\[\]]*\]|【[^【】]*】|「[^「」]*」|『[^『』]*』|<[^<>]*>|《[^《》]*》")
_LINK = late(r"\[([^\[\]]*)\]\([^()]*\)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = "january|february|march|april|june|july|august|september|october|november|december|sept|" + "|".join(_MONTHS)
_DATE = late(
    r"(?<!\d)(?P<y>\d{4})(?:[-./](?P<m>\d{1,2})[-./](?P<d>\d{1,2})"
    r"|\s*[年년]\s*(?P<m2>\d{1,2})\s*[月월]\s*(?P<d2>\d{1,2})\s*[日일])(?!\d)"
    r"|(?<![\d.])(?P<d3>\d{1,2})\.(?P<m3>\d{1,2})\.(?P<y3>\d{4})(?![\d.])"
    rf"|(?<!\w)(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?[ /-](?P<n4>{_MONTH})\.?,?[ /-](?P<y4>\d{{4}})(?!\d)"
    rf"|(?<!\w)(?P<n5>{_MONTH})\.? (?P<d5>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y5>\d{{4}})(?!\d)",
    re.IGNORECASE,
)
_NUMBERING = late(
    r"(?:§\s*)?\d+(?:\.\d+)*\s*[.):、]?\s+|§\s*\d+\S*\s*|[ivxlcdm]+[.)]\s+|[一二三四五六七八九十百]+[、.]\s*|\d+[.)、]\s*"
)
_NEXT_PHRASE = late(any_word("next"))
# What a bracket says of a section that nobody is to go on with.
_PARKED = late(
    any_word("put_off") + r"(?:$|\s*[\d:;,.→–—✅✔]|\s+-\s"
    r"| (?:to|by|in|until|till|for|as|since|at|after|with|via|plan|list|version|notes?|items?)\b)"
    rf"|{any_word('done_or_later')}(?:$|\s*[\d:;,–—✅✔]|\s+-\s)|{any_word('parked')}"
)
# "### Phase 1 — ✅ DONE (branch `x`)", "## Phase 2: COMPLETE"
_DONE_AT_END = late(
    r"[✅✔☑]\ufe0f?[\s*_]*$|(?:[—–:✅]|\s-)\s?[*_✅]{0,3}\s?(?:DONE|COMPLETED?|SHIPPED|MERGED|RESOLVED|CLOSED|FINISHED)"
    r"(?=\W*$|\s*[\d(,;:.—–✅])"
)
_MARKS = late(r"[*_`~]")
_JOINED = late(r"(?<!\s)\s*[/&]\s*|(?<!\s)\s+and\s+|(?<!\s)\s*和\s*")
# At most this many nested brackets or leading numbers are removed from a name.
_MOST_LAYERS = 20


def _undecorated(title: str) -> str:
    """A title without emphasis, emoji and numbering, in folded case."""
    text = unicodedata.normalize("NFKC", title).replace("’", "'").replace("‘", "'").casefold()
    text = _MARKS.sub("", _LINK.sub(r"\1", text))
    if not text.isascii():
        # Emoji are symbols (So) with modifiers (Sk), joiners (Cf), keycaps (Me) and the variation selector.
        kept = (char for char in text if char != "\ufe0f" and unicodedata.category(char) not in _SYMBOLS)
        text = "".join(kept)
    text = _edges(text)
    for _ in range(_MOST_LAYERS):
        number = _NUMBERING.match(text)
        if number is None or number.end() == len(text):
            break
        text = _edges(text[number.end() :])
    return text


_SYMBOLS = frozenset(("So", "Sk", "Cf", "Me"))


def _edges(text: str) -> str:
    return text.strip(" \t#:;,.!?-–—|=>→·•~…。：")


@lru_cache(maxsize=4096)
def fold_name(title: str) -> str:
    """A heading as it is compared with the configured names.

    Dropped are emoji, numbering (`4.`, `III.`, `§4`, `四、`), emphasis, the closing colon, bracketed parts and dates;
    case is folded, apostrophes are straight, hyphens are blanks.
    """
    text = _DATE.sub(" ", _undecorated(title))
    for _ in range(_MOST_LAYERS):
        text, brackets = _BRACKETED.subn(" ", text)
        if not brackets:
            break
    return _edges(" ".join(_edges(text).replace("-", " ").split()))


@lru_cache(maxsize=4096)
def day_named(title: str) -> date | None:
    """The day that a heading names first: `2026-04-24`, `[[2026-04-24]] Friday`, `2026년 4월 24일`."""
    if (named := _DATE.search(title)) is None:
        return None
    said = {name[0]: value for name, value in named.groupdict().items() if value is not None}
    month = _MONTHS.index(said["n"][:3].casefold()) + 1 if "n" in said else int(said["m"])
    try:
        return date(int(said["y"]), month, int(said["d"]))
    except ValueError:  # no calendar has it
        return None


@lru_cache(maxsize=4096)
def session_subject(title: str, names: tuple[str, ...]) -> str | None:
    """What a session heading is about: `Session: web work` is about `web work`."""
    text = _undecorated(title)
    for name in names:
        rest = text.removeprefix(name.casefold())
        if rest != text and re.match(r"\s*(?:$|[#\d:(\[\-–—]|[a-z]{1,8}-\d)", rest):
            return rest
    return None


class EntryHead(NamedTuple):
    """The heading of an entry of a log: of a day or a session."""

    section: int  # its index in the file
    day: date | None  # the day that it names, else one that it is below
    number: int  # of the session that it names, or its time in minutes; 0 for none


def entry_heads(sections: Sequence[Section], session_names: tuple[str, ...]) -> list[EntryHead | None]:
    """The entry of each section by its innermost dated or session heading; None for what is in none.

    A *Next* list that has a date of its own is an entry only where it is in none.
    """
    found: list[EntryHead | None] = []
    for at, section in enumerate(sections):
        above = found[section.parent] if section.parent >= 0 else None
        day = _heading_day(section.title)
        subject = session_subject(section.title, session_names)
        if (day is None and subject is None) or (above and _NEXT_PHRASE.match(fold_name(section.title))):
            found.append(above)
        else:
            number = _session_number(section.title, subject)
            found.append(EntryHead(at, day or (above.day if above else None), number))
    return found


_FEW_WORDS = 25  # characters in front of a day that does not end its heading
# A day in front of which one of these stands is when something is due.
_AHEAD = late(r"\b(?:due|by|until|before|deadline|bis|avant|hasta)\W*$|(?:まで|까지|截止)", re.IGNORECASE)


def _heading_day(title: str) -> date | None:
    """The day that a heading is of: it begins or ends with it, or has it behind a word or two."""
    text = title.strip("#*_ \t").replace("[", "").replace("]", "")
    named = _DATE.search(text)
    if named is None:
        return None
    short = named.start() <= _FEW_WORDS and re.match(r"\s*(?:$|\d{1,2}:\d{2}|[^\w\s])", text[named.end() :])
    if re.search(r"\w", text[: named.start()]) and re.search(r"\w", text[named.end() :]) and not short:
        return None
    if _AHEAD.search(text[: named.start()]):
        return None
    return day_named(title)


def _session_number(title: str, subject: str | None) -> int:
    text = subject if subject is not None else _DATE.sub(" ", title)
    if time := re.search(r"(?<!\d)(\d{1,2}):(\d{2})(?!\d)", text):
        return int(time[1]) * 60 + int(time[2])
    if half := re.search(r"\b(am|pm)(\d{1,2})\b", text, re.IGNORECASE):
        return int(half[2]) + 100 * (half[1].casefold() == "pm")
    number = re.match(r"[\s#:(\[–—-]*(?:[a-z]{1,8}-)?(\d{1,6})(?!\d)", text) if subject is not None else None
    number = number or re.search(r"(?:\bs|#|\bsession\W{0,3})(\d{1,6})(?!\d)", text, re.IGNORECASE)
    return int(number[1]) if number else 0


class Names(Protocol):
    """The configured names of headings."""

    @property
    def next(self) -> tuple[str, ...]:
        """Of lists of open work."""

    @property
    def done(self) -> tuple[str, ...]:
        """Of lists of finished work."""

    @property
    def backlog(self) -> tuple[str, ...]:
        """Of lists of what is not next."""

    @property
    def waiting(self) -> tuple[str, ...]:
        """Of lists of what waits for somebody or something."""

    @property
    def no_next(self) -> tuple[str, ...]:
        """Of no list of open work, whatever they begin with."""


NEXT, DONE, BACKLOG, WAITING = "next", "done", "backlog", "waiting"


def roles(sections: Sequence[Section], names: Names) -> list[str]:
    """Return what each section of a file is for: `NEXT`, `DONE`, `BACKLOG`, `WAITING` or "".

    The innermost heading with such a name decides. The title of a file opens neither a list of open work nor a
    backlog, or every line of a file called `TODO` would be an item, and none of one called `Backlog`.
    """
    means = _meanings(names.next, names.done, names.backlog, names.waiting, names.no_next)
    found: list[str] = []
    for at, section in enumerate(sections):
        above = found[section.parent] if section.parent >= 0 else ""
        own = _meaning(section.title, means)
        title = at == 0 and section.level == 1 and own in (NEXT, BACKLOG)
        found.append(above if own is None or title else own)
    return found


def has_role(title: str, names: Names) -> bool:
    """Tell whether a heading has a *Next*, *Done*, *Backlog* or *Waiting* name."""
    means = _meanings(names.next, names.done, names.backlog, names.waiting, names.no_next)
    return _meaning(title, means) is not None


def _meaning(title: str, means: dict[str, str]) -> str | None:
    """What a title means; of two names that are joined, the first with a meaning counts, then how it begins."""
    name = fold_name(title)
    own = means.get(name)
    if own == "":
        return None
    if own is None and (parts := _JOINED.split(name))[1:]:
        own = next((means[part] for part in parts if part in means), None)
        ahead = own is None and any(part.startswith("next ") and _NEXT_PHRASE.match(part) for part in parts)
        own = NEXT if ahead else own
    return NEXT if own is None and _NEXT_PHRASE.match(name) else own


_SHORT_LEADS = frozenset(("next", "todo", "to do", "remaining", "resume"))


def says_next(title: str) -> bool:
    """Whether a heading says by the usual words alone that what is below is next."""
    name = fold_name(title)
    return name in _SHORT_LEADS or _NEXT_PHRASE.match(name) is not None


def is_done(title: str) -> bool:
    """Tell whether a heading bears a sign, or a word at its end, that what it names is finished."""
    return _DONE_AT_END.search(title) is not None or not _TICKS.isdisjoint(title)


_TICKS = frozenset("✅✔☑")


def is_parked(title: str) -> bool:
    """Whether a heading says at its end, in a bracket or by its sign that what is below was put off, done, replaced."""
    if _DONE_AT_END.search(title) or title.startswith("⏸"):
        return True
    text = _LINK.sub("", unicodedata.normalize("NFKC", title)).casefold()
    for bracket in _BRACKETED.finditer(text):
        # At an end of the heading, or in front of a colon; elsewhere a bracket is about a word.
        edge = not re.search(r"\w", text[: bracket.start()]) or re.match(r"\W*(?:$|:)", text[bracket.end() :])
        if edge and bracket[0][0] in "([【" and _PARKED.match(_edges(bracket[0][1:-1])):
            return True
    return False


def within(sections: Iterable[tuple[str, int]], names: tuple[str, ...]) -> list[bool]:
    """Whether each section of a file has one of some names, or is inside a section that has."""
    folded = frozenset(map(fold_name, names))
    found: list[bool] = []
    for title, parent in sections:
        found.append(fold_name(title) in folded or (parent >= 0 and found[parent]))
    return found


@lru_cache(maxsize=8)
def _meanings(
    next_names: tuple[str, ...],
    done_names: tuple[str, ...],
    backlog: tuple[str, ...],
    waiting: tuple[str, ...],
    no_next: tuple[str, ...],
) -> dict[str, str]:
    """Return what names mean by their folded form; "" where one means nothing, whatever it begins with."""
    meanings = {fold_name(name): "" for name in no_next}
    meanings |= {fold_name(name): BACKLOG for name in backlog} | {fold_name(name): WAITING for name in waiting}
    meanings |= {fold_name(name): DONE for name in done_names}
    return meanings | {fold_name(name): NEXT for name in next_names}
