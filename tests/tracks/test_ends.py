"""Where something is given up, and the facts that speak for a dead end there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from tests.tracks.talk import ATTEMPT, FAILURE, FAREWELL, GUESS, TALKS, heard, last_end
from wrapgen.tracks.ends import LEAVING, REACH, REFUSED, Evidence, ends, evidence, later
from wrapgen.tracks.load_cues import load_cues
from wrapgen.tracks.signal import Kind
from wrapgen.tracks.turns import turns_of

if TYPE_CHECKING:
    from wrapgen.tracks.record import Step

STORY = (GUESS, ATTEMPT, FAILURE)
ASKED = "A: Shall we drop the redis cache and use an index?"


def facts(*turns: str) -> Evidence:
    """The facts of the last end of a conversation."""
    return evidence(last_end(*turns))


def left(turn: str) -> list[str]:
    """The cues by which something is left in a turn."""
    return [end.turn.text[slice(*one.cue)] for end in ends(heard(turn)) for one in end.told]


class TestWhichTurns:
    def test_those_that_give_something_up(self) -> None:
        turns = heard(*STORY, FAREWELL, "A: I reverted it.", "U: fine", ASKED)
        assert [end.place for end in ends(turns)] == [3, 4, 6]

    @pytest.mark.parametrize("turn", [*STORY, "U: if it fails we drop it", 'U: it says "we drop it"', "A:  "])
    def test_none_where_nothing_is_left(self, turn: str) -> None:
        assert left(turn) == []

    def test_what_was_changed_before_it_failed_is_the_attempt(self) -> None:
        assert left("A: I switched to pnpm. Still no luck. Switching back to npm.") == ["Switching back to"]

    def test_unless_nothing_is_left_behind_it(self) -> None:
        assert left("A: I switched to pnpm. Still no luck.") == ["switched to"]

    def test_the_signal_that_says_most_stands_for_all(self) -> None:
        end = last_end(*STORY, "A: We switch to an index instead. I drop the cache. We switch to a view.")
        assert end.signal.kind is Kind.DROP
        assert end.start == 0

    def test_what_is_said_before_it_in_its_turn_is_past(self) -> None:
        end = last_end("U: slow", "A: I added a cache. It still fails. I drop the cache. It fails no more.")
        assert {one.kind for one in end.past} >= {Kind.ATTEMPT, Kind.FAILURE}
        assert all(one.at < end.signal.at for one in end.past)


class TestTheStory:
    def test_told_in_order_and_in_one_breath(self) -> None:
        found = facts(*STORY, FAREWELL)
        wanted = ("guessed", "tried", "failed", "told in order", "in one breath", "is drop")
        assert {name: found[name] for name in wanted} == dict.fromkeys(wanted, 1.0)

    def test_told_over_many_sentences(self) -> None:
        found = facts(*STORY, "A: Hm. That is odd. I look at it. The keys are long. Very long. Hm.", FAREWELL)
        assert (found["told in order"], found["in one breath"]) == (1.0, 0.0)

    def test_told_in_another_order(self) -> None:
        found = facts(FAILURE, ATTEMPT, GUESS, FAREWELL)
        assert (found["tried"], found["failed"], found["told in order"]) == (1.0, 1.0, 0.0)

    def test_a_written_file_is_an_attempt(self) -> None:
        found = facts(GUESS, "A[src/cache.py]:  ", FAILURE, FAREWELL)
        assert (found["tried"], found["told in order"], found["2 before: written"]) == (1.0, 1.0, 1.0)
        assert facts(GUESS, FAILURE, FAREWELL)["tried"] == 0.0

    def test_so_is_one_that_is_not_the_first(self) -> None:
        found = facts("A[src/list.py]: sorted.", GUESS, "A[src/cache.py]:  ", FAILURE, FAREWELL)
        assert found["told in order"] == 1.0

    def test_what_helped_since_is_no_failure(self) -> None:
        found = facts(*STORY, "U: works now, thanks", FAREWELL)
        assert (found["failed"], found["told in order"]) == (1.0, 0.0)

    def test_what_was_said_long_before_belongs_to_it_no_more(self) -> None:
        near, far = (facts(*STORY, *["U: hm"] * turns, FAREWELL) for turns in (REACH - 3, REACH))
        assert (near["guessed"], near["failed"]) == (1.0, 1.0)
        assert (far["guessed"], far["tried"], far["failed"]) == (0.0, 0.0, 0.0)

    def test_failures_are_counted(self) -> None:
        once, twice = facts(*STORY, FAREWELL), facts(*STORY, "U: it still fails", FAREWELL)
        assert once["failures"] < twice["failures"] <= facts(*STORY, *["U: it still fails"] * 9, FAREWELL)["failures"]

    def test_words_of_what_is_left_stood_in_the_attempt(self) -> None:
        assert facts(*STORY, FAREWELL)["left: tried"] == 2.0
        assert facts(*STORY, "U: forget the index")["left: tried"] == 0.0


class TestHowItIsMeant:
    @pytest.mark.parametrize(
        ("farewell", "for_now"),
        [
            ("A: I'm taking the redis cache out for now.", 1.0),
            ("A: I'm taking the redis cache out.", 0.0),
            ("A: I'm taking the redis cache out. For now the index is enough.", 0.0),
            ("U: redis 缓存先撤掉，暂时不用", 1.0),
            ("U: redis 캐시는 일단 빼자", 1.0),
        ],
    )
    def test_for_now(self, farewell: str, for_now: float) -> None:
        assert facts(*STORY, farewell)["for now"] == for_now

    @pytest.mark.parametrize(
        ("answer", "agreed", "only", "refused"),
        [
            (["U: yes, do that"], 1.0, 0.0, 0.0),
            (["U: no, wait"], 0.0, 1.0, 1.0),
            (["U: what would that cost?"], 0.0, 1.0, 0.0),
            (["A: It costs us a day.", "U: yes, do that"], 1.0, 0.0, 0.0),
            (["A: No hurry."], 0.0, 1.0, 0.0),
            ([], 0.0, 1.0, 0.0),
        ],
    )
    def test_a_proposal_is_what_the_other_makes_of_it(
        self, answer: list[str], agreed: float, only: float, refused: float
    ) -> None:
        found = facts(*STORY, ASKED, *answer)
        assert [found[name] for name in ("is proposal", "proposed and agreed to", "only proposed", REFUSED)] == [
            1.0,
            agreed,
            only,
            refused,
        ]

    def test_what_is_done_needs_no_answer(self) -> None:
        found = facts(*STORY, FAREWELL, "U: no, wait")
        assert found[REFUSED] == 0.0
        assert "only proposed" not in found

    def test_who_leaves_it(self) -> None:
        assert facts(*STORY, "U: I drop the cache.")["by user"] == 1.0
        assert facts(*STORY, "A: I drop the cache.")["by user"] == 0.0


class TestHowItWentOn:
    def test_later_it_helped(self) -> None:
        again = ("A: I put the redis cache back.", "U: the redis cache works now")
        assert facts(*STORY, FAREWELL)["later: it helped"] == 0.0
        (first, *_) = ends(heard(*STORY, FAREWELL, *again))
        assert evidence(first)["later: it helped"] == 1.0

    def test_what_came_instead_helped(self) -> None:
        found = facts(*STORY, FAREWELL, "U: the view works now")
        assert (found["next: success"], found["later: it helped"]) == (1.0, 0.0)

    def test_of_no_thing_nothing_is_told(self) -> None:
        turns = heard("U: the redis cache works now")
        assert later(turns, frozenset({"cach"}), (Kind.SUCCESS,)) == 1.0
        assert later(turns, frozenset({"cach"}), (Kind.FAILURE,)) == 0.0
        assert later(turns, frozenset(), (Kind.SUCCESS,)) == 0.0


@settings(max_examples=100, deadline=None)
@given(TALKS)
def test_whatever_is_said(steps: list[Step]) -> None:
    for end in ends(turns_of(steps, load_cues())):
        assert end.told
        assert {one.kind for one in end.told} <= set(LEAVING)
        assert all(math.isfinite(value) and 0 <= value <= 5 for value in evidence(end).values())
