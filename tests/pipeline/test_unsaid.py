"""What no line says is refused before a run, in the words in which it is refused after one."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pipeline.kit import item
from wrapgen.errors import UsageError, WrapgenError
from wrapgen.ledger import Outcome, Run
from wrapgen.model import Fate
from wrapgen.workflows.item_picker import ItemNames, refuse_unsaid

ITEMS = [item("add retry", 1, project="web"), item("ﬁx the 修复 (again)", 2), item("Zeta", 3, path="web/x.md")]
WORDS = [
    "add",
    "ADD",
    "retry",
    "ﬁx",
    "fix",
    "xyzzy",
    "web",
    "retri",
    "修",
    "Zeta",
    "nowhere",
    "1",
    "abcdef",
    "x.md:3",
    "My list.md:1",
]


NOW = datetime(2026, 4, 24, tzinfo=UTC)


def refused(ask):
    try:
        ask()
    except WrapgenError as error:
        return str(error)
    return ""


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3))
def test_what_no_line_says_is_refused_as_it_is_after_a_run(said):
    outcomes = tuple(Outcome(one, Fate.SHOWN, at) for at, one in enumerate(ITEMS, 1))
    run = Run(NOW.date(), (), outcomes, (), (), ())
    early = refused(lambda: refuse_unsaid(said, lambda: ITEMS))
    assert early in ("", refused(lambda: ItemNames(run, None, NOW).pick(said)))


def test_words_that_stand_nowhere_need_no_run():
    with pytest.raises(UsageError, match="no open item 'xyzzy nowhere'"):
        refuse_unsaid(["xyzzy", "nowhere"], lambda: ITEMS)


@pytest.mark.parametrize(
    "said", [["add"], ["1"], ["abcdef"], ["x.md:3"], ["My list.md:1"], ["retri"], ["web"], ["a b", "c d"]]
)
def test_what_may_be_a_name_is_left_to_the_run(said):
    refuse_unsaid(said, lambda: ITEMS)
