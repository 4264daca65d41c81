"""The picture of the ledger: nothing gets thinner on its way, and no words lie on others."""

import itertools
import re
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrapgen.dashboard.html.charts import FLOW_WIDTH, Part, flow

NUMBERS = st.integers(0, 50_000) | st.integers(0, 9)


@st.composite
def ledgers(draw):
    fates = draw(st.lists(NUMBERS, min_size=5, max_size=5))
    rest = sum(fates)
    sources = []
    for _ in range(3):
        sources.append(draw(st.integers(0, rest)))
        rest -= sources[-1]
    return [*sources, rest], fates


def parts(numbers, name):
    return [Part(f"{name}{index}", f"{name} {index}", number) for index, number in enumerate(numbers)]


def drawn(sources, fates):
    """The bars and bands of the drawing."""
    svg = ET.fromstring(flow(parts(sources, "source"), parts(fates, "fate")))
    bars = []
    for group in svg.iter("g"):
        rect, text = group
        sizes = {name: float(rect.get(name)) for name in ("x", "y", "width", "height")}
        number = next(int(one.text.replace(",", "")) for one in text if one.get("class") == "value")
        where = {"text_y": float(text.get("y")), "anchor": text.get("text-anchor")}
        bars.append(SimpleNamespace(key=group.get("class").split()[0], number=number, **sizes, **where))
    bands = [SimpleNamespace(key=one.get("class").split()[1], path=one.get("d")) for one in svg.iter("path")]
    return SimpleNamespace(bars=bars, bands=bands, height=float(svg.get("viewBox").split()[-1]))


def edges(path):
    """Where a band begins and ends at the middle, from top to bottom."""
    top, bottom = re.fullmatch(r"M\S+ \S+C\S+ \S+ \S+ \S+ \S+ (\S+)V(\S+)C.*Z", path).groups()
    return float(top), float(bottom)


@given(ledgers())
def test_bands_fill_the_middle_without_gaps(ledger):
    sources, fates = ledger
    picture = drawn(sources, fates)
    middle = next(bar for bar in picture.bars if bar.key == "collected")
    assert middle.number == sum(fates)
    for name, numbers in (("source", sources), ("fate", fates)):
        bands = [edges(band.path) for band in picture.bands if band.key.startswith(name)]
        assert len(bands) == sum(1 for number in numbers if number)
        at = middle.y
        for top, bottom in bands:
            assert abs(top - at) <= 0.1
            assert top <= bottom
            at = bottom
        if bands:
            assert abs(at - middle.y - middle.height) <= 0.1


@given(ledgers())
def test_no_words_lie_on_others_and_nothing_leaves_the_picture(ledger):
    picture = drawn(*ledger)
    for anchor in ("start", "end"):
        lines = [bar.text_y for bar in picture.bars if bar.anchor == anchor]
        assert all(below - above >= 15 for above, below in itertools.pairwise(lines))
    for bar in picture.bars:
        assert 0 <= bar.x <= bar.x + bar.width <= FLOW_WIDTH
        assert bar.y >= 0
        assert bar.y + bar.height <= picture.height + 0.1
        assert 0 < bar.text_y <= picture.height + 5


@pytest.mark.slow
@given(ledgers())
def test_what_has_items_is_seen(ledger):
    picture = drawn(*ledger)
    assert all((bar.height >= 1.5) == (bar.number > 0) for bar in picture.bars if bar.key != "collected")
