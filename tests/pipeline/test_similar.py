import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import examples
from wrapgen.pipeline.matching import similarity
from wrapgen.pipeline.similar import SimilarityIndex
from wrapgen.text.folding import fold


def assert_exact(texts, cutoff=85.0):
    folded = [fold(text) for text in texts]
    index = SimilarityIndex(folded, cutoff)
    for text in folded:
        everything = [at for at, other in enumerate(folded) if similarity(text, other, cutoff) >= cutoff]
        assert index.query(text) == everything


def mutated(rng, text, alphabet):
    letters = list(text)
    for _ in range(rng.randint(0, max(1, len(letters) // 4))):
        at = rng.randint(0, len(letters))
        letters[at : at + rng.randint(0, 1)] = rng.choice(["", rng.choice(alphabet), " "])
    words = "".join(letters).split()
    if rng.random() < 0.3:
        rng.shuffle(words)
    return " ".join(words)


@pytest.mark.slow
@pytest.mark.parametrize(
    "alphabet", ["ab", "abcdefgh", "abcdefghijklmnopqrstuvwxyz", "修复登录错误增加重试上传", "확인삭제로그인오류"]
)
@pytest.mark.parametrize("length", [3, 12, 40])
@pytest.mark.parametrize("cutoff", [85.0, 60.0, 95.5])
def test_relatives_of_a_few_texts_are_all_found(alphabet, length, cutoff):
    rng = random.Random(f"{alphabet}{length}")
    family = ["".join(rng.choice(alphabet + " ") for _ in range(length)) for _ in range(4)]
    assert_exact([mutated(rng, rng.choice(family), alphabet) for _ in range(60)], cutoff)


def test_edits_spread_evenly_leave_the_fewest_common_pairs():
    text = "abcdefghijklmnopqrstuvwxyzabcdefghijklmn"
    spread = ["".join(c for at, c in enumerate(text) if at % step) for step in (3, 4, 5, 6, 7, 8)]
    inserted = ["".join(c + "é" * (at % step == 0) for at, c in enumerate(text)) for step in (2, 3, 4, 5, 6)]
    assert_exact([text, *spread, *inserted])


def test_equal_lengths_and_shared_beginnings():
    assert_exact([f"deploy the service to cluster {number:03d}" for number in range(0, 200, 7)])


def test_words_in_another_order():
    assert_exact(["write the report for ann", "for ann the report write", "ann report the write for", "report for bob"])


def test_empty_and_very_long_texts():
    assert_exact(["", "", "a", "aa", "a" * 3000, "a" * 2500, "ab" * 1500, "a" * 1500 + "b" * 1500, "x " * 1000])


def test_an_empty_index_answers():
    assert SimilarityIndex([]).query(fold("anything")) == []


@settings(max_examples=examples(150))
@given(st.lists(st.text(alphabet="ab é", max_size=14), max_size=12), st.sampled_from([50.0, 80.0, 85.0, 90.0, 100.0]))
def test_a_tiny_alphabet(texts, cutoff):
    assert_exact(texts, cutoff)


@settings(max_examples=examples(100))
@given(st.lists(st.text(max_size=12), max_size=8), st.floats(1, 100))
def test_any_text(texts, cutoff):
    assert_exact(texts, cutoff)
