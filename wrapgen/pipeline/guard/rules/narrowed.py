"""A word put into a text of very few words."""

from wrapgen.pipeline.guard.lexicon import english
from wrapgen.pipeline.guard.pair import Pair
from wrapgen.pipeline.guard.tokens import Kind
from wrapgen.pipeline.guard.variants import are_variants

# Words: in a text as short as this every one of them decides what is to be done.
_FEW = 3


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
