"""The words of a tombstone: all of them are the conversation's own. PURE."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.text import beginning, one_line
from wrapgen.tracks.signal import Kind
from wrapgen.tracks.terms import terms as terms_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.record import Step
    from wrapgen.tracks.signal import Signal

NAME_LIMIT = 80
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
_TRIED, _GUESSED, _TURN = 1.7, 1.4, 1.25
"""The same for one that comes back in the attempt, in a guess, in any other turn of the story."""
_NAME_AMONG = 1.25
"""How much more a Latin word counts among other script: there it is a name."""
_SHARES = (1.0, 0.2, 0.4)
"""How much the best words of a name count."""
_FIRST, _GUESS, _ATTEMPT = 2.0, 2.5, 0.6
"""What it counts for that a sentence is the guess, another one, or the attempt."""
_LEAST, _BARE = 2, 3.0
"""Words with content that a name should have, and what it counts against one that has fewer: "I added it"."""
_IDLE = 1.0
"""What it counts against a sentence that neither proposes nor does anything: a symptom, a measurement."""
_ACTING = ("signals.announcement", "signals.attempt", "signals.did")
_FURTHER, _WITHIN = 1.0, 2.0
"""What a name has to be better by that begins with a later clause, or within one, for want of room."""
_LONGEST = 600
"""Characters of a sentence; what is longer is data."""
_SENTENCE = re.compile(r"[.!?](?=\s)|[。！？；]|\n")
_AROUND = 160
"""Characters before and behind a guess that may name what was guessed."""
_LATIN = re.compile(r"[\w'’]*[A-Za-z0-9][\w'’]*\Z")


class Name(NamedTuple):
    """A name, and how much speaks for it: above all how often its words come back in the story."""

    text: str
    weight: float


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
) -> Name:
    """What was tried, in the words of a guess, of an attempt, or of what was said between them and the failure.

    Args:
        guesses: where it came up.
        attempts: where it was tried.
        failure: where it failed; what is said from there on is about the failure.
        end: where it was given up: words that come back there name it best.
        steps: the conversation.
        cues: words without content at the edges of a name.
    """
    story = _Story(guesses, attempts, failure, end, steps, cues)
    weight, _, best = max(
        ((story.weight(one), -at, one) for at, one in enumerate(story.sentences())), default=(0.0, 0, None)
    )
    name = cut(story.short(best), NAME_LIMIT) if best else ""
    return Name(name, weight) if name else Name(quote(guesses[0], steps)[:NAME_LIMIT], 0.0)


class _Sentence(NamedTuple):
    """A sentence of a turn, or a clause of one."""

    step: int
    start: int
    end: int
    text: str

    def holds(self, step: int, at: int) -> bool:
        """Whether a place in a turn lies within it."""
        return step == self.step and self.start <= at < self.end


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
        self._cues, self._steps = cues, steps
        self._gone, self._near = _given_up(end, steps, cues)
        self._guess, self._guesses, self._attempts = guesses[0], guesses, attempts
        self._later = (failure, end)
        self._first = min(one.step for one in (*guesses, *attempts))
        self._last = min(max(self._first, failure.step), self._first + _TURNS)
        self._told = (
            (_GUESSED, self._words(guesses)),
            (_TRIED, self._words(attempts[:1])),
        )
        self._turns = [terms_of(steps[at].text[:_OPENING].lower(), cues) for at in range(self._first, self._last + 1)]

    def _words(self, signals: Sequence[Signal]) -> list[tuple[tuple[int, int], frozenset[str]]]:
        return [((one.step, one.sentence[0]), one.around) for one in signals]

    def sentences(self) -> Iterator[_Sentence]:
        """The sentences that may name what was tried, in order."""
        for at in range(self._first, self._last + 1):
            text = self._steps[at].text
            limit = min([len(text), *(one.clause[0] for one in self._later if one.step == at)])
            place = 0
            for match in (*_SENTENCE.finditer(text, 0, limit), None):
                end = match.end() if match else limit
                sentence = _Sentence(at, place, end, text[place:end])
                if sentence.text.strip() and end - place <= _LONGEST and self._tells(sentence):
                    yield sentence
                place = end

    def _tells(self, sentence: _Sentence) -> bool:
        """Whether it may be about what was tried: what else a user says is about what was to be mended."""
        tried = _holds(sentence, self._guesses) or _holds(sentence, self._attempts)
        return tried or self._steps[sentence.step].role != "user"

    def score(self, sentence: _Sentence) -> float:
        """How well a sentence names the story."""
        found = terms_of(sentence.text.lower(), self._cues)
        mixed = not all(term.isascii() for term in found)
        weights = sorted((self._weight(term, sentence, mixed=mixed) for term in found), reverse=True)
        told = sum(weight * share for weight, share in zip(weights, _SHARES, strict=False))
        if _holds(sentence, (self._guess,)):
            told += _FIRST
        elif _holds(sentence, self._guesses):
            told += _GUESS
        if _holds(sentence, self._attempts):
            told += _ATTEMPT
        if len(found) < _LEAST:
            told -= _BARE
        return told

    def weight(self, sentence: _Sentence) -> float:
        """How well a whole sentence names the story, and whether it is about a deed at all."""
        return self.score(sentence) - (0.0 if self._acts(sentence) else _IDLE)

    def _acts(self, sentence: _Sentence) -> bool:
        """Whether a sentence says that something may help or was done, and is not only what somebody saw."""
        text = sentence.text.lower()
        return any(self._cues[group].found(text) for group in _ACTING)

    def _weight(self, term: str, sentence: _Sentence, *, mixed: bool) -> float:
        weight = _GONE * (term in self._gone) or _NEAR * (term in self._near)
        for worth, part in self._told:
            weight += worth * any(term in terms for (step, at), terms in part if not sentence.holds(step, at))
        others = (terms for at, terms in enumerate(self._turns, self._first) if at != sentence.step)
        weight += _TURN * min(sum(term in terms for terms in others), 3)
        return weight * (_NAME_AMONG if mixed and term.isascii() else 1.0)

    def short(self, sentence: _Sentence) -> str:
        """As much of a sentence as a name holds: the piece of it that says most."""
        whole = _trimmed(sentence.text, self._cues)
        if len(whole) <= NAME_LIMIT:
            return whole
        starts = {0: 0.0, **{match.end(): _WITHIN for match in _APART.finditer(sentence.text)}}
        starts |= {match.end(): _FURTHER * at for at, match in enumerate(_BREAK.finditer(sentence.text), 1)}
        pieces = ((self._piece(sentence, start), aside) for start, aside in sorted(starts.items()))
        best, _ = max(pieces, key=lambda piece: self.score(piece[0]) - piece[1])
        return _trimmed(best.text, self._cues)

    def _piece(self, sentence: _Sentence, start: int) -> _Sentence:
        text = cut(sentence.text[start:].lstrip(), NAME_LIMIT)
        return _Sentence(sentence.step, sentence.start + start, sentence.start + start + len(text), text)


def _holds(sentence: _Sentence, signals: Sequence[Signal]) -> bool:
    return any(sentence.holds(one.step, one.at) for one in signals)


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
