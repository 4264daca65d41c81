"""What a terminal shows of a line of Markdown: the words, without stars and backticks around them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrapgen.text.display import without_marks


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("**Fix** the `login` form", "Fix the login form"),
        ("***Fix*** it *now*", "Fix it now"),
        ("**Fix `a**b` at *once***", "Fix a**b at once"),
        ("2 * 3 * 4 and a*b*c", "2 * 3 * 4 and a*b*c"),
        ("`` a`b `` and ~~old~~ __init__", " a`b  and ~~old~~ __init__"),
        ("**unfinished `code", "**unfinished `code"),
        (r"\*\*not bold\*\*", r"\*\*not bold\*\*"),
        ("glob `src/*.py` and `*.md`", "glob src/*.py and *.md"),
    ],
)
def test_marks_that_pair_go(written, shown):
    assert without_marks(written) == shown


@given(st.text("ab *`\\", max_size=30))
def test_nothing_but_stars_and_backticks_goes(text):
    kept = iter(text)
    assert all(one in kept for one in without_marks(text))
    assert [one for one in without_marks(text) if one not in "*`"] == [one for one in text if one not in "*`"]
