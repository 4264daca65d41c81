"""Many equal items are merged as if each were compared with each, and a long text with its equal alone."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import TODAY, Vault, audit, examples, journal
from wrapgen.config import Config
from wrapgen.ledger import canonical_key
from wrapgen.model import Fate, Item
from wrapgen.notes import Kind
from wrapgen.pipeline import matching
from wrapgen.pipeline.dedup import dedup
from wrapgen.pipeline.matching import Side, compare
from wrapgen.pipeline.places import two_items
from wrapgen.pipeline.projects import Projects
from wrapgen.pipeline.specific import Repeated, unmerged
from wrapgen.pipeline.stage import Context, Decisions, StageResult
from wrapgen.text.folding import LONGEST, fold

TEXTS = (
    "fix the login", "fix the [login](a)", "fix the [login](b)", "fix the login page", "fix the logins", "run step 3",
    "run step 5", "write docs",
)  # fmt: skip
PATHS = ("a.md", "b.md", "c.md", "d.md", "e.md")
DAY = date.fromisoformat(TODAY)


def item(number: int, text: str, project: str | None, path: str) -> Item:
    return Item(
        id=f"{number:012x}", text=text, path=path, line=number + 1, folded=fold(text), kind=Kind.JOURNAL_NEXT,
        project=project, raised=DAY, last_seen=DAY,
    )  # fmt: skip


def naive(items: list[Item], kept: frozenset[str]) -> dict[str, str | None]:
    """What each item is a duplicate of, by comparing it with every kept one."""
    groups: list[tuple[Item, str | None, list[Item]]] = []
    repeated = Repeated(items)
    found: dict[str, str | None] = {}
    for one in sorted(items, key=canonical_key):
        found[one.id] = None
        for place, (first, project, members) in enumerate(groups):
            if one.id in kept or (None not in (one.project, project) and one.project != project):
                continue
            if None not in (one.project, first.project) and one.project != first.project:
                continue
            if any(two_items(member, one) for member in members) or unmerged(first, one, repeated):
                continue
            sides = [Side(each.text, each.path, each.line, each.folded) for each in (first, one)]
            if matching.similarity(first.folded, one.folded) >= 85 and matching.refusal(*sides) is None:
                found[one.id] = first.id
                groups[place] = first, project or one.project, [*members, one]
                break
        else:
            groups.append((one, one.project, [one]))
    return found


@settings(deadline=None, max_examples=examples(150))
@given(
    st.lists(
        st.tuples(st.sampled_from(TEXTS), st.sampled_from((None, "web", "api")), st.sampled_from(PATHS)),
        max_size=25,
    ),
    st.sets(st.integers(0, 24), max_size=3),
)
def test_repeated_items_are_merged_as_if_each_were_compared_with_each(drawn, kept):
    items = [item(number, *one) for number, one in enumerate(drawn)]
    decisions = Decisions(frozenset(f"{number:012x}" for number in kept), {})
    context = Context((), Config(), Projects({}), DAY, decisions)
    result = dedup(StageResult(kept=tuple(items), repeated=Repeated(items)), context)
    found = {one.id: None for one in result.kept}
    found |= {one.item.id: one.because.item for one in result.dropped if one.because}
    assert all(one.fate is Fate.DUPLICATE for one in result.dropped)
    assert found == naive(items, decisions.kept)


LONG = "fix the login of the shop and " * (LONGEST // 20)


@pytest.mark.parametrize(("other", "match"), [(LONG, True), (LONG + "x", False), (LONG[: LONGEST - 1], False)])
def test_a_long_text_is_one_with_its_equal_alone(other, match):
    verdict = compare(Side(LONG), Side(other))
    assert verdict.match is match
    assert match or verdict.refused


def test_a_text_as_long_as_is_compared_is_compared():
    text = LONG[:LONGEST].strip()
    assert fold(text).whole
    assert compare(Side(text), Side(text.upper())).match


def test_what_is_done_again_and_again_still_resolves(tmp_path):
    vault = Vault(tmp_path / "vault")
    for path, text in {
        **journal("2026-04-20", "## Next\n- fix the login form\n"),
        **journal("2026-04-21", "## Done\n" + "- fix the login form\n" * 100),
    }.items():
        vault.write(path, text)
    (found,) = audit(vault).json["items"]
    assert found["fate"] == "resolved"
    assert found["because"]["line"] == 2
