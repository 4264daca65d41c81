import pytest

from wrapgen.session.lexicon import load_cues
from wrapgen.session.replies import Reply, replies

CUES = load_cues()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 and 5 are done", [Reply("done", frozenset({2, 5}))]),
        ("skip 1-3", [Reply("dropped", frozenset({1, 2, 3}))]),
        ("do 2", [Reply("taken", frozenset({2}))]),
        ("2,5번은 했어. 1번은 나중에", [Reply("done", frozenset({2, 5}))]),
        ("yes, go ahead", [Reply("accepted")]),
        ("I'll do 2 tomorrow", []),
        ("why are there 3 files?", []),
        ("it takes 10 minutes and 3 tests fail", []),
        ("version 1.5 it is", []),
        ("1. the page is blank\n2. done button does nothing", []),
        ("yes " + "and more " * 30, []),
    ],
)
def test_what_a_short_line_says_about_the_list_before_it(text, expected):
    assert list(replies(text, CUES.of(text))) == expected
