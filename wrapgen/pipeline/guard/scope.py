"""How far an item reaches: a further member of a list of things makes it more work than its twin."""

from wrapgen.pipeline.guard.difference import Half
from wrapgen.pipeline.guard.lexicon import english
from wrapgen.pipeline.guard.pair import Pair
from wrapgen.pipeline.guard.tokens import Kind
from wrapgen.pipeline.guard.variants import are_variants

# Words: in a text as short as this every one of them decides what is to be done.
_FEW = 3


def _added_member(half: Half, other: Half) -> str | None:
    joints = sum(token.kind is Kind.JOINT for token in half.tokens)
    if joints <= sum(token.kind is Kind.JOINT for token in other.tokens):
        return None
    content = {token.index for token in half.content}
    content |= {
        token.index for token in half.tokens if token.kind is Kind.HAN and any(run in token.key for run in half.han)
    }
    new = content | {token.index for token in half.only if token.kind is not Kind.JOINT}
    for token in half.tokens:
        if token.kind is not Kind.JOINT or len({token.index - 1, token.index + 1} & new) != 1:
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


def narrowed(pair: Pair) -> str | None:
    """Refuse a word put before or into a text of very few words ("licenses checked" / "font licenses checked")."""
    for one, other in ((pair.only_a, pair.only_b), (pair.only_b, pair.only_a)):
        if one.shared > _FEW or not one.shared or other.content or one.han or other.han:
            continue
        for token, slot in zip(one.content, one.slots, strict=True):
            making = any(are_variants(token.key, word) for word in english.MAKING)
            if token.kind is Kind.WORD and len(token.key) > 1 and slot < one.shared and not making:
                return f"narrowed: {token.written} / -"
    return None


def swapped_sign(pair: Pair) -> str | None:
    """Refuse another comparison ("≤ 100" / "> 100")."""
    one, other = (
        [token.written for token in half.only if token.kind is Kind.SIGN and token.written not in "→←"]
        for half in (pair.only_a, pair.only_b)
    )
    return f"swapped sign: {' '.join(one)} / {' '.join(other)}" if one and other else None
