"""Cues inside a sentence: where its own words put the work off, and where a short status does."""

import re
from dataclasses import dataclass

from wrapgen.session.folding import Folded, masked
from wrapgen.session.lexicon import Language
from wrapgen.session.phrases import kept
from wrapgen.session.sections import LIKELY
from wrapgen.session.transcript import Role

_HALF = 20
_PROMISE = 0.45
"""Confidence of a user's "I'll do it" that does not say when."""
_STATUS_EDGES = " *_-:.()（）⏳⏸❌⚠️🔲📋🟡🔴🔜⬜☐"
_TAIL = re.compile(r"(?:\s[–—-]\s|[:：]\s|\s?[(（]|→\s?)([^–—:：()（）→]{2,32})[)）]?[*_.\s]{0,8}$")


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


def find_cue(plain: str, languages: tuple[Language, ...], role: Role) -> Hit | None:
    """The heaviest cue of a sentence.

    Args:
        plain: as `plain_of` makes it.
        languages: whose cues to look for.
        role: who said it; some Korean endings mean "later" from the user and "now" from the assistant.
    """
    best: Hit | None = None
    for language in languages:
        for weight, phrases, adverb in language.sentences:
            match = phrases.search(plain)
            if match and (best is None or weight > best.weight):
                best = Hit(weight, language, match, adverb)
        if role == "user" and best is None and (match := language.user_sentences.search(plain)):
            best = Hit(_PROMISE, language, match, adverb=False)
    return best


def two_cues(plain: str, languages: tuple[Language, ...], role: Role) -> list[int]:
    """Where a sentence falls into two that put different work off; empty when it does not."""
    cuts = [match.end() for language in languages for match in language.split.finditer(plain)]
    for cut in cuts:
        left, right = find_cue(plain[:cut], languages, role), find_cue(plain[cut:], languages, role)
        if left and right and min(cut, len(plain) - cut) >= _HALF:
            return [cut]
    return []


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
            if match and (match.end() == len(plain) or not (whole or plain[match.end()].isalnum())):
                return words.strip()
    return ""


def status_at_end(raw: str, languages: tuple[Language, ...]) -> tuple[str, int] | None:
    """The state that a list item ends in ("Dual writes - still to do"), and where it begins."""
    tail = _TAIL.search(raw)
    words = status(tail[1], languages, whole=False) if tail else ""
    return (words, tail.start()) if tail and words else None
