"""The charts of the HTML page that need a scale: the only module that uses pygal.

Only pygal's shapes and text are used; its styles and scripts are dropped, so that the colours are those of the page,
light or dark, and nothing runs or is loaded.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree as ET

from wrapgen.dashboard.html.records import Chart
from wrapgen.ledger import Run
from wrapgen.model import Fate
from wrapgen.run_history import AGE_GROUPS, UNDATED, Day, age_group

# Units of the drawings, which the page scales to its column; type is as large as in the page's other drawing.
_WIDTH = 360
_FONT_SIZE = 12
_ROW = 23  # of a bar with the space around it
_TREND_HEIGHT = 180
_MOST_TICKS = 4
_LONGEST_TREND = 400  # days
_DAYS_IN_WORDS = 60
_DROPPED = frozenset(("defs", "desc", "style", "script", "title"))


def ages(run: Run) -> Chart:
    """How old the open items are, as bars."""
    counts = Counter(
        age_group(None if one.item.raised is None else (run.today - one.item.raised).days)
        for one in (*run.of(Fate.SHOWN), *run.of(Fate.OVERFLOW))
    )
    groups = [(name, counts[name]) for name in AGE_GROUPS]
    chart = _pygal().HorizontalBar(
        **_settings(len(groups) * _ROW),
        print_values=True,
        print_values_position="top",
        show_x_guides=False,
        show_x_labels=False,
        # Room for the number behind the longest bar.
        range=(0, max(1, max(counts.values(), default=1)) * 1.18),
        margin_bottom=0,
    )
    chart.x_labels = [name for name, _ in reversed(groups)]  # the first one would be the lowest
    marks = {UNDATED: {"class": UNDATED}}  # what has no age looks it
    chart.add("open", [{"value": number, "node": marks.get(name, {})} for name, number in reversed(groups)])
    return Chart(_svg(chart), ("age", "open items"), tuple((name, str(number)) for name, number in groups))


def trend(days: Sequence[Day]) -> Chart | None:
    """Open items over time; None while there are not two days to compare."""
    days = days[-_LONGEST_TREND:]
    if len(days) < 2:
        return None
    ticks = _ticks(max(day.open for day in days))
    chart = _pygal().XY(
        **_settings(_TREND_HEIGHT),
        show_dots=False,
        show_y_guides=True,
        range=(0, ticks[-1]),
        margin_bottom=4,
        margin_right=14,
    )
    first, last = days[0].day, days[-1].day
    middle = first + (last - first) / 2
    chart.x_labels = [
        {"value": day.toordinal(), "label": f"{day.day} {day:%b}"} for day in sorted({first, middle, last})
    ]
    chart.y_labels = ticks
    points = [(day.day.toordinal(), day.open) for day in days]
    chart.add("area", points, fill=True)  # and the line alone, which is not drawn around the area
    chart.add("line", points)
    newest = days[: -_DAYS_IN_WORDS - 1 : -1]
    rows = tuple((day.day.isoformat(), str(day.open), str(day.new), str(day.resolved)) for day in newest)
    return Chart(_svg(chart), ("day", "open", "new", "resolved"), rows)


def _pygal() -> Any:  # noqa: ANN401 - it has no types
    """The library without its import hook for maps, which makes Python 3.11 warn at every later import."""
    finders = list(sys.meta_path)
    import pygal.style

    sys.meta_path[:] = [one for one in sys.meta_path if one in finders]
    return pygal


def _ticks(most: int) -> list[int]:
    """Round numbers from 0 to the first one that is not below `most`."""
    step = next(
        unit * 10**power
        for power in range(len(str(most)) + 1)
        for unit in (1, 2, 5)
        if unit * 10**power * _MOST_TICKS >= most
    )
    return list(range(0, max(step, most) + step, step))[: -(-max(1, most) // step) + 1]


def _settings(height: int) -> dict[str, Any]:
    return {
        "width": _WIDTH,
        "height": height,
        "margin": 0,
        "js": [],
        "style": _pygal().style.Style(
            label_font_size=_FONT_SIZE, major_label_font_size=_FONT_SIZE, value_font_size=_FONT_SIZE
        ),
        "no_prefix": True,
        "disable_xml_declaration": True,
        "show_legend": False,
        "truncate_label": -1,
        "formatter": lambda value: f"{value:,.0f}" if isinstance(value, int | float) else str(value),
    }


def _svg(chart: Any) -> str:  # noqa: ANN401 - pygal has no types
    root = ET.fromstring(chart.render())  # comments are left out
    _strip(root)
    kept = ET.Element("svg", {"class": "chart", "viewBox": root.attrib["viewBox"], "aria-hidden": "true"})
    kept.extend(root)
    return ET.tostring(kept, encoding="unicode")


def _strip(element: ET.Element) -> None:
    """Take the name space out of the tags, and everything that is neither shape nor text."""
    element.tag = element.tag.rpartition("}")[2]
    element.attrib.pop("style", None)
    element.tail = None
    for child in list(element):
        _strip(child)
        words = child.attrib.get("class", "").split()
        hollow = child.tag == "g" and len(child) == 0
        if child.tag in _DROPPED or hollow or "tooltip" in words or "background" in words:
            element.remove(child)
