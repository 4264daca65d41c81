"""A sentence that puts its own work off: the cue in it, and the tasks that it names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.session.lexicon import Languages, matches, plain_of
from wrapgen.session.sections import meaning_of
from wrapgen.session.spans import after_colon, clauses, enumeration
from wrapgen.session.tasks import parts, points_at_work, points_back, task_text
from wrapgen.text.phrases import kept, own_length
from wrapgen.text.words import Folded

if TYPE_CHECKING:
    from collections.abc import Iterator

_TITLE = re.compile(r"[^\w\x00]{0,8}[^:：\n]{2,40}[:：][\s*_]+(?=\S)")
_EDGES = " *_:：-\n"
_LEAST = 20
"""Characters of each half of a sentence that may put two pieces of work off."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A cue in a sentence.

    Args:
        match: its place in the folded sentence.
        own: it is the user's own phrase.
        titled: it is in front with a colon, like a heading in the same line.
    """

    match: re.Match[str]
    own: bool = False
    titled: bool = False

    def pieces(self, folded: Folded) -> list[tuple[int, int]]:
        """Raw offsets of the cue's own words: what is in its gap belongs to the task."""
        start, end = self.match.span()
        inner = kept(self.match) or (end, end)
        return [(folded.origin(a), folded.origin(b)) for a, b in ((start, inner[0]), (inner[1], end)) if b > a]


@dataclass(frozen=True, slots=True)
class Said:
    """A task that a sentence puts off: place of its quote in the sentence, the task, and the cue's words."""

    start: int
    end: int
    task: str
    cue: str


def find_cue(plain: str, languages: Languages) -> Hit | None:
    """The cue of a sentence, the one with the most words of its own; None without one.

    Args:
        plain: as `plain_of` makes it.
    """
    title = _TITLE.match(plain)
    meaning, cue = meaning_of(title[0].rstrip(" \n:：*_"), languages) if title else ("", "")
    if title and meaning in {"own", "later"} and len(cue) * 3 >= len(title[0].strip(_EDGES)) * 2:
        return Hit(title, own=meaning == "own", titled=True)
    for group in ("sentences.own", "sentences.later"):
        found = max(matches(languages, group, plain), key=own_length, default=None)
        if found:
            leads = not any(map(str.isalnum, plain[: found.start()]))
            return Hit(found, own=group == "sentences.own", titled=leads and found[0].endswith((":", "：")))
    return None


def puts_off(raw: str, languages: Languages) -> Iterator[tuple[Hit, Said]]:
    """The tasks that a sentence puts off by its own words, each with its cue."""
    folded = Folded(raw)
    plain = plain_of(folded.text, languages)
    hit = find_cue(plain, languages)
    if hit is None:
        return
    for match in matches(languages, "text.split", plain):
        halves = (plain[: match.start()], plain[match.end() :])
        if min(map(len, halves)) >= _LEAST and all(find_cue(half, languages) for half in halves):
            end, begin = folded.origin(match.start()), folded.origin(match.end())
            yield from puts_off(raw[:end], languages)
            for other, said in puts_off(raw[begin:], languages):
                yield other, Said(begin + said.start, begin + said.end, said.task, said.cue)
            return
    yield from ((hit, said) for said in _tasks(folded, hit, languages))


def _tasks(folded: Folded, hit: Hit, languages: Languages) -> list[Said]:
    raw, pieces = folded.raw, hit.pieces(folded)
    span = (folded.origin(hit.match.start()), folded.origin(hit.match.end()))
    cue = " … ".join(raw[a:b].strip(_EDGES) for a, b in pieces) or raw[span[0] : span[1]].strip(_EDGES)
    left, right = clauses(raw, *span)
    title = after_colon(raw[:right], span[1]) or (span[1] if raw[: span[1]].rstrip(" *_").endswith((":", "：")) else 0)
    left = max(left, title)
    listed = enumeration(raw[left:right]) if title else []
    found = [(left + a, left + b) for a, b in listed or parts(raw[left:right], languages)]
    if len(found) == 1 and points_back(raw[left:right]):
        found = [(0, len(raw))]  # "...; I left it alone": what "it" is is in the other half
    if len(found) == 1:
        (a, b) = found[0]
        return [Said(0, len(raw), _task(raw[a:b], _inside(pieces, a, b), hit, languages), cue)]
    return [Said(a, b, _task(raw[a:b], _inside(pieces, a, b), hit, languages), cue) for a, b in found]


def _inside(pieces: list[tuple[int, int]], begin: int, end: int) -> list[tuple[int, int]]:
    return [(a - begin, b - begin) for a, b in pieces if begin <= a and b <= end]


def _task(raw: str, pieces: list[tuple[int, int]], hit: Hit, languages: Languages) -> str:
    """The task alone, of a sentence or a part of it."""
    filler = [(0, 0)]
    if len(pieces) > 1 and kept(hit.match) != hit.match.span():
        # "leave X for later": what the cue encloses is the task, whatever is around it.
        return task_text(raw[pieces[0][1] : pieces[1][0]], filler, languages)
    if pieces and hit.match[0].endswith(" to") and points_at_work(raw[pieces[0][1] :]):
        # "come back to X": so is what follows it.
        return task_text(raw[pieces[0][1] :], filler, languages)
    return task_text(raw, pieces or filler, languages)
