"""Which words name a task; and patterns that could hang the program are refused before they are used."""

import pytest

from tests.support import each
from wrapgen.config.task_ids import DEFAULT_PATTERN, PRESETS, is_task_id, pattern_trouble, task_of_branch


@each([
        "TUNE-0254", "A1-0254", "AB-12345", "DEV-CORE-0001", "A-B-2024-0001", "A--0001", "FOO-1", "T-12", "GH-4711",
        "WEB2-123", "MY_TEAM-7", "ENG-025444", "foo-12", "issue-42", "web-0012",
    ])  # fmt: skip
def test_ids(text):
    assert is_task_id(text, DEFAULT_PATTERN)


@each([
        "", "TUNE-0254\n", "\nTUNE-0254", "TUNE-0254\r", "TUNE-0254 ", "Tune-0254",
        "#12", "-1", "--no-1", "../x-1", "a/b-1", "TUNE-", "FOO1",
        "1-1", "TUNE-0123456789", "_A-1",
        "TUNE-0254-fix", "../TUNE-0254", "TUNE/0254", "TUNE-0254/../x", "ΤUNE-0254", "TUNE-０２５４", "TUNE‐0254",
        "TUNE-0254\u2028", "TUNE-0254\0", f"{'A' * 95}-02541", "0TUNE-0254", "TUNE.X-0254", "-A-0254",
    ])  # fmt: skip
def test_other_words(text):
    assert not is_task_id(text, DEFAULT_PATTERN)


def test_the_ids_of_datarim():
    for text, fits in (("DEV-1438-FU-a", True), ("TUNE-0254", True), ("T-0254", False), ("TUNE-02544", False)):
        assert is_task_id(text, "datarim") is fits
    assert not is_task_id("DEV-1438-FU-", "datarim")


@each(["a/b", "..", ".", "a.1", "A\\B", "A B", "", "x" * 101, "é", "-rf", "a\n"])
def test_no_pattern_makes_a_name_that_is_no_file_name(text):
    assert not is_task_id(text, r"(?:.|\n)*".replace("*", "{0,200}"))
    assert not is_task_id(text, ".*")


@each([
        DEFAULT_PATTERN, *PRESETS, *PRESETS.values(), r"^(WEB|API|OPS)-\d{1,6}$", r"[A-Z]+-\d+",
        r"[A-Z]{2,10}-\d{4}(-[a-z]+)?",
        r"#?\d+", r"[]a-z]+", r"task_\d+", r"(?:A|B)\.\d+", r"[A-Z]{3}-\d{3,}?",
    ])  # fmt: skip
def test_patterns_that_may_be_used(pattern):
    assert pattern_trouble(pattern) is None


@each([
        "(A+)+", "(A+)+x", "(?:A|A)*x", "(A?){30}A{30}", r"(A)\1", "(?=A)A", "(?P<x>A)", "(?<=A)",
        "A*A*A*A*A*x", "(", "[", "A{2,1}",
        "A?" * 25 + "A{25}", "(A|A)" * 25 + "x", ".*.*.*.*x", "(?i)a", "a{1,50}" * 5, "(A{1,9}){1,9}",
        "A{99999999999}",
        "((A*)*)*x", "(A)+?x", r"\w+\w+\w+\w+x",
    ])  # fmt: skip
def test_patterns_that_could_take_for_ever_are_refused(pattern):
    assert pattern_trouble(pattern)


@pytest.mark.parametrize("pattern", [r"[A-Z]*[A-Z]*[A-Z]*x", "A?" * 19 + "A{19}x", "(A|A)" * 19 + "x"])
def test_the_worst_that_is_allowed_comes_to_an_end(pattern):
    """It is the end of this test that counts: what is refused above would not come to one."""
    assert pattern_trouble(pattern) is None
    assert not is_task_id("A" * 100, pattern)
    assert task_of_branch("-".join(["A" * 5] * 100), pattern) is None


@pytest.mark.parametrize(
    ("branch", "task"),
    [
        ("TUNE-0254", "TUNE-0254"),
        ("feature/TUNE-0254-search", "TUNE-0254"),
        ("fix/tune/TUNE-0254_and_WEB-0001", "TUNE-0254"),
        ("user/x-TUNE-02541", "TUNE-02541"),
        ("DEV-CORE-0001-x", "DEV-CORE-0001"),
        ("TUNE-0254x", None),
        ("main", None),
        ("", None),
        ("feature/tune-0254", "tune-0254"),
        ("fix-TUNE-0254", "TUNE-0254"),
    ],
)
def test_the_task_of_a_branch(branch, task):
    assert task_of_branch(branch, DEFAULT_PATTERN) == task


def test_the_task_of_a_branch_with_slugs():
    assert task_of_branch("fix/DEV-1438-FU-a", "datarim") == "DEV-1438-FU-a"
