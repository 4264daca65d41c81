"""Plain notes read without the parser say exactly what the parser would say."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import examples
from wrapgen.vault.markdown.parse import read_tokens, tokenize
from wrapgen.vault.markdown.plain import parse_plain

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


@pytest.mark.slow
@settings(max_examples=examples(600), deadline=None)
@given(notes, st.sampled_from(["", "\n", "\n\n"]), st.sampled_from(["\n", "\r\n"]))
def test_it_gives_what_the_parser_gives_or_nothing(text, ending, line_break):
    text = (text + ending).replace("\n", line_break)
    plain = parse_plain(text)
    if plain is not None:
        tokens = tokenize(text)
        assert tokens is not None
        assert plain == read_tokens(tokens)


@settings(max_examples=examples(300), deadline=None)
@given(st.text(alphabet="-*+#>1.) \n[]x`~|:=<_a", max_size=60))
def test_whatever_the_characters(text):
    plain = parse_plain(text)
    if plain is not None:
        tokens = tokenize(text)
        assert tokens is not None
        assert plain == read_tokens(tokens)


def test_common_notes_are_plain():
    assert parse_plain("# 2026-04-24\n\n## Next\n\n- [ ] one\n- two\n\n```\n- code\n```\n\nprose\n") is not None
    assert parse_plain("- one\n  - nested\n") is None
