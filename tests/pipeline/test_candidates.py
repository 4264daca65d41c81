"""Deduplication is that of asking score and guard about every pair in canonical order."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import examples
from wrapgen.config import Config
from wrapgen.model import Item
from wrapgen.notes import Kind
from wrapgen.pipeline import matching
from wrapgen.pipeline.candidates import Candidates, words_of
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
    durable = [kind for kind in Kind if kind is not Kind.SAID]  # what is said has no file among them
    files = [(path, draw(st.sampled_from(durable))) for path in ("a.md", "b.md", "c.md", "d.md")]
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
@settings(max_examples=examples(150), deadline=None)
@given(vaults())
def test_dedup_is_that_of_comparing_all(items):
    assert merged(items) == brute_force(items)


def line(text, number, **given):
    stands = {"kind": Kind.LISTS, "path": "a.md", "line": number, **given}
    return Item(id=f"{number:012d}", text=text, folded=fold(text), **stands)


VOCABULARY = ("fix", "the", "login", "page", "of", "portal", "修复登录错误", "修复登录", "배포", "스크립트", "v1.2")
WORDS = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=6)


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.tuples(WORDS, st.sampled_from((None, "web", "api"))), min_size=2, max_size=12))
def test_all_that_share_half_of_their_words_are_found_and_no_other_projects(drawn):
    items = [line(" ".join(words), n, path=f"{n}.md", project=project) for n, (words, project) in enumerate(drawn)]
    candidates = Candidates(items, 1.0)
    for item in items:
        found = {at for at, _ in candidates.near(item, lists=True)}
        for at, other in enumerate(items):
            mine, theirs = words_of(item.folded.text), words_of(other.folded.text)
            if item.project and other.project and item.project != other.project:
                assert at not in found
            elif 2 * len(mine & theirs) >= max(len(mine), len(theirs)):
                assert at in found


def test_a_list_asks_journals_and_the_other_files_of_its_own_list():
    places = {"journal": "", "task": "task web/login", "other file": "task web/login", "other task": "task web/menu"}
    items = [line("Fix the login", n, path=f"{n}.md", own_list=own) for n, own in enumerate(places.values())]
    candidates = Candidates(items, 85.0)
    assert [at for at, _ in candidates.near(items[1], lists=True)] == [0, 1, 2]
    assert [at for at, _ in candidates.near(items[0], lists=True)] == [0, 1, 2, 3]
    assert [at for at, _ in candidates.near(items[0], lists=False)] == [0]
    assert not candidates.is_alone(items[3])
    assert Candidates(items[3:], 85.0).is_alone(items[3])
