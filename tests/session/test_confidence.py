import pytest

from wrapgen.session.confidence import WEIGHTS, Fact, confidence, reasons
from wrapgen.session.follow_ups import MIN_CONFIDENCE

CLOSE = {Fact.NEAR_END, Fact.LAST_LIST}


def test_every_fact_has_a_weight_and_only_few_facts_there_are():
    assert set(WEIGHTS) == set(Fact)
    assert len(WEIGHTS) <= 12


@pytest.mark.parametrize(
    ("facts", "offered"),
    [
        ({Fact.LATER, *CLOSE}, True),
        ({Fact.LATER, Fact.LAST_LIST}, True),
        ({Fact.LATER}, False),
        ({Fact.NEXT, *CLOSE}, True),
        ({Fact.NEXT, Fact.LAST_LIST}, False),
        ({Fact.NEXT, Fact.ACCEPTED, *CLOSE}, False),
        ({Fact.TITLED}, True),
        ({Fact.SAID, Fact.NEAR_END}, True),
        ({Fact.SAID}, False),
        ({Fact.SAID, Fact.NEAR_END, Fact.DOUBT}, False),
        ({Fact.OWN}, True),
        ({Fact.LATER, Fact.QUESTION, *CLOSE}, False),
        ({Fact.LATER, Fact.DROPPED, *CLOSE}, False),
        ({Fact.LATER, Fact.DOCUMENT, *CLOSE}, False),
    ],
)
def test_what_is_offered(facts, offered):
    assert (confidence(facts) >= MIN_CONFIDENCE) is offered


def test_reasons_name_the_facts_with_their_worth():
    assert reasons({Fact.NEAR_END, Fact.LATER}) == ("listed as put off -0.4", "said in the last two exchanges +1.5")
