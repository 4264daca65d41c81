"""A conversation as dead ends are looked for in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from tests.tracks.talk import ATTEMPT, FAILURE, GUESS, TALKS, heard
from wrapgen.tracks.load_cues import load_cues
from wrapgen.tracks.signal import Kind
from wrapgen.tracks.turns import Turn, turns_of

if TYPE_CHECKING:
    from wrapgen.tracks.record import Step


def said(text: str) -> Turn:
    (turn,) = heard(f"U: {text}")
    return turn


class TestWhichTurns:
    def test_what_the_host_says_of_itself_is_left_out(self) -> None:
        summary = "U: This session is being continued from a previous conversation. It still fails."
        turns = heard(GUESS, summary, "U: [Request interrupted by user for tool use]", ATTEMPT)
        assert [(turn.place, turn.step.number) for turn in turns] == [(0, 1), (1, 4)]

    def test_a_turn_without_words_and_files_is_left_out(self) -> None:
        assert [turn.step.number for turn in heard(GUESS, "A:  \n", ATTEMPT)] == [1, 3]

    def test_the_places_of_signals_are_those_of_the_turns_left(self) -> None:
        turns = heard("A:  ", GUESS, "A:  ", FAILURE)
        assert [{one.step for one in turn.told} for turn in turns] == [{0}, {1}]

    def test_sentences_are_counted_through_the_conversation(self) -> None:
        *_, last = heard("U: Fine. Go on.", "A: I added a filter. It still fails.")
        assert {one.clock for one in last.told if one.kind is Kind.FAILURE} == {3}


class TestWhatWasWritten:
    def test_beside_the_words(self) -> None:
        (turn,) = heard("A[src/a.py]: I added a filter.")
        assert turn.wrote is turn.step

    def test_without_a_word_belongs_to_the_turn_before(self) -> None:
        turns = heard(GUESS, "A: I'll add a filter.", "A[src/a.py]:  ", "A[src/b.py]:  ", FAILURE)
        assert [turn.wrote.number if turn.wrote else None for turn in turns] == [None, 3, None]

    def test_first_stays_first(self) -> None:
        (turn,) = heard("A[src/a.py]: I added a filter.", "A[src/b.py]:  ")
        assert turn.wrote is turn.step

    @pytest.mark.parametrize("before", [[], [GUESS]])
    def test_without_a_word_of_the_agent_is_a_turn_of_its_own(self, before: list[str]) -> None:
        *_, turn = heard(*before, "A[src/a.py]:  ")
        assert turn.step.role == "assistant"
        assert turn.wrote is turn.step
        assert not turn.terms
        assert not turn.sentences


class TestWords:
    def test_with_content(self) -> None:
        assert said("We cached the Redis keys of the lists").terms == {"cach", "redi", "key", "list"}
        assert said("列表的缓存").terms == {"列表", "缓存"}

    def test_of_a_part(self) -> None:
        turn = said("drop the cache, add an index")
        assert turn.terms_in(0, 14) == turn.terms_of("the cache") == {"cach"}

    def test_of_a_log_count_at_its_beginning_alone(self) -> None:
        turn = said("cache " + "x " * 3_000 + "index")
        assert "cach" in turn.terms
        assert "index" not in turn.terms
        assert "index" not in turn.opening

    @pytest.mark.parametrize(
        ("text", "wide"), [("the Redis keys", False), ("Redis 缓存", True), ("Redis를", True), ("é", False)]
    )
    def test_of_chinese_japanese_or_korean(self, text: str, wide: bool) -> None:
        assert said(text).wide is wide

    def test_a_phrase_in_a_part(self) -> None:
        turn = said("it works until friday, says `until`")
        assert turn.says("screens.meanwhile", 0, 22)
        assert not turn.says("screens.meanwhile", 0, 8)
        assert not turn.says("screens.meanwhile", 22, len(turn.text))

    @pytest.mark.parametrize("answer", ["Yes, do that", "  ok", "네, 좋습니다", "好的"])
    def test_a_yes(self, answer: str) -> None:
        assert said(answer).opens_with("screens.accept")
        assert not said(answer).opens_with("screens.refuse")

    @pytest.mark.parametrize("answer", ["No, wait", "아니요", "不要"])
    def test_a_no(self, answer: str) -> None:
        assert said(answer).opens_with("screens.refuse")
        assert not said(answer).opens_with("screens.accept")

    def test_a_yes_far_behind_is_no_answer(self) -> None:
        assert not said("the keys of that list are still stale, yes").opens_with("screens.accept")


class TestSentences:
    def test_have_places_words_and_signals(self) -> None:
        turn = said("I added a filter. The list still fails!")
        attempt, failure = turn.sentences
        assert [turn.text[one.start : one.end] for one in turn.sentences] == turn.text.replace(". ", ".\0").split("\0")
        assert (attempt.terms, failure.terms) == ({"filter"}, {"list"})
        assert Kind.ATTEMPT in attempt.kinds
        assert Kind.FAILURE in failure.kinds - attempt.kinds
        assert turn.kinds == attempt.kinds | failure.kinds

    def test_as_long_as_data_are_none(self) -> None:
        assert [one.start for one in said("x" * 601 + ". The list fails.").sentences] == [603]

    @settings(max_examples=60, deadline=None)
    @given(TALKS)
    def test_lie_in_their_turn_one_behind_the_other(self, steps: list[Step]) -> None:
        for place, turn in enumerate(turns_of(steps, load_cues())):
            assert turn.place == place
            ends = [0, *(at for one in turn.sentences for at in (one.start, one.end)), len(turn.text)]
            assert ends == sorted(ends)
            assert all(one.terms <= turn.terms and one.kinds <= turn.kinds for one in turn.sentences)
