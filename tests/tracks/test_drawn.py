"""Goal, blockers and progress of a conversation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import each, examples
from tests.tracks.talk import talk
from wrapgen.tracks.drawn import LAST_LIMIT, LIMIT, MOST_BLOCKERS, drawn_from
from wrapgen.tracks.record import Drawn, FileState, Progress, labels


def state_of(turns, files=()) -> Drawn:
    return drawn_from(turns, files, labels("en"))


def goal(*turns: str) -> str:
    return state_of(talk(*turns)).goal


def blockers(*turns: str) -> list[str]:
    return list(state_of(talk(*turns)).blockers)


@each(
    [
        "goal: ship it",
        "Goal: ship it",
        "**Goal:** ship it",
        "- goal: ship it",
        "## Goal: ship it",
        "目标：ship it",
        "목표: ship it",
    ]
)
def test_the_goal_is_the_line_that_names_it(line: str) -> None:
    assert goal("U: hello", f"A: Notes\n\n{line}\n\nMore.") == "ship it"


def test_the_newest_goal_counts() -> None:
    assert goal("U: goal: first", "A: goal: second\ngoal: third", "U: ok") == "third"


@each(["```\ngoal: in code\n```", "> goal: quoted", "the goal is far", "My goal here: x", "goal:"])
def test_lines_that_name_no_goal(text: str) -> None:
    assert goal("A: Hi.", "U: Make the\n importer fast", f"A: {text}") == "Make the importer fast"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Hm. The goal is to keep uploads alive. Go on.", "keep uploads alive."),
        ("my main goal is fast uploads", "fast uploads"),
        ("목표는 업로드를 살리는 것입니다", "업로드를 살리는 것입니다"),
        ("目标是保住上传。", "保住上传。"),
        ("目標はアップロードを守ること。", "アップロードを守ること。"),
    ],
)
def test_the_goal_is_what_the_user_says_last_that_it_is(said: str, told: str) -> None:
    assert goal("U: hello", "U: the goal is to dance", f"U: {said}", "A: The goal is to sing.") == told


@pytest.mark.parametrize("said", ["If the goal is to sing, stop.", "> the goal is to sing", "The goal is not to sing."])
def test_what_the_user_does_not_say_is_the_goal(said: str) -> None:
    assert goal("U: hello", f"U: {said}") == "hello"


def test_a_goal_longer_than_the_budget_still_counts() -> None:
    told = goal("U: goal: first", f"U: **Goal:** {'words of it ' * 5_000}")
    assert told.startswith("words of it words")
    assert len(told) <= LIMIT


def test_the_last_words_of_both_sides() -> None:
    told = state_of(talk("U: hello", "A: hi", f"U: mend {'it ' * 200}", f"A: {'done ' * 200}Shall I push?", "A:  "))
    assert told.last_asked.startswith("mend it it")
    assert told.last_said.endswith("done Shall I push?")
    assert max(len(told.last_asked), len(told.last_said)) <= LAST_LIMIT


def test_without_anything_typed_there_is_no_goal() -> None:
    assert goal("A: I am ready.") == ""
    assert state_of([]).goal == ""


def test_a_goal_is_cut_between_characters() -> None:
    assert len(goal(f"U: {'👩‍👩‍👧' * 100}")) <= LIMIT
    assert goal(f"U: {'word ' * 100}").endswith("word…")


@each(
    [
        "The deploy is blocked by the missing key.",
        "Blocker: no test account",
        "阻塞：没有测试账号",
        "막힘: 테스트 계정이 없음",
    ]
)
def test_sentences_that_name_a_blocker(said: str) -> None:
    assert blockers("U: start", f"A: Good. {said}", *["U: ok"] * 20) == [said]


@each(
    [
        "No blockers.",
        "Let me check for other blockers:",
        "I check for other blockers: first the proxy.",
        "We are no longer blocked by the key.",
        "阻塞已解除。",
        "막힘 없음",
        "Is it blocked by the key?",
        "`blocker: x`",
    ]
)
def test_sentences_that_name_none(said: str) -> None:
    assert blockers("U: start", f"A: {said}", *["U: ok"] * 20) == []


def test_blockers_are_the_newest_and_few() -> None:
    turns = [f"A: Blocked by ticket {number}." for number in range(9)]
    assert blockers(*turns) == [f"Blocked by ticket {number}." for number in (8, 7, 6, 5, 4)]
    assert len(blockers(*turns)) == MOST_BLOCKERS


def test_failures_of_the_last_tenth_are_blockers() -> None:
    before = ["U: the parser crashed"] + ["A: ok"] * 18
    assert blockers(*before, "U: the arm64 build still fails") == ["the arm64 build still fails"]
    assert blockers(*before, "U: the build still fails", "A: The build works now.") == []
    assert blockers(*before, "A: nothing new") == []


def test_progress_is_the_last_checklist() -> None:
    turns = talk("A: - [ ] old", "A: Plan:\n\n- [x] parse\n- [ ] load\n\nfine", "U: go on")
    assert state_of(turns).progress == (Progress("parse", "done"), Progress("load", "open"))


def test_a_list_of_praise_is_no_checklist() -> None:
    assert state_of(talk("A: - ✅ it is fast\n- ✅ it is small")).progress == ()
    turns = talk("A: - ✅ parse\n- ⬜ load")
    assert state_of(turns).progress == (Progress("parse", "done"), Progress("load", "open"))


def test_files_that_were_written_are_no_progress() -> None:
    files = (FileState("a.py", gone=True), FileState("b.py"), FileState("c.py"))
    state = state_of(talk("U: hi"), files)
    assert (state.progress, state.written) == ((), ("b.py", "c.py"))


OPENINGS = st.sampled_from(["goal: ", "Blocked by ", "- [x] ", "still fails. "])


@settings(max_examples=examples(80), deadline=None)
@given(
    st.lists(
        st.sampled_from(["goal: ", "Blocked by ", "- [x] ", "still fails. "]).flatmap(
            lambda a: st.text(max_size=300).map(a.__add__)
        )
    )
)
def test_whatever_is_said(said: list[str]) -> None:
    state = state_of(talk(*(f"U: {text}" for text in said)))
    assert len(state.goal) <= LIMIT
    assert len(state.blockers) <= MOST_BLOCKERS
    assert all(len(one) <= LIMIT for one in state.blockers)
