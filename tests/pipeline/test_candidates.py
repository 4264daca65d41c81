"""Deduplication is that of asking score and guard about every pair in canonical order."""

from collections import Counter
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import examples
from wrapgen.config import Config
from wrapgen.ledger import canonical_key
from wrapgen.model import Evidence, Item
from wrapgen.notes import Kind
from wrapgen.pipeline import matching
from wrapgen.pipeline.alike import Thresholds
from wrapgen.pipeline.candidates import Finder, alike_among, place_of, words_of
from wrapgen.pipeline.dedup import dedup
from wrapgen.pipeline.places import two_items
from wrapgen.pipeline.projects import Projects
from wrapgen.pipeline.specific import Repeated, unmerged
from wrapgen.pipeline.stage import Context, Decisions, StageResult
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


def found_among(items, cutoff, evidence=()):
    """What is alike by the ids of items, and of evidence by its place."""
    alike = alike_among(items, evidence, Thresholds(cutoff, cutoff), lambda _: False)
    places = {number: place for place, number in enumerate(range(len(items), len(items) + len(evidence)))}
    return (
        {one.id: {other for other, _ in alike.open.get(one.id, ())} for one in items},
        {one.id: {places[number] for number, _ in alike.done.get(one.id, ())} for one in items},
    )


def is_refused(one, other):
    return matching.refusal(*(matching.Side(each.text, each.path, each.line, each.folded) for each in (one, other)))


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.tuples(WORDS, st.sampled_from((None, "web", "api"))), min_size=2, max_size=12))
def test_all_that_share_half_of_their_words_are_found_and_no_other_projects(drawn):
    items = [line(" ".join(words), n, path=f"{n}.md", project=project) for n, (words, project) in enumerate(drawn)]
    found, _ = found_among(items, 1.0)
    for item in items:
        for other in items:
            mine, theirs = words_of(item.folded.text), words_of(other.folded.text)
            if item is other or (item.project and other.project and item.project != other.project):
                assert other.id not in found[item.id]
            elif 2 * len(mine & theirs) >= max(len(mine), len(theirs)) and not is_refused(item, other):
                assert other.id in found[item.id]


@settings(max_examples=examples(100), deadline=None)
@given(vaults(), st.data())
def test_evidence_is_found_from_either_side(items, data):
    """What is taken file by file, in any order, is alike as what is taken at once."""
    days = (None, date(2026, 4, 1), date(2026, 4, 3))
    done = [
        Evidence(
            text=text, folded=fold(text), path=f"done-{n}.md", line=1, kind=Kind.JOURNAL_NEXT, listed=True,
            day=data.draw(st.sampled_from(days)), project=data.draw(st.sampled_from((None, "web", "api"))),
        )
        for n, text in enumerate(data.draw(st.lists(st.sampled_from(TEXTS), max_size=8)))
    ]  # fmt: skip
    _, expected = found_among(items, 85.0, done)
    chunks = data.draw(st.permutations([*((one, None) for one in items), *((None, one) for one in done)]))
    kept, posted = {}, {}
    found = {one.id: set() for one in items}
    common = data.draw(st.sampled_from(({}, {"login": 9}, {"the": 30, "fix": 12, "수정": 10})))
    for file, (item, one) in enumerate(chunks, 1):
        kept[file] = item or one
        finder = Finder(  # another one for each, as for runs of the program
            Thresholds(85.0, 85.0), common, lambda number: kept[place_of(number)[0]],
            lambda keys: [(key, posted[key]) for key in keys if key in posted], kept,
        )  # fmt: skip
        pairs = finder.take(file, [item] if item else [], [one] if one else [], lambda _: False)
        for key, numbers in finder.taken():
            posted[key] = posted.get(key, b"") + numbers
        for number, other, _ in pairs.done:
            found[kept[place_of(number)[0]].id].add(done.index(kept[place_of(other)[0]]))
    assert found == expected


def test_what_was_posted_is_looked_up_once_for_each_key():
    """A list of like lines that changed has all that its former lines posted, which would cost its square."""
    asked = Counter()
    items = [line(f"Write down part {n} for the printer", n, path="a.md") for n in range(40)]
    finder = Finder(Thresholds(85.0, 85.0), {}, items.__getitem__, lambda keys: asked.update(keys) or [], {1})
    finder.take(1, items, [], lambda _: False)
    assert set(asked.values()) == {1}


def test_a_list_asks_journals_and_the_other_files_of_its_own_list():
    places = {"journal": "", "task": "task web/login", "other file": "task web/login", "other task": "task web/menu"}
    items = [line("Fix the login", n, path=f"{n}.md", own_list=own) for n, own in enumerate(places.values())]
    journal, task, other, apart = (one.id for one in items)
    found, _ = found_among(items, 85.0)
    assert found == {journal: {task, other, apart}, task: {journal, other}, other: {journal, task}, apart: {journal}}
    assert found_among(items[3:], 85.0)[0] == {apart: set()}
