"""Swapped links: one label may lead to two things."""

from wrapgen.pipeline.guard.pair import Pair
from wrapgen.text.links import swapped_targets


def swapped_link(pair: Pair) -> str | None:
    """Refuse a link to something else, whatever its label."""
    return swapped_targets(pair.a.folded.links, pair.b.folded.links)
