"""Handles: as short as they can be, and never mistaken for a number or for one another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrapgen.ledger import SHORTEST, Handles

IDS = st.lists(
    st.text("0123456789abcdef", min_size=12, max_size=12) | st.text("0a", min_size=12, max_size=12), max_size=30
)


@given(IDS)
def test_each_is_the_beginning_of_its_own_id_and_of_no_other(ids):
    found = Handles(ids)
    assert set(found) == set(ids)
    for one, handle in found.items():
        assert one.startswith(handle)
        assert [other for other in found if other.startswith(handle)] == [one]


@given(IDS)
def test_each_has_four_characters_and_a_letter_where_its_id_has_one(ids):
    for one, handle in Handles(ids).items():
        assert len(handle) >= SHORTEST
        assert any(sign.isalpha() for sign in handle) or one.isdigit()


@given(IDS)
def test_none_is_longer_than_it_must_be(ids):
    for one, handle in Handles(ids).items():
        shorter = handle[:-1]
        ambiguous = any(other.startswith(shorter) for other in ids if other != one)
        assert len(handle) == SHORTEST or ambiguous or not any(sign.isalpha() for sign in shorter)


@given(IDS, st.randoms())
def test_the_order_in_which_they_are_given_says_nothing(ids, chance):
    mixed = list(ids)
    chance.shuffle(mixed)
    assert Handles(mixed) == Handles(ids)


@pytest.mark.parametrize(
    ("ids", "found"),
    [
        ([], []),
        (["abcdef123456"], ["abcd"]),
        (["abcdef123456", "abcde0123456"], ["abcdef", "abcde0"]),
        (["123456a78901"], ["123456a"]),
        (["123456789012"], ["123456789012"]),
        (["abcd00000000", "abcd00000000"], ["abcd", "abcd"]),
    ],
)
def test_some_of_them(ids, found):
    assert [Handles(ids)[one] for one in ids] == found
