"""Words in which a star stands for any others."""

import re

import pytest

from wrapgen.text.wildcards import stars, words_pattern


def fits(written, words):
    return re.fullmatch(words_pattern(written, lambda text: " ".join(text.split()).casefold()), words) is not None


@pytest.mark.parametrize(
    ("written", "fitting", "other"),
    [
        ("Next round", "next round", "next rounds"),
        ("Next*", "nextcloud", "the next"),
        ("Next *", "next", "nextcloud"),
        ("Next  *", "next one of all", "next-cloud"),
        ("* for Ann", "work for ann", "work for anna"),
        ("*for Ann", "wherefor ann", "for ann of old"),
        ("a * b", "a b", "ab"),
        ("a * b", "a c b", "a cb"),
        ("*write*test*", "do write the failing test now", "test what you write"),
        ("**Next**", "next", "what is next to it"),
        ("**Next** *", "next one", "the next"),
        (r"C\# \* next", "c# * next", "c# or next"),
        (r"a\*b", "a*b", "axb"),
        ("***", "anything", None),
        ("*", "", None),
        ("a.b", "a.b", "axb"),
    ],
)
def test_what_a_pattern_means(written, fitting, other):
    assert fits(written, fitting)
    assert other is None or not fits(written, other)


def test_how_many_stars_there_are():
    assert [stars(one) for one in ("a", "a*", "* b **", "**bold** *", r"\*")] == [0, 1, 2, 1, 0]
