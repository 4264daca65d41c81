"""Where two items are: neighbours in one list are two items because they were written as two."""

from wrapgen.pipeline.guard.pair import Pair
from wrapgen.pipeline.places import PLACE

# Lines. Labelled pairs: of those in one file within 25 lines, 84 were different work and none the same.
NEIGHBOURHOOD = 25


def neighbours(pair: Pair) -> str | None:
    """Refuse two items of one file that are within a screenful of each other, unless they have the same words."""
    a, b = pair.a, pair.b
    if a.path is None or a.path != b.path or a.line is None or b.line is None:
        return None
    if abs(a.line - b.line) > NEIGHBOURHOOD:
        return None
    if pair.differs:
        return f"{PLACE}neighbours in one file: lines {a.line} / {b.line}"
    return None
