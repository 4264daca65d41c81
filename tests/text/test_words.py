import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import each
from wrapgen.text.words import Folded, fold_key, masked, stem, tokens

STOP = frozenset({"the"})


@given(st.text(max_size=30))
def test_offsets_lead_back_into_the_raw_text(raw):
    folded = Folded(raw)
    offsets = [folded.origin(at) for at in range(len(folded.text) + 1)]
    assert offsets == sorted(offsets)
    assert offsets[-1] == len(raw)


def test_decomposed_hangul_and_wide_letters_fold_alike():
    decomposed = unicodedata.normalize("NFD", "나중에 ＴＯＤＯ")
    folded = Folded(decomposed)
    assert folded.text == "나중에 todo"
    at = folded.text.index("todo")
    assert decomposed[folded.origin(at) :] == "ＴＯＤＯ"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("see `next session` now", "see now"),
        ("the “later” tab", "the tab"),
        ('a "todo" b', "a b"),
        ("docs/todo.md x", "x"),
    ],
)
def test_mentions_are_masked(text, left):
    plain = masked(text)
    assert len(plain) == len(text)
    assert plain.replace("\x00", "").split() == left.split()


def test_tokens_meet_across_endings_and_scripts():
    assert tokens("adding the retries", STOP) == tokens("added retry", STOP) | tokens("retries", STOP)
    assert tokens("환불 api 구현", STOP) == {"환불", "api", "구현"}
    assert tokens("检查日志", STOP) == {"检查", "查日", "日志"}


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        ("adding", "add"),
        ("retries", "retry"),
        ("written", "writ"),
        ("tests", "test"),
        ("is", "is"),
        ("stopped", "stop"),
    ],
)
def test_stem(word, stemmed):
    assert stem(word) == stemmed


@each(["**Add**  retry.", "add retry", "ＡＤＤ retry!", "- add `retry`"])
def test_marks_space_and_closing_punctuation_make_no_difference(same):
    assert fold_key(same) == "add retry"
