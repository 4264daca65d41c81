"""Opposites: with and without, open and close."""

from collections import defaultdict
from functools import lru_cache

from wrapgen.pipeline.guard.difference import Half
from wrapgen.pipeline.guard.lexicon import chinese, english, japanese, korean
from wrapgen.pipeline.guard.pair import Pair
from wrapgen.pipeline.guard.tokens import TokenKind
from wrapgen.pipeline.guard.variants import are_variants

_BY_LETTERS: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
for _first, _second in (*english.OPPOSITES, *korean.OPPOSITES):
    _BY_LETTERS[_first[0] + _second[0]].append((_first, _second))
    _BY_LETTERS[_second[0] + _first[0]].append((_second, _first))
_HAN = (*chinese.OPPOSITES, *japanese.OPPOSITES)
# Prefixes that make a word's opposite ("inbound" / "outbound", "encrypt" / "decrypt"); "" stands for no prefix.
_PREFIXES = (
    ("", "un"), ("", "in"), ("", "im"), ("", "ir"), ("", "dis"), ("", "non"), ("", "de"), ("", "mis"), ("in", "out"),
    ("in", "ex"),
    ("im", "ex"), ("en", "de"), ("en", "un"), ("up", "down"), ("over", "under"), ("pre", "post"), ("inter", "intra"),
    ("on", "off"), ("sub", "super"), ("micro", "macro"), ("max", "min"), ("as", "de"), ("ad", "sub"),
)  # fmt: skip
_LONG_ENOUGH = 4
# Tokens of a side; texts that differ in more have other rules to stop them.
_LOOKED_AT = 100
_WORDS = frozenset({TokenKind.WORD, TokenKind.FILLER})


def _has(word: str, form: str) -> bool:
    return word == form or (len(form) > 2 and are_variants(word, form))


@lru_cache(maxsize=8192)
def are_opposites(one: str, other: str) -> bool:
    """Tell whether two words, case folded, are opposites."""
    if any(_has(one, first) and _has(other, second) for first, second in _BY_LETTERS.get(one[:1] + other[:1], ())):
        return True
    for prefix, counter in _PREFIXES:
        for left, right in ((one, other), (other, one)):
            stem = left.removeprefix(prefix)
            if left.startswith(prefix) and len(stem) >= _LONG_ENOUGH and right == counter + stem and left.isascii():
                return True
    return any(one == prefix + other or other == prefix + one for prefix in korean.NEGATING_PREFIXES)


def _gained(word: str, half: Half, other: Half) -> bool:
    """Tell whether a Han word occurs more often in one text than in the other."""
    return half.han_text.count(word) > other.han_text.count(word) and any(
        word in run or (len(word) > 1 and run in word) for run in half.han
    )


def opposite_words(pair: Pair) -> str | None:
    """Refuse a word on one side whose opposite is on the other."""
    for one in pair.only_a.only[:_LOOKED_AT]:
        for other in pair.only_b.only[:_LOOKED_AT]:
            if one.kind in _WORDS and other.kind in _WORDS and are_opposites(one.key, other.key):
                return f"opposite words: {one.written} / {other.written}"
    han_a, han_b = pair.only_a, pair.only_b
    if not han_a.han or not han_b.han:
        return None
    for first, second in _HAN:
        for left, right in ((first, second), (second, first)):
            if _gained(left, han_a, han_b) and _gained(right, han_b, han_a):
                return f"opposite words: {left} / {right}"
    return None
