"""The words of a tombstone: all of them are the conversation's own. PURE."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wrapgen.text import beginning, one_line
from wrapgen.tracks.signal import Kind
from wrapgen.tracks.terms import terms as terms_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.record import Step
    from wrapgen.tracks.signal import Signal

NAME_LIMIT = 60
"""Characters of a name."""
REASON_LIMIT = 50
"""Characters of a reason (spec 6.2)."""
_QUOTE_LIMIT = 300
_EDGE = ' \t\n,，.。:：;；!！?？、-–—·…*_~"“”()（）>#'
_APART = re.compile(r"\s+")
_BREAK = re.compile(r"[,，;；。！？：\n]|[.:!?](?=\s)")
_CONJUNCTION = re.compile(r"\b(?:and|so|in favou?r of|for|instead|with)\b|[,，、;；]|——")
"""Behind it comes what is done instead."""
_OPENING = 1_000
"""Characters of a turn that are compared with a name."""
_TURNS = 12
"""Turns of a story that are."""
_GONE, _NEAR = 6.0, 2.5
"""What a word of a name counts for that comes back where the thing is given up, or right before."""
_TRIED, _GUESSED, _FAILED, _TURN = 3.0, 1.0, 0.75, 0.6
"""The same for one that comes back in the attempt, in a guess, in the failure, in any other turn of the story."""
_NAME_AMONG = 1.5
"""How much more a Latin word counts among other script: there it is a name."""
_KNOWN = 0.7
"""How much a word counts that was there before: then it is likely to name what was to be mended."""
_SHARES = (1.0, 0.8, 0.4)
"""How much the best words of a name count."""
_SIDE, _ATTEMPT, _ASIDE = 0.35, 0.55, 0.25
"""What a name has to be better by that stands before a cue, in an attempt, or in the sentences around."""
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
    story = _Story(guesses, attempts, failure, end, steps, cues)
    named: list[tuple[float, str]] = []
    for signal in (*guesses, *attempts):
        aside = 0.0 if signal in guesses else _ATTEMPT
        for side, text in enumerate(_sides(signal, steps)):
            name = _trimmed(text, cues)
            named.append((story.score(name, signal, aside=aside + side * _SIDE), name))
    for signal in {(one.step, one.sentence): one for one in (*guesses, *attempts)}.values():
        aside = _ASIDE if signal in guesses else _ASIDE + _ATTEMPT
        for text in _beside(signal, (failure, end), steps):
            name = _trimmed(text, cues)
            named.append((story.score(name, signal, aside=aside), name))
    best = max((one for one in named if one[1]), key=lambda one: one[0], default=(0.0, ""))[1]
    return cut(best, NAME_LIMIT) or quote(guesses[0], steps)[:NAME_LIMIT]


class _Story:
    """What the words of a story say of it: those that come back name it, above all where the thing is given up."""

    def __init__(
        self,
        guesses: Sequence[Signal],
        attempts: Sequence[Signal],
        failure: Signal,
        end: Signal,
        steps: Sequence[Step],
        cues: Cues,
    ) -> None:
        self._cues = cues
        self._gone, self._near = _given_up(end, steps, cues)
        self._told = ((_GUESSED, guesses), (_TRIED, attempts[:1]), (_FAILED, (failure,)))
        first = min(one.step for one in (*guesses, *attempts))
        self._turns = {
            at: terms_of(steps[at].text[:_OPENING].lower(), cues)
            for at in range(first, min(end.step, first + _TURNS))
        }
        self._before = frozenset(
            term for step in steps[max(0, first - 2) : first] for term in terms_of(step.text[:_OPENING].lower(), cues)
        )

    def score(self, name: str, signal: Signal, *, aside: float = 0.0) -> float:
        """How well a text of a signal's turn names the story.

        Args:
            name: the text.
            signal: beside which it stands.
            aside: what stands further away has to be better by.
        """
        text = cut(name, NAME_LIMIT)
        found = terms_of(text.lower(), self._cues)
        mixed = not all(term.isascii() for term in found)
        weights = sorted((self._weight(term, signal, mixed=mixed) for term in found), reverse=True)
        told = sum(weight * share for weight, share in zip(weights, _SHARES, strict=False))
        return told + min(len(found), 4) / 4 - 1.5 * len(name) / NAME_LIMIT - aside

    def _weight(self, term: str, signal: Signal, *, mixed: bool) -> float:
        weight = _GONE * (term in self._gone) or _NEAR * (term in self._near)
        weight += sum(worth for worth, part in self._told if _elsewhere(term, signal, part))
        weight += _TURN * min(sum(term in terms for at, terms in self._turns.items() if at != signal.step), 3)
        weight *= _NAME_AMONG if mixed and term.isascii() else 1.0
        return weight * (_KNOWN if term in self._before else 1.0)


def _elsewhere(term: str, signal: Signal, others: Sequence[Signal]) -> bool:
    """Whether a word comes back in another clause than a signal's."""
    return any(
        term in (one.terms if (one.step, one.sentence) == (signal.step, signal.sentence) else one.around)
        for one in others
        if (one.step, one.clause) != (signal.step, signal.clause)
    )


def _given_up(end: Signal, steps: Sequence[Step], cues: Cues) -> tuple[frozenset[str], frozenset[str]]:
    """Words of what is given up, and of what is said right before; what comes instead is in neither."""
    text = steps[end.step].text
    (start, stop), (first, last) = end.clause, end.cue
    before = text[start : max(first, start)]
    if end.kind is Kind.SWITCH and not cues["screens.instead_of"].match(text[first:last].lower()):
        gone = before
    else:
        gone = f"{before} {_CONJUNCTION.split(text[last:stop], maxsplit=1)[0]}"
    near = text[max(0, end.sentence[0] - _AROUND) : max(first, start)]
    return terms_of(gone.lower(), cues), terms_of(near.lower(), cues)


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
