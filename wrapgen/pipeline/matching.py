"""Whether two items are one piece of work: their similarity, and the guard that the score alone cannot be."""

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from wrapgen.pipeline.guard.pair import Pair, Side
from wrapgen.pipeline.guard.rules import RULES
from wrapgen.pipeline.guard.rules.link import swapped_link
from wrapgen.text.folding import ComparableText

__all__ = ["Side", "Verdict", "alike", "compare", "refusal", "similarity"]

# Percent; `dedup_threshold` of the configuration.
DEFAULT_THRESHOLD = 85.0


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
    score = fuzz.ratio(a.text, b.text, score_cutoff=cutoff)
    return max(score, fuzz.token_sort_ratio(a.text, b.text, score_cutoff=max(score, cutoff)))


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
        The first rule that refuses, and what differs; None when it lets the pair pass. Texts that are equal with their
        labels pass, unless their links lead elsewhere: the same words twice are one piece of work, wherever they stand.
    """
    pair = Pair(a, b)
    if a.folded.text == b.folded.text and a.folded.label == b.folded.label:
        return swapped_link(pair)
    return next((reason for rule in RULES if (reason := rule(pair))), None)


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
