"""Sentences and clauses of folded text, as spans. PURE."""

from __future__ import annotations

import re

SENTENCE_END = re.compile(r"[.!?](?=[\s\"')\]*]|$)|[。！？；;!?]|\n|…(?=\s|$)")
CLAUSE_END = re.compile(
    r"[,:](?!\d)|[，：]|\s[-—–]+\s|——|\s(?=(?:but|so|because|and then|then i|however)\s)"
    r"|(?<=지만)\s|(?<=는데)\s|(?<=[가-힣]고)\s(?!싶|있|나|보)"
)


def pieces(text: str, start: int, end: int, boundary: re.Pattern[str]) -> list[tuple[int, int]]:
    """A span cut behind every boundary, without the white space around each piece."""
    pieces: list[tuple[int, int]] = []
    at = start
    for match in boundary.finditer(text, start, end):
        pieces.append((at, match.end()))
        at = match.end()
    pieces.append((at, end))
    return [_trimmed(text, *piece) for piece in pieces if text[slice(*piece)].strip()] or [(start, end)]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return end - len(piece.lstrip()), start + len(piece.rstrip())
