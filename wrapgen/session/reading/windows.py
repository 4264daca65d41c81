"""Splits a conversation into pieces for a reader. PURE."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from wrapgen.redact import redact
from wrapgen.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wrapgen.session.transcript import Turn

_HEAD = 8  # tokens of the line that says whose turn it is


@dataclass(frozen=True, slots=True)
class Window:
    """A piece of a conversation."""

    number: int  # 1-based
    text: str  # what was said, secrets removed
    first: int  # 0-based index of its first turn
    last: int  # 0-based index of its last turn
    full: bool  # another piece follows, so that this one stays as it is however the conversation goes on

    @property
    def digest(self) -> str:
        """Identifies this exact piece, to know that it was read."""
        return sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def windows(turns: Iterable[Turn], limit: int) -> Iterator[Window]:
    """Split a conversation between turns; a turn that is too long is split between its lines.

    The pieces of a conversation that goes on are the same as before, but for the last one.

    Args:
        turns: what was said; read once, and no more than one piece is kept.
        limit: tokens of a piece, at most.
    """
    number, held, room, first, last = 1, list[str](), limit, 0, 0
    for index, turn in enumerate(turns):
        for part in _parts(redact(turn.text)[0], limit - _HEAD):
            cost = estimate_tokens(part) + _HEAD
            if held and cost > room:
                yield Window(number, "\n\n".join(held), first, last, full=True)
                number, held, room = number + 1, [], limit
            if not held:
                first = index
            held.append(f"[turn {index}, {turn.role}]\n{part}")
            room -= cost
            last = index
    if held:
        yield Window(number, "\n\n".join(held), first, last, full=False)


def _parts(text: str, limit: int) -> Iterator[str]:
    """A text in parts that fit; a line that does not fit by itself is cut anywhere."""
    if estimate_tokens(text) <= limit:
        yield text
        return
    held: list[str] = []
    room = limit
    for line in text.splitlines(keepends=True):
        for piece in _pieces(line, limit):
            cost = estimate_tokens(piece)
            if held and cost > room:
                yield "".join(held)
                held, room = [], limit
            held.append(piece)
            room -= cost
    if held:
        yield "".join(held)


def _pieces(line: str, limit: int) -> list[str]:
    if estimate_tokens(line) <= limit:
        return [line]
    size = max(1, limit // 4)  # a character may cost four tokens
    return [line[at : at + size] for at in range(0, len(line), size)]
