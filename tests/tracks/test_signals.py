"""Dead ends by the four signals: plain dialogues in four languages tell one, what only comes near tells none."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.support import each, examples
from tests.tracks.talk import ATTEMPT, FAILURE, FAREWELL, GUESS, TALKS, talk
from wrapgen.text.display import one_line
from wrapgen.tracks.record import NAME_LIMIT, REASON_LIMIT
from wrapgen.tracks.signals import about, sentences, tombstones

PLAIN = Path(__file__).with_name("dead_ends.txt").read_text("utf-8")


def plain():
    """Turns, name and reason (None when it is not checked) of every dialogue, with its language."""
    for part in PLAIN.split("\n## ")[1:]:
        lang, _, dialogues = part.partition("\n")
        for dialogue in dialogues.strip().split("\n\n"):
            *turns, last = dialogue.splitlines()
            name, _, reason = last.removeprefix("= ").partition(" | ")
            yield pytest.param(turns, name, reason or None, id=f"{lang} {name}")


def told(*turns: str) -> list[tuple[str, str]]:
    return [(one.name, one.reason) for one in tombstones(talk(*turns))]


@pytest.mark.parametrize(("turns", "name", "reason"), list(plain()))
def test_a_plain_dialogue(turns: list[str], name: str, reason: str | None) -> None:
    (one,) = tombstones(talk(*turns))
    assert one.name == name
    assert reason in (None, one.reason)
    assert one.reason in turns[2]
    assert one.by == "cue"
    assert [part.turn for part in one.story] == [1, 2, 3, 4]
    between = ("U: a question", "A: an answer")
    assert told(turns[0], *between, *turns[1:]) == [(one.name, one.reason)], "six turns"
    assert told(turns[0], *between, "U: well", *turns[1:]) == [], "seven turns"


@each(range(4))
def test_all_four_signals_are_needed(left_out: int) -> None:
    turns = [GUESS, ATTEMPT, FAILURE, FAREWELL]
    assert len(told(*turns)) == 1
    turns[left_out] = f"{turns[left_out][0]}: ok"
    assert told(*turns) == []


def test_their_order_counts() -> None:
    assert told(FAREWELL, FAILURE, ATTEMPT, GUESS) == []


def test_what_is_given_up_must_be_named() -> None:
    assert told(GUESS, ATTEMPT, FAILURE, "U: forget the login form, we add an index instead") == []
    assert told(GUESS, ATTEMPT, FAILURE, "U: forget it") == []


@each(["it works now", "The tests pass.", "解决了", "이제 잘 됩니다", "動きました"])
def test_no_success_may_be_between(success: str) -> None:
    assert told(GUESS, ATTEMPT, FAILURE, f"U: {success}", FAREWELL) == []


@each(
    [
        "U: should we give up on the redis cache?",
        "U: if it fails again we give up on the redis cache",
        "A: ```\nforget the redis cache\n```",
        "A: > forget the redis cache",
        'A: The log says "forget the redis cache".',
    ]
)
def test_what_only_might_be_given_up(farewell: str) -> None:
    assert told(GUESS, ATTEMPT, FAILURE, farewell) == []


@pytest.mark.parametrize(
    ("line", "name", "reason"),
    [
        ("tombstone: Redis cluster because hash slots move", "Redis cluster", "hash slots move"),
        ("- **Dead end:** pnpm workspaces: symlinks", "pnpm workspaces", "symlinks"),
        ("墓碑：前缀索引 —— 没走索引", "前缀索引", "没走索引"),
        ("막다른 길: Kafka", "Kafka", ""),
    ],
)
def test_a_labelled_line_is_said_on_purpose(line: str, name: str, reason: str) -> None:
    (one,) = tombstones(talk(f"A: Notes.\n\n{line}"))
    assert (one.name, one.reason, one.by) == (name, reason, "said")


def test_told_twice_it_is_one() -> None:
    assert len(told(GUESS, ATTEMPT, FAILURE, FAREWELL, "A: OK, giving up on the redis cache.")) == 1


def test_words_with_content() -> None:
    assert about("试试给列表加 Redis 缓存") >= {"redi", "缓存"}
    assert about("Kafka를 추가했습니다") >= {"kafka"}
    assert about("the 30 of them") == frozenset()


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("一。二！三", ["一。", "二！", "三"]),
        ("Text.\n\n```\ncode. more\n```\n\n> quoted.\n\nEnd.", ["Text.", "End."]),
        ("| a | b |\n|---|---|\n| c. d | e |", []),
        ("[Request interrupted by user] well.", []),
    ],
)
def test_sentences_of_a_turn(text: str, pieces: list[str]) -> None:
    assert [one.raw for one in sentences(text)] == pieces


@settings(max_examples=examples(80), deadline=None)
@given(TALKS)
def test_whatever_is_said(turns) -> None:
    for one in tombstones(turns):
        assert 0 < len(one.name) <= NAME_LIMIT
        assert len(one.reason) <= REASON_LIMIT
        said = {turn.turn: one_line(turn.text) for turn in turns}
        assert all(one_line(part.text).rstrip("…") in said[part.turn] for part in one.story)
        assert [part.turn for part in one.story] == sorted(part.turn for part in one.story)
