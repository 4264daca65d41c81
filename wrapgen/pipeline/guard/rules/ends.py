"""The order of what is around "to" or "before"."""

from wrapgen.pipeline.guard.lexicon import english, korean
from wrapgen.pipeline.guard.pair import Pair
from wrapgen.pipeline.guard.tokens import Token, TokenKind

_DIRECTIONS = (*english.DIRECTIONS, *korean.DIRECTIONS, "→")
_NOT_NAMING = frozenset({TokenKind.FILLER, TokenKind.JOINT, TokenKind.SIGN})


def _ends(cut: tuple[Token, ...], direction: str) -> tuple[set[str], set[str]] | None:
    places = [token.index for token in cut if token.written.casefold() == direction]
    if len(places) != 1:
        return None
    content = [token for token in cut if token.kind not in _NOT_NAMING]
    before = {token.key for token in content if token.index < places[0]}
    return before, {token.key for token in content if token.index > places[0]}


def exchanged_ends(pair: Pair) -> str | None:
    """Refuse "A to B" against "B to A"."""
    said = {token.written.casefold() for token in pair.only_a.tokens}
    for direction in _DIRECTIONS:
        if direction not in said:
            continue
        ends_a, ends_b = _ends(pair.only_a.tokens, direction), _ends(pair.only_b.tokens, direction)
        if ends_a is None or ends_b is None:
            continue
        forth, back = ends_a[0] & ends_b[1], ends_a[1] & ends_b[0]
        if forth - back and back - forth:
            return f"exchanged ends: {min(forth - back)} {direction} {min(back - forth)}"
    return None
