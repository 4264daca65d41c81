"""Texts that are not compared to their end."""

from wrapgen.pipeline.guard.pair import Pair
from wrapgen.text.folding import LONGEST


def too_long(pair: Pair) -> str | None:
    """Refuse a text of which only the beginning is compared; equal texts are one before any rule is asked."""
    if pair.a.folded.whole and pair.b.folded.whole:
        return None
    return f"longer than {LONGEST} characters"
