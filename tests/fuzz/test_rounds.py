"""The same rounds with hypothesis, over raw bytes and over a grammar of Markdown, and once over every case."""

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.fuzz.rounds import corpus, round_of
from tests.properties.test_vault_properties import markdownish
from tests.support import examples

CORPUS = corpus()
mutated = st.builds(
    lambda one, other, at, cut: one[: at % (len(one) + 1)] + other[cut % (len(other) + 1) :],
    st.sampled_from(CORPUS),
    st.sampled_from(CORPUS),
    st.integers(0, 10_000),
    st.integers(0, 10_000),
)

HEADS = ("", "## Next\n", "- [ ] ", "## Session: web\n### Next\n")
headed = st.builds(
    lambda head, text: (head + text).encode("utf-8", "surrogatepass"), st.sampled_from(HEADS), markdownish
)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("number", range(0, len(CORPUS), 8))
def test_cases(number):
    for data in CORPUS[number : number + 8]:
        round_of(data)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=300))
@example(b"\xff\xfe-\x00 \x00a\x00")
def test_bytes(data):
    round_of(data)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(headed)
@example(b"## Next\n- a&#10;## Priorities")
def test_markdown(data):
    round_of(data)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(mutated)
def test_mutated_cases(data):
    round_of(data)
