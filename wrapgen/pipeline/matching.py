"""Whether two items are one piece of work: their similarity, and the guard that the score alone cannot be."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process

from wrapgen.pipeline import guard
from wrapgen.pipeline.places import PLACE
from wrapgen.text.folding import ComparableText, fold, swapped_targets

__all__ = ["Side", "Verdict", "alike", "compare", "refusal", "similar", "similarity"]

# Percent; `dedup_threshold` of the configuration.
DEFAULT_THRESHOLD = 85.0
# Lines. Labelled pairs: of those in one file within 25 lines, 84 were different work and none the same.
NEIGHBOURHOOD = 25


@dataclass(frozen=True, slots=True)
class Side:
    """One of two items to be compared.

    Args:
        text: the item's text, metadata and project mark removed.
        path: the file it is in, relative to the vault; None when not known, then no rule about places applies.
        line: its line in that file, counted from 1; None when not known.
        folded: the text folded; computed when not given.
    """

    text: str
    path: str | None = None
    line: int | None = None
    folded: ComparableText = field(default=None, repr=False, compare=False)  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if self.folded is None:
            object.__setattr__(self, "folded", fold(self.text))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer about a pair.

    Args:
        score: similarity, 0 to 100.
        match: whether finishing one finishes the other.
        refused: the rule that refused and what differed ("swapped number: 3 / 5"), or that the score is too low;
            None when the two match.
    """

    score: float
    match: bool
    refused: str | None


def similarity(a: ComparableText, b: ComparableText, cutoff: float = 0.0) -> float:
    """Score two folded texts.

    Args:
        cutoff: a lower score is given as 0, which is faster.

    Returns:
        The larger of rapidfuzz's `ratio` and `token_sort_ratio`, 0 to 100.
    """
    return similar(a.text, b.text, cutoff)


def similar(a: str, b: str, cutoff: float = 0.0) -> float:
    """Score the texts of two folded texts, as `similarity`."""
    score = fuzz.ratio(a, b, score_cutoff=cutoff)
    return max(score, fuzz.token_sort_ratio(a, b, score_cutoff=max(score, cutoff)))


def alike(text: str, texts: Sequence[str], cutoff: float) -> set[int]:
    """Compare one folded text with many.

    Args:
        cutoff: least similarity, above 0 and up to 100.

    Returns:
        the positions of those that are alike.
    """
    found: set[int] = set()
    for scorer in (fuzz.ratio, fuzz.token_sort_ratio):
        scores = process.extract(text, texts, scorer=scorer, processor=None, limit=None, score_cutoff=cutoff)
        found.update(at for _, _, at in scores)
    return found


def refusal(a: Side, b: Side) -> str | None:
    """Ask the guard alone.

    Returns:
        What tells the two apart; None when nothing does. Texts that are equal with their labels pass, unless their
        links lead elsewhere: the same words twice are one piece of work, wherever they stand.
    """
    one, other = a.folded, b.folded
    if link := swapped_targets(one.links, other.links):
        return link
    if one.text == other.text and one.label == other.label:
        return None
    return _neighbours(a, b) or guard.refusal(one, other)


def _neighbours(a: Side, b: Side) -> str | None:
    """Refuse two items of one file that are within a screenful of each other, unless they have the same words."""
    if a.path is None or a.path != b.path or a.line is None or b.line is None or abs(a.line - b.line) > NEIGHBOURHOOD:
        return None
    if a.folded.label == b.folded.label and _bag(a.folded) == _bag(b.folded):
        return None
    return f"{PLACE}neighbours in one file: lines {a.line} / {b.line}"


def _bag(text: ComparableText) -> list[str]:
    return sorted(re.findall(r"\w+", text.text))


def compare(a: Side, b: Side, *, threshold: float = DEFAULT_THRESHOLD) -> Verdict:
    """Compare two items.

    Args:
        threshold: least similarity of a match, 0 to 100.
    """
    score = similarity(a.folded, b.folded)
    if score < threshold:
        return Verdict(score, match=False, refused=f"score below {threshold:g}")
    refused = refusal(a, b)
    return Verdict(score, match=refused is None, refused=refused)
