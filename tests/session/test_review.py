"""What a reader is shown and what it answers, as JSON: stable numbers, and answers of any shape."""

import json
from datetime import date

import pytest

from tests.support import each
from wrapgen.errors import AnswersError
from wrapgen.session.follow_up import FollowUp, Route, Suggestion
from wrapgen.session.reading import FORM, FollowUpClaim, decode_reviewed, numbered

DAY = date(2026, 4, 24)


def orphan(key, turn=1, by="cue"):
    text = f"task {key}"
    return FollowUp(key, text, f"Later: {text}.", "assistant", None, "en", "later", 0.8, "t", turn, turn + 1, None, DAY,
                  Suggestion(Route.JOURNAL), by=by)  # fmt: skip


def numbers(candidates):
    return {one.id: one.n for one in candidates}


def test_finds_are_numbered_in_their_order():
    assert numbers(numbered([orphan("a"), orphan("b", by="state")])) == {"a": 1, "b": 2}
    assert numbered([]) == ()


def test_a_number_stays_its_own_when_the_conversation_grows():
    first = numbered([orphan("a"), orphan("b")])
    second = numbered([orphan("c", 0), orphan("b", 7)], first)
    third = numbered([orphan("d"), orphan("a", 9)], second)
    assert numbers(second) == {"a": 1, "b": 2, "c": 3}
    assert numbers(third) == {"a": 1, "b": 2, "c": 3, "d": 4}
    assert {one.id: one.turn for one in third} == {"a": 9, "b": 7, "c": 0, "d": 1}


def test_one_find_said_twice_has_one_number():
    assert numbers(numbered([orphan("a"), orphan("a", 5), orphan("b")])) == {"a": 1, "b": 2}


def test_an_empty_answer_is_an_answer():
    found = decode_reviewed(b"{}", "x")
    assert (found.follow_ups, found.drop, found.dead_ends, found.decisions, found.refused) == ([], [], [], [], [])


@each([
        b"", b"{", b"null", b"[]", b"3", b'"x"', b"\xff", b"[" * 100_000, b'{"a":' * 100_000,
        b'{"schema": "wrapgen.review/1"}', b'{"schema": null}', b'{"schema": []}', b'[{"follow_ups": []}]',
        b"1" * 9_000,
    ])  # fmt: skip
def test_what_is_no_answer_is_said_so_with_its_place_and_the_form(data):
    with pytest.raises(AnswersError) as raised:
        decode_reviewed(data, "review.json")
    assert (raised.value.where, raised.value.next_step) == ("review.json", FORM)


@pytest.mark.parametrize("part", ["follow_ups", "drop", "dead_ends", "decisions"])
@pytest.mark.parametrize("value", [{}, "x", 3, True])
def test_a_part_that_is_no_list_is_refused_by_its_name(part, value):
    good = [{"quote": "words"}]
    other = "decisions" if part == "follow_ups" else "follow_ups"
    found = decode_reviewed(json.dumps({part: value, other: good}).encode(), "x")
    assert [(one.what, one.why) for one in found.refused] == [(part, "a list is needed")]
    assert len(getattr(found, other)) == 1


def test_a_part_that_is_null_is_empty():
    assert decode_reviewed(b'{"follow_ups": null, "drop": null}', "x").refused == []


@each([None, [], 3, "x", {}, {"text": "x"}, {"quote": 3}, {"quote": "x", "sure": "yes"}, {"quote": "x", "text": []}])
def test_a_broken_entry_is_refused_by_its_place_and_the_others_are_taken(broken):
    data = json.dumps({"follow_ups": [{"quote": "one"}, broken, {"quote": "two", "sure": False, "more": 1}]}).encode()
    found = decode_reviewed(data, "x")
    assert found.follow_ups == [FollowUpClaim("one"), FollowUpClaim("two", sure=False)]
    assert [one.what for one in found.refused] == ["follow_ups 2"]


@each(["1", None, 1.5, [1], True])
def test_a_drop_needs_a_number(n):
    found = decode_reviewed(json.dumps({"drop": [{"n": n, "why": "no work"}]}).encode(), "x")
    assert [one.what for one in found.refused] == ["drop 1"]


@pytest.mark.parametrize(("value", "session"), [("s-1", "s-1"), (3, None), (None, None), ([], None)])
def test_the_session_may_be_named(value, session):
    assert decode_reviewed(json.dumps({"session_id": value}).encode(), "x").session_id == session
