"""The words of a tombstone: all of them are the conversation's own. PURE."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wrapgen.text import beginning, one_line
from wrapgen.tracks.terms import terms as terms_of

if TYPE_CHECKING:
    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.record import Step
    from wrapgen.tracks.signal import Signal

REASON_LIMIT = 50
"""Characters of a reason (spec 6.2)."""
_QUOTE_LIMIT = 300
_EDGE = ' \t\n,，.。:：;；!！?？、-–—·…*_~"“”()（）>#'
_APART = re.compile(r"\s+")
_LATIN = re.compile(r"[A-Za-z0-9]\Z")


def quote(step: Step, span: tuple[int, int]) -> str:
    """A part of a turn as it was said; a turn of tool calls alone is quoted by the files it wrote.

    Args:
        step: the turn.
        span: where the part begins and ends in its text.
    """
    said = one_line(step.text[slice(*span)])
    return cut(said or ", ".join(file.path for file in step.files), _QUOTE_LIMIT)


def cut(text: str, limit: int) -> str:
    """The beginning of a text that ends with a word, or between two characters where words have no blanks.

    Args:
        text: one line.
        limit: characters at most.
    """
    if len(text) <= limit:
        return text
    head = beginning(text, limit)
    if not text[len(head)].isspace() and _LATIN.search(head) and text[len(head)].isascii():
        at = max(head.rfind(" "), _last_wide(head))
        head = head[: at + 1] if at > limit // 3 else head
    return head.rstrip(_EDGE)


def _last_wide(text: str) -> int:
    return next((at for at in range(len(text) - 1, -1, -1) if text[at] > "\u2e7f"), -1)


def trimmed(text: str, cues: Cues) -> str:
    """A phrase without small words at its edges.

    Args:
        text: any text.
        cues: words without content.
    """
    name = one_line(text).strip(_EDGE)
    lead, tail = cues.words["lead"], cues.words["tail"]
    while name:
        shorter = _without_lead(name, lead)
        shorter = _without_tail(shorter, tail)
        if shorter == name:
            break
        name = shorter
    return name


def _without_lead(name: str, lead: frozenset[str]) -> str:
    first = _APART.split(name, maxsplit=1)[0]
    if first.lower().strip(_EDGE) in lead and first != name:
        return name[len(first) :].strip(_EDGE)
    for length in (3, 2, 1):
        if name[:length] in lead and not name[:length].isascii() and len(name) > length + 1:
            return name[length:].strip(_EDGE)
    return name


def _without_tail(name: str, tail: frozenset[str]) -> str:
    last = _APART.split(name)[-1]
    if last.lower().strip(_EDGE) in tail and last != name:
        return name[: -len(last)].strip(_EDGE)
    for length in (4, 3, 2, 1):
        if name[-length:] in tail and not name[-length:].isascii() and len(name) > length + 1:
            return name[:-length].strip(_EDGE)
    return name


def reason_of(failure: Signal, said: str, left: int | None, cues: Cues) -> str:
    """Why something failed: words of the failure's turn, at most `REASON_LIMIT` characters.

    A bare "still no luck" is followed by what comes after it in the same turn, up to where the thing is given up.

    Args:
        failure: where it was told.
        said: the text of its turn.
        left: where in that text the thing is given up; None when that is in another turn.
        cues: words without content.
    """
    text = said if left is None or left < failure.clause[1] else said[:left]
    start, end = failure.clause
    told = one_line(text[start:end]).strip(_EDGE)
    if len(terms_of(told.lower(), cues)) < 2:
        start = min(start, failure.sentence[0]) if failure.clause[1] >= failure.sentence[1] else start
        end = min(len(text), start + 4 * REASON_LIMIT)
        line = text.find("\n\n", start, end)
        told = one_line(text[start : line if line > 0 else end]).strip(_EDGE)
    elif len(told) < REASON_LIMIT // 2:
        told = one_line(text[start : failure.sentence[1]]).strip(_EDGE)
    if len(told) > REASON_LIMIT and failure.cue[1] - start > REASON_LIMIT:
        told = one_line(text[max(start, failure.cue[0]) : end]).strip(_EDGE) or told
    return cut(told, REASON_LIMIT)
