"""Words that turn the meaning round: opposites, negations, and the order of what stands around "to" or "before"."""

from functools import lru_cache

from wrapgen.pipeline.guard.difference import Half
from wrapgen.pipeline.guard.lexicon import chinese, english, japanese, korean
from wrapgen.pipeline.guard.pair import Pair
from wrapgen.pipeline.guard.tokens import Kind, Token
from wrapgen.pipeline.guard.variants import are_variants

_SPACED = (*english.OPPOSITES, *korean.OPPOSITES)
_HAN = (*chinese.OPPOSITES, *japanese.OPPOSITES)
# Prefixes that make a word's opposite ("inbound" / "outbound", "encrypt" / "decrypt"); "" stands for no prefix.
_PREFIXES = (
    ("", "un"), ("", "in"), ("", "im"), ("", "ir"), ("", "dis"), ("", "non"), ("", "de"), ("", "mis"), ("in", "out"), ("in", "ex"),
    ("im", "ex"), ("en", "de"), ("en", "un"), ("up", "down"), ("over", "under"), ("pre", "post"), ("inter", "intra"),
    ("on", "off"), ("sub", "super"), ("micro", "macro"), ("max", "min"), ("as", "de"), ("ad", "sub"),
)  # fmt: skip
_LONG_ENOUGH = 4


def _has(word: str, form: str) -> bool:
    return word == form or (len(form) > 2 and are_variants(word, form))


@lru_cache(maxsize=8192)
def are_opposites(one: str, other: str) -> bool:
    """Tell whether two words, case folded, stand against each other."""
    for first, second in _SPACED:
        if {one[:1], other[:1]} != {first[:1], second[:1]}:
            continue
        if (_has(one, first) and _has(other, second)) or (_has(one, second) and _has(other, first)):
            return True
    for prefix, counter in _PREFIXES:
        for left, right in ((one, other), (other, one)):
            stem = left.removeprefix(prefix)
            if left.startswith(prefix) and len(stem) >= _LONG_ENOUGH and right == counter + stem and left.isascii():
                return True
    return any(one == prefix + other or other == prefix + one for prefix in korean.NEGATING_PREFIXES)


def opposite_words(pair: Pair) -> str | None:
    """Refuse a word on one side whose opposite stands on the other."""
    for one in pair.only_a.only:
        for other in pair.only_b.only:
            if one.kind in _WORDS and other.kind in _WORDS and are_opposites(one.key, other.key):
                return f"opposite words: {one.written} / {other.written}"
    han_a, han_b = pair.only_a, pair.only_b
    for first, second in _HAN:
        for left, right in ((first, second), (second, first)):
            if _gained(left, han_a, han_b) and _gained(right, han_b, han_a):
                return f"opposite words: {left} / {right}"
    return None


_WORDS = frozenset({Kind.WORD, Kind.FILLER})


def _gained(word: str, half: Half, other: Half) -> bool:
    """Tell whether a Han word stands oftener in one text than in the other."""
    return half.han_text.count(word) > other.han_text.count(word) and any(
        word in run or (len(word) > 1 and run in word) for run in half.han
    )


def _negates(token: Token) -> bool:
    return (
        token.key in english.NEGATIONS
        or token.written in korean.NEGATIONS
        or token.written.startswith(korean.NEGATION_STARTS)
        or any(word in token.key for word in japanese.NEGATIONS)
    )


def _negation(half: Half) -> str | None:
    for token in half.only:
        if _negates(token):
            return token.written
    for run in half.han:
        for word in chinese.NEGATIONS:
            if word in run:
                return word
    return None


def _is_negated(half: Half) -> bool:
    return any(_negates(token) for token in half.tokens) or any(word in half.han_text for word in chinese.NEGATIONS)


def negated(pair: Pair) -> str | None:
    """Refuse a negation that only one side has; said twice on one side it is no difference."""
    one, other = _negation(pair.only_a), _negation(pair.only_b)
    if one and not _is_negated(pair.only_b):
        return f"negated: {one} / -"
    if other and not _is_negated(pair.only_a):
        return f"negated: - / {other}"
    return None


def _ends(cut: tuple[Token, ...], direction: str) -> tuple[set[str], set[str]] | None:
    places = [token.index for token in cut if token.written.casefold() == direction]
    if len(places) != 1:
        return None
    content = [token for token in cut if token.kind not in (Kind.FILLER, Kind.JOINT, Kind.SIGN)]
    before = {token.key for token in content if token.index < places[0]}
    return before, {token.key for token in content if token.index > places[0]}


def exchanged_ends(pair: Pair) -> str | None:
    """Refuse "A to B" against "B to A"."""
    for direction in (*english.DIRECTIONS, *korean.DIRECTIONS, "→"):
        ends_a, ends_b = _ends(pair.only_a.tokens, direction), _ends(pair.only_b.tokens, direction)
        if ends_a is None or ends_b is None:
            continue
        forth, back = ends_a[0] & ends_b[1], ends_a[1] & ends_b[0]
        if forth - back and back - forth:
            return f"exchanged ends: {min(forth - back)} {direction} {min(back - forth)}"
    return None
