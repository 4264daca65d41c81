from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcwidth

from wrapgen.session.follow_up import FollowUp, Places, suggest
from wrapgen.session.screens import FormRow, details, form_lines
from wrapgen.text.display import Size, cells, cut, cut_middle, wrap

PLACES = Places(("web", "긴이름"), {"web": ("uploader",)}, "journals/2026/04/2026-04-24.md")
TEXT = st.text(alphabet="ab 한漢e\u0301.-", max_size=60)


def orphan(number, text, project=None, reason=None):
    where = suggest(project, PLACES, text)
    return FollowUp(
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


SAID = st.tuples(TEXT, st.sampled_from([None, "web", "긴이름"]), st.sampled_from([None, "vanished"]), st.booleans())


@given(st.lists(SAID, min_size=1, max_size=40), st.data(), st.integers(20, 100), st.integers(7, 40))
def test_the_form_keeps_to_the_screen_and_shows_the_row_that_is_pointed_to(said, data, width, height):
    rows = []
    for number, (text, project, reason, skipped) in enumerate(said):
        one = orphan(number, text, project, reason)
        rows.append(FormRow(one, one.suggested, ticked=not skipped, skipped=skipped))
    at = data.draw(st.integers(0, len(rows) - 1))
    lines = [plain(line) for line in form_lines(rows, at, 0, 0, PLACES, Size(width, height))]
    assert len(lines) <= height
    assert all(cells(line) < width for line in lines)
    (pointed,) = [line for line in lines if line.startswith(" » ")]
    assert int(pointed.split("]")[1].split()[0].rstrip("?")) == at + 1
    numbers = [int(line[7:].split()[0].rstrip("?")) for line in lines if line[3:6] in ("[x]", "[-]", "[ ]")]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


@pytest.mark.parametrize(
    ("quote", "line"),
    [
        ("Next session: add retry.", "add retry"),
        ("Next session: add retry before the audit.", "Next session: add retry before the audit."),
        ("Ann asked: Add retry!", "Ann asked: add retry!"),
        ("Uploads fail twice a day.", "add retry  “Uploads fail twice a day.”"),
    ],
)
def test_the_words_stand_once_within_those_of_the_turn_where_these_say_more(quote, line):
    one = replace(orphan(1, "add retry"), quote=quote, cue="next session")
    shown = details(FormRow(one, one.suggested, ticked=True), PLACES, Size(80, 24))
    assert plain(shown[0]).strip() == line
    bold = "".join(text for style, text in shown[0] if style == "class:words")
    assert bold == "add retry"
