"""Whether an item is open or done, by its box, its task marker, or the signs at its ends. PURE."""

from __future__ import annotations

import re
from typing import NamedTuple

from wrapgen.late_pattern import late

VS = "\ufe0f?"
DONE_SIGN = f"[✅✔☑✓]{VS}"
# In front of words alone: at their end a cross says what they are about ("the close button ✘").
SIGNS, CROSSES = "✅✔✓✘", "❌✗✖"

# What looks like a blank or like nothing, as it stands within the brackets of a pattern.
BLANKS = r" \t\x0b\x0c\x1c-\x1f\x85\xa0\u1680\u180e\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff\u00ad"
# A digit in brackets is a footnote or a reference; `[text](url)`, `[x][ref]`, `[x]: url` and `[[page]]` are links.
# Formatters that know no boxes escape their brackets.
BOX = late(
    rf"\\?[\[［](?P<mark>[^\d\[\]［］\n\\]?)\\?[\]］](?=[{BLANKS}\n]|$)[{BLANKS}\n]*"
    r"|\\?[\[［](?P<glued>[ \u3000xX×ｘＸ])\\?[\]］](?![(\[:])"
)
OPEN_BALLOTS = "☐⬜🔲"
BALLOTS = f"{OPEN_BALLOTS}☑☒"
# A day behind it is the one on which the item was done.
BALLOT = late(rf"(?P<ballot>[{OPEN_BALLOTS}]|[{BALLOTS}](?!{VS}\s*\d{{4}}-\d)){VS}\s*")
OPEN_MARKERS = ("TODO", "LATER", "NOW", "DOING", "WAITING", "WAIT", "IN-PROGRESS")
DONE_MARKERS = ("DONE", "CANCELED", "CANCELLED")
MARKER = late(rf"(?P<marker>{'|'.join((*OPEN_MARKERS, *DONE_MARKERS))})(?::?(?=\s)\s*|:?$)")
_TICKS = frozenset("xX-✓✔✅☑×ｘＸ")

_LEADING_DONE = late(f"(?:[{SIGNS}☑☒]{VS}\\s*)+")
# Matched against the text read backwards: a search would try every sign in the middle to the end.
_DONE_BACKWARDS = late(rf"\s*(?:{VS}[✅✔☑✓]\s*)+")
_STRUCK = late(r"~~(?!\s)((?:(?!~~).)+)~~[\s.。!]*", re.DOTALL)

_DONE_WORDS = (
    "done|fixed|resolved|completed?|merged|shipped|closed|finished|cancell?ed|dropped|answered|decided|landed"
    "|hecho|resuelto|erledigt|fait|feito|완료|已完成|完成|完了"
)
# "~~Fix the login~~ ✅ **DONE 2026-05-20**, details ..."; other words behind it may be what the struck ones became.
_STRUCK_AND_DONE = late(
    rf"""~~(?!\s)((?:(?!~~).)+)~~[\s*_(\[:→—–-]*+
    (?: {DONE_SIGN} | (?:(?:all|both)\ (?:\w{{1,9}}\ )?)?(?:{_DONE_WORDS})\b
        (?=[\s*_)\]]*+(?:$|[.,;:—–(#\d-]|(?:in|by|on|with|via)\b)) )""",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
# "**The client — DONE for v1 2026-08-07.** ...", "**Debt 35 CLOSED** as option b": the line's own word, in capitals,
# behind a dash, an arrow, a colon or a sign, or at an end of the words in bold. Of 70 such lines of twelve vaults one
# was open: what says in the same breath that something is left does not count.
_CAPITAL = (
    r"(?:DONE|FIXED|RESOLVED|COMPLETED?|MERGED|SHIPPED|CLOSED|FINISHED|CANCELL?ED|DROPPED|ANSWERED|LANDED|IMPLEMENTED"
    r"|SUPERSEDED|OBSOLETE|REJECTED)"
)
_SAID_DONE = late(
    rf"""(?: ^[*_\[(]{{0,4}} | (?:[—–→⇒:✅✔]|\ -){VS}[\s*_~`(]{{0,4}} ){_CAPITAL}(?=[\s*_\])]{{0,4}}
      (?:$|[.,;:。、—–(\[#\d✅✔-]|(?:in|by|on|with|via|for|as|at|since|this|PR|and)\b)) (?P<then>[^.*]{{0,120}})
    | (?<=\s){_CAPITAL}\*\*(?P<after>[^.*]{{0,120}})""",
    re.VERBOSE,
)
_FIRST_WORDS = 160  # characters in which a line says what it is about
_LEFT = late(
    r"\b(?:remain\w*|still|pending|left|to ?do|open|partial\w*|except|not yet|when|if|once|until)\b", re.IGNORECASE
)


class State(NamedTuple):
    """What stands in front of an item's words."""

    mark: str  # the character in its box, a ballot box, or a task marker; nothing where there is none
    done: bool  # whether that says that the item is finished or cancelled
    rest: str  # the words behind it


def state_of(text: str) -> State:
    """Read the box or the marker at the start of an item."""
    if text.startswith("[ ] ") and text[4:5] not in "[［":  # by far the most
        return State(" ", False, text[4:])
    first = text[:1]
    if first in ("[", "［", "\\") and (box := BOX.match(text)):
        mark = box["mark"] if box["mark"] is not None else box["glued"]
        end = box.end()
        while again := BOX.match(text, end):  # words hold no box
            end = again.end()
        return State(mark.strip() or " ", mark in _TICKS if mark else False, text[end:].lstrip())
    if first.isupper() and first.isascii() and (marker := MARKER.match(text)):
        return State(marker["marker"], marker["marker"] in DONE_MARKERS, text[marker.end() :])
    if ballot := BALLOT.match(text):
        return State(ballot["ballot"], ballot["ballot"] not in OPEN_BALLOTS, text[ballot.end() :])
    return State("", False, text)


def without_done_signs(text: str) -> tuple[str, bool]:
    """Take the signs off that say that the whole item is done, and say whether there were any."""
    trailing = _DONE_BACKWARDS.match(text[::-1])
    text = text[: len(text) - trailing.end()] if trailing else text
    leading = _LEADING_DONE.match(text)
    text = text[leading.end() :] if leading else text
    if struck := _STRUCK.fullmatch(text) or _STRUCK_AND_DONE.match(text):
        return struck[1], True
    return text, bool(trailing or leading) or _says_done(text)


def _says_done(text: str) -> bool:
    """Whether a line says in its first words, in capitals, that what it is about is done."""
    said = _SAID_DONE.search(text[:_FIRST_WORDS])
    return said is not None and not _LEFT.search(said["then"] or said["after"] or "")
