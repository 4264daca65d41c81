"""The order of what is shown, and what falls off its end."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from tests.pipeline.kit import DAY, context, evidence, item
from wrapgen.ledger import Outcome
from wrapgen.model import Fate
from wrapgen.notes import Document, Kind, Priority, Source
from wrapgen.pipeline.rank import rank
from wrapgen.pipeline.specific import Repeated
from wrapgen.pipeline.stage import StageResult, canonical_key


def ago(days):
    return DAY - timedelta(days)


def ahead(days):
    return DAY + timedelta(days)


def order(*items, **options):
    """The numbers of the items by rank; then of those that are cut off."""
    result = rank(StageResult(items), context(**options))
    assert {one.fate for one in result.dropped} <= {Fate.OVERFLOW}
    return [one.line for one in result.kept], [one.item.line for one in result.dropped]


def shown(*items, **options):
    return order(*items, **options)[0]


class TestClasses:
    def test_overdue_due_soon_urgent_the_rest(self):
        rest, urgent = item(number=1), item(number=2, priority=Priority.HIGH)
        soon, overdue = item(number=3, due=ahead(3)), item(number=4, due=ago(1))
        assert shown(rest, urgent, soon, overdue, due_soon_days=3) == [4, 3, 2, 1]

    @pytest.mark.parametrize(
        ("given", "first"),
        [
            ({"due": ahead(3)}, True), ({"due": ahead(14)}, True), ({"due": ahead(15)}, False), ({"due": DAY}, True),
            ({"priority": Priority.HIGHEST}, True), ({"priority": Priority.HIGH}, True),
            ({"priority": Priority.MEDIUM}, False), ({"priority": None}, False),
            ({"due": ahead(4), "priority": Priority.HIGH}, True),
        ],
    )  # fmt: skip
    def test_where_each_begins(self, given, first):
        newer = item(number=1)
        assert shown(newer, item(number=2, last_seen=ago(9), **given), due_soon_days=3) == ([2, 1] if first else [1, 2])

    def test_what_is_due_today_is_not_overdue(self):
        assert shown(item(number=1, due=DAY), item(number=2, due=ago(1), last_seen=ago(9))) == [2, 1]

    def test_an_overdue_one_is_first_although_it_is_not_urgent(self):
        assert shown(item(number=1, priority=Priority.HIGHEST), item(number=2, due=ago(9), last_seen=None)) == [2, 1]


class TestAgainAndAgain:
    """What nobody is going to do next comes behind what somebody may."""

    def test_a_checklist_comes_behind_the_rest(self):
        assert shown(item(number=1, checklist=True), item(number=2, last_seen=ago(9))) == [2, 1]
        urgent = item(number=3, checklist=True, priority=Priority.HIGH)
        assert shown(item(number=1), urgent) == [3, 1]

    def test_a_habit_of_a_day_gone_by_comes_behind_the_rest(self):
        ticks = [evidence("Water the plants", path=f"{n}.md", written=ago(n), listed=False) for n in (3, 4, 5)]
        habits = [item("Water the plants", number, last_seen=ago(number)) for number in (1, 2)]
        others = [item("Paint the door", 3, last_seen=ago(9))]
        before = StageResult((*habits, *others), repeated=Repeated([*habits, *ticks]))
        journals = [Source("d.md", Kind.JOURNAL_NEXT, Document(), day=ago(1))]
        assert [one.line for one in rank(before, context(sources=journals)).kept] == [1, 3, 2]


class TestWithinAClass:
    def test_newest_first_undated_last(self):
        assert shown(item(number=1, last_seen=None), item(number=2, last_seen=ago(5)), item(number=3)) == [3, 2, 1]

    def test_then_by_source_path_and_line(self):
        progress, todos = item(number=1, kind=Kind.PROGRESS), item(number=2, kind=Kind.PROJECT_TODOS)
        assert shown(progress, todos, item(number=4), item(number=3, path="b.md"), item(number=5)) == [4, 5, 3, 2, 1]

    def test_projects_take_turns_beginning_with_the_newest(self):
        loud = [item(number=number, project="web", last_seen=ago(1)) for number in (1, 2, 3)]
        quiet = item(number=4, project="api", last_seen=ago(2))
        newest = item(number=5)
        assert shown(*loud, quiet, newest) == [5, 1, 4, 2, 3]


class TestTheEnd:
    def test_what_is_cut_is_dropped_in_its_order(self):
        items = [item(number=number, last_seen=ago(number)) for number in range(1, 6)]
        assert order(*items, cap=2) == ([1, 2], [3, 4, 5])
        assert order(*items, cap=5) == ([1, 2, 3, 4, 5], [])

    def test_snoozed_ones_stand_behind_all_others_until_their_day(self):
        items = [item(number=number, last_seen=ago(number), due=ago(1)) for number in range(1, 5)]
        snoozed = {items[0].id: ahead(1), items[1].id: DAY, items[2].id: ahead(30)}
        assert order(*items, snoozed=snoozed) == ([2, 4], [1, 3])
        assert order(*items, snoozed=snoozed, cap=1) == ([2], [4, 1, 3])

    def test_the_rest_goes_on_as_it_came(self):
        before = StageResult((item(),), evidence=("done",), remarks=("remark",), unread=("unread",))
        after = rank(before, context())
        assert replace(after, why={}) == before
        assert after.why == {before.kept[0].id: f"number 1: open since {DAY}"}
        assert rank(before, context(snoozed={before.kept[0].id: ahead(1)})).dropped == (
            Outcome(before.kept[0], Fate.OVERFLOW, why=f"not shown: snoozed until {ahead(1)}"),
        )


def test_the_canonical_order():
    """By source, newest mention first, undated last, path, line."""
    in_order = [
        item(number=3),
        item(number=4),
        item(number=1, path="b.md"),
        item(number=1, last_seen=ago(2), raised=DAY),
        item(number=1, last_seen=None, raised=ago(3)),
        item(number=1, last_seen=date(1, 1, 1)),
        item(number=1, last_seen=None, raised=None),
        item(number=1, kind=Kind.ACTIVE_TODOS),
        item(number=1, kind=Kind.PROGRESS),
    ]
    mixed = in_order[4:] + in_order[:4]
    assert sorted(mixed, key=canonical_key) == in_order
