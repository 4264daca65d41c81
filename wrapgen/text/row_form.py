"""What forms of rows have in common: the keys that move between rows, and the frame around these. PURE."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from wrapgen.text.display import Line, Size, cut, wrap

LOW = 14  # below this many lines nothing is left empty


class RowForm:
    """A form that points to one of its rows."""

    def __init__(self, number: int, page: int, keys: Mapping[str, Callable[[], object]]) -> None:
        self._at = 0
        moves = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -page, "pagedown": page}
        moves |= {"home": -number, "end": number}
        self._last = number - 1
        moving = {key: partial(self._move, by) for key, by in moves.items()}
        self.keys: Mapping[str, Callable[[], object]] = {**moving, **keys, "enter": lambda: True}

    def _move(self, by: int) -> None:
        self._at = min(max(self._at + by, 0), self._last)


def frame(title: str, hints: Sequence[str], size: Size) -> tuple[list[Line], list[Line]]:
    """Return the lines above the rows, and those below that say what keys do."""
    gap: list[Line] = [] if size.height < LOW else [()]
    said = wrap("\u00a0· ".join(one.replace(" ", "\u00a0") for one in hints), size.width - 2, 3)
    return [(("class:title", cut(title, size.width)),), *gap], [*gap, *((("class:note", f" {one}"),) for one in said)]


def with_rest(shown: Sequence[Line], before: int, behind: int) -> list[Line]:
    """Return the lines of the rows that are shown, and how many rows are not."""
    above: list[Line] = [(("class:note", f"   ↑ {before} more"),)] if before else []
    below: list[Line] = [(("class:note", f"   ↓ {behind} more"),)] if behind else []
    return [*above, *shown, *below]
