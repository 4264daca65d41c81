"""A short line of the user about the list before it: "2 and 5 are done", "skip the rest", "yes, go on"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from wrapgen.session.lexicon import says
from wrapgen.text.words import Folded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.session.lexicon import Languages

Verdict = Literal["done", "dropped", "taken", "accepted"]

SHORT = 160
"""Characters. A longer reply says more than which items it means."""
_ACCEPTING = 80
_MOST = 30
_NUMBERS = re.compile(
    r"(?<![\w.])#?(\d{1,2})(?:\s*[-~–]\s*(\d{1,2}))?(?!\d|[.%:]\d"
    r"|\s?(?:(?:px|ms|sec|min|h|kb|mb|gb|k|s|x|st|nd|rd|th|times|hours?|days?|minutes?|files?|tests?)\b"
    r"|%|가지|개|명|분|시|초|일|월|년|个|次|天|つ|件|回|日|分|秒))"
)
"""Item numbers and ranges; not amounts."""
_SENTENCE_END = re.compile(r"(?<![.!?])[.!?]++(?=\s|$)|[。！？\n]+")
_OWN_LIST = re.compile(r"^[ \t]*\d{1,2}[.)]\s", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a sentence of the user says about the list before it.

    Args:
        verdict: what becomes of the items.
        numbers: which items; none when it accepts the whole list.
    """

    verdict: Verdict
    numbers: frozenset[int] = frozenset()


def replies(text: str, languages: Languages) -> Iterator[Reply]:
    """What a turn of the user says about the list before it."""
    text = text.strip()
    if len(text) > SHORT or len(_OWN_LIST.findall(text)) > 1:
        return
    for sentence in _SENTENCE_END.split(Folded(text).text):
        numbers = _numbers(sentence)
        if says(languages, "reply.dropped", sentence):
            yield Reply("dropped", numbers)
        elif says(languages, "reply.done", sentence):
            yield Reply("done", numbers)
        elif says(languages, "reply.later", sentence):
            continue
        elif numbers:
            yield Reply("taken", numbers)
        elif len(text) <= _ACCEPTING and says(languages, "reply.yes", sentence.strip()):
            yield Reply("accepted")


def _numbers(sentence: str) -> frozenset[int]:
    found: set[int] = set()
    for match in _NUMBERS.finditer(sentence):
        first = int(match[1])
        found.update(range(first, min(int(match[2] or first), first + _MOST) + 1))
    return frozenset(found)
