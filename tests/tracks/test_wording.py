"""Names and reasons: cut out of what was said, and cut off between two words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import examples
from wrapgen.tracks.sentences import sentences
from wrapgen.tracks.wording import clause_before, clause_behind, cut, name_of


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (" a worker pool", "worker pool"),
        (" to just  using the\n`Cache` ", "`Cache`"),
        ("也用 Redis 集群。", "Redis 集群"),
        ("작업 큐를", "작업 큐"),
        ("OpenCVで", "OpenCV"),
        ("using", ""),
        ("用户缓存", "用户缓存"),
        (" ,. ", ""),
    ],
)
def test_a_name_has_no_small_words_around_it(said: str, name: str) -> None:
    assert name_of(said) == name


@pytest.mark.parametrize(
    ("said", "before", "behind"),
    [
        ("we tried |, it failed", "we tried ", ""),
        ("first, we took | 1,000 rows: too many", " we took ", " 1,000 rows"),
        ("it broke | but stayed", "it broke ", ""),
        ("我试了，|集群，不行", "", "集群"),
        ("해봤는데 |안 돼서 껐다", "", "안 돼서"),
        ("a — b | c — d", "b ", " c"),
    ],
)
def test_the_clause_around_a_place(said: str, before: str, behind: str) -> None:
    (one,) = sentences(said.replace("|", ""))
    at = len(said.partition("|")[0])
    assert one.said[slice(*clause_before(one, at))] == before
    assert one.said[slice(*clause_behind(one, at))] == behind


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("short", "short"),
        ("words that go on", "words that"),
        ("wordswithoutanyblank", "wordswithout"),
        ("缓存集群不支持跨槽事务所以没有用", "缓存集群不支持跨槽事务所"),
        ("a word, and more", "a word, and"),
    ],
)
def test_a_text_is_cut_behind_a_word(text: str, short: str) -> None:
    assert cut(text, 12) == short


@settings(max_examples=examples(100), deadline=None)
@given(st.text(alphabet=st.sampled_from("ab ,.缓가👩\u200d\u0301"), max_size=60), st.integers(1, 40))
def test_any_text_is_cut(text: str, limit: int) -> None:
    short = cut(text, limit)
    assert len(short) <= max(limit, 0)
    assert text.startswith(short)
