"""Deduplication is that of asking score and guard about every pair in canonical order."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import examples
from wrapgen.config import Config
from wrapgen.model import Item
from wrapgen.notes import Kind
from wrapgen.pipeline import matching, similar
from wrapgen.pipeline.dedup import dedup
from wrapgen.pipeline.places import two_items
from wrapgen.pipeline.projects import Projects
from wrapgen.pipeline.specific import Repeated, unmerged
from wrapgen.pipeline.stage import Context, Decisions, StageResult, canonical_key
from wrapgen.text.folding import fold

CONTEXT = Context((), Config(), Projects({}), date(2026, 4, 24), Decisions())
TEXTS = (
    "Fix the login", "fix the login.", "Fix the logins", "Fix a login", "Write chapter 1", "Write chapter 2",
    "Write chapter 12",
    "Step 3: commit", "Step 4: commit", "Add retry to the uploader", "Add a retry to the uploader",
    "Retry: add to uploader",
    "로그인 오류 수정", "로그인 오류 수정하기", "修复登录错误", "修复登录的错误", "Open the door", "Close the door",
    "", "Send 5 letters home",
    "Send 7 letters home",
)  # fmt: skip


CONTEXTS = (
    (), (), (), ("Docker",), ("The upload service of the shop",), ("Upload service of the shop",),
    ("Docker", "Learn basics"), ("Java", "Learn basics"),
)  # fmt: skip


def merged(items):
    """Which items are kept, each with the places of its twins."""
    result = dedup(StageResult(kept=tuple(items), repeated=Repeated(items)), CONTEXT)
    return {one.id: one.twins for one in result.kept}


def brute_force(items):
    """The same by the words of the specification, pair by pair."""
    kept = []
    repeated = Repeated(items)
    for item in sorted(items, key=canonical_key):
        for group in kept:
            first = group["first"]
            if group["project"] and item.project and group["project"] != item.project:
                continue
            sides = [matching.Side(one.text, one.path, one.line, one.folded) for one in (first, item)]
            if any(two_items(member, item) for member in group["members"]) or unmerged(first, item, repeated):
                continue
            if matching.compare(*sides).match:
                group["twins"].append((item.path, item.line))
                group["members"].append(item)
                group["project"] = group["project"] or item.project
                break
        else:
            kept.append({"first": item, "project": item.project, "twins": [], "members": [item]})
    return {group["first"].id: tuple(group["twins"]) for group in kept}


@st.composite
def vaults(draw):
    texts = draw(st.lists(st.sampled_from(TEXTS), max_size=25))
    files = [(path, draw(st.sampled_from(list(Kind)))) for path in ("a.md", "b.md", "c.md", "d.md")]
    return [
        Item(
            id=f"{number:012d}",
            text=text,
            kind=kind,
            path=path,
            own_list="" if kind is Kind.JOURNAL_NEXT else draw(st.sampled_from(("project web", path))),
            block=(path, draw(st.integers(1, 3))) if kind is Kind.JOURNAL_NEXT else None,
            context=draw(st.sampled_from(CONTEXTS)),
            due=draw(st.sampled_from((None, None, date(2026, 5, 1), date(2026, 5, 2)))),
            line=number * draw(st.sampled_from((1, 40))) + 1,
            folded=fold(text),
            raised=draw(st.sampled_from((None, date(2026, 4, 1), date(2026, 4, 2)))),
            project=draw(st.sampled_from((None, "web", "api"))),
        )
        for number, text in enumerate(texts)
        for path, kind in (draw(st.sampled_from(files)),)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("few", [0, 250])
def test_dedup_is_that_of_comparing_all(few, monkeypatch):
    monkeypatch.setattr(similar, "_FEW", few)
    monkeypatch.setattr("wrapgen.pipeline.blocking._MANY", 1)

    @settings(max_examples=examples(150), deadline=None)
    @given(vaults())
    def compare(items):
        assert merged(items) == brute_force(items)

    compare()
