"""What is older than the look-back."""

from datetime import date, timedelta

from tests.pipeline.kit import DAY, context, item
from wrapgen.ledger import expired as gone
from wrapgen.notes import Document, Kind, Source
from wrapgen.pipeline.expire import expire, horizon, newest_journal
from wrapgen.pipeline.stage import StageResult


def ago(days):
    return DAY - timedelta(days)


def journals(*days, kind=Kind.JOURNAL_NEXT):
    return [Source(f"{day}.md", kind, Document(), day=day) for day in days]


def expired(*items, sources, **options):
    result = expire(StageResult(items), context(sources=sources, **options))
    assert [one.line for one in result.kept] == [
        one.line for one in items if one not in [d.item for d in result.dropped]
    ]
    return [one.item.line for one in result.dropped]


def newest(*days, kind=Kind.JOURNAL_NEXT):
    return newest_journal(((kind, day) for day in days), DAY)


class TestHorizon:
    def test_it_lies_so_many_days_before_the_newest_journal(self):
        assert newest(ago(9), ago(3), ago(5)) == ago(3)
        assert horizon(ago(3), 30) == ago(33)

    def test_journals_after_today_and_undated_ones_do_not_count(self):
        assert newest(None, DAY + timedelta(1), ago(3)) == ago(3)
        assert newest(DAY) == DAY

    def test_without_a_journal_there_is_none(self):
        assert newest() is None
        assert newest(None, DAY + timedelta(1)) is None
        assert newest(DAY, kind=Kind.LISTS) is None

    def test_it_ends_where_the_calendar_begins(self):
        assert horizon(date(1, 1, 5), 30) == date.min


class TestExpire:
    def test_what_stands_before_it_goes_what_stands_on_it_stays(self):
        items = [item(number=days, raised=ago(days)) for days in (10, 13, 14, 40)]
        assert expired(*items, sources=journals(ago(3)), lookback_days=10) == [14, 40]

    def test_only_journal_items_with_a_day(self):
        old = [item(number=1, kind=Kind.PROJECT_TODOS, raised=ago(99)), item(number=2, raised=None)]
        assert expired(*old, sources=journals(DAY)) == []

    def test_only_journals_move_it(self):
        old = item(number=1, raised=ago(99))
        assert expired(old, sources=journals(DAY, kind=Kind.PROJECT_TODOS)) == []
        assert expired(old, sources=journals(DAY)) == [1]

    def test_the_rest_goes_on_as_it_came(self):
        one = item(raised=ago(99))
        before = StageResult((one,), evidence=("done",), remarks=("remark",), unread=("unread",))
        assert expire(before, context()) == before
        after = expire(before, context(sources=journals(DAY)))
        assert after == StageResult((), (gone(one),), ("done",), ("remark",), ("unread",))
