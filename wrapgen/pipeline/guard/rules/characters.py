"""Swapped Han characters."""

from wrapgen.pipeline.guard.pair import Pair, said


def swapped_characters(pair: Pair) -> str | None:
    """Refuse other Han characters; a single one can be the whole difference."""
    one, other = pair.only_a.han, pair.only_b.han
    return f"swapped characters: {said(one)} / {said(other)}" if one and other else None
