"""Which of several proofs is named, whose work it is, and when it can have been done."""

from dataclasses import replace
from datetime import date

import pytest

from tests.followups import talks
from tests.pipeline.kit import DAY, context, evidence, item
from tests.support import audit, each, journal, next_list, wrap
from wrapgen.ledger import Concern
from wrapgen.model import Because, Fate
from wrapgen.notes import Kind
from wrapgen.pipeline.resolve import resolve
from wrapgen.pipeline.stage import StageResult
from wrapgen.pipeline.tick_days import too_early

LOGIN = "Fix the login of the members area"
LIKE = "Fix the login of the member area"  # 98.5 % of it
LESS = "Fix a login of the member area"  # 92.1 %, which proves nothing by itself
BEFORE, AFTER, LATER = date(2026, 4, 23), date(2026, 4, 25), date(2026, 4, 26)


def resolved(items, proofs, **options):
    return resolve(StageResult(tuple(items), evidence=tuple(proofs)), context(today=LATER, **options))


def proof(*proofs, one=None, **options):
    """The place that is named as the reason, and whether the item is dropped for it."""
    result = resolved([one or item(LOGIN)], proofs, **options)
    if result.dropped:
        return result.dropped[0].because.line, "dropped"
    remarks = [remark for remark in result.remarks if remark.concern is Concern.PROBABLY_DONE]
    return (remarks[0].because.line, "remarked") if remarks else None


class TestTheBestProof:
    def test_what_is_enough_comes_before_what_is_not(self):
        assert proof(evidence(LESS, line=1, day=LATER, latest=LATER), evidence(LIKE, line=2)) == (2, "dropped")

    def test_the_more_alike_comes_before_the_newer(self):
        assert proof(evidence(LIKE, line=1, day=LATER, latest=LATER), evidence(LOGIN, line=2)) == (2, "dropped")

    def test_the_newest_of_equal_ones(self):
        assert proof(evidence(LOGIN, line=1), evidence(LOGIN, line=2, day=LATER, latest=LATER)) == (2, "dropped")

    def test_an_undated_one_comes_last(self):
        undated = evidence(LOGIN, path="a0.md", line=1, day=None, latest=None, listed=False)
        whenever = item(LOGIN, raised=None)
        assert proof(undated, evidence(LOGIN, line=2), one=whenever) == (2, "dropped")

    def test_then_the_first_by_path_and_line(self):
        assert proof(evidence(LOGIN, path="c.md", line=1), evidence(LOGIN, path="b.md", line=2)) == (2, "dropped")
        assert proof(evidence(LOGIN, line=3), evidence(LOGIN, line=2)) == (2, "dropped")


class TestHowAlike:
    def test_the_reason_says_how_alike_and_a_remark_does_too(self):
        assert resolved([item(LOGIN)], [evidence(LIKE)]).dropped[0].because == Because("b.md", 1, 98.5)
        (remark,) = resolved([item(LOGIN)], [evidence(LESS)]).remarks
        assert remark.because == Because("b.md", 1, 92.1, doubt="score 92.1 is below 95")


class TestWhose:
    def test_the_work_of_another_project_proves_nothing(self):
        assert proof(evidence(LOGIN, project="web"), one=item(LOGIN, project="api")) is None
        assert proof(evidence(LOGIN, project="web"), one=item(LOGIN, project="web")) == (1, "dropped")

    def test_what_has_no_project_is_anybodys(self):
        assert proof(evidence(LOGIN, project="web"), one=item(LOGIN)) == (1, "dropped")
        assert proof(evidence(LOGIN), one=item(LOGIN, project="web")) == (1, "dropped")
        assert proof(evidence(LOGIN)) == (1, "dropped")

    def test_what_was_done_too_early_does_not_hide_what_was_done_later(self):
        early = evidence(LOGIN, line=1, project="web", day=BEFORE, latest=BEFORE)
        assert proof(early, evidence(LOGIN, line=2, project="web"), one=item(LOGIN, project="web")) == (2, "dropped")

    def test_untagged_work_that_two_projects_claim_is_neithers(self):
        claimed = [item(LOGIN, 1, project="web"), item(LOGIN, 2, project="api"), item(LOGIN, 3)]
        result = resolved(claimed, [evidence(LOGIN)])
        assert [one.item.line for one in result.dropped] == [3]

    def test_a_claim_stands_even_where_the_work_is_too_old_for_it(self):
        claimed = [item(LOGIN, 1, project="web", raised=BEFORE), item(LOGIN, 2, project="api", raised=LATER)]
        assert resolved(claimed, [evidence(LOGIN)]).dropped == ()


NOT_QUITE = """
WIP: {}|[WIP] {}|{} (WIP)|{} (50%)|{} (partly done)|{} (half)|{} (in progress)|{} - failed|{} – reverted|{} (blocked)
{} (일부)|{} (진행중)|{} (部分)|{}（途中）|Tried to {}|Failed to {}|Skipped: {}|**Postponed**: {}|보류: {}|{}?
{}？|🚧 {}|🔄 {}|⏳ {}|⚠️ {}|{} 🚧
"""


@each(NOT_QUITE.strip().replace("\n", "|").split("|"))
def test_what_says_that_it_is_not_done_is_but_probably_done(form):
    long = "Fix the login of the members area and of the shop as well as the pages that only editors see"
    assert proof(evidence(form.format(long)), one=item(long)) == (1, "remarked")
    assert proof(evidence(form.format(long)), one=item(form.format(long))) == (1, "dropped")


@pytest.mark.parametrize(
    "text", ["Half-close the valve of the pump", "List jobs that failed last night", "Show 50% of many rows"]
)
def test_a_word_within_a_text_says_nothing_about_its_end(text):
    assert proof(evidence(text), one=item(text.lower())) == (1, "dropped")


def test_the_words_that_raise_the_doubt_are_named():
    (remark,) = resolved([item(LOGIN)], [evidence(f"🚧 {LOGIN}")]).remarks
    assert remark.because.doubt == "may be unfinished: 🚧"


def test_two_due_dates_are_two_pieces_of_work():
    due = item(LOGIN, due=date(2026, 7, 31))
    assert proof(evidence(LOGIN, due=date(2026, 4, 30)), one=due) is None
    assert proof(evidence(LOGIN, due=date(2026, 7, 31)), one=due) == (1, "dropped")
    assert proof(evidence(LOGIN), one=due) == (1, "dropped")
    assert proof(evidence(LOGIN, due=date(2026, 4, 30))) == (1, "dropped")


def test_the_guard_asks_where_both_stand():
    """Two lines of one list that differ by one word are two pieces of work; in two files they may be one."""
    one = item("Review the letter of Anna", path="p.md", line=4, kind=Kind.PROJECT_TODOS)
    below = evidence("Review the letters of Anna", path="p.md", line=5)
    elsewhere = evidence("Review the letters of Anna", path="q.md", line=5)
    assert proof(elsewhere, one=one) == (5, "dropped")
    assert proof(below, one=one) is None


class TestWhatIsHandedOn:
    def test_a_box_that_only_the_journal_says_is_done_is_told(self):
        box = item(LOGIN, kind=Kind.PROJECT_TODOS)
        (remark,) = resolved([box], [evidence(LOGIN)]).remarks
        assert (remark.concern, remark.item, remark.because) == (
            Concern.STALE_BOXES,
            box,
            Because("b.md", 1, 100.0),
        )
        assert resolved([item(LOGIN)], [evidence(LOGIN)]).remarks == ()

    def test_a_kept_item_is_not_even_asked_about(self):
        one = item(LOGIN)
        result = resolved([one], [evidence(LOGIN)], kept=[one.id])
        assert (result.kept, result.dropped, result.remarks) == ((one,), (), ())

    def test_the_rest_goes_on_as_it_came(self):
        before = StageResult((item(LOGIN), item("Paint", 2)), evidence=(evidence(LOGIN),), unread=("unread",))
        result = resolve(before, context(today=LATER))
        assert (result.kept, result.evidence, result.unread) == ((before.kept[1],), before.evidence, before.unread)
        assert [one.fate for one in result.dropped] == [Fate.RESOLVED]


@pytest.mark.parametrize(
    ("done", "raised", "answer"),
    [
        ({}, {}, True),
        ({"day": DAY, "latest": DAY}, {}, True),  # a listed entry of the item's own day, the item in no session block
        ({"day": DAY, "latest": DAY, "listed": False}, {}, False),
        ({"day": BEFORE, "latest": BEFORE}, {}, False),
        ({"day": None, "latest": None}, {}, False),
        ({"day": None, "latest": None}, {"raised": None}, True),
        ({"day": None, "latest": DAY}, {}, True),
        ({"day": None, "latest": BEFORE}, {}, False),
        # a tick of the item's own file, below which it was added again
        ({"path": "a.md", "listed": False}, {}, False),
        ({"path": "a.md"}, {}, True),
        # session blocks of one day
        ({"day": DAY, "latest": DAY, "block": ("a.md", 2)}, {"block": ("a.md", 1)}, True),
        ({"day": DAY, "latest": DAY, "block": ("a.md", 1)}, {"block": ("a.md", 1)}, False),
        ({"day": DAY, "latest": DAY, "block": None}, {"block": ("a.md", 1)}, False),
        # what comes back again
        ({"day": DAY, "latest": DAY}, {"recurrence": "every week"}, True),
        ({"day": DAY, "latest": DAY}, {"recurrence": "every week", "due": AFTER}, False),
        ({"day": AFTER, "latest": AFTER}, {"recurrence": "every week", "due": AFTER}, True),
        ({}, {"recurrence": "every week", "raised": None}, False),
        ({"day": None, "latest": None}, {"recurrence": "every week"}, False),
    ],
)
def test_what_can_be_later(done, raised, answer):
    assert (too_early(evidence(**done), item(**raised)) is None) is answer


@pytest.mark.parametrize(
    ("done", "raised", "said"),
    [
        ({"day": BEFORE, "latest": BEFORE}, {}, "finished too early: 2026-04-23"),
        ({"path": "a.md", "listed": False}, {}, "same file: added again beside its tick"),
        ({"day": DAY, "latest": DAY, "block": ("a.md", 1)}, {"block": ("a.md", 1)}, "same session block"),
        ({"day": DAY, "latest": DAY, "block": ("a.md", 0)}, {"block": ("a.md", 1)}, "same day: finished in no later"),
        ({"day": DAY, "latest": DAY, "block": ("a.md", 2)}, {"block": ("a.md", 2)}, "same journal: "),
    ],
)
def test_why_it_cannot_be_later(done, raised, said):
    assert (too_early(evidence(**done), item(**raised)) or "").startswith(said)


class TestABoxWithoutADay:
    """In a checkout its line's commit shows when it was added."""

    def fate(self, days):
        box = item(LOGIN, raised=None, kind=Kind.PROJECT_TODOS)
        given = replace(context(today=LATER), tick_days=lambda paths: {path: days.get(path, {}) for path in paths})
        return resolve(StageResult((box,), evidence=(evidence(LOGIN),)), given)

    def test_added_later_it_is_but_probably_done(self):
        (remark,) = self.fate({"a.md": {1: LATER}}).remarks
        assert (remark.concern, remark.because.doubt) == (
            Concern.PROBABLY_DONE,
            "added later: 2026-04-26, finished 2026-04-25",
        )

    @pytest.mark.parametrize("days", [{}, {"a.md": {1: AFTER}}, {"a.md": {1: LATER}, "b.md": {1: LATER}}])
    def test_added_before_or_with_one_commit_it_is_done(self, days):
        assert len(self.fate(days).dropped) == 1

    def test_it_stays_open_until_git_has_answered(self):
        box = item(LOGIN, raised=None, kind=Kind.PROJECT_TODOS)
        given = replace(context(today=LATER), tick_days=lambda _: {})
        (remark,) = resolve(StageResult((box,), evidence=(evidence(LOGIN),)), given).remarks
        assert remark.concern is Concern.PROBABLY_DONE


def test_the_same_entry_again_and_again_proves_as_much():
    """A thousand equal lines are looked at a few times only, yet one with another place still counts."""
    many = [evidence(LOGIN, line=line, day=DAY, latest=DAY, listed=False) for line in range(1, 1000)]
    assert proof(*many, evidence(LOGIN, path="c.md", line=7)) == (7, "dropped")


class TestWhatLiesAhead:
    """A journal dated ahead is no evidence until its day, a done date that lies ahead neither."""

    def test_it_proves_nothing_before_its_day(self):
        proofs = [evidence(LOGIN, day=LATER, latest=LATER)]
        kept = [
            resolve(StageResult((item(LOGIN),), evidence=tuple(proofs)), context(today=day)).kept
            for day in (AFTER, LATER)
        ]
        assert [len(one) for one in kept] == [1, 0]

    @pytest.mark.parametrize(
        "done",
        [
            next_list("[x] Fix the login of the members area"),
            "## Done\n\n- Fix the login of the members area\n",
            next_list("[x] Fix the login of the members area ✅ 2026-04-28"),
        ],
    )
    def test_in_a_vault(self, vault, done):
        built = vault(journal("2026-04-20", next_list(LOGIN)) | journal("2026-04-28", done))
        assert audit(built).fates == {LOGIN: "shown"}
        assert "no proof before its day: 2026-04-28" in wrap("explain", LOGIN, vault=built).out
        assert wrap("regen", vault=built).code == 0
        assert LOGIN in built.page
        assert audit(built, today="2026-04-28").fates == {LOGIN: "resolved"}
        assert wrap("regen", vault=built, today="2026-04-28").code == 0
        assert LOGIN not in built.page

    def test_a_follow_up_is_not_held_by_it(self, vault, tmp_path):
        built = vault(journal("2026-04-28", f"## Done\n\n- {LOGIN}\n"))
        talk = tmp_path / "talk.json"
        talk.write_bytes(talks.neutral(talks.said(LOGIN)))
        found = [
            wrap("orphans", "--json", "--transcript", talk, vault=built, today=day).json
            for day in ("2026-04-24", "2026-04-28")
        ]
        assert [len(one["orphans"]) for one in found] == [1, 0]
