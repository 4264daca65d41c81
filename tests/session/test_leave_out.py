"""The benchmark's own arithmetic: what is learnt from others, and what is not used when it did not earn."""

import sys
from pathlib import Path

import pytest

from wrapgen.session.confidence import Fact

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
try:
    from leave_out import GUESS, Told, chance, fitted, learnt_from_others, offered, unearned
finally:
    sys.path.pop(0)

GOOD, BAD = frozenset({Fact.LATER}), frozenset({Fact.NEXT})


def told(author, right, facts=GOOD, word="remaining"):
    return Told(author, (author, len(author)), ("en", word), facts, right)


EVERYTHING = [told(name, right=True) for name in "abcdef"] + [told(name, right=False, facts=BAD) for name in "abcdef"]


def test_facts_that_were_right_speak_for_and_the_others_against():
    weights = fitted(EVERYTHING)
    assert chance(GOOD, weights) > 0.7
    assert chance(BAD, weights) < 0.2
    assert chance({Fact.SAID}, weights) == pytest.approx(0.5)


def test_a_word_that_is_more_often_wrong_is_not_used():
    mixed = [*EVERYTHING, told("x", right=False, word="later"), told("y", right=False, word="later")]
    assert unearned(mixed, fitted(mixed)) == {("en", "later")}


def test_nothing_is_learnt_from_the_author_that_is_left_out():
    alone = [told("x", right=True, facts=BAD) for _ in range(50)]
    assert not offered(alone[0], learnt_from_others([*EVERYTHING, *alone], "x", refit=True))
    assert offered(alone[0], learnt_from_others([*EVERYTHING, *alone], "a", refit=True))


def test_what_counts_neither_way_is_no_evidence():
    assert fitted([told("a", right=None)]) == pytest.approx(GUESS)
