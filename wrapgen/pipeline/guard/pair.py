"""What a rule is given: both items with their places, and what each has that the other lacks."""

from dataclasses import dataclass, field

from wrapgen.pipeline.guard.difference import NAMING, Half, difference
from wrapgen.pipeline.guard.tokens import TokenKind
from wrapgen.text.folding import ComparableText, fold

# Shown of a longer difference, characters.
_SHOWN = 40


def said(words: list[str] | tuple[str, ...]) -> str:
    """Write a difference down shortly."""
    joined = " ".join(words)
    return joined if len(joined) <= _SHOWN else joined[: _SHOWN - 1] + "…"


@dataclass(frozen=True, slots=True)
class Side:
    """One of two items to be compared.

    Args:
        text: the item's text, metadata and project tag removed.
        path: the file it is in, relative to the vault; None when not known, then no rule about places applies.
        line: its line in that file, counted from 1; None when not known.
        folded: the text folded; computed when not given.
    """

    text: str
    path: str | None = None
    line: int | None = None
    folded: ComparableText = field(default=None, repr=False, compare=False)  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if self.folded is None:
            object.__setattr__(self, "folded", fold(self.text))


class Pair:
    """Two items with what each has that the other lacks, which is worked out when a rule first asks for it."""

    __slots__ = ("_halves", "a", "b")

    def __init__(self, a: Side, b: Side) -> None:
        self.a = a
        self.b = b
        self._halves: tuple[Half, Half] | None = None

    @property
    def halves(self) -> tuple[Half, Half]:
        """What is left of each item's text when what both have is removed."""
        if self._halves is None:
            self._halves = difference(self.a.folded, self.b.folded)
        return self._halves

    @property
    def only_a(self) -> Half:
        """What the first item has."""
        return self.halves[0]

    @property
    def only_b(self) -> Half:
        """What the second item has."""
        return self.halves[1]

    @property
    def differs(self) -> bool:
        """Whether a side has a word that the other lacks, be it a synonym; order, particles and fillers are none."""
        return any(half.han or any(token.kind in NAMING for token in half.only) for half in self.halves)

    @property
    def elsewhere(self) -> bool:
        """Whether the two are not known to be in one file: copies of an item that is carried along do not."""
        return self.a.path is None or self.a.path != self.b.path

    def swap(self, name: str, *kinds: TokenKind) -> str | None:
        """Say that each side has tokens of these kinds that the other lacks; None when that is not so."""
        one, other = self.only_a.written(*kinds), self.only_b.written(*kinds)
        return f"swapped {name}: {said(one)} / {said(other)}" if one and other else None
