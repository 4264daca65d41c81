"""Words that turn the meaning round by standing there at all."""

from wrapgen.pipeline.guard.difference import Half
from wrapgen.pipeline.guard.lexicon import chinese, english, european, japanese, korean
from wrapgen.pipeline.guard.pair import Pair
from wrapgen.pipeline.guard.tokens import Token


def _negates(token: Token) -> bool:
    return (
        token.key in english.NEGATIONS
        or token.key in european.NEGATIONS
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
