"""Facts that help to judge an item."""

from datetime import date

from wrapgen.model import Evidence, Item
from wrapgen.notes import Kind
from wrapgen.text.folding import fold
from wrapgen.triage.hints import FinishedLines, identifiers, note_status


def item(text, line=4):
    return Item("a" * 12, text, Kind.LISTS, "docs/plan.md", line, fold(text))


def done(text, path="log.md", line=1, day=date(2026, 4, 2)):
    return Evidence(text, path, line, fold(text), Kind.LISTS, listed=False, day=day)


def test_a_finished_line_of_the_very_words_is_a_hint_and_one_like_them_is_none():
    lines = FinishedLines([done("Rotate the keys of staging"), done("Rotate the **staging** keys", line=3)])
    assert [one.at for one in lines.like(item("Rotate the staging keys"))] == ["log.md:3"]
    assert lines.like(item("Rotate the production keys")) == []


def test_a_finished_line_that_names_the_same_identifier_is_a_hint():
    lines = FinishedLines([done("WEB-12: retries", line=2), done("Shipped WEB-12", line=9, day=date(2026, 4, 9))])
    assert [one.at for one in lines.like(item("Finish WEB-12"))] == ["log.md:9"]


def test_a_line_is_no_hint_of_itself():
    assert FinishedLines([done("Rotate", "docs/plan.md", 4)]).like(item("Rotate")) == []


def test_identifiers():
    assert identifiers("Fix `parse_all` of src/app.py, see WEB-12 and #4711, and max_size") == [
        "parse_all", "src/app.py", "WEB-12", "#4711", "max_size",
    ]  # fmt: skip
    assert identifiers("my_app.d/main.py, ../docs/a.md and https://example.org/a/pull/12") == [
        "my_app.d/main.py", "../docs/a.md", "example.org/a/pull/12",
    ]  # fmt: skip
    assert identifiers("Rotate the staging keys of April") == []


def test_what_a_note_says_of_itself():
    (hint,) = note_status("docs/plan.md", ["# Plan", "", "**Status:** shipped in April"])
    assert (hint.at, hint.text) == ("docs/plan.md:3", "**Status:** shipped in April")
    assert note_status("docs/plan.md", ["# Status page", "- status quo stays"]) == []
