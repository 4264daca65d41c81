"""The ledger as a picture: what the sources held flows into what was collected, and from there to the fates. PURE.

Every band is as thick as its number of items, which shows that nothing got lost on the way.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

# All measures are units of the picture; the page scales it to its column.
WIDTH = 392
_THICKNESS = 132  # of all items together
_PITCH = 21  # a line of text with the space around it
_GAP = 5  # between two bars that are thicker than their text
_TOP = 24  # for the words above the middle
_BAR = 6
_LEFT, _MIDDLE, _RIGHT = 144, 202, 260  # where the bars begin: labels with numbers of five digits fit
_TEXT_GAP = 9
_BASELINE = 4  # from the middle of a line of text down to its baseline
_THINNEST = 1.5  # a single item of thousands is still seen


class Part(NamedTuple):
    """A source or fate: its name, its label, and how many items."""

    key: str
    label: str
    number: int


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar with its words."""

    part: Part  # what it stands for
    x: float
    y: float
    width: float
    height: float
    text_x: float  # where its words are, and `text_y` their baseline
    text_y: float
    anchor: str  # how SVG aligns them: `start`, `middle` or `end`


@dataclass(frozen=True, slots=True)
class Band:
    """What flows between a bar and the one in the middle, as an SVG path."""

    key: str
    path: str


@dataclass(frozen=True, slots=True)
class Flow:
    """The picture."""

    width: int
    height: float
    bars: tuple[Bar, ...]
    bands: tuple[Band, ...]


def flow(sources: Sequence[Part], fates: Sequence[Part]) -> Flow:
    """Draw the ledger."""
    total = sum(fate.number for fate in fates)
    unit = _THICKNESS / total if total else 0.0
    height = _TOP + max(_THICKNESS, *(sum(_slots(column, unit)) for column in (sources, fates)))
    middle = Bar(
        Part("collected", "collected", total),
        _MIDDLE, _TOP, _BAR, _THICKNESS, _MIDDLE + _BAR / 2, _TOP - _TEXT_GAP, "middle",
    )  # fmt: skip
    left = _column(sources, unit, _LEFT, _LEFT - _TEXT_GAP, "end")
    right = _column(fates, unit, _RIGHT, _RIGHT + _BAR + _TEXT_GAP, "start")
    bands = [
        *_bands(left, unit, from_x=_LEFT + _BAR, to_x=_MIDDLE),
        *_bands(right, unit, from_x=_RIGHT, to_x=_MIDDLE + _BAR),
    ]
    return Flow(WIDTH, _round(height), (*left, middle, *right), tuple(bands))


def _slots(column: Sequence[Part], unit: float) -> list[float]:
    return [max(part.number * unit + _GAP, _PITCH) for part in column]


def _column(column: Sequence[Part], unit: float, x: float, text_x: float, anchor: str) -> tuple[Bar, ...]:
    y: float = _TOP
    bars: list[Bar] = []
    for part, slot in zip(column, _slots(column, unit), strict=True):
        thick = max(part.number * unit, _THINNEST if part.number else 0)
        # A bar lies on top of its slot; one that is thinner than its words in the middle of them.
        top = y if thick + _GAP >= _PITCH else y + (_PITCH - _GAP - thick) / 2
        bars.append(Bar(part, x, _round(top), _BAR, _round(thick), text_x, _round(top + thick / 2 + _BASELINE), anchor))
        y += slot
    return tuple(bars)


def _bands(bars: Iterable[Bar], unit: float, *, from_x: float, to_x: float) -> Iterable[Band]:
    """One band a bar; at the middle they lie on one another without a gap."""
    bend = (from_x + to_x) / 2
    there: float = _TOP
    for bar in bars:
        thick = bar.part.number * unit
        if thick:
            here, here_end = bar.y, _round(bar.y + bar.height)
            at, at_end = _round(there), _round(there + thick)
            yield Band(
                bar.part.key,
                f"M{from_x} {here}C{bend} {here} {bend} {at} {to_x} {at}V{at_end}"
                f"C{bend} {at_end} {bend} {here_end} {from_x} {here_end}Z",
            )
        there += thick


def _round(number: float) -> float:
    return round(number, 1)
