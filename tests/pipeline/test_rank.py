"""The order of what is shown, what is aside, and what falls off its end."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from tests.pipeline.kit import DAY, context, evidence, item
from wrapgen.ledger import Outcome, canonical_key
from wrapgen.model import Fate, HandOver, SaidNext
from wrapgen.notes import Document, Kind, Priority, Source
from wrapgen.pipeline.rank import RankClass, rank
from wrapgen.pipeline.specific import Repeated
from wrapgen.pipeline.stage import StageResult


def ago(days):
    return DAY - timedelta(days)


def ahead(days):
    return DAY + timedelta(days)


def handed(number, day=DAY, **given):
    """A line of a list that one session left for the next."""
    entry = HandOver("HANDOFF.md", day)
    return item(number=number, kind=Kind.HAND_OVERS, handed=True, entry=entry, last_seen=None, raised=None, **given)


def order(*items, **options):
    """The numbers of the items by rank; then of those that are cut off."""
    result = rank(StageResult(items), context(**options))
    assert {one.fate for one in result.dropped} <= {Fate.OVERFLOW}
    return [one.line for one in result.kept], [one.item.line for one in result.dropped]


def shown(*items, **options):
    return order(*items, **options)[0]


def classes(*items, **options):
    """The class of each item by its number."""
    result = rank(StageResult(items), context(**options))
    return {one.line: RankClass(result.classes[one.id]) for one in result.kept}


class TestClasses:
    def test_due_urgent_handed_over_active_open(self):
        rest, active = item(number=1), item(number=2, kind=Kind.ACTIVE_TODOS, last_seen=ago(99))
        left, urgent = handed(3), item(number=4, priority=Priority.HIGH, last_seen=ago(99))
        soon, overdue = item(number=5, due=ahead(7)), item(number=6, due=ago(1))
        assert shown(rest, active, left, urgent, soon, overdue) == [6, 5, 4, 3, 2, 1]
        assert list(classes(rest, active, left, urgent, soon, overdue).values()) == [
            RankClass.DUE, RankClass.DUE, RankClass.URGENT, RankClass.HANDED_OVER, RankClass.ACTIVE, RankClass.OPEN,
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("given", "kind"),
        [
            ({"due": ahead(3)}, RankClass.DUE), ({"due": ahead(4)}, RankClass.OPEN), ({"due": DAY}, RankClass.DUE),
            ({"due": ago(900)}, RankClass.DUE), ({"priority": Priority.HIGHEST}, RankClass.URGENT),
            ({"priority": Priority.HIGH}, RankClass.URGENT), ({"priority": Priority.MEDIUM}, RankClass.OPEN),
            ({"due": ahead(4), "priority": Priority.HIGH}, RankClass.URGENT),
            ({"due": ahead(3), "priority": Priority.HIGH}, RankClass.DUE),
        ],
    )  # fmt: skip
    def test_the_first_that_fits(self, given, kind):
        assert classes(item(number=1, **given), due_soon_days=3) == {1: kind}

    def test_the_earliest_day_and_the_highest_priority_come_first(self):
        due = [item(number=number, due=ago(number)) for number in (1, 2, 3)]
        urgent = [item(number=4, priority=Priority.HIGH), item(number=5, priority=Priority.HIGHEST)]
        assert shown(*due, *urgent) == [3, 2, 1, 5, 4]

    def test_what_is_due_within_two_weeks_leads_what_is_open(self):
        later = [item(number=number, due=ahead(days), last_seen=ago(9)) for number, days in ((1, 14), (2, 8), (3, 15))]
        assert shown(item(number=4), *later) == [2, 1, 4, 3]
        assert set(classes(*later).values()) == {RankClass.OPEN}

    def test_a_due_day_of_a_handed_over_line_does_not_lift_it_over_its_list(self):
        assert shown(handed(1), handed(2, due=ahead(9)), handed(3)) == [1, 2, 3]

    def test_every_reason_is_told(self):
        result = rank(StageResult((item(number=1, due=ago(1)), handed(2), item(number=3))), context(cap=1))
        assert result.why == {item(number=1).id: f"number 1: overdue since {ago(1)}"}
        assert [one.why for one in result.dropped] == [
            f"not shown: number 2, handed over in a.md of {DAY}, behind 1 due",
            f"not shown: number 3, open since {DAY}, behind 1 due",
        ]


class TestAside:
    """What is not on the page, whatever its day, its priority and the room there."""

    def aside(self, *items, **options):
        result = rank(StageResult(items), context(**options))
        assert all(one.is_set_aside for one in result.dropped)
        return {one.item.line: one.why.removeprefix("not shown: ") for one in result.dropped}

    def test_what_its_note_says_and_what_is_planned_for_later(self):
        waiting = item(number=1, aside="waiting", due=ago(1), priority=Priority.HIGHEST)
        later = item(number=2, not_before=ahead(1))
        assert self.aside(waiting, later, item(number=3, not_before=DAY)) == {
            1: "waiting",
            2: f"not before {ahead(1)}",
        }

    def test_a_habit_of_a_day_gone_by(self):
        ticks = [evidence("Water the plants", path=f"{n}.md", written=ago(n), listed=False) for n in (3, 4, 5)]
        habits = [item("Water the plants", number, last_seen=ago(number)) for number in (1, 2)]
        others = [item("Paint the door", 3, last_seen=ago(9))]
        before = StageResult((*habits, *others), repeated=Repeated([*habits, *ticks]))
        journals = [Source("d.md", Kind.JOURNAL_NEXT, Document(), day=ago(1))]
        result = rank(before, context(sources=journals))
        assert [one.line for one in result.kept] == [1, 3]
        assert [one.why for one in result.dropped] == ["not shown: a habit of a day gone by"]


class TestSaid:
    def said(self, *items, said, **options):
        result = rank(StageResult(items, said=said), context(**options))
        return [one.line for one in result.kept], list(result.why.values())

    def test_it_leads_in_the_order_in_which_it_was_said(self):
        items = [item(number=number, due=ago(1)) for number in (1, 2, 3)]
        said = {items[at].id: SaidNext(project=None, by="agent", day=DAY) for at in (2, 0)}
        lines, why = self.said(*items, said=said)
        assert lines == [3, 1, 2]
        assert why[0] == f"number 1: said to be next by an agent on {DAY}"

    def test_something_newer_that_was_handed_over_goes_before_what_an_agent_said(self):
        old, left, rest = item(number=1), handed(2), item(number=3)
        for by, first in (("agent", [2, 1, 3]), ("person", [1, 2, 3])):
            said = {old.id: SaidNext(project=None, by=by, day=ago(1))}
            assert self.said(old, left, rest, said=said)[0] == first
        same_day = {old.id: SaidNext(project=None, by="agent", day=DAY)}
        assert self.said(old, left, rest, said=same_day)[0] == [1, 2, 3]

    def test_what_an_agents_list_leaves_out_of_a_hand_over_that_is_no_newer_is_but_open(self):
        named, left, active = item(number=1), handed(2), item(number=3, kind=Kind.ACTIVE_TODOS)
        for by, first in (("agent", [1, 3, 2]), ("reader", [1, 3, 2]), ("person", [1, 2, 3])):
            said = {named.id: SaidNext(project=None, by=by, day=DAY)}
            lines, why = self.said(named, left, active, said=said)
            assert lines == first
        said = {named.id: SaidNext(project=None, by="agent", day=DAY)}
        why = self.said(named, left, active, said=said)[1]
        assert why[2].endswith(f"left out of what was said to be next on {DAY}")


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

    def test_what_is_due_in_two_weeks_waits_for_no_project_without_such_a_day(self):
        due = [item(number=number, project="web", due=ahead(8 + number)) for number in (1, 2)]
        assert shown(*due, item(number=3, project="api")) == [1, 2, 3]

    def test_lists_that_were_handed_over_take_no_turns(self):
        lines = [handed(number, project="web") for number in (1, 2)]
        older = handed(3, day=ago(1), project="api")
        assert shown(*lines, older) == [1, 2, 3]

    def test_what_is_blocked_comes_last(self):
        assert shown(item(number=1, blocked_by=("x",)), item(number=2, last_seen=ago(9)), handed(3)) == [3, 2, 1]

    def test_the_day_of_a_line_goes_before_that_of_its_file(self):
        lines = [
            item(number=at, path="a.md", kind=Kind.LISTS, last_seen=None, raised=None, changed=DAY) for at in (1, 2)
        ]
        other = item(number=3, path="b.md", kind=Kind.LISTS, last_seen=None, raised=None, changed=ago(3))
        known = {"a.md": {1: ago(9), 2: ago(1)}}
        asked = replace(context(), tick_days=lambda paths: {path: known.get(path, {}) for path in paths})
        result = rank(StageResult((*lines, other)), asked)
        assert [one.line for one in result.kept] == [2, 3, 1]
        assert result.why[lines[0].id] == f"number 3: last changed on {ago(9)}"


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
        assert replace(after, why={}, classes={}) == before
        assert after.why == {before.kept[0].id: f"number 1: open since {DAY}"}
        assert after.classes == {before.kept[0].id: RankClass.OPEN}
        assert rank(before, context(snoozed={before.kept[0].id: ahead(1)})).dropped == (
            Outcome(before.kept[0], Fate.OVERFLOW, why=f"not shown: snoozed until {ahead(1)}", is_set_aside=True),
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
