"""Days put together: by day, by week, by age."""

from datetime import date
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trend.kit import day
from wrapgen.vault.run_history import AGE_GROUPS, age_group, by_day, by_week

MONDAY = date(2026, 4, 20)


def test_nothing_has_no_days_and_no_weeks():
    assert by_day(()) == ()
    assert by_week((), 8) == ()


def test_the_last_rebuild_of_a_day_counts_and_what_they_found_is_summed():
    found = by_day([day("2026-04-20", open=5, new=2), day("2026-04-20", open=4, new=1, resolved=2)])
    assert found == (day("2026-04-20", open=4, new=3, resolved=2),)


def test_days_written_out_of_order_are_put_in_order():
    found = by_day([day("2026-04-22"), day("2026-04-20", new=1), day("2026-04-22", new=4), day("2026-04-20")])
    assert found == (day("2026-04-20", new=1), day("2026-04-22", new=4))


def test_a_week_goes_from_monday_to_sunday():
    week, following = by_week((day("2026-04-20", new=1), day("2026-04-26", new=2, open=9), day("2026-04-27")), 8)
    assert (week.monday, week.days, week.new) == (MONDAY, 2, 3)
    assert week.last == day("2026-04-26", new=2, open=9)
    assert following.monday == date(2026, 4, 27)


def test_a_week_without_a_rebuild_is_empty():
    weeks = by_week((day("2026-04-20"), day("2026-05-06")), 8)
    assert [(one.days, one.last is None) for one in weeks] == [(1, False), (0, True), (1, False)]


def test_only_the_last_weeks():
    days = tuple(day(f"2026-0{month}-15") for month in range(1, 7))
    assert [one.monday for one in by_week(days, 2)] == [date(2026, 6, 8), date(2026, 6, 15)]


@pytest.mark.parametrize("last", ["0001-01-01", "9999-12-31"])
def test_the_ends_of_the_calendar(last):
    days = by_day([day("0001-01-01"), day(last)])
    weeks = by_week(days, 3)
    assert 1 <= len(weeks) <= 3
    assert weeks[-1].last == days[-1]


@pytest.mark.parametrize(
    ("days", "group"),
    [(0, 0), (6, 0), (7, 1), (13, 1), (14, 2), (29, 2), (30, 3), (89, 3), (90, 4), (9_999, 4), (None, 5)],
)
def test_the_groups_of_ages(days, group):
    assert age_group(days) == AGE_GROUPS[group]


rebuilds = st.builds(
    lambda on, new, resolved: msgspec.structs.replace(day("2026-04-20"), day=on, new=new, resolved=resolved),
    st.dates(date(2026, 3, 1), date(2026, 5, 31)),
    st.integers(0, 9),
    st.integers(0, 9),
)


@given(st.lists(rebuilds), st.integers(0, 40))
def test_putting_some_together_first_changes_nothing(written, cut):
    """The file may be compacted at any time."""
    assert by_day([*by_day(written[:cut]), *written[cut:]]) == by_day(written)


@given(st.lists(rebuilds))
def test_weeks_lose_no_day(written):
    days = by_day(written)
    weeks = by_week(days, 100)
    assert sum(one.days for one in weeks) == len(days)
    assert sum(one.new for one in weeks) == sum(one.new for one in written)
    assert sum(one.resolved for one in weeks) == sum(one.resolved for one in written)
    assert all((later.monday - one.monday).days == 7 for one, later in pairwise(weeks))
