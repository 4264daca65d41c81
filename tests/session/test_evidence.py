"""Quotes that are believed, and those that are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import each
from wrapgen.session.judgement import Quotes, is_backed
from wrapgen.session.transcript import Turn

TURNS = [
    Turn("user", "please\nadd a   retry", 3, "u-1"),
    Turn("assistant", "Done. The **docs** are\nstill missing.", 7, "u-2"),
    Turn("assistant", "Left for later:\n\n- The docs are `still` missing.\n- 배포 스크립트를 정리한다", 9, "u-3"),
]


def looked_up(*quotes: str) -> Quotes:
    return Quotes(quotes, TURNS)


@pytest.mark.parametrize(
    ("quote", "index", "words"),
    [
        ("add a retry", 0, "add a   retry"),
        ("Add a retry", 0, "add a   retry"),
        ("**add** a retry", 0, "add a   retry"),
        ("the docs are still missing", 2, "The docs are `still` missing"),
        ("배포 스크립트를  정리", 2, "배포 스크립트를 정리"),
        ("ｄｏｃｓ are", 2, "docs are"),
    ],
)
def test_white_space_marks_case_and_width_do_not_count(quote, index, words):
    place = looked_up(quote).place(quote)
    assert place is not None
    assert (place.index, place.words) == (index, words)


def test_first_and_last_mention_are_told_apart():
    found = looked_up("docs are still missing")
    first, last = found.place("docs are still missing", 0), found.place("docs are still missing")
    assert first is not None
    assert last is not None
    assert (first.index, last.index) == (1, 2)


@each(["add two retries", "retry. Done", "", "** **", "a r", "배"])
def test_what_was_not_said_or_is_too_short_proves_nothing(quote):
    found = looked_up(quote)
    assert found.place(quote) is None
    assert found.why_not(quote)


def test_a_text_is_backed_by_its_quote_or_what_stands_beside_it():
    place = looked_up("The docs are still missing").place("The docs are still missing")
    assert place is not None
    assert is_backed("write the missing docs", place)
    assert is_backed("배포 스크립트 정리", place), "the item beside it"
    assert not is_backed("rotate all keys of the staging servers", place)
    assert not is_backed("the of it", place), "no content at all"


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_every_piece_of_a_turn_is_found_where_it_stands(text, start, length):
    quote = text[start : start + length]
    found = Quotes([quote], [Turn("user", text)])
    place = found.place(quote)
    if quote in found.wanted:
        assert place is not None
        assert Quotes([place.words], ()).wanted[place.words] == found.wanted[quote]
