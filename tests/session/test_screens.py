import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcwidth

from wrapgen.session.routing import Orphan, Places, suggest
from wrapgen.session.screens import Decision, Size, by_destination, cells, cut, cut_middle, overview, single, wrap

PLACES = Places(("web", "긴이름"), {"web": ("uploader",)}, "journals/2026/04/2026-04-24.md")
TEXT = st.text(alphabet="ab 한漢e\u0301.-", max_size=60)


def orphan(number, text, project=None, reason=None):
    where = suggest(project, PLACES, text)
    return Orphan(
        f"{number:012x}", text, text, "user", project, "en", "next", 0.9, "t", number, 1, None, None, where, reason
    )


def plain(line):
    return "".join(text for _, text in line)


@pytest.mark.parametrize(
    ("text", "width", "most", "lines"),
    [
        ("", 10, 3, [""]),
        ("add retry", 10, 3, ["add retry"]),
        ("add retry to it", 10, 3, ["add retry", "to it"]),
        ("add retry to the uploader", 10, 2, ["add retry", "to the up…"]),
        ("https://example.org/path", 10, 3, ["https://ex", "ample.org/", "path"]),
        ("긴작업을나누어정리", 7, 9, ["긴작업", "을나누", "어정리"]),
        ("漢字", 1, 2, ["漢", "字"]),
    ],
)
def test_lines_break_at_blanks_where_there_are_some(text, width, most, lines):
    assert wrap(text, width, most) == lines


@given(TEXT, st.integers(2, 40), st.integers(1, 5))
def test_lines_keep_to_the_width_and_lose_nothing_but_what_is_marked(text, width, most):
    lines = wrap(text, width, most)
    assert len(lines) <= most
    assert all(cells(line) <= width for line in lines)
    if not lines[-1].endswith("…"):
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(TEXT, st.integers(2, 40))
def test_cuts_keep_to_the_width(text, width):
    for shortened in (cut(text, width), cut_middle(text, width)):
        assert sum(max(wcwidth(character), 0) for character in shortened) <= width
        assert shortened == text or "…" in shortened


def test_a_path_keeps_both_ends():
    assert cut_middle("projects/web/actives/uploader-v2/todos.md", 28) == "projects/…loader-v2/todos.md"


def test_one_destination_stands_together_in_the_order_given():
    given = [orphan(1, "a", "web"), orphan(2, "b"), orphan(3, "c", "web"), orphan(4, "d", "unknown")]
    assert [each.text for each in by_destination(given)] == ["a", "c", "b", "d"]


SAID = st.tuples(TEXT, st.sampled_from([None, "web", "긴이름"]), st.sampled_from([None, "vanished"]))


@given(st.lists(SAID, min_size=1, max_size=40), st.integers(20, 100), st.integers(5, 40))
def test_every_orphan_stands_on_a_page_under_its_file(said, width, height):
    orphans = by_destination([orphan(number, *fields) for number, fields in enumerate(said)])
    pages = overview(orphans, PLACES, Size(width, height))
    numbers = []
    for page in pages:
        assert len(page) <= height
        assert all(cells(plain(line)) < width for line in page)
        numbers += [pair[1].strip() for line in page for pair in line if pair[0] == "class:number"]
        assert any(pair[0] == "class:file" for line in page for pair in line)
    assert numbers == [str(number) for number in range(1, len(orphans) + 1)]


@given(TEXT, st.integers(20, 100), st.integers(5, 40), st.integers(0, 20))
def test_one_of_the_form_keeps_to_the_screen(text, width, height, at):
    orphans = [orphan(number, text, "web", "vanished") for number in range(21)]
    decided = [Decision(each.suggested if number % 2 else None) for number, each in enumerate(orphans)]
    lines = single(orphans, decided, at, text, PLACES, Size(width, height))
    assert len(lines) <= height
    assert all(cells(plain(line)) < width for line in lines)
    assert plain(lines[0]).startswith(f" Follow-up {at + 1} of 21")
