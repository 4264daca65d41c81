"""The benchmark's own arithmetic: what is learnt from others, and what is not used when it did not earn."""

import pytest

from tests.benchmarks.leave_out import GUESS, Told, chance, fitted, half_of, learnt, reasons, unearned
from wrapgen.session.confidence import Fact

GOOD, BAD = frozenset({Fact.LATER}), frozenset({Fact.NEXT, Fact.ACCEPTED})


def told(author, right, facts=GOOD, word="remaining"):
    return Told(author, (author, len(author)), ("en", word), facts, right)


EVERYTHING = [told(name, right=True) for name in "abcdef"] + [told(name, right=False, facts=BAD) for name in "abcdef"]


def test_facts_that_were_right_speak_for_and_the_others_against():
    weights = fitted(EVERYTHING)
    assert chance(GOOD, weights) > chance(GOOD, GUESS) > chance(BAD, GUESS) > chance(BAD, weights)
    assert chance({Fact.SAID}, weights) == pytest.approx(0.5)


def test_a_word_that_is_more_often_wrong_is_not_used():
    mixed = [*EVERYTHING, told("x", right=False, word="later"), told("y", right=False, word="later")]
    assert unearned(mixed, fitted(mixed)) == {("en", "later")}


def test_nothing_is_learnt_from_the_author_that_is_left_out():
    alone = [told("x", right=True, facts=BAD) for _ in range(50)]
    assert not learnt(EVERYTHING).offers(alone[0])
    assert learnt([*EVERYTHING, *alone]).offers(EVERYTHING[0])


def test_an_author_is_always_of_the_same_half():
    assert {half_of(name) for name in "abcdef"} == {"A", "B"}
    assert half_of("a") == half_of("a")


def test_what_counts_neither_way_is_no_evidence():
    assert fitted([told("a", right=None)]) == pytest.approx(GUESS)


def test_reasons_name_the_facts_with_their_worth():
    assert reasons({Fact.NEAR_END, Fact.LATER}) == "listed as put off +1.2, said in the last two exchanges +0.5"
