"""Swapped numbers, dates and versions."""

from wrapgen.pipeline.guard.pair import Pair
from wrapgen.pipeline.guard.tokens import TokenKind

# Common words from which another quantity ("5 failures left") does not make another item.
_LONG = 6


def swapped_date(pair: Pair) -> str | None:
    """Refuse another date or time of day."""
    return pair.swap("date", TokenKind.DATE)


def swapped_version(pair: Pair) -> str | None:
    """Refuse another version."""
    return pair.swap("version", TokenKind.VERSION)


def swapped_number(pair: Pair) -> str | None:
    """Refuse another number, unless it is a counter that runs on by itself or a mere quantity in a long text."""
    halves = pair.only_a, pair.only_b
    if (
        pair.elsewhere
        and pair.only_a.shared >= _LONG
        and all(
            token.quantity
            for half in halves
            for token in half.content
            if token.kind is TokenKind.NUMBER and not token.running
        )
    ):
        return None
    return pair.swap("number", TokenKind.NUMBER, TokenKind.DATE, TokenKind.VERSION)
