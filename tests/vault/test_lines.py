"""Plain notes read line by line, as the parser reads them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import examples
from wrapgen.vault.markdown.parse import read_plain, read_tokens, tokenize

STARTS = (
    "- ", "* ", "+ ", "1. ", "2) ", "10. ", "- [ ] ", "- [x] ", "-", "- ", "# ", "## ", "####### ", "#", "###", "**",
    "__", "> ", "```", "~~~",
    "``` md", "    ", "  ", "\t", "---", "===", "***", "| ", "<b>", "<!-- ", "[a]: ", "[a] ", "[x](y) ",
    "-  ", "-     ", "", "word ", "✅ ", "다음 ", "\\- ", "1.", "(web) ",
)  # fmt: skip
ENDS = (
    "Next",
    "Done",
    "fix the login",
    "**",
    " #",
    "  ",
    "|",
    "-->",
    "`code`",
    "```",
    "",
    ":",
    "[ ]",
    "2026-04-24",
    "- x",
    "# y",
)
lines = st.builds(
    lambda *parts: "".join(parts), st.sampled_from(STARTS), st.sampled_from(STARTS), st.sampled_from(ENDS)
)
notes = st.lists(lines | st.sampled_from(["", "", "## Next", "- one thing", "prose"]), max_size=12).map("\n".join)


def parsed(text):
    return read_tokens(tokenize(text), text)


@pytest.mark.slow
@settings(max_examples=examples(600), deadline=None)
@given(notes, st.sampled_from(["", "\n", "\n\n"]), st.sampled_from(["\n", "\r\n"]))
def test_it_gives_what_the_parser_gives_or_nothing(text, ending, line_break):
    text = (text + ending).replace("\n", line_break)
    plain = read_plain(text)
    assert plain is None or plain == parsed(text)


@settings(max_examples=examples(300), deadline=None)
@given(st.text(alphabet="-*+#>1.) \n[]x`~|:=<_a", max_size=60))
def test_whatever_the_characters(text):
    plain = read_plain(text)
    assert plain is None or plain == parsed(text)


def test_common_notes_are_plain():
    assert read_plain("# 2026-04-24\n\n## Next\n\n- [ ] one\n- two\n\n```\n- code\n```\n\nprose\n") is not None
    assert read_plain("- one\n  - nested\n") is None


LINES = (
    "", "", "", "- one", "- [ ] box", "- [x] done ✅", "* star", "+ plus", "1. one", "2. two", "7) seven", "2. [ ] box",
    "3) [x] done",
    "10. ten", "# Head",
    "## Next", "### Session: x #", "## a#b", "#tag", "####### seven", "words", "**Bold**", "**Next:** more",
    "__Next__", "**Next:**", "**Next**：",
    "- **bold** x", "- **", "***", "---", "===", "- ", "-", "-  two", "-    four", "-     five", "```", "````", "~~~",
    "``` py", "```a`b", "  ```", "   ~~~~", "    ```", "- ```", "- # h", "- > q", "> q", "<div>", "a <b>", "[x]: y",
    "[ ] z", "[a] b", "[[w]]: q", "- [a]: b", "- [ ]: b", "- [[x]]", "[foo", "bar]: /u", "| a | b |", "| - | - |",
    "a | b", "-|-", ":-:", "  indented", "    code", " ", "  ", "\u3000x", "\u3000", "x\u3000", "- \u3000x", "1.",
    "1. ",
    "1.  x", "1234567890. x", "0. zero", "01. x", "+ + x", "- 1. x", "- 2) x", "- a\\", "\\# x", "`code`", "- `a`",
    "*emph* x", "_x_", "#", "##", "# ", "## #", "## x ##", "## x \\#", "- x  ", "x  ", "~~~x", "~~", "[a\\]b]: x",
    "- x | y",
    "=", "= x", "_ _ _", "* * *", "- [ ] a\u2028b", "\x0cx", "x\x0b", "- \x1cx", "\u00a0", "- ❌ x", "~~~ a ~~~",
    "- x\\",
    "[", "[]: x", "- []", "- [", "*", "+", "-x", "1.x", "--", "-- x", "- -", "-\u00a0x", "１. x", "\u0661. x",
    "1.\u3000x",
    "-\tx", "x\ty", "\0",
)  # fmt: skip


OTHER = (
    "  - nested", "> quote", "| a |\n| - |", "<div>", "title\n===", "---\nx: y\n---", "[a]: b", "- # x", "-\tx",
    "a\rb", "a\0",
)  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("text", OTHER)
def test_other_notes_are_left_to_the_parser(text):
    assert read_plain(f"- one\n\n{text}\n") is None


@settings(max_examples=examples(600), deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_any_lines(lines, ending):
    text = ending.join(lines)
    plain = read_plain(text)
    assert plain is None or plain == parsed(text)


@settings(max_examples=examples(500), deadline=None)
@given(st.text(alphabet="-*+#1.) \n[]x`~>|=_:<ab\\", max_size=30))
def test_any_text(text):
    plain = read_plain(text)
    assert plain is None or plain == parsed(text)
