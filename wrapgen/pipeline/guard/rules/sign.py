"""Swapped comparison signs."""

from wrapgen.pipeline.guard.pair import Pair
from wrapgen.pipeline.guard.tokens import TokenKind


def swapped_sign(pair: Pair) -> str | None:
    """Refuse another comparison ("≤ 100" / "> 100")."""
    one, other = (
        [token.written for token in half.only if token.kind is TokenKind.SIGN and token.written not in "→←"]
        for half in (pair.only_a, pair.only_b)
    )
    return f"swapped sign: {' '.join(one)} / {' '.join(other)}" if one and other else None
