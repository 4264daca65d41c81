"""Crowds are a shortcut: what they leave out, the guard would refuse."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import examples
from wrapgen.model import Item
from wrapgen.notes import Kind
from wrapgen.pipeline import matching
from wrapgen.pipeline.blocking import Crowds
from wrapgen.pipeline.candidate_pairs import Pool
from wrapgen.text.folding import fold

SHAPES = (
    "write chapter {} of the long book", "day {} of silence", "ship version 1.{}", "close ticket ABC-{}",
    "fix {} failures", "meet on 2026-05-{}", "{}장 원고 쓰기", "第{}章を書く", "step {}: deploy",
    "review PR #{} and PR #{}", "wait {} days",
)  # fmt: skip
values = st.integers(1, 30).map(lambda number: f"{number:02}")
texts = st.builds(lambda shape, one, two: shape.format(one, two), st.sampled_from(SHAPES), values, values)


def item(number, text, path, project):
    return Item(
        id=f"{number:012x}",
        text=text,
        kind=Kind.JOURNAL_NEXT,
        path=path,
        line=number * 30 + 1,
        folded=fold(text),
        project=project,
    )


def refused(one, other):
    sides = [matching.Side(side.text, side.path, side.line, side.folded) for side in (one, other)]
    return matching.refusal(*sides) is not None


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(st.tuples(texts, st.sampled_from("ab"), st.sampled_from([None, "web", "api"])), max_size=40))
def test_the_pool_leaves_out_only_what_the_guard_refuses(rows):
    items = [item(number, *row) for number, row in enumerate(rows)]
    pool = Pool(items, 85, Crowds(items))
    for position, one in enumerate(items):
        found = pool.query(one)
        assert found == sorted(set(found))
        assert position in found
        for at, other in enumerate(items):
            alike = matching.similarity(one.folded, other.folded, 85) >= 85
            apart = None not in (one.project, other.project) and one.project != other.project
            if at in found:
                assert alike
            elif alike and not apart:
                assert refused(one, other), f"{one.text} / {other.text}"
