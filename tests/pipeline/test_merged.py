"""What the first of a group takes over from its duplicates, and who may be one."""

from datetime import timedelta

import pytest

from tests.pipeline.kit import DAY, context, item
from wrapgen.model import Because, Fate
from wrapgen.notes import Kind, Priority
from wrapgen.pipeline.dedup import dedup
from wrapgen.pipeline.stage import StageResult

LOGIN = "Fix the login of the members area"
LIKE = "Fix the login of the member area"  # 98.5 % of it


def ago(days):
    return DAY - timedelta(days)


def merged(*items, **options):
    result = dedup(StageResult(items), context(**options))
    assert {one.fate for one in result.dropped} <= {Fate.DUPLICATE}
    return result


def first(*items):
    result = merged(*items)
    assert len(result.kept) == 1
    return result.kept[0]


def test_the_newest_mention_stays_with_the_dates_of_all():
    old = item(LOGIN, 1, path="old.md", raised=ago(9), last_seen=ago(9))
    new = item(LOGIN, 2, path="new.md", raised=ago(1), last_seen=ago(1))
    undated = item(LOGIN, 3, path="list.md", raised=None, last_seen=None)
    kept = first(old, undated, new)
    assert (kept.id, kept.raised, kept.last_seen) == (new.id, ago(9), ago(1))
    assert kept.twins == (("old.md", 1), ("list.md", 3))


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("due", (None, ago(3), None, ago(3)), ago(3)),
        ("priority", (Priority.LOW, None, Priority.HIGHEST), Priority.HIGHEST),
        ("recurrence", (None, "every week", "every day"), "every week"),
        ("project", (None, "web", None), "web"),
        ("depends", ((), ("one", "two"), ("two", "three")), ("one", "two", "three")),
        ("blocked_by", ((), ("b" * 12,), ("a" * 12, "b" * 12)), ("a" * 12, "b" * 12)),
        ("blocked_by", ((), (f"{1:012x}",)), ()),
        ("due", (None, None), None),
        ("priority", (None, None), None),
        ("recurrence", (None, None), None),
        ("project", (None, None), None),
    ],
)
def test_what_only_a_duplicate_says_is_taken_over(name, values, expected):
    kept = first(*(item(LOGIN, number, path=f"{number}.md", **{name: value}) for number, value in enumerate(values, 1)))
    assert getattr(kept, name) == expected


def test_a_list_comes_after_a_journal_although_its_item_is_newer():
    listed, noted = item(LOGIN, 1, kind=Kind.PROJECT_TODOS, path="b.md"), item(LOGIN, 2, last_seen=ago(9))
    assert first(listed, noted).kind is Kind.JOURNAL_NEXT


def test_a_duplicate_names_what_it_is_one_of_and_how_alike():
    one, other = item(LOGIN, 1), item(LIKE, 2, path="b.md")
    (dropped,) = merged(one, other).dropped
    assert (dropped.item, dropped.because) == (other, Because("a.md", 1, 98.5, one.id))


def test_an_item_alone_stays_as_it_is():
    one = item(LOGIN, 1)
    assert merged(one, item("Paint the fence", 2)).kept[0] is one


@pytest.mark.slow
def test_once_a_group_has_a_project_it_takes_nothing_of_another():
    result = merged(
        item(LOGIN, 1), item(LOGIN, 2, path="b.md", project="web"), item(LOGIN, 3, path="c.md", project="api")
    )
    assert [(one.line, one.project) for one in result.kept] == [(1, "web"), (3, "api")]


def test_what_somebody_wants_to_keep_is_no_duplicate_but_others_are_of_it():
    one, other, third = item(LOGIN, 1), item(LOGIN, 2, path="b.md"), item(LOGIN, 3, path="c.md")
    result = merged(one, other, third, kept=[other.id])
    assert [kept.line for kept in result.kept] == [1, 2]
    assert [(drop.item.line, drop.because.line) for drop in result.dropped] == [(3, 1)]


def test_the_threshold_decides():
    assert len(merged(item(LOGIN, 1), item(LIKE, 2, path="b.md"), dedup_threshold=99).kept) == 2
    assert len(merged(item(LOGIN, 1), item(LIKE, 2, path="b.md"), dedup_threshold=98).kept) == 1


def test_the_rest_goes_on_as_it_came():
    before = StageResult((item(LOGIN),), evidence=("done",), remarks=("remark",), unread=("unread",))
    assert dedup(before, context()) == before
