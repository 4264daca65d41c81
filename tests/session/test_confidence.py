import pytest

from tests.benchmarks.leave_out import MIN_CONFIDENCE
from wrapgen.session.confidence import WEIGHTS, Fact, confidence


def test_every_fact_has_a_weight_and_only_few_facts_there_are():
    assert set(WEIGHTS) == set(Fact)
    assert len(WEIGHTS) <= 16


@pytest.mark.parametrize("fact", [Fact.LATER, Fact.NEXT, Fact.TITLED, Fact.SAID])
def test_what_puts_off_is_offered_unless_something_speaks_against_it(fact):
    assert confidence({fact, Fact.NEAR_END}) >= MIN_CONFIDENCE
    against = {Fact.EARLY, Fact.QUESTION, Fact.DROPPED, Fact.DOCUMENT, Fact.NO_TASK, Fact.MIXED, Fact.DOUBT}
    for one in against:
        assert confidence({fact, Fact.NEAR_END, one}) < MIN_CONFIDENCE


def test_very_many_next_steps_and_accepted_ones_are_not_offered():
    assert confidence({Fact.NEXT, Fact.NEAR_END, Fact.LONG}) < MIN_CONFIDENCE
    assert confidence({Fact.NEXT, Fact.NEAR_END, Fact.ACCEPTED}) < MIN_CONFIDENCE


def test_phrases_of_ones_own_count_wherever_they_stand():
    assert confidence({Fact.OWN}) >= MIN_CONFIDENCE


def test_what_bears_more_than_eight_in_ten_was_put_off_in_so_many_words_at_the_end():
    assert confidence({Fact.LATER, Fact.NEAR_END}) >= 0.8 > confidence({Fact.LATER})
