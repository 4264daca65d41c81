"""Each line that a person sees as an open box is an entry, empty, or counted, and no item's words hold another's."""

import re
from collections import Counter
from contextlib import suppress
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import each, examples
from wrapgen.errors import EditError
from wrapgen.notes import Priority
from wrapgen.vault.markdown.boxes import column
from wrapgen.vault.markdown.edit import GivenMarks, mark, reword
from wrapgen.vault.markdown.parse import parse
from wrapgen.vault.markdown.take_out import take_out
from wrapgen.vault.markdown.tick import finish

INDENTS = (
    "", "", "", " ", "  ", "   ", "    ", "     ", "        ", "\t", "\t\t", " \t", "\u00a0",
    "\u00a0\u00a0", "\u3000", "\u2003",
    "\u200b", "> ", ">", "> > ", "\x0b", "\x85", "\u2028", "\ufeff",
)  # fmt: skip
MARKS = (
    "- ", "-", "* ", "+ ", "+", "-\t", "-\u00a0", "-\u3000", "1. ", "1.", "2. ", "10) ", "100. ",
    "1234567890. ", "(3) ", "• ", "– ",
    "a. ", "- - ", "- 1. ", "> - ", "# ", "### ", "###### ",
)  # fmt: skip
BULLETS = tuple(mark for mark in MARKS if "#" not in mark)
BOXES = (
    "[ ] ", "[ ] ", "[/] ", "[>] ", "[] ", "[\u00a0] ", "[　] ", "[ ]\u3000", "［ ］ ", "☐ ", "⬜", "🔲 ", "\\[ \\] ",
    "\\[ ] ", "[ \\] ",
)  # fmt: skip
TICKED = ("[x] ", "[X] ", "[-] ", "[×] ", "[ｘ] ", "［x］ ", "\\[x\\] ", "\\[X] ", "☑ ", "☒ ", "☑\ufe0f")
# Those of them that nobody takes for anything else where no list mark stands in front.
BARE = ("[ ] ", "［ ］ ", "☐ ", "⬜", "🔲", "\\[ \\] ", "\\[ ] ")
BARE_TICKED = ("[x] ", "[X] ", "\\[x\\] ", "☑ ", "☒ ")
SIGNS = ("✔ ", "✔\ufe0f ", "✅ ", "✅", "✓ ", "✘ ", "❌ ", "❌\ufe0f", "✗ ", "✖ ")
WORDS = ("TODO", "LATER", "NOW", "DOING", "WAITING", "WAIT", "IN-PROGRESS")
DONE_WORDS = ("DONE", "CANCELED", "CANCELLED")
OTHERS = (
    "", "", "", "prose", "  more of it", "- plain", "  - nested", "1. first", "## Head", "**Bold**", "```", "~~~",
    "<!--", "-->",
    "%%", "> [!todo] Do", "> quoted", "---", "===", "<div>", "</div>", "| a | b |", "|---|---|", "| c | d |", "[a]: /b",
    ":LOGBOOK:", ":END:", "    code", "* TODO org", "## TODO", "- Before:", "- [ ]", "| - [ ] | x |",
)  # fmt: skip


def words(number):
    return f"word{number}x stays"


@st.composite
def documents(draw):
    """Lines with words of their own, and which of them show an open box."""
    lines, boxes = [], {}
    for number in range(1, draw(st.integers(1, 9)) + 1):
        kind = draw(st.sampled_from(["box", "box", "bare", "ticked", "signed", "word", "org", "row", "other"]))
        indent, mark = draw(st.sampled_from(INDENTS)), draw(st.sampled_from(MARKS))
        if kind == "bare":
            kind = draw(st.sampled_from(["box", "ticked"]))
            lines.append(indent + draw(st.sampled_from(BARE if kind == "box" else BARE_TICKED)) + words(number))
        elif kind == "signed":
            mark = draw(st.sampled_from(["", "", *BULLETS]))
            lines.append(indent + mark + draw(st.sampled_from(SIGNS)) + words(number))
        elif kind == "word":
            kind, word = draw(st.sampled_from([("box", one) for one in WORDS] + [("done", one) for one in DONE_WORDS]))
            mark, behind = draw(st.sampled_from([("", ": "), ("", " W"), *((one, ": ") for one in BULLETS)]))
            lines.append(indent + mark + word + behind + words(number))
        elif kind == "other":
            lines.append(draw(st.sampled_from(OTHERS)))
        elif kind == "org":
            lines.append(f"{'*' * draw(st.integers(2, 4))} TODO {words(number)}")
        elif kind == "row":
            lines.append(f"| {draw(st.sampled_from(['- [ ] ', '[ ] ', '[/] ']))}{words(number)} | x |")
        else:
            lines.append(indent + mark + draw(st.sampled_from(BOXES if kind == "box" else TICKED)) + words(number))
        if kind in ("box", "org", "row"):
            boxes[number] = words(number)
        elif lines[-1] in ("- [ ]", "| - [ ] | x |", "* TODO org"):
            boxes[number] = ""
    return lines, boxes


def seen_or_counted(lines, boxes, ending="\n"):
    document = parse(ending.join(lines))
    read = {entry.line for entry in document.entries if entry.box and not entry.done}
    others = set(boxes) - read
    assert len(others) == document.ignored + len(document.empty), (lines, document)
    for entry in document.entries:
        said = {int(number) for number in re.findall(r"word(\d+)x", entry.text)}
        assert said <= {entry.line}, (lines, entry)
    return document


@settings(max_examples=examples(1500), deadline=None)
@given(documents(), st.sampled_from(["\n", "\r\n", "\r"]))
def test_every_box_is_seen_or_counted(document, ending):
    seen_or_counted(*document, ending)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("- [ ] a b\n\u00a0\u00a0- [ ] c d\n", [(1, "a b", ()), (2, "c d", ("a b",))]),
        ("- [ ] a b\n\u3000- [ ] c d\n", [(1, "a b", ()), (2, "c d", ("a b",))]),
        ("- [ ] a b\n-[ ] c d\n", [(1, "a b", ()), (2, "c d", ())]),
        ("- [ ] a b\n  -[ ] c d\n", [(1, "a b", ()), (2, "c d", ("a b",))]),
        ("100. [ ] a b\n\t- [ ] c d\n", [(1, "a b", ()), (2, "c d", ("a b",))]),
        ("- [ ] a b\n\n  more words\n  -[ ] c d\n", [(1, "a b", ()), (4, "c d", ("a b",))]),
        ("* TODO a b\n** TODO c d\n*** TODO e f\n", [(1, "a b", ()), (2, "c d", ("a b",)), (3, "e f", ("a b", "c d"))]),
        ("prose\n\u00a0- [ ] a b\nmore\n", [(2, "a b more", ())]),
        ("> [!todo] Do\n> -[ ] a b\n", [(2, "a b", ())]),
        ("☐ a b\n☐ c d\n", [(1, "a b", ()), (2, "c d", ())]),
        ("[ ] a b\n", [(1, "a b", ())]),
        ("- [ ] [ ] a b\n", [(1, "a b", ())]),
        ("## TODO a b\n\nprose\n\n### [ ] c d\n", [(1, "a b", ()), (5, "c d", ())]),
        ("## TODO list\n\n- [ ] a b\n", [(3, "a b", ())]),
        ("# TODO app\n\nprose\n", []),
        ("[ ](url) text\n[x]: /url\n[[page]]\n[a] b\n", []),
    ],
)  # fmt: skip
def test_where_commonmark_sees_words(text, items):
    document = parse(text)
    assert [(one.line, one.text, one.above) for one in document.entries if one.box] == items
    assert document.ignored == 0


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("☐ a b\n✔ c d\n✘ e f\n", [("a b", False), ("c d", True), ("e f", True)]),
        ("Shop:\n  ☐ a b\n  ✔ c d @done(26-11-20)\n", [("a b", False), ("c d @done(26-11-20)", True)]),
        ("⬜ a b\n✅ c d\n❌ e f\n", [("a b", False), ("c d", True), ("e f", True)]),
        ("prose\n✅ c d\n❌ e f\n", [("c d", True)]),
        ("- [ ] a b\n☑ c d\n☒ e f\n", [("a b", False), ("c d", True), ("e f", True)]),
        ("- [ ] a b\n  ✅ 2026-11-20\n", [("a b", False)]),
        ("- \\[ \\] a b\n- \\[x\\] c d\n* \\[-] e f\n", [("a b", False), ("c d", True), ("e f", True)]),
        ("\\[ ] a b\n\\[x] c d\n", [("a b", False), ("c d", True)]),
        ("TODO: a b\nDONE: c d\nWAITING: e f\n", [("a b", False), ("c d", True), ("e f", False)]),
        ("- [ ] a b\n  TODO Call\n  DONE: c d\n", [("a b", False), ("Call", False), ("c d", True)]),
        ("- [ ] keep the\n  TODO list short\n", [("keep the TODO list short", False)]),
        ("Search for\nTODO comments. NOW it is fine.\n**TODO: this**\nTODO:\n", []),
        ("## ✅ Phase 1\n\n**✔ Phase 2:**\n\n✗\n", []),
        ("> ✅ c d\n\n```\n✔ e f\n```\n", []),
        ("a | b\n--|--\nc | d\n☐ a b\n", [("a b", False)]),
        ("prose\n☐ a b\n---\n", [("a b", False)]),
        ("- ❌ a b\n- ☒ c d\n", [("❌ a b", False), ("c d", True)]),
    ],
)
def test_a_line_that_begins_with_a_mark_is_an_item_of_its_own(text, items):
    document = parse(text)
    assert [(one.text, one.done) for one in document.entries if not one.row] == items
    assert (document.ignored, document.empty) == (0, ())


def test_a_heading_that_is_a_task_has_its_words_as_title():
    document = parse("# Day\n\n## [ ] Call the printer\n\n- a detail\n")
    assert [one.title for one in document.sections] == ["Day", "Call the printer"]
    assert document.entries[0].section == 0


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("- Before the release:\n  - write notes\n  - tag it\n", ["write notes", "tag it"]),
        ("- [ ] **Before:**\n  - [ ] write notes\n", ["write notes"]),
        ("- [ ] Keep in mind:\n  - a detail\n", ["Keep in mind:"]),
        ("- Nothing below:\n- next\n", ["Nothing below:", "next"]),
        ("- One:\n  - two:\n    - three\n      - detail\n", ["three"]),
    ],
)
def test_a_lead_in_gives_what_is_below_it(text, items):
    document = parse(text)
    assert [one.text for one in document.entries] == items
    assert len([one for one in document.entries if one.box]) + len(document.empty) == text.count("[ ]")


@pytest.mark.parametrize(
    ("row", "read"),
    [
        ("| - [ ] Mend the roof | May |", ("Mend the roof", False)),
        ("| [x] Mend the roof | May |", ("Mend the roof", True)),
        ("| \\[x\\] Mend the roof | May |", ("Mend the roof", True)),
        ("| Mend the roof | [~] |", ("Mend the roof", False)),
        ("| Mend the roof | - [ ] |", ("Mend the roof", False)),
        ('| Mend the roof | <input type="checkbox" id="a"> |', ("Mend the roof", False)),
        ('| Mend the roof | <input type="checkbox" checked> |', ("Mend the roof", True)),
        ("| [ ] Mend the roof | merged |", ("Mend the roof", True)),
        ("| Step 3 | [ ] Mend the roof |", ("Mend the roof", False)),
    ],
)
def test_a_box_in_a_cell_is_the_state_of_its_row(row, read):
    entries = parse(f"| Work | When |\n|---|---|\n{row}\n").entries
    assert [(one.text, one.done) for one in entries if one.box and not one.row] == [read]


@each(["-[ ] c d", "-\u3000[ ] c d", "[ ] c d", "☐ c d"])
def test_what_stands_beside_an_item_does_not_move_with_it(second):
    data = f"- [ ] a b\n  more\n{second}\n".encode()
    taken = take_out("todos.md", data, 1)
    assert taken is not None
    assert taken.change.apply(data) == f"{second}\n".encode()


@settings(max_examples=examples(300), deadline=None)
@given(documents())
def test_a_tick_changes_its_own_line_and_no_other(document):
    lines, _ = document
    text = "\n".join(lines)
    for entry in parse(text).entries:
        change = finish("todos.md", text.encode(), [entry.line], date(2026, 11, 25)).get(entry.line)
        if change is not None:
            after = change.apply(text.encode()).decode().split("\n")
            assert [at for at, (one, other) in enumerate(zip(lines, after, strict=True), 1) if one != other] == [
                entry.line
            ]
            assert any(
                one.line == entry.line and one.done and one.text == entry.text
                for one in parse("\n".join(after)).entries
            )


def changes(data, entry):
    """What a new wording, marks and a move would do to the item."""
    with suppress(EditError):
        yield "edit", reword("todos.md", data, entry.line, entry.text, "Call the good plumber")
    with suppress(EditError):
        yield "mark", mark("todos.md", data, entry.line, GivenMarks(date(2026, 12, 1), Priority.HIGH))
    with suppress(EditError):
        yield "move", (taken := take_out("todos.md", data, entry.line)) and taken.change


@settings(max_examples=examples(300), deadline=None)
@given(documents())
def test_an_edit_leaves_every_other_line_that_begins_with_a_mark(document):
    lines, _ = document
    data = "\n".join(lines).removeprefix("\ufeff").encode()
    lines = data.decode().split("\n")
    for entry in parse(data.decode()).entries:
        own = lines[entry.line - 1]
        for verb, change in [*changes(data, entry)] if not entry.done else []:
            gone = Counter(lines) - Counter(change.apply(data).decode().split("\n") if change else lines)
            others = [one for one in gone if one != own and re.search(r"word\d", one)]
            below = [one for one in others if verb == "move" and column(one) > column(own)]
            assert others == below, (verb, lines, entry)
