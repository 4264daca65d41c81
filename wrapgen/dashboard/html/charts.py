"""The charts of the HTML page that need a scale: shapes and text alone, which the page's style sheet colours. PURE."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date

from wrapgen.dashboard.html.records import Chart
from wrapgen.ledger import Run
from wrapgen.model import Fate
from wrapgen.run_history import AGE_GROUPS, UNDATED, Day, age_group

# Units of the drawings, which the page scales to its column; type is as large as in the page's other drawing.
_WIDTH = 360
_ROW, _THICKNESS = 23, 17  # of a bar, with the space around it and without
_LABELS = 118  # for the longest name of an age
_LONGEST_BAR = 200  # which leaves room for the number behind it
_BASELINE = 4  # from the middle of a line of text down to its baseline
_TREND_HEIGHT = 180
_TOP, _BOTTOM = 8, 158  # of the trend's drawing: below it stand the days
_HALF_DAY = 25  # half the width of the longest, which stands in the middle below its point
_RIGHT = _WIDTH - _HALF_DAY
_DIGIT = 7  # the width of one
_MOST_TICKS = 4
_LONGEST_TREND = 400  # days
_DAYS_IN_WORDS = 60


def ages(run: Run) -> Chart:
    """How old the open items are, as bars."""
    counts = Counter(
        age_group(None if one.item.raised is None else (run.today - one.item.raised).days)
        for one in (*run.of(Fate.SHOWN), *run.of(Fate.OVERFLOW))
    )
    unit = _LONGEST_BAR / max(1, *counts.values(), 1)
    names, bars, numbers = [], [], []
    for row, name in enumerate(AGE_GROUPS):
        top, width = row * _ROW, counts[name] * unit
        look = ' class="undated"' if name == UNDATED else ""  # what has no age looks it
        names.append(_text(_LABELS - 5, top + _ROW / 2 + _BASELINE, name))
        bars.append(f'<rect x="{_LABELS}" y="{top + 3}" width="{width:.1f}" height="{_THICKNESS}"{look}/>')
        numbers.append(_text(_LABELS + width + 6, top + _ROW / 2 + _BASELINE, counts[name], "value"))
    drawn = [_group("axis y", names), *bars, *numbers]
    return Chart(
        _svg(len(AGE_GROUPS) * _ROW, drawn),
        ("age", "open items"),
        tuple((name, str(counts[name])) for name in AGE_GROUPS),
    )


def trend(days: Sequence[Day]) -> Chart | None:
    """Open items over time; None while there are not two days to compare."""
    days = days[-_LONGEST_TREND:]
    if len(days) < 2:
        return None
    ticks = _ticks(max(day.open for day in days))
    first, last = days[0].day, days[-1].day
    left = max(_HALF_DAY, _DIGIT * len(str(ticks[-1])) + 12)

    def across(day: date) -> float:
        return left + (_RIGHT - left) * (day - first).days / (last - first).days

    def up(number: int) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * number / ticks[-1]

    line = "L".join(f"{across(day.day):.1f} {up(day.open):.1f}" for day in days)
    guides = [f'<path d="M{left} {up(tick):.1f}H{_RIGHT}"/>' for tick in ticks]
    numbers = [_text(left - 6, up(tick) + _BASELINE, f"{tick:,}") for tick in ticks]
    named = sorted({first, first + (last - first) / 2, last})
    drawn = [
        _group("axis y", [*guides, *numbers]),
        _group("axis x", [_text(across(day), _TREND_HEIGHT - 2, f"{day.day} {day:%b}") for day in named]),
        _group("serie-0", [f'<path d="M{left} {_BOTTOM}L{line}L{_RIGHT} {_BOTTOM}Z"/>']),
        _group("serie-1", [f'<path d="M{line}"/>']),  # the line alone, which is not drawn around the area
    ]
    newest = days[: -_DAYS_IN_WORDS - 1 : -1]
    rows = tuple((day.day.isoformat(), str(day.open), str(day.new), str(day.resolved)) for day in newest)
    return Chart(_svg(_TREND_HEIGHT, drawn), ("day", "open", "new", "resolved"), rows)


def _ticks(most: int) -> list[int]:
    """Round numbers from 0 to the first one that is not below `most`."""
    step = next(
        unit * 10**power
        for power in range(len(str(most)) + 1)
        for unit in (1, 2, 5)
        if unit * 10**power * _MOST_TICKS >= most
    )
    return list(range(0, max(step, most) + step, step))[: -(-max(1, most) // step) + 1]


def _text(x: float, y: float, words: object, kind: str = "label") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{words}</text>'


def _group(kind: str, parts: Iterable[str]) -> str:
    return f'<g class="{kind}">{"".join(parts)}</g>'


def _svg(height: int, parts: Iterable[str]) -> str:
    return f'<svg class="chart" viewBox="0 0 {_WIDTH} {height}" aria-hidden="true">{"".join(parts)}</svg>'
