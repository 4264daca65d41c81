"""The form of `wrap init`: a place a row, a key a role."""

import pytest

from wrapgen.text.display import Size, cells
from wrapgen.vault.detect.form import PlaceRow, PlacesForm


def rows(number=3):
    first = PlaceRow("HANDOFF.md", "hand-overs: 1 file, 2 open", ("Finish the parser", "Ring Ann"), "hand_overs")
    return [first, *(PlaceRow(f"notes/n{at}.md#Part", "2 lines", (f"Task {at}", "Rest")) for at in range(1, number))]


def pressed(*keys, number=3):
    form = PlacesForm(rows(number))
    for key in keys:
        form.keys[key]()
    return form


def text(form, width=80, height=24):
    return ["".join(part for _, part in line) for line in form.draw(Size(width, height))]


def test_the_likeliest_have_a_role_and_each_key_gives_one_and_goes_on():
    assert [row.role for row in pressed().rows] == ["hand_overs", None, None]
    assert [row.role for row in pressed(" ", "l", "i").rows] == [None, "lists", "ignore"]
    assert [row.role for row in pressed("down", "h").rows] == ["hand_overs", "hand_overs", None]


def test_only_a_place_that_says_the_day_is_a_journal():
    assert [row.role for row in pressed("j", number=1).rows] == ["hand_overs"]
    form = PlacesForm([PlaceRow("log/YYYY-MM-DD.md", "", ())])
    form.keys["j"]()
    assert form.rows[0].role == "journals"


def test_each_place_shows_two_of_its_lines():
    shown = "\n".join(text(pressed()))
    for words in ("3 places, 1 taken", "hand-over", "HANDOFF.md", "- Finish the parser", "- Ring Ann", "- Task 2"):
        assert words in shown


@pytest.mark.parametrize("width", [30, 80, 140])
@pytest.mark.parametrize("height", [8, 24, 50])
def test_it_fits_every_screen_and_says_what_is_hidden(width, height):
    form = pressed(*["down"] * 15, number=30)
    lines = text(form, width, height)
    assert len(lines) <= height
    assert all(cells(line) <= width for line in lines)
    assert any("»" in line for line in lines)
    assert any("more" in line for line in lines)
