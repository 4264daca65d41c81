"""The items beyond those that the page draws: each in the data, and none of their words anything but data."""

import json
from datetime import date
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.page.kit import HOSTILE
from tests.pipeline.kit import item
from wrapgen.dashboard.html.html_page import MOST, further
from wrapgen.dashboard.html.rows import Links
from wrapgen.ledger import Outcome
from wrapgen.model import Fate
from wrapgen.text.display import visible

LINKS = Links("markdown", "../", "/vault")
WORDS = st.text(st.characters(exclude_categories=()) | st.sampled_from("<>/!-&\\\"'"), min_size=1, max_size=40)


def listed(*texts, links=LINKS, path="projects/web/todos.md"):
    outcomes = [Outcome(item(text, at, path=path, line=at), Fate.OVERFLOW) for at, text in enumerate(texts, 1)]
    return further(outcomes, 301, links, {one.item.id: f"a{at}" for at, one in enumerate(outcomes, 1)})


@pytest.mark.parametrize(
    ("style", "name", "href", "has_lines"),
    [
        ("markdown", "web/todos.md", "../projects/web/todos.md#L", True),
        ("vscode", "web/todos.md", "vscode://file/vault/projects/web/todos.md:", True),
        ("obsidian", "web/todos.md", "obsidian://open?path=%2Fvault%2Fprojects%2Fweb%2Ftodos.md", False),
    ],
)
def test_a_place_is_a_file_and_a_line(style, name, href, has_lines):
    data = json.loads(listed("Sweep the yard", "마당 쓸기", links=Links(style, "../", "/vault")).json)
    assert data["files"] == [[name, href, has_lines]]
    assert data["rows"] == [[301, "Sweep the yard", 0, 0, 1, "a1"], [302, "마당 쓸기", 0, 0, 2, "a2", "ko"]]


class Script(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found, self.tags = "", []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.found += data


@given(st.lists(WORDS | st.sampled_from(HOSTILE), min_size=1, max_size=5))
def test_no_words_end_the_element_or_begin_another(texts):
    made = listed(*texts)
    read = Script(f'<script type="application/json">{made.json}</script>')
    assert read.tags == ["script"]
    assert len(json.loads(read.found)["rows"]) == made.total == len(texts)
    assert "<" not in made.json
    assert visible(made.json) == made.json


def test_there_is_an_end_of_it():
    one = Outcome(item("Sweep the yard", raised=date(2026, 4, 23)), Fate.OVERFLOW)
    assert further([one] * (MOST + 1), 1, LINKS, {one.item.id: "a1"}).total == MOST
