"""Facts weighed: what stands against them, what each adds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrapgen.tracks.linear import Linear

ODDS = st.floats(-1e300, 1e300)


@pytest.mark.parametrize(("bias", "likely"), [(0.0, 0.5), (1.0, 0.731), (-1.0, 0.269), (-7.62, 0.00049)])
def test_before_any_fact_is_known_the_bias_speaks_alone(bias: float, likely: float) -> None:
    assert Linear(bias, {"failed": 2.0})({}) == pytest.approx(likely, rel=2e-3)


def test_facts_add_up_by_their_weights() -> None:
    weighed = Linear(-1.0, {"failed": 0.5, "tried": 0.25})
    assert weighed({"failed": 1.0, "tried": 2.0}) == pytest.approx(0.5)
    assert weighed({"failed": 4.0, "tried": 0.0}) == pytest.approx(0.731, abs=1e-3)


def test_a_fact_without_a_weight_says_nothing() -> None:
    weighed = Linear(0.3, {"failed": 0.5})
    assert weighed({"failed": 1.0, "never seen": 9.0}) == weighed({"failed": 1.0})


@pytest.mark.parametrize("odds", [1e3, 1e9, 1e308])
def test_extreme_odds_are_a_probability(odds: float) -> None:
    assert Linear(odds, {})({}) == pytest.approx(1.0)
    assert Linear(0.0, {"failed": -odds})({"failed": 1.0}) == pytest.approx(0.0, abs=1e-12)


@given(ODDS, ODDS, ODDS)
def test_more_that_speaks_for_it_never_makes_it_less_likely(bias: float, one: float, other: float) -> None:
    less, more = sorted((one, other))
    found = [Linear(bias, {"failed": weight})({"failed": 1.0}) for weight in (less, more)]
    assert 0 < found[0] <= found[1] <= 1
