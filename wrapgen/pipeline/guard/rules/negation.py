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


def negated(pair: Pair) -> str | None:
    """Refuse a negation that only one side has left over: one that both share says nothing about another."""
    one, other = _negation(pair.only_a), _negation(pair.only_b)
    return None if bool(one) == bool(other) else f"negated: {one or '-'} / {other or '-'}"
