"""Cuts: never in the middle of what people see as one character."""

from hypothesis import given
from hypothesis import strategies as st
from wcwidth import iter_graphemes

from tests.support import each
from wrapgen.text.display import beginning, shorten, without_controls

FAMILY, FLAG, THUMB, E_ACUTE, JAMO, HINDI = "👨‍👩‍👧‍👦", "🇰🇷", "👍🏽", "e\u0301", "\u1112\u1161\u11ab", "क्षि"
pieces = st.lists(
    st.sampled_from([FAMILY, FLAG, THUMB, E_ACUTE, JAMO, HINDI, "a", "가", "漢", "か\u3099", " ", "\r\n", "❤️"])
)


@each([FAMILY, FLAG, THUMB, E_ACUTE, JAMO, HINDI, "か\u3099", "\r\n"])
def test_a_character_of_several_code_points_is_kept_or_left_whole(one):
    for limit in range(2, 2 + len(one)):
        assert beginning(f"ab{one}cd", limit) == "ab"
    assert beginning(f"ab{one}cd", 2 + len(one)) == f"ab{one}"


@given(pieces.map("".join), st.integers(0, 40))
def test_a_cut_is_as_long_as_it_may_be(text, limit):
    cut = beginning(text, limit)
    assert text.startswith(cut)
    assert len(cut) <= limit
    ends = [0]
    for grapheme in iter_graphemes(text):
        ends.append(ends[-1] + len(grapheme))
    assert len(cut) == max(end for end in ends if end <= limit)


@given(st.text(), st.integers(0, 40))
def test_any_text_can_be_cut(text, limit):
    assert text.startswith(beginning(text, limit))
    assert len(beginning(text, limit)) <= limit


def test_a_character_longer_than_the_limit_is_left_out():
    assert beginning("e" + "\u0301" * 1000, 10) == ""
    assert shorten("e" + "\u0301" * 1000, 10) == "…"


def test_shorten_marks_the_cut():
    assert shorten("로그인 오류 수정", 4) == "로그인…"
    assert shorten("abc", 3) == "abc"
    assert shorten(f"ab{FAMILY}", 3) == "ab…"


def test_control_characters_are_left_out():
    assert without_controls("a\x1b[31m\u202eb\u2028c\ufeff\ud800d\ufffe\x85") == "a[31mbcd"
