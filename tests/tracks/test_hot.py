"""The hot track: the seed's bytes, below its budget whatever it is made of, trimmed in the order that is promised."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support import each, examples
from tests.tracks.kit import footer_is_true
from wrapgen.text.display import one_line, visible
from wrapgen.text.tokens import conservative_tokens
from wrapgen.tracks import hot
from wrapgen.tracks.hot import LIMIT, Material, assemble
from wrapgen.tracks.record import DecisionRecord, Drawn, Interface, Progress, Tombstone, all_labels, labels
from wrapgen.tracks.user_lines import AddedLines, added

DAY = date(2026, 4, 2)


def tombstone(number, name, reason, day):
    return Tombstone(name, reason, day, by="said", id=number)


def decision(text, day, source):
    return DecisionRecord("key", "s1", text, source, day)


SMALL = Material(
    version=12,
    generated="2026-04-24 09:30",
    drawn=Drawn(
        goal="把缓存换成 Redis",
        blockers=("CI 没有权限",),
        progress=(Progress("缓存", "进行中", "第一版"),),
        interfaces=(Interface("src/calc.py", "python", ("def calc(a: int, b: int) -> int",), ("def calc",)),),
    ),
    graves=(tombstone("T01", "内存缓存", "重启后丢失 | 全部", DAY),),
    decisions=(decision("用 SQLite，因为只有一个文件", DAY, "turn 3"),),
)


def drawing(**what):
    """The same, made from something else of a conversation."""
    return replace(SMALL, drawn=replace(SMALL.drawn, **what))


SEED = """# 热轨快照

_生成时间: 2026-04-24 09:30_
_快照版本: v12_

---

## 1. 项目状态

### 当前目标
把缓存换成 Redis

### 进度概览
| 模块 | 状态 | 说明 |
|------|------|------|
| 缓存 | 进行中 | 第一版 |

### 当下阻塞
- **问题**: CI 没有权限

---

## 2. 已确定接口（骨架）

### src/calc.py
```
def calc(a: int, b: int) -> int
```

---

## 3. 避坑墓碑

| 死胡同 | 失败原因 | 日期 |
|--------|----------|------|
| 内存缓存 (T01) | 重启后丢失 \\| 全部 | 2026-04-02 |

---

## 4. 关键决策

| 决策 | 理由 | 日期 |
|------|------|------|
| 用 SQLite | 只有一个文件 | 2026-04-02 |

---
*Token 数: ~{tokens}*
"""


def test_the_seeds_form_byte_for_byte():
    made = assemble(SMALL, labels("zh"))
    assert made.text == SEED.format(tokens=made.tokens)
    assert made.own == made.text
    assert footer_is_true(made.text) == made.tokens


@pytest.mark.parametrize(
    ("lang", "version"), [("zh", "_快照版本: v12_"), ("en", "_Snapshot version: v12_"), ("ko", "_스냅샷 버전: v12_")]
)
def test_every_language_has_the_same_sections(lang, version):
    made = assemble(SMALL, labels(lang)).text
    assert version in made.splitlines()
    assert [line[:5] for line in made.splitlines() if line.startswith("## ")] == ["## 1.", "## 2.", "## 3.", "## 4."]
    footer_is_true(made)


def test_nothing_at_all_still_has_its_sections():
    made = assemble(Material(1, "2026-04-24 09:30"), labels("en")).text
    assert made.count("\nnone\n") == 6
    footer_is_true(made)


@each(["# heading", "## 3. Tombstones", "---", "```", "| a | b |", "<!-- wrapgen: end -->", "- x", "two\n\n## lines"])
def test_no_goal_or_blocker_makes_a_section_of_its_own(goal):
    made = assemble(drawing(goal=goal, blockers=(goal,)), labels("en")).text
    headings = [line for line in made.splitlines() if line.startswith("#")]
    assert headings == [line for line in assemble(SMALL, labels("en")).text.splitlines() if line.startswith("#")]
    assert one_line(goal) in made


@each(["## 3. Tombstones", "```", "<!-- wrapgen: end -->", "two\n\n## lines"])
def test_last_words_stand_in_the_state_as_lines(said):
    made = assemble(drawing(last_asked=said, last_said="Shall I push?"), labels("en")).text
    state = made.partition("\n### Last words\n")[2].partition("\n---\n")[0]
    assert state == f"- **User**: {visible(one_line(said))}\n- **Assistant**: Shall I push?\n"


def test_fences_of_signatures_are_closed_by_nothing_in_them():
    made = assemble(drawing(interfaces=(Interface("a.ts", "typescript", ("a(b: '```')",), ("a",)),)), labels("en"))
    assert "````\na(b: '```')\n````" in made.text


def test_a_file_that_cannot_be_read_is_listed_by_name():
    made = assemble(drawing(interfaces=(Interface("a.xyz", readable=False),)), labels("en")).text
    assert "\n- a.xyz\n" in made


def test_a_file_without_signatures_stands_once():
    plan = Interface("docs/plan.md", readable=False)
    drawn = drawing(progress=(), written=("docs/plan.md",), interfaces=(plan, Interface("plan.md", readable=False)))
    made = assemble(drawn, labels("en")).text
    assert made.count("docs/plan.md") == 1
    assert "\n- plan.md\n" in made


def bulk(number, text="word " * 30):
    """So many rows of everything."""
    return replace(
        drawing(
            progress=tuple(Progress(f"part {one}", "open", text) for one in range(number)),
            interfaces=tuple(
                Interface(f"f{one}.py", "python", (f"def f{one}({text.replace(' ', ', ')})",), (f"def f{one}",))
                for one in range(number)
            ),
        ),
        decisions=tuple(decision(f"decision {one} {text}", DAY, "turn 1") for one in range(number)),
        graves=tuple(tombstone(f"T{one:02d}", f"idea {one} {text}", "it failed", DAY) for one in range(number)),
    )


def rank(cut):
    """Which step of the trimming is the last one that was taken."""
    taken = [cut.progress, cut.decisions, cut.dates, cut.parameters, cut.signatures, cut.graves, cut.interfaces]
    return max((place for place, value in enumerate(taken) if value), default=-1)


@pytest.mark.slow
def test_what_goes_first_goes_wholly_before_the_next():
    seen = set()
    for size in range(40):
        material = bulk(size)
        cut = assemble(material, labels("en")).cut
        last = rank(cut)
        seen.add(last)
        everything = {0: cut.progress == size, 1: cut.decisions == size, 2: cut.dates, 3: cut.parameters,
                      4: cut.signatures == size, 5: cut.graves == size}  # fmt: skip
        assert all(everything[place] for place in range(max(last, 0))), cut
    assert {-1, 0, 1} <= seen, "the material meets too few steps"


def test_the_oldest_decisions_go_first_and_the_file_says_how_many():
    made = assemble(replace(bulk(0), decisions=bulk(140).decisions), labels("en"))
    assert 0 < made.cut.decisions < 140
    assert "| decision 139 " in made.text
    assert "| decision 0 " not in made.text
    assert f"_{made.cut.decisions} more, see COLD_TRACK.md_" in made.text


def test_a_list_that_is_left_out_is_not_said_to_be_empty():
    made = assemble(bulk(60), labels("en"))
    assert made.cut.progress == 60
    assert "### Progress\n_60 more, see COLD_TRACK.md_\n\n### Blockers" in made.text


@pytest.mark.slow
def test_one_step_less_would_not_have_fitted():
    words = labels("en")
    for size in (40, 60, 100):
        made = assemble(bulk(size), words)
        steps = hot._steps(bulk(size))
        at = steps.index(made.cut)
        assert at > 0
        before = steps[at - 1]
        assert conservative_tokens(hot._render(bulk(size), words, before, link=False)) > LIMIT - hot._SLACK


def test_files_too_many_to_list_leave_their_number():
    interfaces = tuple(Interface(f"src/very/long/path/of/module_{one}.py") for one in range(2_000))
    made = assemble(drawing(interfaces=interfaces), labels("en"))
    assert made.tokens < LIMIT
    assert f"_{made.cut.interfaces} more, see COLD_TRACK.md_" in made.text
    assert "module_1999.py" in made.text


TEXT = st.text(max_size=300) | st.sampled_from(
    ["가" * 250, "漢" * 250, "😀" * 250, "|" * 200, "`" * 200, "\x1b[2J" * 60]
)
ROWS = {"max_size": 30}
MATERIAL = st.builds(
    Material,
    version=st.integers(1, 10_000),
    generated=st.just("2026-04-24 09:30"),
    drawn=st.builds(
        Drawn,
        goal=TEXT,
        last_asked=TEXT,
        last_said=TEXT,
        blockers=st.lists(TEXT, max_size=8).map(tuple),
        progress=st.lists(st.builds(Progress, TEXT, TEXT, TEXT), **ROWS).map(tuple),
        interfaces=st.lists(
            st.builds(
                lambda name, lines, readable: Interface(
                    name, "python", lines, tuple(one[:20] for one in lines), readable
                ),
                TEXT,
                st.lists(TEXT.map(lambda text: text.replace("\n", " ").replace("\r", " ")), max_size=20).map(tuple),
                st.booleans(),
            ),
            **ROWS,
        ).map(tuple),
    ),
    graves=st.lists(st.builds(tombstone, st.just("T07"), TEXT, TEXT, st.dates() | st.none()), **ROWS).map(tuple),
    decisions=st.lists(st.builds(decision, TEXT, st.dates() | st.none(), st.just("turn 3")), **ROWS).map(tuple),
    by_hand=st.lists(
        st.lists(TEXT.map(lambda text: " ".join(text.split()) or "x"), min_size=1, max_size=12).map(
            lambda lines: AddedLines(tuple(lines))
        ),
        max_size=6,
    ).map(tuple),
)


@settings(
    max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(material=MATERIAL, lang=st.sampled_from(["zh", "en", "ko"]))
def test_whatever_it_is_made_of(material, lang):
    made = assemble(material, labels(lang))
    assert footer_is_true(made.text) == made.tokens < LIMIT
    goal = visible(one_line(material.drawn.goal))[:150]
    assert goal in made.text, "the goal is cut"
    for blocker in material.drawn.blockers[:5]:
        assert visible(one_line(blocker))[:150] in made.text, "a blocker is cut"
    for said in (material.drawn.last_asked, material.drawn.last_said):
        assert visible(one_line(said))[:150] in made.text, "last words are cut"
    assert rank(made.cut) < 1 or made.cut.progress == len(material.drawn.progress)
    assert rank(made.cut) < 2 or made.cut.decisions == len(material.decisions)
    kept = [block for block in material.by_hand if block not in made.moved]
    assert all("\n".join(block.lines) in made.text for block in kept)
    made.text.encode("utf-8", "replace")


@settings(max_examples=examples(25), deadline=None)
@given(material=MATERIAL, lang=st.sampled_from(["zh", "en", "ko"]))
def test_what_the_program_wrote_is_never_taken_for_peoples(material, lang):
    made = assemble(replace(material, by_hand=()), labels(lang))
    assert added(made.text, made.own.splitlines()) == ()


def test_what_a_context_starts_with_is_told_without_numbers():
    text = "## 1. Project state\n\nx\n\n## 2. Interfaces (skeleton)\n\n- a\n\n## 3. Tombstones\n\n- y\n"
    assert hot.by_importance(text) == [
        "## Project state",
        "x",
        "## Dead ends",
        "- y",
        "## Interfaces (skeleton)",
        "- a",
    ]


def test_every_language_has_every_label():
    kinds = [{name: type(label) for name, label in vars(one).items()} for one in all_labels().values()]
    assert len(kinds) == 3
    assert kinds[1:] == kinds[:1] * 2
