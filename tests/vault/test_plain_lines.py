"""Plain notes read without a parser are what the parser reads."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import examples
from wrapgen.vault.markdown.parse import read_tokens, tokenize
from wrapgen.vault.markdown.plain import parse_plain

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


def parsed(text):
    tokens = tokenize(text)
    assert tokens is not None
    return read_tokens(tokens)


OTHER = (
    "  - nested", "> quote", "| a |\n| - |", "<div>", "title\n===", "---\nx: y\n---", "[a]: b", "- # x", "-\tx",
    "a\rb", "a\0",
)  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("text", OTHER)
def test_other_notes_are_left_to_the_parser(text):
    assert parse_plain(f"- one\n\n{text}\n") is None


@settings(max_examples=examples(600), deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_any_lines(lines, ending):
    text = ending.join(lines)
    plain = parse_plain(text)
    assert plain is None or plain == parsed(text)


@settings(max_examples=examples(500), deadline=None)
@given(st.text(alphabet="-*+#1.) \n[]x`~>|=_:<ab\\", max_size=30))
def test_any_text(text):
    plain = parse_plain(text)
    assert plain is None or plain == parsed(text)
