"""The drawings of the HTML page: shapes and text alone, which the page's style sheet colours. PURE."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from wrapgen.dashboard.balance import FATE_WORDS, fates, sources
from wrapgen.dashboard.html.rows import Chart
from wrapgen.ledger import Run
from wrapgen.model import Fate
from wrapgen.notes import Kind
from wrapgen.vault.run_history import AGE_GROUPS, UNDATED, Day, age_group

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
# Of the ledger's drawing.
FLOW_WIDTH = 392
_ALL_ITEMS = 132  # how thick the bar of all items is
_PITCH = 21  # a line of text with the space around it
_GAP = 5  # between two bars that are thicker than their text
_FLOW_TOP = 24  # for the words above the middle
_BAR = 6
_LEFT, _MIDDLE, _FATES = 144, 202, 260  # where the bars begin: labels with numbers of five digits fit
_TEXT_GAP = 9
_THINNEST = 1.5  # a single item of thousands is still seen
_KINDS = {
    Kind.JOURNAL_NEXT: "journals",
    Kind.ACTIVE_TODOS: "active tasks",
    Kind.PROJECT_TODOS: "project lists",
    Kind.PROGRESS: "progress",
    Kind.HAND_OVERS: "hand-overs",
    Kind.LISTS: "other lists",
    Kind.SAID: "said to be next",
}


class Part(NamedTuple):
    """A source or fate: its name, its label, and how many items."""

    key: str
    label: str
    number: int


def ledger(run: Run) -> Chart:
    """What became of everything: what the sources held flows into what was collected, from there to the fates."""
    read = sources(run)
    found = [Part(one.kind.value, _KINDS[one.kind], one.items) for one in read]
    went = [Part(fate.value, FATE_WORDS[fate], number) for fate, number in fates(run).items()]
    rows: list[tuple[str, object, int]] = [
        (part.label, one.files, part.number) for part, one in zip(found, read, strict=True)
    ]
    rows.append(("collected", "", sum(part.number for part in went)))
    rows += [(part.label, "", part.number) for part in went]
    rows.append(("pending follow-ups", "", run.follow_ups.pending))
    return Chart(flow(found, went), ("source or fate", "files", "items"), tuple(tuple(map(str, row)) for row in rows))


def flow(origins: Sequence[Part], fates: Sequence[Part]) -> str:
    """Every band is as thick as its number of items, which shows that nothing got lost on the way."""
    total = sum(fate.number for fate in fates)
    unit = _ALL_ITEMS / total if total else 0.0
    in_bands, left, left_end = _flowing(origins, unit, _LEFT, _LEFT + _BAR, _MIDDLE, "end")
    out_bands, right, right_end = _flowing(fates, unit, _FATES, _FATES, _MIDDLE + _BAR, "start")
    middle = _bar(Part("collected", "collected", total), _MIDDLE, _FLOW_TOP, _ALL_ITEMS, "middle")
    height = round(max(_FLOW_TOP + _ALL_ITEMS, left_end, right_end), 1)
    return _svg(height, [*in_bands, *out_bands, *left, middle, *right], "flow", FLOW_WIDTH)


def _flowing(
    column: Sequence[Part], unit: float, x: int, from_x: int, to_x: int, anchor: str
) -> tuple[list[str], list[str], float]:
    """The bands and the bars of a column, and where it ends; at the middle bands lie on one another without a gap."""
    y, there, bend = float(_FLOW_TOP), float(_FLOW_TOP), (from_x + to_x) / 2
    bands, bars = [], []
    for part in column:
        flows = part.number * unit
        thick = max(flows, _THINNEST if part.number else 0)
        # A bar lies on top of its slot; one that is thinner than its words in the middle of them.
        top = round(y if thick + _GAP >= _PITCH else y + (_PITCH - _GAP - thick) / 2, 1)
        bars.append(_bar(part, x, top, round(thick, 1), anchor))
        if flows:
            end, at, at_end = round(top + thick, 1), round(there, 1), round(there + flows, 1)
            path = f"M{from_x} {top}C{bend} {top} {bend} {at} {to_x} {at}V{at_end}"
            bands.append(f'<path class="band {part.key}" d="{path}C{bend} {at_end} {bend} {end} {from_x} {end}Z"/>')
        there += flows
        y += max(flows + _GAP, _PITCH)
    return bands, bars, y


def _bar(part: Part, x: int, y: float, height: float, anchor: str) -> str:
    """A bar with its words: beside it, or above the one in the middle."""
    text_x = {"end": x - _TEXT_GAP, "middle": x + _BAR / 2, "start": x + _BAR + _TEXT_GAP}[anchor]
    text_y = y - _TEXT_GAP if anchor == "middle" else round(y + height / 2 + _BASELINE, 1)
    words = [f"<tspan>{part.label}</tspan>", f'<tspan class="value">{part.number:,}</tspan>']
    said = " ".join(words if anchor == "end" else reversed(words))
    return (
        f'<g class="{part.key}{"" if part.number else " none"}">'
        f'<rect x="{x}" y="{y}" width="{_BAR}" height="{height}"/>'
        f'<text x="{text_x}" y="{text_y}" text-anchor="{anchor}">{said}</text></g>'
    )


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


def _svg(height: float, parts: Iterable[str], kind: str = "chart", width: int = _WIDTH) -> str:
    return f'<svg class="{kind}" viewBox="0 0 {width} {height}" aria-hidden="true">{"".join(parts)}</svg>'
