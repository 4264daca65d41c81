"""Links to notes whose names mean something else in an address."""

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrapgen.dashboard.html.rows import Links

NAMES = st.text("aä #?%:;&<>'\"|\\\u202e\t", min_size=1, max_size=8).filter(
    lambda name: name.strip(". ") and "\\" not in name
)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("journals/2026/04/2026-04-23.md", "2026-04-23.md:7"),
        ("projects/web/todos.md", "web/todos.md:7"),
        ("projects/web/actives/uploader/todos.md", "uploader/todos.md:7"),
        ("todos.md", "todos.md:7"),
        ("projects/a\x1bb/todos.md", "a\\x1bb/todos.md:7"),
    ],
)
def test_short_names(path, name):
    assert Links("markdown", "./", "/vault").place(path, 7).name == name


@given(st.lists(NAMES, min_size=1, max_size=3))
def test_a_link_leads_to_its_file_and_line_whatever_the_name(names):
    path = "/".join(names)
    href = Links("markdown", "./", "/vault").place(path, 3).href
    parts = urlsplit(href)
    assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("", "", "", "L3")
    assert unquote(parts.path) == f"./{path}"


@given(st.lists(NAMES, min_size=1, max_size=3))
def test_an_editor_is_given_the_whole_path(names):
    path = "/".join(names)
    code = urlsplit(Links("vscode", "./", "/my vault").place(path, 3).href)
    assert (code.scheme, code.netloc, unquote(code.path)) == ("vscode", "file", f"/my vault/{path}:3")
    note = urlsplit(Links("obsidian", "./", "/my vault").place(path, 3).href)
    assert (note.scheme, note.netloc, unquote(note.query)) == ("obsidian", "open", f"path=/my vault/{path}")


def test_links_of_words_start_in_the_vault():
    links = Links("markdown", "../../", "/vault")
    assert links.target("design.md#x") == "../../design.md#x"
    assert links.target("https://x.org") == "https://x.org"
    assert links.target("") == ""
