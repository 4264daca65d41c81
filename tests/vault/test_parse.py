"""Markdown to headings and entries, with their lines."""

import pytest

from tests.support import each
from wrapgen.vault.markdown.parse import parse


def found(text):
    return [(entry.line, entry.text) for entry in parse(text).entries]


@each(["", "\n\n", "# A\n", "Prose.\n", "---\n---\n", "```\n- a\n", "> - a\n", "<!--\n- a\n-->\n"])
def test_nothing_is_found_where_nothing_is(text):
    assert found(text) == []


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_are_counted_in_every_line_ending(ending):
    text = ending.join(["---", "a: 1", "---", "", "# A", "", "- one", "  more", "- two", "", "## B", "- three"])
    assert found(text) == [(7, "one more"), (9, "two"), (12, "three")]
    assert [(section.line, section.title) for section in parse(text).sections] == [(5, "A"), (11, "B")]


def test_sections_know_their_parents():
    document = parse("# A\n### B\n**C**\n\n- x\n\n## D\n# E\n")
    assert [(one.title, one.level, one.parent) for one in document.sections] == [
        ("A", 1, -1), ("B", 3, 0), ("C", 7, 1), ("D", 2, 0), ("E", 1, -1),
    ]  # fmt: skip
    assert document.entries[0].section == 2


def test_an_entry_above_every_heading():
    assert parse("- x\n").entries[0].section == -1


def test_a_list_in_a_list_item_without_words():
    assert found("- - [ ] a\n  - [ ] b\n") == [(1, "a"), (2, "b")]


def test_a_list_inside_details():
    assert found("<details>\n<summary>More</summary>\n\n- [ ] a\n\n</details>\n") == [(4, "a")]


@pytest.mark.slow
def test_a_comment_between_items():
    assert found("- a\n\n<!-- - b -->\n\n- c\n") == [(1, "a"), (5, "c")]


def test_a_heading_inside_an_item_opens_no_section():
    assert [section.title for section in parse("# A\n\n- # B\n- c\n").sections] == ["A"]


@pytest.mark.slow
def test_a_table_inside_a_quote():
    assert found("> | a |\n> | --- |\n> | b |\n") == []


@pytest.mark.slow
def test_a_table_row_with_an_escaped_pipe():
    assert found("| a |\n| --- |\n| b \\| c |\n") == [(3, "b | c")]


@pytest.mark.slow
@pytest.mark.parametrize("depth", [2, 21, 60])
def test_checkboxes_at_any_depth(depth):
    text = "".join(f"{'  ' * level}- [ ] level {level}\n" for level in range(depth))
    assert found(text) == [(level + 1, f"level {level}") for level in range(depth)]
    assert parse(text).trouble is None


@pytest.mark.sampled(5)
@pytest.mark.parametrize("sign", ["- ", "> ", "1. ", "- > "])
@pytest.mark.parametrize("depth", [150, 1_000, 10_000])
def test_no_depth_is_an_error(sign, depth):
    document = parse(f"- before\n\n{sign * depth}[ ] deep\n\n# After\n\n- behind\n")
    lines = [entry.line for entry in document.entries]
    assert 1 in lines
    assert 7 in lines
    assert document.sections[-1].title == "After"


DEEP = "> " * 200 + "deep\n\n"


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("## Next\n\n- [ ] Fix the login\n- Add the retry\n", [("Next", "Fix the login"), ("Next", "Add the retry")]),
        (
            "- none\n\n## Next ##\n- one\n\n**Done**\n- [x] two\n\n### Later\n\n- three\n",
            [("", "none"), ("Next", "one"), ("Done", "two"), ("Later", "three")],
        ),
        ("```\n- in code\n~~~\n``\n- and here\n````\n- after\n", [("", "after")]),
        ("~~~\n- in code\n", []),
        ("<!-- - one -->\n- two\n<!--\n- three\n-->\n- four\n", [("", "two"), ("", "four")]),
    ],
)
def test_what_stands_beside_the_depth_is_read(text, items):
    document = parse(DEEP + text)
    assert document.trouble
    titles = [one.title for one in document.sections]
    found = [(titles[one.section] if one.section >= 0 else "", one.text) for one in document.entries]
    assert found == items


def test_what_is_too_deep_is_an_item_on_its_line():
    lines = [f"{'  ' * depth}- [ ] level {depth}" for depth in range(400)]
    document = parse("\n".join([*lines, "", "- last"]))
    assert [(one.line, one.text) for one in document.entries] == [
        *((depth + 1, f"level {depth}") for depth in range(400)),
        (402, "last"),
    ]


def test_front_matter_stands_at_the_very_beginning():
    """`---` on the first line inside a list item opens none, which would hide what follows."""
    assert [entry.text for entry in parse("- ---a\n- ---\n- b\n- c\n").entries][-2:] == ["b", "c"]
    assert [entry.text for entry in parse("---\na: b\n---\n- c\n").entries] == ["c"]


@pytest.mark.parametrize(
    "above", ["- a", "- a\n  more", "- a\n  - b", "| a | b |\n|---|---|\n| x | y |", "> q", "> - q", "- > q", "prose"]
)
@pytest.mark.parametrize("title", ["**Next:**", "__Next__", "**Next**:"])
def test_a_bold_line_right_below_a_block_is_a_heading(above, title):
    close, apart = parse(f"{above}\n{title}\n- last\n"), parse(f"{above}\n\n{title}\n- last\n")
    line = above.count("\n") + 2
    assert [one.line for one in close.sections] == [line]
    assert [one.title.strip(":") for one in close.sections] == ["Next"]
    assert [one.text for one in close.entries] == [one.text for one in apart.entries]
    assert (close.entries[-1].line, close.entries[-1].section) == (line + 1, 0)


@each(
    [
        ("**More** (later)\n- a\n", "More (later)"),
        ("**More**: (a (b))\n- a\n", None),
        ("**More** (later) and more\n- a\n", None),
        ("__More:__ (later):\n", "More: (later)"),
    ]
)
def test_a_bracket_behind_bold_text_belongs_to_the_heading(text, title):
    assert [one.title for one in parse(text).sections] == ([title] if title else [])


@each(["- a\n  **b**\n", "- a\n ** b**\n", "```\nx\n**b**\n```\n", "<!--\n**b**\n-->\n"])
def test_other_bold_lines_are_no_headings(text):
    assert parse(text).sections == ()


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("## Boat\n\t- TODO Caulk it\n\t\t- [ ] Buy tar\n", [(2, "Caulk it", ()), (3, "Buy tar", ("Caulk it",))]),
        ("## Boat\n\n    - Caulk it\n    - [ ] Paint it\n", [(4, "Paint it", ())]),
        ("## Boat\n\n    - name: tar\n    - name: oakum\n", []),
        ("## Boat\n\n    colour = [ ]\n    - [ ] an example\n", []),
        ("So it reads:\n\n    - [ ] an example\n", []),
    ],
)
def test_a_list_that_is_indented_right_below_a_heading(text, items):
    assert [(one.line, one.text, one.above) for one in parse(text).entries] == items


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("---\n\n## Next\n\n- paint\n\n---\n\nwords\n", ["paint"]),
        ("---\n- paint\n---\n", ["paint"]),
        ("---\nToday: much\n- [ ] paint\n---\n- oil\n", ["paint", "oil"]),
        ("---\n# made by hand\nkey: value\ntags:\n  - [ ] a\n---\n- oil\n", ["oil"]),
        ("---\n\nkanban-plugin: board\n\n---\n- oil\n", ["oil"]),
        ("---\nkey: value\n- oil\n", ["oil"]),
    ],
)
def test_what_is_no_mapping_is_no_front_matter(text, entries):
    assert [one.text for one in parse(text).entries] == entries


def paragraphs(text):
    return [(one.entry.line, one.entry.text, one.is_quoted) for one in parse(text).paragraphs]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("## Next\n\nOpen the branch.\nPatch it.\n\nThen rest.\n",
         [(3, "Open the branch", False), (6, "Then rest", False)]),
        ("Above every heading.\n\n## Next\n\nPaint v1.2 of the shed, e.g. in red. Then rest.\n",
         [(5, "Paint v1.2 of the shed, e.g. in red", False)]),
        ("## Next\n\nThese are for tomorrow.\n\n- Fix it\n", []),
        ("## Next\n\nThese are for tomorrow.\n\n### Web\n\n- Fix it\n\n### Api\n\nRotate the keys.\n",
         [(11, "Rotate the keys", False)]),
        ("## Next\n\nWrite the SQL that:\n\n_In haste._\n\n[[2026-04-20]]\n\n---\n", []),
        ("## Next\n\n**Web**\nFix the login.\n**Api:**\nRotate the keys.\n",
         [(4, "Fix the login", False), (6, "Rotate the keys", False)]),
        ("## Next\n\n> Go on. Read first.\n>\n> Then rest.\n", [(3, "Go on", True), (5, "Then rest", True)]),
        ("## Next\n\n```\nmake\n```\n\n<!-- hush -->\n\n> [!todo] Mind\n> - [ ] Fix it\n", []),
        ("## Next\n\n... and so on. Rest.\n\n...\n", [(3, "... and so on", False)]),
        ("## 次\n\nガイドを書く。次に休む。\n", [(3, "ガイドを書く", False)]),
    ],
)  # fmt: skip
def test_the_first_sentence_of_each_paragraph_below_a_heading(text, found):
    assert paragraphs(text) == paragraphs(text.replace("\n\n", "\n \t\n")) == found


def test_a_section_keeps_as_many_paragraphs_as_a_page_holds():
    prose = "".join(f"Thing {number}.\n\n" for number in range(99))
    assert [text for _, text, _ in paragraphs(f"## Next\n\n{prose}## Then\n\nRest.\n")] == [
        *(f"Thing {number}" for number in range(15)), "Rest",
    ]  # fmt: skip


def test_a_paragraph_of_nothing_but_signs_is_none():
    assert paragraphs(f"## Next\n\n{'.' * 2000}\n\n{'-.' * 900}\n") == []
