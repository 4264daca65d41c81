"""The words of a tombstone: cut, trimmed and quoted, never made up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tracks.talk import heard, talk
from wrapgen.text import one_line
from wrapgen.tracks.load_cues import load_cues
from wrapgen.tracks.signal import Kind
from wrapgen.tracks.wording import REASON_LIMIT, cut, quote, reason_of, trimmed


def reason(said: str, before: str | None = None) -> str:
    """The reason that a turn tells, when the thing is given up at some words in it."""
    (turn,) = heard(f"U: {said}")
    failure = next(one for one in turn.told if one.kind is Kind.FAILURE)
    return reason_of(failure, said, said.index(before) if before else None, load_cues())


@pytest.mark.parametrize(
    ("text", "limit", "beginning"),
    [
        ("a short one", 30, "a short one"),
        ("a short one", 11, "a short one"),
        ("alpha beta gamma", 14, "alpha beta"),
        ("alpha beta gamma", 10, "alpha beta"),
        ("one two, three", 9, "one two"),
        ("supercalifragilistic word", 10, "supercalif"),
        ("无缓存的列表接口全部重写", 6, "无缓存的列表"),
        ("缓存列表接口redis-cluster", 10, "缓存列表接口"),
        ("a 👩‍👩‍👧 family", 5, "a"),
    ],
)
def test_a_text_is_cut_behind_a_word(text: str, limit: int, beginning: str) -> None:
    assert cut(text, limit) == beginning


@given(st.text(max_size=80).map(one_line), st.integers(0, 80))
def test_what_is_cut_is_a_beginning(text: str, limit: int) -> None:
    assert len(cut(text, limit)) <= limit
    assert text.startswith(cut(text, limit))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("maybe to use the cache instead", "cache"),
        ("**the cache**.", "cache"),
        ("the cache\n  of lists", "cache of lists"),
        ("试试用缓存吧", "缓存"),
        ("그럼 Redis 캐시를", "Redis 캐시"),
        ("a the", "the"),
        (" .. ", ""),
    ],
)
def test_small_words_at_the_edges_are_no_name(text: str, name: str) -> None:
    assert trimmed(text, load_cues()) == name


@given(
    st.lists(
        st.sampled_from(["maybe", "the", "cache", "to", "用", "缓存", "吧", "캐시를", "`x`", ",", "\n"]) | st.text()
    )
)
def test_what_is_trimmed_is_a_part_and_trimmed_for_good(words: list[str]) -> None:
    text = " ".join(words)
    name = trimmed(text, load_cues())
    assert name in one_line(text)
    assert trimmed(name, load_cues()) == name


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("login is still broken, they get the stale token", "login is still broken, they get the stale token"),
        ("still no luck. The proxy cuts the socket.", "still no luck. The proxy cuts the socket"),
        ("Hm. 还是报错，拿到的是别的租户的数据", "还是报错，拿到的是别的租户的数据"),
        ("여전히 오류가 나요. 다른 데이터가 섞입니다", "여전히 오류가 나요. 다른 데이터가 섞입니다"),
        ("not fixed", "not fixed"),
        ("It still fails.\n\nSomething else.", "It still fails"),
    ],
)
def test_a_reason_is_what_was_said_of_the_failure(said: str, told: str) -> None:
    assert reason(said) == told


def test_a_reason_ends_where_the_thing_is_given_up() -> None:
    said = "still no luck, giving up on it. Use polling."
    assert reason(said) == "still no luck, giving up on it. Use polling"
    assert reason(said, before="giving") == "still no luck"


def test_a_thing_given_up_before_it_ends_no_reason() -> None:
    told = "the redis cache still fails for all readers"
    assert reason(f"I drop it: {told}.", before="I drop") == told


@pytest.mark.parametrize("lead", ["", f"With {'all the many ' * 6}lists of today "])
def test_a_long_reason_keeps_the_failure(lead: str) -> None:
    told = reason(f"{lead}it still fails with a message that nobody would call short")
    assert "still fails" in told
    assert len(told) <= REASON_LIMIT


def test_a_quote_is_one_line() -> None:
    (step,) = talk("U: we drop\n  the cache. Now.")
    assert quote(step, (0, 21)) == "we drop the cache."
    assert len(quote(talk(f"U: {'word ' * 200}")[0], (0, 1_000))) <= 300


def test_without_a_word_the_files_are_quoted() -> None:
    (step,) = talk("A[src/a.py,src/b.py]:  ")
    assert quote(step, (0, 1)) == "src/a.py, src/b.py"
