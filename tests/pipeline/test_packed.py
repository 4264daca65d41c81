"""What the stages decided, packed and unpacked: the same."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pipeline.kit import DAY, context, evidence, item
from wrapgen.notes import Kind
from wrapgen.pipeline.packed import PackedFates, pack, unpack
from wrapgen.pipeline.settle import settle
from wrapgen.pipeline.stage import StageResult

WORDS = ("Fix the login of the portal", "Fix the logins of the portal", "Deploy 1.2 to staging", "Sweep the yard")
PLACES = st.fixed_dictionaries(
    {
        "project": st.sampled_from((None, "web")),
        "raised": st.sampled_from((None, DAY)),
        "path": st.sampled_from(("a.md", "b.md", "c.md")),
        "own_list": st.sampled_from(("", "web", "api")),
        "depends": st.sampled_from(((), ("x",))),
        "ident": st.sampled_from((None, "x")),
        "conflict": st.booleans(),
    }
)


@st.composite
def collected(draw):
    drawn = draw(st.lists(st.tuples(st.sampled_from(WORDS), PLACES), max_size=8))
    items = tuple(item(text, number, **place) for number, (text, place) in enumerate(drawn, 1))
    kept = draw(st.integers(0, len(items)))
    done = tuple(evidence(text, own_list="") for text in draw(st.lists(st.sampled_from(WORDS), max_size=3)))
    return StageResult(kept=items[:kept], backlog=items[kept:], evidence=done)


@given(collected())
def test_nothing_is_lost_on_the_way(found):
    settled = settle(found, context(lookback_days=30))
    written = msgspec.msgpack.encode(pack(settled, found))
    assert unpack(msgspec.msgpack.decode(written, type=PackedFates), found) == settled


def test_items_that_a_stage_changed_are_packed_whole():
    first = item(WORDS[0], 1, path="a.md", raised=None, last_seen=None)
    again = item(WORDS[0], 2, path="b.md", kind=Kind.PROJECT_TODOS, own_list="web")
    found = StageResult(kept=(first, again))
    settled = settle(found, context())
    packed = pack(settled, found)
    assert len(packed.changed) == 1
    assert unpack(packed, found) == settled


def test_what_was_packed_with_more_is_refused():
    found = StageResult(kept=(item(WORDS[0], 1), item(WORDS[3], 2)))
    packed = pack(settle(found, context()), found)
    with pytest.raises(LookupError):
        unpack(packed, StageResult(kept=found.kept[:1]))
