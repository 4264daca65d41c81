"""What the keys of the form do when there is nothing for them to do."""

from __future__ import annotations

import pytest

from wrapgen.session.follow_up import FollowUp, Places, Route, Suggestion
from wrapgen.session.form import Form
from wrapgen.text.display import Size

JOURNAL = Suggestion(Route.JOURNAL)


class Pressing:
    """A screen that presses keys and keeps what is drawn after each; Enter ends it."""

    def __init__(self, *keys):
        self.keys, self.drawn = keys, []

    def form(self, draw, keys):
        for key in (*self.keys, "enter"):
            if (result := keys[key]()) is not None:
                return result
            self.drawn.append("\n".join("".join(text for _, text in line) for line in draw(Size(80, 24))))
        raise AssertionError

    def words(self, question, text, head):
        raise AssertionError


def pressed(places, *keys):
    screen = Pressing(*keys)
    words = "Paint the fence"
    found = FollowUp("0" * 12, words, words, "user", None, "en", "", 1, "talk", 0, 1, None, None, JOURNAL)
    Form([found], places, screen).answers()
    return screen.drawn


@pytest.mark.parametrize("key", ["p", "left", "right"])
def test_a_key_that_has_nothing_to_choose_says_so_until_the_next(key):
    said, then = pressed(Places(), key, "j")
    assert "There is no other" in said
    assert "wrap projects add NAME" in said
    assert "There is no other" not in then


def test_where_there_is_another_place_nothing_is_said():
    (said,) = pressed(Places(projects=("web",)), "right")
    assert "There is no other" not in said


def test_the_marks_of_markdown_are_not_shown():
    words = "Add **retry** to the `uploader`"
    found = FollowUp("0" * 12, words, f"- {words}", "user", None, "en", "", 1, "t", 0, 1, None, None, JOURNAL)
    screen = Pressing("j")
    Form([found], Places(), screen).answers()
    assert screen.drawn[0].count("Add retry to the uploader") == 1
    assert "*" not in screen.drawn[0]
