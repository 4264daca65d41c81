from dataclasses import dataclass

from rapidfuzz import fuzz

from wrapgen.folding import Folded


@dataclass(frozen=True, slots=True)
class Side:
    text: str
    path: str | None = None
    line: int | None = None
    folded: Folded | None = None


def refusal(a, b):
    import re

    if re.findall(r"\d+", a.folded.text) != re.findall(r"\d+", b.folded.text):
        return "swapped number"
    return None


def similarity(a, b, cutoff=0):
    return max(
        fuzz.ratio(a.text, b.text, score_cutoff=cutoff), fuzz.token_sort_ratio(a.text, b.text, score_cutoff=cutoff)
    )
