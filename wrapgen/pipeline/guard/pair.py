"""What a rule is given: both items with their places, and what each has that the other lacks."""

from dataclasses import dataclass, field

from wrapgen.folding import Folded, fold
from wrapgen.pipeline.guard.difference import Half


@dataclass(frozen=True, slots=True)
class Side:
    """One of two items to be compared.

    Args:
        text: the item's text, metadata and project tag removed.
        path: the file it stands in, relative to the vault; None when not known, then no rule about places applies.
        line: its line in that file, counted from 1; None when not known.
        folded: the text folded; computed when not given.
    """

    text: str
    path: str | None = None
    line: int | None = None
    folded: Folded = field(default=None, repr=False, compare=False)  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if self.folded is None:
            object.__setattr__(self, "folded", fold(self.text))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two items with what each has that the other lacks."""

    a: Side
    b: Side
    only_a: Half
    only_b: Half
