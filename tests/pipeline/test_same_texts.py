"""Which entries have a partner: the quick ways find what a look at every pair finds."""

from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import examples
from wrapgen.notes import Kind
from wrapgen.pipeline import same_texts
from wrapgen.pipeline.matching import alike as among
from wrapgen.pipeline.summary import FileSummary
from wrapgen.text.folding import fold

CUTOFF = 85.0
TEXTS = (
    "add retry to the uploader", "add retry to the uploaders", "add retries to the uploader",
    "to the uploader add retry", "rotate the staging keys", "rotate the staging key", "water the plants",
)  # fmt: skip
PROJECTS = (None, "web", "infra")
entries = st.tuples(st.sampled_from(TEXTS), st.sampled_from(PROJECTS))
lists = st.sampled_from(("", "", "task web/one", "project web"))
files = st.tuples(lists, st.lists(entries, max_size=4), st.lists(entries, max_size=3))  # items, evidence
vaults = st.lists(files, min_size=1, max_size=5)


def summary(own_list, items, evidence):
    both = [*items, *evidence]
    ids = [f"{number:012x}" for number in range(len(items))]
    texts, projects = [fold(text).text for text, _ in both], [project for _, project in both]
    return FileSummary(Kind.JOURNAL_NEXT, None, own_list, ids, texts, projects, busy=[], odd=[], unread=[])


def pairs(summaries):
    """Every pair of entries that may be one piece of work."""
    flat = [(path, place) for path, one in summaries.items() for place in range(len(one.texts))]

    def is_open(at):
        return at[1] < summaries[at[0]].items

    for number, one in enumerate(flat):
        for other in flat[number + 1 :]:
            (a, i), (b, j) = one, other
            projects = {summaries[a].projects[i], summaries[b].projects[j]} - {None}
            said = among(summaries[a].texts[i], [summaries[b].texts[j]], CUTOFF)
            lists = {summaries[a].own_list, summaries[b].own_list}
            possible = "" in lists or (len(lists) == 1 and a != b)
            if possible and said and len(projects) < 2 and (is_open(one) or is_open(other)):
                yield one, other


def plain(found):
    return {(path, place) for path, places in found.items() for place in places}


@pytest.mark.parametrize("crowd", [1, 2, same_texts._CROWD])
@settings(max_examples=examples(60))
@given(vault=vaults)
def test_all_that_have_a_partner_are_found(vault, crowd):
    summaries = {f"{number}.md": summary(*file) for number, file in enumerate(vault)}
    with patch.object(same_texts, "_CROWD", crowd):
        found = plain(same_texts.find_all(summaries, CUTOFF))
    assert found == {at for pair in pairs(summaries) for at in pair}


@pytest.mark.slow
@settings(max_examples=examples(100))
@given(vault=vaults, data=st.data())
def test_a_few_are_compared_with_all_others(vault, data):
    summaries = {f"{number}.md": summary(*file) for number, file in enumerate(vault)}
    new = {
        path: data.draw(st.sets(st.sampled_from(range(len(one.texts))))) for path, one in summaries.items() if one.texts
    }
    found = plain(same_texts.find_new(summaries, new, CUTOFF))
    asked = {(path, place) for path, places in new.items() for place in places}
    assert found == {at for pair in pairs(summaries) if asked.intersection(pair) for at in pair}
