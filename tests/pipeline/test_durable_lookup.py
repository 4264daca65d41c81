"""Which entry holds what was said."""

from datetime import date

import pytest

from tests.pipeline.kit import DAY, evidence, item
from wrapgen.config import Config
from wrapgen.model import Because
from wrapgen.pipeline.durable_lookup import Holdings, SaidText

LOGIN = "Fix the login of the members area"
LIKE = "Fix the login of the member area"


def holder(said, items=(), proofs=(), project=None, day=DAY, **config):
    return Holdings(items, proofs, Config(**config)).holder(SaidText(said, project, day))


def test_nothing_holds_what_stands_nowhere():
    assert holder(LOGIN) is None
    assert holder(LOGIN, [item("Paint the fence")], [evidence("Rotate the keys")]) is None


def test_an_open_item_holds_it_whenever_it_was_raised():
    assert holder(LOGIN, [item(LOGIN, 7, raised=date(2020, 1, 1))]) == Because("a.md", 7, 100.0)


def test_the_most_alike_then_the_first_by_path_and_line():
    assert holder(LOGIN, [item(LIKE, 1), item(LOGIN, 2)]) == Because("a.md", 2, 100.0)
    assert holder(LOGIN, [item(LIKE, 1)]) == Because("a.md", 1, 98.5)
    assert holder(LOGIN, [item(LOGIN, 1, path="b.md"), item(LOGIN, 2)]) == Because("a.md", 2, 100.0)
    assert holder(LOGIN, [item(LOGIN, 3), item(LOGIN, 2)]) == Because("a.md", 2, 100.0)


def test_the_threshold_is_that_of_duplicates():
    assert holder(LOGIN, [item(LIKE)], dedup_threshold=99) is None
    assert holder(LOGIN, [item(LIKE)], dedup_threshold=98) == Because("a.md", 1, 98.5)


def test_the_guard_is_asked():
    assert holder("Write chapter 4 of the book", [item("Write chapter 5 of the book")]) is None


@pytest.mark.parametrize(
    ("entry", "said", "held"),
    [("web", "web", True), ("web", None, True), (None, "web", True), (None, None, True), ("web", "api", False)],
)
def test_whose_it_is(entry, said, held):
    assert (holder(LOGIN, [item(LOGIN, project=entry)], project=said) is not None) is held


@pytest.mark.parametrize(
    ("done", "said", "held"),
    [
        (date(2026, 4, 24), date(2026, 4, 24), True),
        (date(2026, 4, 25), date(2026, 4, 24), True),
        (date(2026, 4, 23), date(2026, 4, 24), False),
        (None, date(2026, 4, 24), False),
        (None, None, True),
        (date(2020, 1, 1), None, True),
    ],
)
def test_what_was_done_before_it_was_said_holds_nothing(done, said, held):
    assert (holder(LOGIN, proofs=[evidence(LOGIN, latest=done)], day=said) is not None) is held
