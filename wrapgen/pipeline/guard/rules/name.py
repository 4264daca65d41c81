"""Swapped names: what is in backticks or quotation marks, paths, addresses, identifiers."""

from wrapgen.pipeline.guard.difference import Half
from wrapgen.pipeline.guard.pair import Pair, said
from wrapgen.pipeline.guard.tokens import TokenKind


def _quoted(half: Half) -> list[str]:
    return [token.written for token in half.content if token.quoted]


def swapped_quotation(pair: Pair) -> str | None:
    """Refuse other words in backticks or quotation marks."""
    one, other = _quoted(pair.only_a), _quoted(pair.only_b)
    return f"swapped quotation: {said(one)} / {said(other)}" if one and other else None


def swapped_identifier(pair: Pair) -> str | None:
    """Refuse another path, address, code or identifier."""
    return pair.swap("identifier", TokenKind.NAME)
