"""What counts as a decision, and how decisions of several sources come together."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import each, examples
from tests.tracks.talk import talk
from wrapgen.model import Decision
from wrapgen.tracks.drawn import DECISION_LIMIT, decisions, merged


def texts(*turns: str) -> list[str]:
    return [one.text for one in decisions(talk(*turns))]


@pytest.mark.parametrize(
    ("said", "decided"),
    [
        ("Decision: keep the old table", "keep the old table"),
        ("- **Decision:** keep the old table", "keep the old table"),
        ("Notes.\n决定：保留旧表\n完。", "保留旧表"),
        ("결정: 옛 테이블 유지", "옛 테이블 유지"),
    ],
)
def test_a_decision(said: str, decided: str) -> None:
    assert texts(f"A: {said}") == [decided]


@each(
    [
        "We haven't decided yet.",
        "Have we decided to use COPY?",
        "If we decided to use COPY, it would be faster.",
        "```\ndecision: in code\n```",
        "> decision: quoted",
        'The note says "we decided to use COPY".',
        "我们还没决定用哪个。",
        "아직 결정하지 않았습니다.",
        "The decision tree is deep.",
        "decision: _",
        "결정:\n그건 나중에.\n\n- 다른 목록",
    ]
)
def test_no_decision(said: str) -> None:
    assert texts(f"A: {said}") == []


@each(["## Decisions", "### 4. 결정 사항", "**决定**", "決定事項：", "Key decisions:"])
def test_items_below_a_heading_that_says_so(title: str) -> None:
    said = f"{title}\n\n- tabs\n- which ones?\n- [ ] ask Kim\n\n## Next\n\n- spaces"
    assert texts(f"A: {said}") == ["tabs"]


def test_rows_of_a_table_below_it() -> None:
    said = "## Decisions\n\n| # | What | Why |\n|---|---|---|\n| 1 | tabs | they are short |\n\n## Open ones\n\n- x"
    assert texts(f"A: {said}") == ["tabs – they are short"]


def test_a_decision_bears_its_day_and_turn() -> None:
    assert decisions(talk("U: hi", "A: Decision: tabs")) == (Decision("tabs", date(2026, 3, 5), "turn 2"),)


def test_a_decision_told_twice_is_told_last() -> None:
    found = decisions(talk("A: Decision: tabs", "A: Decision: spaces", "A: **Decision:** Tabs."))
    assert [(one.text, one.source) for one in found] == [("spaces", "turn 2"), ("Tabs.", "turn 3")]


def test_sources_come_together_by_day() -> None:
    journal = [Decision("use tabs", date(2026, 3, 4), "journals/a.md:7"), Decision("undated", None, "journals/b.md:1")]
    told = [Decision("ship Friday", date(2026, 3, 5), "turn 1"), Decision("Use tabs", date(2026, 3, 5), "turn 2")]
    assert [one.source for one in merged(told, journal)] == ["journals/b.md:1", "turn 1", "turn 2"]


OPENINGS = st.sampled_from(["decision: ", "We decided to ", "决定："])


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(
        st.sampled_from(["decision: ", "We decided to ", "决定："]).flatmap(
            lambda a: st.text(max_size=400).map(a.__add__)
        )
    )
)
def test_whatever_is_said(said: list[str]) -> None:
    found = decisions(talk(*(f"A: {text}" for text in said)))
    assert all(0 < len(one.text) <= DECISION_LIMIT for one in found)
    assert len({one.text for one in found}) == len(found)
