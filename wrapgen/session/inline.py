"""Cues inside a sentence: where its own words put the work off, and where a short status does."""

import re
from dataclasses import dataclass

from wrapgen.phrases import kept, own_length
from wrapgen.session.lexicon import Language
from wrapgen.session.sections import LIKELY, opening_of
from wrapgen.session.transcript import Role
from wrapgen.words import Folded, masked

_TITLE = re.compile(r"[^\w\x00]{0,8}[^:：\n]{2,50}[:：][\s*_]+(?=\S)")
_TITLE_LESS = 0.06
"""What a title in the same line is worth less than one with a list below it."""
_HALF = 20
_PROMISE = 0.45
"""Confidence of a user's "I'll do it" that does not say when."""
_STATUS_EDGES = " *_-:.()（）⏳⏸❌⚠️🔲📋🟡🔴🔜⬜☐"
_TAIL = re.compile(
    r"(?:\s[⏳🚧❌⏸🔜🟡🔴⚠]\ufe0f?\s|\s[–—-]\s|[:：]\s|\s?[(（]|→\s?)([^–—:：()（）→]{2,32})[)）]?[*_.\s]{0,8}$"
)


@dataclass(frozen=True, slots=True)
class Hit:
    """A cue found in a sentence.

    Args:
        weight: confidence that it gives.
        language: whose cue it is.
        match: its place in the folded sentence.
        adverb: it tells when, not what.
    """

    weight: float
    language: Language
    match: re.Match[str]
    adverb: bool

    def span(self, folded: Folded) -> tuple[int, int]:
        """Raw offsets of the whole cue."""
        return folded.origin(self.match.start()), folded.origin(self.match.end())

    @property
    def keeps(self) -> bool:
        """Whether the cue is content as a whole: a predicate, without which the sentence says nothing."""
        return kept(self.match) == self.match.span()

    def pieces(self, folded: Folded) -> list[tuple[int, int]]:
        """Raw offsets of the cue's own words: what stands in its gap belongs to the task."""
        start, end = self.match.span()
        inner = kept(self.match) or (end, end)
        spans = ((start, inner[0]), (inner[1], end))
        return [(folded.origin(a), folded.origin(b)) for a, b in spans if b > a]


def plain_of(folded: str, languages: tuple[Language, ...]) -> str:
    """Folded text with everything blanked out that mentions cue words without using them."""
    plain = masked(folded)
    for language in languages:
        plain = language.negatives["terms"].blank(plain)
    return plain


def find_cues(plain: str, languages: tuple[Language, ...], role: Role) -> list[Hit]:
    """The cues of a sentence, the heaviest first.

    Args:
        plain: as `plain_of` makes it.
        languages: whose cues to look for.
        role: who said it; some Korean endings mean "later" from the user and "now" from the assistant.
    """
    hits: list[Hit] = []
    for language in languages:
        for cues in language.sentences:
            if cues.role in {"", role}:
                matches = cues.phrases.finditer(plain)
                hits.extend(Hit(cues.weight, language, match, cues.adverb) for match in matches)
        if role == "user" and not hits and (match := language.user_sentences.search(plain)):
            hits.append(Hit(_PROMISE, language, match, adverb=False))
    title = _TITLE.match(plain)
    opening = opening_of(title[0].rstrip(" \n:：*_"), languages) if title else None
    if title and opening and opening[0] >= LIKELY:
        hits.append(Hit(opening[0] - _TITLE_LESS, languages[0], title, adverb=False))
    return sorted(hits, key=lambda hit: (-hit.weight, -own_length(hit.match)))


def two_cues(plain: str, languages: tuple[Language, ...], role: Role) -> tuple[int, int] | None:
    """Ends of the two parts of a sentence that put different work off, around what joins them; None when it is one."""
    for match in (match for language in languages for match in language.split.finditer(plain)):
        start, end = match.span()
        left, right = find_cues(plain[:start], languages, role), find_cues(plain[end:], languages, role)
        if left and right and min(start, len(plain) - end) >= _HALF:
            return start, end
    return None


def status(words: str, languages: tuple[Language, ...], *, whole: bool) -> str:
    """The words of a short status that say that work is open; empty when they do not.

    Args:
        words: the status, such as a table cell.
        languages: whose cues to look for.
        whole: they have to say nothing else.
    """
    plain = masked(Folded(words).text).strip(_STATUS_EDGES)
    for language in languages:
        for weight, phrases in language.open:
            match = phrases.match(plain) if weight >= LIKELY else None
            rest = plain[match.end() :] if match else ""
            goes_on = rest and (whole or rest.strip()[:1].isalnum() or not rest.isascii())
            if match and not goes_on:
                return words.strip()
    return ""


def is_settled(cell: str, languages: tuple[Language, ...]) -> bool:
    """Whether a table cell says nothing but that the work is done."""
    plain = Folded(cell).text.strip(_STATUS_EDGES)
    matches = (language.settled.match(plain) for language in languages)
    return any(match is not None and match.end() == len(plain) for match in matches)


def status_at_end(raw: str, languages: tuple[Language, ...]) -> tuple[str, int] | None:
    """The state that a list item ends in ("Dual writes - still to do"), and where it begins."""
    tail = _TAIL.search(raw)
    words = status(tail[1], languages, whole=False) if tail else ""
    return (words, tail.start()) if tail and words else None
