"""What people added to the hot track is told apart in every shape, kept as it is, and never lost."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import each, examples
from tests.tracks.test_hot import SMALL
from wrapgen.text.tokens import conservative_tokens
from wrapgen.tracks.hot import LIMIT, assemble
from wrapgen.tracks.record import labels
from wrapgen.tracks.user_lines import BEGIN, END, MOVED_FILE, AddedLines, added, fit, version_named

ZH = labels("zh")
MADE = assemble(SMALL, ZH)
TABLE = "### 避坑墓碑\n| 死胡同 | 失败原因 | 日期 |\n|--------|----------|------|\n"
OWN = MADE.own.splitlines()


def found(text, own=OWN):
    return ["\n".join(block.lines) for block in added(text, own)]


def changed(old, new):
    assert old in MADE.text
    return MADE.text.replace(old, new, 1)


CASES = {
    "a free section": (
        changed("---\n*Token", "## 5. 关键理解\n\n不要动 session 表\n\n---\n*Token"),
        ["## 5. 关键理解\n\n不要动 session 表"],
    ),
    "free sections 5 to 7": (
        changed("---\n*Token", "## 6. 当前 Open Issues (5)\n- one\n\n---\n\n## 7. 下一步\n- two\n\n---\n*Token"),
        ["## 6. 当前 Open Issues (5)\n- one", "## 7. 下一步\n- two"],
    ),
    "a free section in the middle": (
        changed("## 3. 避坑墓碑", "## 我的\n\nwords\n\n```\n## 4. 关键决策\n---\n```\n\n## 3. 避坑墓碑"),
        ["## 我的\n\nwords\n\n```\n## 4. 关键决策\n---\n```"],
    ),
    "a row of the tombstones": (
        changed("| 内存缓存 (T01)", "| **文件锁** | NFS 不支持 | 2026-03-01 |\n| 内存缓存 (T01)"),
        [f"{TABLE}| **文件锁** | NFS 不支持 | 2026-03-01 |"],
    ),
    "a row without the bar in front": (
        changed("| 用 SQLite |", "手写 | 行\n| 用 SQLite |"), ["### 关键决策\n手写 | 行"]
    ),
    "a row that was corrected": (
        changed("重启后丢失 \\| 全部", "重启后丢失一半"),
        [f"{TABLE}| 内存缓存 (T01) | 重启后丢失一半 | 2026-04-02 |"],
    ),
    "plain text below the blockers": (
        changed("### 当下阻塞\n- **问题**: CI 没有权限", "### 当下阻塞\n无阻塞问题"), ["### 当下阻塞\n无阻塞问题"]
    ),
    "another bullet": (
        changed("- **问题**: CI 没有权限\n", "- **问题**: CI 没有权限\n- **尝试方向**: 换一个 runner\n"),
        ["### 当下阻塞\n- **尝试方向**: 换一个 runner"],
    ),
    "two paragraphs below the goal": (
        changed("把缓存换成 Redis\n", "把缓存换成 Redis\n\n第一\n\n第二\n"), ["### 当前目标\n第一\n\n第二"]
    ),
    "a signature of one's own": (
        changed("def calc(a: int, b: int) -> int\n", "def calc(a: int, b: int) -> int\ndef mine() -> None\n"),
        ["### src/calc.py\n```\ndef mine() -> None\n```"],
    ),
    "a signature between others": (
        changed("def calc(a: int, b: int) -> int\n", "def mine() -> None\ndef calc(a: int, b: int) -> int\n"),
        ["### src/calc.py\n```\ndef mine() -> None\n```"],
    ),
    "code below a section": (
        changed("## 3. 避坑墓碑\n", "## 3. 避坑墓碑\n\n```sh\nmake\n```\n"), ["### 避坑墓碑\n```sh\nmake\n```"]
    ),
    "no footer": (MADE.text.rpartition("---\n*Token")[0] + "tail\n", ["### 关键决策\ntail"]),
    "words behind the footer": (MADE.text + "\nPS: words\n", ["### 关键决策\nPS: words"]),
    "words before the title": ("before\n" + MADE.text, ["before"]),
    "another version and time": (
        changed("v12_", "v13_").replace("09:30_", "10:00_").replace("Token 数: ~", "Token 数: ~1,"), []
    ),
    "windows line ends": (MADE.text.replace("\n", "\r\n"), []),
    "a byte order mark": ("\ufeff" + MADE.text, []),
    "nothing": ("", []),
}  # fmt: skip


@each(CASES)
def test_shapes(name):
    text, expected = CASES[name]
    assert found(text) == expected


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CASES)
def test_what_was_added_stays_the_same_from_snapshot_to_snapshot(name):
    blocks = added(CASES[name][0], OWN)
    for _ in range(3):
        made = assemble(replace(SMALL, by_hand=blocks), ZH)
        assert added(made.text, made.own.splitlines()) == blocks
    for block in blocks:
        assert "\n".join(block.lines) in made.text


def test_without_a_log_the_frame_alone_is_the_programs():
    """A file of the original tool: every row of it was somebody's."""
    assert found(MADE.text, ()) == [
        "### 当前目标\n把缓存换成 Redis",
        "### 进度概览\n| 模块 | 状态 | 说明 |\n|------|------|------|\n| 缓存 | 进行中 | 第一版 |",
        "### 当下阻塞\n- **问题**: CI 没有权限",
        "### src/calc.py\n```\ndef calc(a: int, b: int) -> int\n```",
        f"{TABLE}| 内存缓存 (T01) | 重启后丢失 \\| 全部 | 2026-04-02 |",
        "### 关键决策\n| 决策 | 理由 | 日期 |\n|------|------|------|\n| 用 SQLite | 只有一个文件 | 2026-04-02 |",
    ]


def test_a_file_in_another_language_is_known_by_its_frame():
    english = assemble(SMALL, labels("en"))
    assert added(english.text, english.own.splitlines()) == ()


def test_the_version_is_read_only_to_be_looked_up():
    assert version_named(MADE.text) == 12
    assert version_named("words v3_\n") is None
    assert version_named("") is None


def test_the_mark_at_the_end_may_be_missing():
    made = assemble(replace(SMALL, by_hand=(AddedLines(("## mine", "words")),)), ZH)
    assert found(made.text.replace(END, ""), made.own.splitlines()) == ["## mine\nwords"]
    assert found(made.text.replace(BEGIN, ""), made.own.splitlines()) == ["## mine\nwords"]


class TestFit:
    def test_the_newest_stays_and_the_others_go(self):
        blocks = [AddedLines((f"## note {number}", "word " * 100)) for number in range(10)]
        kept, moved = fit(blocks, 500)
        assert [*moved, *kept] == blocks
        assert kept
        assert moved

    def test_of_one_that_is_too_large_the_beginning_stays(self):
        block = AddedLines(("## note", *(f"line {number} of many words" for number in range(500))))
        kept, moved = fit([block], 300)
        assert moved == (block,)
        assert kept[0].lines == block.lines[: len(kept[0].lines)]
        assert len(kept[0].lines) > 5

    def test_a_line_that_is_too_large_goes(self):
        assert fit([AddedLines(("word " * 5_000,))], 300) == ((), (AddedLines(("word " * 5_000,)),))

    def test_the_file_says_where_the_rest_is(self):
        made = assemble(replace(SMALL, by_hand=(AddedLines(("## note", *["many words " * 20] * 200)),)), ZH)
        assert MOVED_FILE in made.text
        assert made.moved
        assert made.tokens < LIMIT
        assert conservative_tokens(made.text) - conservative_tokens(made.own) < 2_100


PROGRAMS = (BEGIN, END, "_快照版本: v9_", "无")
LINE = st.text("ab |#`-*_漢가.\\<>!", max_size=30) | st.sampled_from(
    ["---", "```", "## 3. 避坑墓碑", "## mine", "| a | b | c |", *PROGRAMS]
)


@settings(max_examples=examples(150), deadline=None)
@given(lines=st.lists(LINE, max_size=12), place=st.integers(0, len(MADE.text.splitlines())))
def test_no_word_is_lost_wherever_it_is_put(lines, place):
    text = MADE.text.splitlines()
    text[place:place] = lines
    made = assemble(replace(SMALL, by_hand=added("\n".join(text), OWN)), ZH)
    after = made.text.split()
    for word in (word for line in lines if line not in PROGRAMS for word in line.split()):
        assert word in after, (word, lines)
    again = assemble(replace(SMALL, by_hand=added(made.text, made.own.splitlines())), ZH)
    assert set(after) - set(again.text.split()) <= {after[-1]}
