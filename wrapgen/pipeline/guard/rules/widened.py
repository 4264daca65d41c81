"""A further member of a list of things makes an item more work than its twin."""

from wrapgen.pipeline.guard.difference import Half
from wrapgen.pipeline.guard.lexicon import english
from wrapgen.pipeline.guard.pair import Pair
from wrapgen.pipeline.guard.tokens import TokenKind


def _added_member(half: Half, other: Half) -> str | None:
    joints = sum(token.kind is TokenKind.JOINT for token in half.tokens)
    if joints <= sum(token.kind is TokenKind.JOINT for token in other.tokens):
        return None
    content = {token.index for token in half.content if token.key not in english.NO_MEMBERS}
    content |= {
        token.index
        for token in half.tokens
        if token.kind is TokenKind.HAN and any(run in token.key for run in half.han)
    }
    new = content | {token.index for token in half.only if token.kind is not TokenKind.JOINT}
    for token in half.tokens:
        if token.kind is not TokenKind.JOINT or len({token.index - 1, token.index + 1} & new) != 1:
            continue
        step = 1 if token.index + 1 in new else -1
        at = token.index + step
        while at in new and at not in content:
            at += step
        if at in content:
            return half.tokens[at].written
    return None


def widened_list(pair: Pair) -> str | None:
    """Refuse a member that only one side adds to a list ("code" / "code/data", "A、B" / "A、B、C")."""
    one, other = _added_member(pair.only_a, pair.only_b), _added_member(pair.only_b, pair.only_a)
    return f"widened list: {one or '-'} / {other or '-'}" if one or other else None
