import pytest

from tests.support import each
from wrapgen.tracks.skeleton.final import CodeBlock, code_blocks


def blocks(text):
    return list(code_blocks(text))


def only(text):
    (block,) = blocks(text)
    return block


@pytest.mark.parametrize(
    ("info", "tag", "name"),
    [
        ("", "", ""),
        ("python", "python", ""),
        ("Python", "python", ""),
        ("c++", "c++", ""),
        ('python title="src/a.py"', "python", "src/a.py"),
        ("ts filename=src/a.ts {1,3}", "ts", "src/a.ts"),
        ("ts src/a.ts", "ts", "src/a.ts"),
        ("python:src/a.py", "python", "src/a.py"),
        ("src/a.py", "", "src/a.py"),
        ("a.py", "", "a.py"),
        ("12:40:src/app/[id]/page.tsx", "12", "src/app/[id]/page.tsx"),
        (r"python C:\proj\a.py", "python", r"C:\proj\a.py"),
        ("python {.numberLines}", "python", ""),
        ("js import.meta", "js", ""),
        ("python https://example.org/a.py", "python", ""),
    ],
)
def test_the_fence_may_name_language_and_file(info, tag, name):
    assert only(f"Text\n\n```{info}\nx = 1\n```\n") == CodeBlock(tag, name, "x = 1\n")


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "line",
    [
        "**`src/a.py`**",
        "**src/a.py**",
        "`src/a.py`:",
        "### src/a.py",
        "#### 2. `src/a.py`",
        "1. **`src/a.py`**:",
        "- `src/a.py`",
        "File: src/a.py",
        "**File: `src/a.py`**",
        "文件：`src/a.py`",
        "파일: src/a.py",
        "src/a.py",
        "Here is the new `src/a.py`:",
        "이제 `src/a.py`를 고칩니다:",
        "**`src/a.py`**\n",
    ],
)
def test_the_line_above_may_name_the_file(line):
    assert only(f"Some words.\n{line}\n```python\nx = 1\n```").name == "src/a.py"


@each(["a.ts", "a.tsx", "a.json", "a.cpp", "a.md", "a.jsonc"])
def test_an_ending_is_read_to_its_end(name):
    assert only(f"**src/{name}**\n```\nx\n```").name == f"src/{name}"
    assert only(f"__src/{name}__\n```\nx\n```").name == f"src/{name}"


@each(
    [
        "Run it:",
        "I changed `src/a.py` and `src/b.py`:",
        "In `src/a.py` all is well.",
        "See https://example.org/src/a.py",
        "Version 1.2",
        "e.g.",
        "words " * 80 + "`src/a.py`:",
    ]
)
def test_other_lines_name_no_file(line):
    assert only(f"{line}\n```python\nx = 1\n```").name == ""


@each(["# src/a.py", "// src/a.py", "/* src/a.py */", "# File: src/a.py", "// filename: src/a.py", "<!-- src/a.py -->"])
def test_the_first_comment_may_name_the_file(first):
    assert only(f"```\n{first}\nx = 1\n```").name == "src/a.py"


def test_other_comments_name_no_file():
    assert only("```python\n# see src/a.py for more\nx = 1\n```").name == ""


def test_a_comment_that_names_a_file_of_settings_names_no_file():
    assert only("```toml\n# ~/.config/aerospace/aerospace.toml\nx = 1\n```").name == ""


def test_the_line_above_names_one_block_only():
    named, other = blocks("`a.py`:\n```python\nx\n```\n```python\ny\n```\n")
    assert (named.name, other.name) == ("a.py", "")


def test_fences():
    text = "```py\na\n```\ntext ```inline``` text\n~~~js\nb\n```\n~~~\n````md\n```py\nc\n```\n````\n"
    assert [(block.tag, block.text) for block in blocks(text)] == [
        ("py", "a\n"),
        ("js", "b\n```\n"),
        ("md", "```py\nc\n```\n"),
    ]


def test_a_block_that_is_not_closed_ends_with_the_message():
    assert only("```py\na = 1").text == "a = 1"


def test_a_block_in_a_list_item_loses_the_indentation_of_its_fence():
    assert only("1. Do\n\n   ```py\n   if a:\n       b\n\n   ```\n").text == "if a:\n    b\n\n"


def test_windows_line_ends():
    assert only("`a.py`:\r\n```python\r\nx = 1\r\n```\r\n") == CodeBlock("python", "a.py", "x = 1\r\n")
