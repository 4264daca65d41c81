"""What is only counted could not have been shown, whatever else is on the page."""

from collections import Counter
from datetime import timedelta
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pipeline.kit import DAY, context, item
from wrapgen.notes import Kind, Priority
from wrapgen.pipeline import beyond, rank
from wrapgen.pipeline.beyond import PlainFile, out_of_reach, plain_day
from wrapgen.pipeline.stage import StageResult

LISTS = (Kind.ACTIVE_TODOS, Kind.PROJECT_TODOS, Kind.LISTS)


def line(number, kind, path, day, project, **given):
    return item(f"Task {number}", number, kind=kind, path=path, raised=None, last_seen=None, changed=day,
                project=project, **given)  # fmt: skip


files = st.lists(
    st.tuples(
        st.sampled_from(LISTS),
        st.integers(-2, 6).map(lambda back: DAY - timedelta(days=back)),
        st.lists(st.sampled_from(("web", "api", "infra", None)), min_size=1, max_size=4),
    ),
    max_size=12,
)
others = st.lists(st.sampled_from(({"due": DAY}, {"priority": Priority.HIGH}, {"blocked_by": ("a",)}, {})), max_size=4)


@given(files, others, st.integers(1, 4), st.integers(0, 3))
def test_a_file_beyond_the_page_has_nothing_on_it(some, more, cap, asked):
    kept, plain, number = [], [], 0
    for place, (kind, day, projects) in enumerate(some, 1):
        path = f"{place}.md"
        for project in projects:
            number += 1
            kept.append(line(number, kind, path, day, project))
        plain.append(PlainFile(place, kind, path, day, tuple(Counter(projects).items())))
    kept += [line(100 + at, Kind.LISTS, "more.md", DAY, "web", **each) for at, each in enumerate(more)]
    with patch.object(beyond, "MOST_DATED", asked):
        gone = out_of_reach(plain, cap, DAY)
    asked_for = [one for one in kept if one.path.removesuffix(".md") not in map(str, gone)]
    whole, part = (rank.rank(StageResult(kept=tuple(one)), context(cap=cap)) for one in (kept, asked_for))
    assert part.kept == whole.kept
    assert part.why == whole.why


def test_of_many_lists_few_are_looked_at():
    plain = [PlainFile(number, Kind.LISTS, f"{number:03}.md", DAY, (("web", 10),)) for number in range(300)]
    assert len(out_of_reach(plain, 15, DAY)) == 300 - (rank.MOST_DATED + 1) - 2


@pytest.mark.parametrize(
    "given",
    [
        {"due": DAY}, {"priority": Priority.LOW}, {"not_before": DAY}, {"recurrence": "every week"}, {"ident": "one"},
        {"depends": ("one",)}, {"aside": "waiting"}, {"conflict": True}, {"candidates": ("web", "api")},
    ],
)  # fmt: skip
def test_what_has_a_place_of_its_own_is_always_looked_at(given):
    plain = line(1, Kind.LISTS, "a.md", DAY, "web")
    assert plain_day((plain,)) == DAY
    assert plain_day((plain, line(2, Kind.LISTS, "a.md", DAY, "web", **given))) is None


def test_lines_of_several_days_are_always_looked_at():
    days = (DAY, DAY - timedelta(days=1))
    assert plain_day([line(at, Kind.LISTS, "a.md", day, "web") for at, day in enumerate(days)]) is None


def test_git_is_asked_about_no_file_that_is_only_counted():
    assert rank.MOST_DATED % rank._FILES_AT_ONCE == 0
