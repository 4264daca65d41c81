"""What the agent's own to-do list leaves open, and what it shows to be done."""

from dataclasses import replace

import pytest

from wrapgen.session.follow_up import FollowUp, Mention
from wrapgen.session.outcome import DONE, TO_DO_LIST, HostState
from wrapgen.session.transcript import ListChange, ListEntry, Summary, Turn

RETRY, DOCS = "Add a retry to the uploader", "Write the migration guide"


def entry(text="", status="", key="1"):
    return ListEntry(key, text, status)


def whole(turn, *entries, line=0):
    """A list as it stands, each entry as `(text, status)`."""
    listed = tuple(ListEntry(str(at), text, status) for at, (text, status) in enumerate(entries))
    return ListChange(listed, True, turn, line or turn + 1, "2026-04-24T10:00:00Z")


def single(turn, *entries):
    return ListChange(entries, False, turn, turn + 1)


def talk(*roles):
    return [Turn(role, f"words {at}") for at, role in enumerate(roles)]


def after(*events):
    state = HostState()
    for event in events:
        state.feed(event)
    return state


def left(*events):
    return [(one.text, one.turn) for one in after(*events).open()]


def said(text, turn, settled=""):
    spoken = Turn("assistant", text, 10 * turn)
    return FollowUp.said_in(spoken, turn, text, text, lang="en", cue="later"), settled


def joined(state, *spoken):
    return [one for one, _ in state.joined(spoken)]


def test_the_last_call_is_the_whole_list():
    first = whole(1, (RETRY, "pending"), (DOCS, "in_progress"), ("Sort the shelves", "pending"))
    last = whole(3, (DOCS, "in_progress"), (RETRY, "completed"))
    assert left(first, last) == [(DOCS, 1)]


@pytest.mark.parametrize(
    ("status", "is_open"),
    [
        ("pending", True),
        ("in_progress", True),
        ("completed", False),
        ("cancelled", False),
        ("", False),
        ("PENDING", False),
    ],
)
def test_only_what_the_host_calls_open_is(status, is_open):
    assert bool(left(whole(0, (RETRY, status)))) is is_open


def test_a_find_says_where_it_comes_from():
    (one,) = after(whole(2, (RETRY, "pending"), line=17)).open()
    assert (one.by, one.text, one.quote, one.cue, one.role) == ("state", RETRY, RETRY, TO_DO_LIST, "assistant")
    assert (one.turn, one.line, one.said_at, one.sure) == (2, 17, "2026-04-24T10:00:00Z", True)


def test_an_entry_keeps_the_turn_of_its_own_last_change():
    two_lines = "Add a retry\nto the uploader"
    first = whole(1, (RETRY, "pending"), (two_lines, "pending"), (DOCS, "pending"))
    last = whole(5, (DOCS, "in_progress"), (RETRY, "pending"), (two_lines, "pending"))
    found = dict(left(first, last))
    assert found[RETRY] == 1
    assert found[DOCS] == 5
    assert left(whole(1, (two_lines, "pending")), whole(5, (two_lines, "pending"))) == [(RETRY, 1)]


def test_a_single_entry_is_changed_by_its_id():
    made = single(1, entry(RETRY, "pending", "1")), single(1, entry(DOCS, "pending", "2"))
    assert left(*made, single(2, entry(status="completed", key="1"))) == [(DOCS, 1)]
    assert left(*made, single(2, entry(status="in_progress", key="1"))) == [(RETRY, 2), (DOCS, 1)]
    assert left(*made, single(2, entry(status="deleted", key="2"))) == [(RETRY, 1)]
    assert left(*made, single(3, entry("Add two retries", key="1"))) == [("Add two retries", 3), (DOCS, 1)]


@pytest.mark.parametrize("status", ["completed", "deleted", "pending"])
def test_an_id_that_nobody_made_does_no_harm(status):
    assert left(single(0, entry(RETRY, "pending")), single(1, entry(status=status, key="9"))) == [(RETRY, 0)]


def test_an_entry_that_came_under_an_unknown_id_with_its_words_is_taken():
    assert left(single(1, entry(RETRY, "pending", "40"))) == [(RETRY, 1)]


@pytest.mark.parametrize("text", ["", "  \n "])
def test_an_entry_without_words_is_none(text):
    assert left(whole(0, (text, "pending"))) == []


def test_the_same_words_twice_are_one_find():
    assert left(whole(0, (RETRY, "pending"), (f"{RETRY}.", "pending"), (RETRY.upper(), "in_progress"))) == [(RETRY, 0)]


@pytest.mark.parametrize(("users", "sure"), [(0, True), (3, True), (4, False)])
def test_after_more_than_three_typed_turns_an_untouched_list_is_not_ticked(users, sure):
    later = talk(*("user", "assistant") * users)
    (one,) = after(*talk("user", "assistant"), whole(1, (RETRY, "pending")), *later).open()
    assert one.sure is sure


def test_a_change_of_the_list_starts_the_count_anew():
    later = talk(*("user", "assistant") * 4)
    state = after(*talk("user", "assistant"), whole(1, (RETRY, "pending")), *later, whole(9, (RETRY, "pending")))
    assert [one.sure for one in state.open()] == [True]


def test_the_turn_in_which_the_list_was_changed_does_not_count():
    """What is kept comes before the turn in which it was."""
    state = after(whole(0, (RETRY, "pending")), *talk("user", *("assistant", "user") * 3))
    assert [one.sure for one in state.open()] == [True]


def test_all_but_the_changes_of_the_list_is_passed_on():
    events = [*talk("user"), whole(0, (RETRY, "pending")), Summary("Pending Tasks", 0, 3), *talk("assistant")]
    state = HostState()
    assert list(state.following(events)) == [events[0], *events[2:]]
    assert [one.text for one in state.open()] == [RETRY]


class TestJoined:
    def test_an_open_entry_and_the_same_words_said_are_one_find_with_also(self):
        state = after(whole(2, (RETRY, "pending")))
        first, _ = said(RETRY, 3)
        first = replace(first, also=(Mention("", 1, 10),))
        (one,) = joined(state, (first, ""), said("add a retry to the uploader", 5))
        assert (one.by, one.text) == ("state", RETRY)
        assert one.also == (Mention("", 1, 10), Mention("", 3, 30), Mention("", 5, 50))

    def test_a_completed_entry_settles_the_same_words_said_before_and_not_those_said_after(self):
        state = after(whole(1, (RETRY, "pending")), whole(4, (RETRY, "completed")))
        found = state.joined([said(RETRY, 2), said(RETRY, 4), said(RETRY, 6), said(DOCS, 2)])
        assert [(one.text, one.turn, why) for one, why in found] == [
            (RETRY, 2, DONE), (DOCS, 2, ""), (RETRY, 4, DONE), (RETRY, 6, ""),
        ]  # fmt: skip

    def test_what_was_completed_stays_done_when_the_list_is_emptied(self):
        state = after(whole(1, (RETRY, "completed")), whole(3))
        assert [why for _, why in state.joined([said(RETRY, 0)])] == [DONE]

    def test_what_was_opened_again_is_not_done(self):
        state = after(whole(1, (RETRY, "completed")), whole(3, (RETRY, "in_progress")))
        assert [(one.by, why) for one, why in state.joined([said(RETRY, 0)])] == [("state", "")]

    def test_other_work_stands_beside_it_in_the_order_of_the_turns(self):
        state = after(whole(3, (RETRY, "pending")))
        assert [one.text for one in joined(state, said(DOCS, 1), said("Sort the shelves", 5))] == [
            DOCS, RETRY, "Sort the shelves",
        ]  # fmt: skip

    def test_what_was_settled_by_the_words_stays_settled(self):
        state = after(whole(3, (RETRY, "pending")))
        assert [(one.by, why) for one, why in state.joined([said(RETRY, 1, "dropped later")])] == [
            ("cue", "dropped later"), ("state", ""),
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("listed", "other"),
        [
            ("배포 스크립트 정리하기", "마이그레이션 문서 작성"),
            ("整理部署脚本", "编写迁移文档"),
            ("デプロイの手順を整理する", "移行ガイドを書く"),
        ],
    )
    def test_in_any_language(self, listed, other):
        state = after(whole(2, (listed, "pending"), (other, "completed")))
        found = state.joined([said(listed, 1), said(other, 1)])
        assert [(one.text, one.by) for one, _ in found] == [(other, "cue"), (listed, "state")]
        assert [why for _, why in found] == [DONE, ""]
        assert found[1][0].also == (Mention("", 1, 10),)
