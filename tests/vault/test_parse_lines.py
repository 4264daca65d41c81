"""A file that nests too deeply for the parser is read line by line, so that what stands in it is not lost."""

import pytest

from wrapgen.vault.markdown.lines import parse_lines
from wrapgen.vault.markdown.parse import parse

DEEP = "> " * 200 + "deep\n\n"


def read(text):
    document = parse_lines(text)
    return [(document.sections[one.section].title if one.section >= 0 else "", one.text) for one in document.entries]


def test_what_stands_beside_the_depth_is_found():
    document = parse(f"{DEEP}## Next\n\n- [ ] Fix the login\n- Add the retry\n")
    assert document.trouble
    assert [one.text for one in document.entries] == ["Fix the login", "Add the retry"]


def test_each_in_its_section():
    text = "- none\n\n## Next ##\n- one\n\n**Done**\n- [x] two\n\n### Later\n\n- three\n"
    assert read(text) == [("", "none"), ("Next", "one"), ("Done", "two"), ("Later", "three")]


@pytest.mark.slow
def test_code_is_no_list():
    assert read("```\n- in code\n~~~\n``\n- and here\n````\n- after\n") == [("", "after")]
    assert read("~~~\n- in code\n") == []


def test_a_comment_is_no_list():
    assert read("<!-- - one -->\n- two\n<!--\n- three\n-->\n- four\n") == [("", "two"), ("", "four")]
