"""Every line that looks like an open box is an entry, empty, or counted as ignored."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import examples
from wrapgen.vault.markdown.parse import parse

STARTS = (
    "- [ ] ",
    "* [ ] ",
    "1. [/] ",
    "  - [ ] ",
    "    - [ ] ",
    "        - [ ] ",
    "2. [ ] ",
    "> - [ ] ",
    "- [x] ",
    "- TODO ",
    "- ☐ ",
    "- ",
)
ENDS = ("one word", "#tag", "", "✅", "~~struck~~", "📅 2026-05-30")
# A word without anything behind it is a word.
LINES = st.builds(str.__add__, st.sampled_from(STARTS), st.sampled_from(ENDS)).filter("- TODO ".__ne__)
OTHERS = (
    "",
    "```",
    "<!--",
    "-->",
    "%%",
    "> [!todo]",
    "---",
    "# Next",
    "prose",
    "| a | status |",
    "|-|-|",
    "| b | [ ] |",
)
_OPEN = (" ", "/", "☐", "TODO", "")  # in a row of a table none is known
_BOX = re.compile(  # a list's, a word in the place of one, or in a row of a table
    r"[ >]*(?:[-*]|\d\.) (?:(?:\[[ /]\]|☐)(?=\s|$)|TODO (?=\S))|\| b \| \[ \] \|"
)


@pytest.mark.slow
@settings(max_examples=examples(400), deadline=None)
@given(st.lists(LINES | st.sampled_from(OTHERS)))
def test_no_open_box_is_unseen(lines):
    document = parse("\n".join(lines))
    boxes = {number for number, line in enumerate(lines, 1) if _BOX.match(line)}
    read = {entry.line for entry in document.entries if entry.box and entry.mark in _OPEN and not entry.done}
    empty = sum(mark in _OPEN for mark in document.empty)
    assert read <= boxes
    assert len(read) + empty + document.ignored == len(boxes)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("```\n- [ ] a\n- [x] b\n```\n", 1), ("> - [ ] a\n", 1), ("<!--\n- [ ] a\n-->\n", 1),
        ("---\nt:\n  - [ ] a\n---\n", 1), ("%%\n- [ ] a\n%%\n", 1), ("- [ ](url)\n- [[page]]\n", 0),
    ],
)  # fmt: skip
def test_what_is_ignored(text, count):
    document = parse(text)
    assert (document.ignored, [entry for entry in document.entries if entry.box]) == (count, [])


@pytest.mark.parametrize(
    ("text", "boxes"),
    [
        ("Still to do:\n2. [ ] ship\n3. [ ] call\n", [(2, "ship", ()), (3, "call", ())]),
        ("- [ ] a\n        - [ ] b\n", [(1, "a", ()), (2, "b", ("a",))]),
        ("- a\n  more\n        - [ ] b\n          c\n", [(3, "b c", ("a more",))]),
        ("- [ ] a\n        - [ ] b\n            * [x] c\n        1. [ ] d\n", [
            (1, "a", ()), (2, "b", ("a",)), (3, "c", ("a", "b")), (4, "d", ("a",)),
        ]),
        ("- [ ] a\n        - plain\n        - [ ] b\n", [(1, "a", ()), (3, "b", ("a",))]),
        ("Still to do:\n    - [ ] ship\n    - [ ] call\n", [(2, "ship", ()), (3, "call", ())]),
        ("> [!todo]\n> - [ ] a\n>         - [ ] b\n", [(2, "a", ()), (3, "b", ("a",))]),
        ("Words\n    - no box\n", []),
        ("In the year\n2. no box\n", []),
    ],
)  # fmt: skip
def test_boxes_that_commonmark_takes_for_words_are_items(text, boxes):
    document = parse(text)
    assert [(one.line, one.text, one.above) for one in document.entries if one.box] == boxes
    assert document.ignored == 0
    assert not any(section.prose for section in document.sections)
