"""What a dead end is called: the conversation's own words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from tests.tracks.talk import ATTEMPT, FAILURE, FAREWELL, GUESS, TALKS, last_end
from wrapgen.text import one_line
from wrapgen.tracks.candidates import NAME_LIMIT, pieces_of
from wrapgen.tracks.ends import ends
from wrapgen.tracks.load_cues import load_cues
from wrapgen.tracks.load_models import load_models
from wrapgen.tracks.names import name_of
from wrapgen.tracks.story import Story
from wrapgen.tracks.turns import turns_of

if TYPE_CHECKING:
    from wrapgen.tracks.record import Step

TRY = "A: Try a Bloom filter."
LEFT = "A: I give up on the Bloom filter."


def pieces(*turns: str) -> list[str]:
    """What may be the name of what is left last in a conversation."""
    return [one.text for one in pieces_of(last_end(*turns), load_cues())]


def called(*turns: str) -> str | None:
    """How it is called."""
    found = name_of(last_end(*turns), load_models(), load_cues())
    return found and found.piece.text


def known(word: str, *turns: str) -> set[str]:
    """What is known of a word, said before something is left last in a conversation."""
    facts = Story(last_end(*turns, LEFT), load_models().rarity).word_evidence()[word]
    return {name for name, value in facts.items() if value}


@pytest.mark.parametrize(
    ("word", "said", "fact"),
    [
        ("gzip", "A: I lowered the level in `gzip`.", "code"),
        ("max", "A: I lowered max-age.", "like code"),
        ("kafka", "A: So I lowered, with Kafka, the rate.", "capital"),
        ("session", "A: I changed src/session.py for that.", "of a path"),
        ("session", "A: I changed session.py for that.", "of a path"),
        ("gzip", "A: Maybe gzip is too much for such lists.", "right behind hypothesis"),
        ("gzip", "U: gzip 한번 써 보면 어떨까요?", "right ahead of hypothesis"),
    ],
)
def test_what_is_known_of_a_word_by_how_it_is_written(word: str, said: str, fact: str) -> None:
    assert fact in known(word, said)
    assert fact not in known(word, f"A: The {word} of all lists is long.")


@pytest.mark.parametrize(
    ("turns", "name"),
    [
        ((GUESS, ATTEMPT, FAILURE, FAREWELL), "cache the session tokens in redis"),
        (
            (
                "U: images load slowly",
                "A: Let me try serving the images as AVIF.",
                "A[web/img.ts]: Done.",
                "U: Safari on the old iPads shows nothing",
                "A: Then I'm reverting the AVIF change.",
            ),
            "try serving the images as AVIF",
        ),
        (
            (
                "U: the build takes nine minutes",
                "A: Maybe `ccache` helps. I'll add it to the CI image.",
                "A[ci.yml]: Added ccache.",
                "U: no luck, still nine minutes, the cache misses every time",
                "U: ok drop ccache",
            ),
            "`ccache` helps",
        ),
        (
            (
                "U: 이미지가 느려요",
                "A: 이미지를 AVIF로 바꿔 보겠습니다.",
                "A[web/img.ts]: 바꿨습니다.",
                "U: 구형 아이패드에서 안 보여요",
                "A: AVIF는 되돌리겠습니다.",
            ),
            "이미지를 AVIF로 바꿔 보겠습니다",
        ),
        (
            (
                "U: 빌드가 9분 걸려요",
                "A: ccache를 써 볼까요?",
                "A[ci.yml]: ccache를 추가했습니다.",
                "U: 여전히 9분이에요",
                "U: ccache는 빼자",
            ),
            "ccache를 써 볼까요",
        ),
        (
            (
                "U: 图片加载太慢",
                "A: 试试把图片换成 AVIF 格式。",
                "A[web/img.ts]: 改好了。",
                "U: 旧 iPad 上还是不行",
                "A: 那放弃 AVIF，恢复原来的格式。",
            ),
            "图片换成 AVIF 格式",
        ),
        (
            (
                "U: 构建要九分钟",
                "A: 也许可以用 ccache 缓存编译结果。",
                "A[ci.yml]: 加上了 ccache。",
                "U: 没用，还是九分钟",
                "U: 算了，去掉 ccache",
            ),
            "ccache 缓存编译结果",
        ),
    ],
)
def test_a_story_has_a_name(turns: tuple[str, ...], name: str) -> None:
    assert called(*turns) == name


def test_without_a_word_before_it_has_none() -> None:
    assert called("A: I give up on the cache.") is None


def test_a_short_sentence_takes_the_next_along() -> None:
    assert pieces(f"{TRY} It shrinks the lists.", LEFT) == [
        "Try a Bloom filter. It shrinks the lists",
        "shrinks the lists",
    ]


@pytest.mark.parametrize("failure", ["It still fails.", "I dropped it.", f"It {'really ' * 12}shrinks the lists."])
def test_but_not_one_that_tells_failure_or_is_long(failure: str) -> None:
    assert pieces(f"{TRY} {failure}", LEFT)[0] == "Try a Bloom filter"


def test_what_is_surely_named_by_the_first_sentence_needs_no_second() -> None:
    story = ("A: Maybe a Bloom filter helps. It shrinks lists.", "A: I added the Bloom filter.", "U: it still fails")
    assert pieces(*story, LEFT)[0] == "Bloom filter helps. It shrinks lists"
    assert called(*story, LEFT) == "Bloom filter helps"


def test_nothing_behind_the_place_where_it_is_left() -> None:
    told = f"{TRY} It still fails. {LEFT[3:]} A Kafka queue comes next."
    assert pieces(told, "U: a view would do as well") == ["Try a Bloom filter"]


def test_a_long_sentence_that_leaves_it_is_not_named_by_what_comes_instead() -> None:
    sentence = f"U: the lists of {'proxies ' * 9}are long, forget the Bloom filter, we add an index instead"
    assert pieces(TRY, sentence)[-1].startswith("lists of proxies")


def test_a_long_sentence_may_be_named_from_a_break_on() -> None:
    long = f"A: Dashboards of {'proxies ' * 15}say little, and I lowered the gzip level."
    assert pieces(long, LEFT) == [f"Dashboards of {'proxies ' * 12}proxies", "lowered the gzip level"]


def test_or_from_where_something_is_guessed() -> None:
    long = f"A: Dashboards of {'proxies ' * 15}are slow while the lists maybe need a Bloom filter."
    assert pieces(long, LEFT)[1:] == ["need a Bloom filter"]


@settings(max_examples=80, deadline=None)
@given(TALKS)
def test_whatever_is_said(steps: list[Step]) -> None:
    cues, models = load_cues(), load_models()
    for end in ends(turns_of(steps, cues)):
        story = Story(end, models.rarity)
        weighed = story.word_evidence()
        words = {term: models.word(facts) for term, facts in weighed.items()}
        told = list(weighed.values())
        for piece in pieces_of(end, cues):
            assert piece.text in one_line(piece.turn.text)
            assert 0 < len(piece.text) <= NAME_LIMIT
            assert (piece.turn.place, piece.at) < (end.place, end.start)
            told.append(story.piece_evidence(piece, words))
        assert all(math.isfinite(value) and 0 <= value <= 2 for facts in told for value in facts.values())
        name = name_of(end, models, cues)
        assert name is None or (name.piece.text in one_line(name.piece.turn.text) and 0 <= name.likely <= 1)
