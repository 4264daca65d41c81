"""Turns cut into sentences that know their place, and what is left out of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import examples
from wrapgen.tracks.lexicon import load_cues
from wrapgen.tracks.sentences import TurnSentences, sentences


def cut(text: str) -> list[str]:
    return [text[one.start : one.end] for one in sentences(text)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Version 1.2 of a.py is out", ["Version 1.2 of a.py is out"]),
        ("一。二！三", ["一。", "二！", "三"]),
        ("- item one\n- item two", ["item one", "item two"]),
        ("Text.\n\n```\ncode. more\n```\n\n> quoted.\n\nEnd.", ["Text.", "End."]),
        ("| a | b |\n|---|---|\n| c. d | e |", []),
        ("[Request interrupted by user] well.", []),
        ("  \n ", []),
    ],
)
def test_sentences_of_a_turn(text: str, pieces: list[str]) -> None:
    assert cut(text) == pieces


def test_code_and_quotations_are_blank_but_their_words_are_known() -> None:
    (one,) = sentences('The `Cache` said "it failed" today')
    assert "cache" not in one.said
    assert "failed" not in one.said
    assert one.words() == 'the `cache` said "it failed" today'
    assert one.words(4, 11) == "`cache`"


def test_the_place_of_a_span_leads_to_the_words_as_they_were_typed() -> None:
    text = "Ａ first one. The Ｒｅｄｉｓ cache ㎏ fails."
    second = list(sentences(text))[1]
    start = second.said.index("redis")
    begin, end = second.place(start - 1, start + len("redis cache "))
    assert text[begin:end] == "Ｒｅｄｉｓ cache"


@pytest.mark.parametrize("said", ["It fails.", "아직도 안 되는데?", "失败了。"])
def test_what_is_stated(said: str) -> None:
    (one,) = sentences(said)
    assert one.stated(load_cues())


@pytest.mark.parametrize(
    "said", ["Does it fail?", "If it fails, stop.", "실패하나요", "如果失败就停", "失败了吗", "もし失敗したら"]
)
def test_what_is_not(said: str) -> None:
    (one,) = sentences(said)
    assert not one.stated(load_cues())


def test_a_turn_is_cut_when_it_is_asked_for() -> None:
    said = TurnSentences(["It failed. Well.", "fine", "```\nfailed\n```", f"It failed {'x ' * 400}. Yes."])
    assert list(said.places(load_cues(), "failed")) == [0, 2, 3]
    assert [len(said.holding(place, load_cues(), "failed")) for place in range(4)] == [1, 0, 0, 0]
    assert (len(said), len(said[0]), said[2], len(said[3])) == (4, 2, (), 1)
    assert said[0] is said[0]


@settings(max_examples=examples(100), deadline=None)
@given(st.text(alphabet=st.sampled_from("aＡ각.。!?\n` \"'가나㎏> -|\u0301ﬁ"), max_size=80))
def test_any_text_is_cut_in_order(text: str) -> None:
    end = 0
    for one in sentences(text):
        assert end <= one.start < one.end <= len(text)
        end = one.end
        for at in range(len(one.said)):
            begin, stop = one.place(at, len(one.said))
            assert one.start <= begin <= stop <= one.end
