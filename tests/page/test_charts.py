"""The drawings: their numbers are those of the run, their text is text, and nothing in them has a style of its own."""

import itertools
from datetime import date, timedelta
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.page.kit import Parsed, page
from tests.support import journal, next_list
from wrapgen.dashboard.html import charts
from wrapgen.vault.run_history import AGE_GROUPS, Day

FIRST = date(2026, 2, 1)
WITHOUT = {"collected": 0, "fates": {}, "sources": {}, "projects": {}, "pending": 0, "median_age": None, "ages": {}}


def days(*numbers):
    return [
        Day(day=FIRST + timedelta(index), open=number, new=1, resolved=2, made=0, kept=0, **WITHOUT)
        for index, number in enumerate(numbers)
    ]


def texts(chart):
    return [element.text for element in ET.fromstring(chart.svg).iter("text")]


def test_open_items_over_time():
    chart = charts.trend(days(4, 9, 7))
    assert chart.rows == (("2026-02-03", "7", "1", "2"), ("2026-02-02", "9", "1", "2"), ("2026-02-01", "4", "1", "2"))
    assert [text for text in texts(chart) if not text.isdigit()] == ["1 Feb", "2 Feb", "3 Feb"]
    assert [text for text in texts(chart) if text.isdigit()] == ["0", "5", "10"]


@pytest.mark.parametrize("numbers", [(), (3,)])
def test_one_day_is_no_time(numbers):
    assert charts.trend(days(*numbers)) is None


@pytest.mark.parametrize("numbers", [(0, 0), (1, 0, 1), (12_345,) * 900])
def test_any_history_is_drawn(numbers):
    chart = charts.trend(days(*numbers))
    assert len(chart.rows) == min(len(numbers), 60)
    assert len(chart.svg) < 40_000


def test_how_old_open_items_are(vault):
    built = vault(
        {
            **journal("2026-04-23", next_list("One", "Two")),
            **journal("2026-04-12", next_list("Three")),
            "projects/web/todos.md": next_list("Four", heading="## Next Session"),
        }
    )
    rows = {name: number for name, *number in (line for line in table(page(built)))}
    assert rows == {
        **{key: ["0"] for key in AGE_GROUPS},
        "under a week": ["2"],
        "under two weeks": ["1"],
        "undated": ["1"],
    }


def test_what_has_no_age_looks_it(vault):
    built = vault({"projects/web/todos.md": next_list("Four", heading="## Next Session")})
    text = page(built)
    ages = text[text.index('<figure class="ages">') : text.index("</figure>", text.index('<figure class="ages">'))]
    assert len(Parsed.of(ages + "</figure>").texts("rect")) == len(AGE_GROUPS)
    assert ages.count('class="undated"') == 1
    assert ".ages .undated {" in text


def table(text):
    part = text[text.index('id="time"') :]
    parsed = Parsed.of(part[part.index("<tbody>") : part.index("</tbody>") + len("</tbody>")])
    names, numbers = parsed.texts("th"), parsed.texts("td")
    return zip(names, numbers, strict=True)


@given(st.integers(0, 10**7))
def test_the_scale_reaches_the_highest_number_in_a_few_round_steps(most):
    ticks = charts._ticks(most)
    assert ticks[0] == 0
    assert ticks[-1] >= max(1, most)
    assert 2 <= len(ticks) <= 5
    assert len({after - before for before, after in itertools.pairwise(ticks)}) == 1
    assert str(ticks[1]).rstrip("0") in ("1", "2", "5")


def test_a_drawing_is_shapes_and_text():
    chart = charts.trend(days(4, 9, 7))
    elements = list(ET.fromstring(chart.svg).iter())
    assert {element.tag for element in elements} == {"svg", "g", "path", "text"}
    allowed = {"class", "d", "x", "y", "transform", "viewBox", "aria-hidden", "text-anchor"}
    assert {name for element in elements for name in element.attrib} <= allowed
