"""The words of a tombstone: all of them are the conversation's own. PURE."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wrapgen.text import beginning, one_line
from wrapgen.tracks.terms import terms as terms_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.record import Step
    from wrapgen.tracks.signal import Signal

_ASIDE = 0.5
"""What a name has to be better by that stands beside the guess, or in an attempt."""
NAME_LIMIT = 60
"""Characters of a name."""
REASON_LIMIT = 50
"""Characters of a reason (spec 6.2)."""
_QUOTE_LIMIT = 300
_EDGE = ' \t\n,，.。:：;；!！?？、-–—·…*_~"“”()（）>#'
_APART = re.compile(r"\s+")
_BREAK = re.compile(r"[,，;；。！？：\n]|[.:!?](?=\s)")
_AROUND = 160
"""Characters before and behind a guess that may name what was guessed."""
_LATIN = re.compile(r"[\w'’]*[A-Za-z0-9][\w'’]*\Z")


def quote(signal: Signal, steps: Sequence[Step]) -> str:
    """The sentence of a signal as it was said; a turn of tool calls alone is quoted by the files it wrote."""
    step = steps[signal.step]
    said = one_line(step.text[slice(*signal.sentence)])
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
    if not text[len(head)].isspace() and _LATIN.search(head[-1:]) and text[len(head)].isascii():
        at = max(head.rfind(" "), _last_wide(head))
        head = head[: at + 1] if at > limit // 3 else head
    return head.rstrip(_EDGE)


def _last_wide(text: str) -> int:
    return next((at for at in range(len(text) - 1, -1, -1) if text[at] > "\u2e7f"), -1)


def name_of(
    guesses: Sequence[Signal],
    attempts: Sequence[Signal],
    failure: Signal,
    end: Signal,
    steps: Sequence[Step],
    cues: Cues,
) -> str:
    """What was tried, in the words of a guess or of an attempt.

    Args:
        guesses: where it came up.
        attempts: where it was tried; a guess that comes back there was the one that was tried.
        failure: where it failed; what is said from there on is about the failure.
        end: where it was given up: words that come back there name it best.
        steps: the conversation.
        cues: words without content at the edges of a name.
    """
    best, most = "", -1.0
    last = end.sentence
    said = end.around
    if end.step not in (guesses[0].step, attempts[0].step):
        said |= terms_of(steps[end.step].text[max(0, last[0] - _AROUND) : last[0]].lower(), cues)
    for signal in (*guesses, *attempts):
        tried = attempts[0].around if signal in guesses else frozenset[str]()
        aside = 0.0 if signal in guesses else _ASIDE / 2
        for handicap, text in enumerate(_sides(signal, steps)):
            name = _trimmed(text, cues)
            terms = terms_of(name.lower(), cues)
            score = 3.0 * _shared(terms, said) + 2.0 * min(len(terms & tried), 2)
            score += min(len(terms), 4) / 2 - len(name) / NAME_LIMIT - handicap / 10 - aside
            if name and score > most:
                best, most = name, score
    for signal in (guesses[0], attempts[0]):
        for text in _beside(signal, (failure, end), steps):
            name = _trimmed(text, cues)
            shared = _shared(terms_of(name.lower(), cues), said)
            score = 3.0 * shared - len(name) / NAME_LIMIT - _ASIDE
            if shared and score > most:
                best, most = name, score
    return cut(best, NAME_LIMIT) or quote(guesses[0], steps)[:NAME_LIMIT]


def _shared(terms: frozenset[str], said: frozenset[str]) -> int:
    """Words in common, 2 at most; a Latin name in other script counts as much as a word of three characters."""
    mixed = not all(term.isascii() for term in terms)
    return min(sum(1 + (mixed and term.isascii()) for term in terms & said), 2)


def _beside(signal: Signal, later: Sequence[Signal], steps: Sequence[Step]) -> list[str]:
    """The clauses of the turn around a signal; what is said of the failure, or comes instead, is none of them."""
    text, (first, last) = steps[signal.step].text, signal.sentence
    limit = min([last + _AROUND, *(one.clause[0] for one in later if one.step == signal.step)])
    return _BREAK.split(text[max(0, first - _AROUND) : limit])


def _sides(signal: Signal, steps: Sequence[Step]) -> list[str]:
    """The words behind the cue, those before it, and the whole clause with its cue."""
    text = steps[signal.step].text
    (start, end), (first, last) = signal.clause, signal.cue
    if start >= end:
        return []
    return [text[min(last, end) : end], text[start : max(first, start)], text[start:end]]


def _trimmed(text: str, cues: Cues) -> str:
    """A phrase without small words at its edges."""
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


def reason_of(failure: Signal, buried: Signal, steps: Sequence[Step], cues: Cues) -> str:
    """Why it failed: words of the failure's turn, at most `REASON_LIMIT` characters.

    A bare "still no luck" is followed by what comes after it in the same turn, up to where the thing is given up.
    """
    text = steps[failure.step].text
    if buried.step == failure.step and buried.clause[0] >= failure.clause[1]:
        text = text[: buried.clause[0]]
    start, end = failure.clause
    said = one_line(text[start:end]).strip(_EDGE)
    if len(terms_of(said.lower(), cues)) < 2:
        start = min(start, failure.sentence[0]) if failure.clause[1] >= failure.sentence[1] else start
        end = min(len(text), start + 4 * REASON_LIMIT)
        line = text.find("\n\n", start, end)
        said = one_line(text[start : line if line > 0 else end]).strip(_EDGE)
    elif len(said) < REASON_LIMIT // 2:
        said = one_line(text[start : failure.sentence[1]]).strip(_EDGE)
    if len(said) > REASON_LIMIT and failure.cue[1] - start > REASON_LIMIT:
        said = one_line(text[max(start, failure.cue[0]) : end]).strip(_EDGE) or said
    return cut(said, REASON_LIMIT)
