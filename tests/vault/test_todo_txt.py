"""`todo.txt` is read as its own format says."""

from datetime import date

import pytest

from wrapgen.notes import Priority
from wrapgen.vault.markdown.todo_txt import finished_line, in_markdown, is_todo_txt, parse_todo_txt


@pytest.mark.parametrize(
    ("path", "expected"),
    [("todo.txt", True), ("a/b/Todo.txt", True), ("home.todo.txt", True), ("mytodo.txt", False), ("todo.md", False)],
)
def test_it_is_known_by_its_name(path, expected):
    assert is_todo_txt(path) is expected


def test_lines_of_each_kind():
    text = (
        "(A) 2026-04-01 Paint the shed +garden @home due:2026-05-01\r\n\r\n"
        "x 2026-04-20 2026-04-02 Mend the hose +garden\r\n"
        "(D) Sort nails t:2026-05-02 rec:1m\r\n"
        "(b) Look at http://example.org/a:b\r\n"
        "X marks nothing due:2026-02-30\r\n"
        "+garden\r\n"
    )
    first, second, third, fourth, fifth, last = parse_todo_txt(text).entries
    assert (first.text, first.line, first.priority) == ("Paint the shed +garden @home", 1, Priority.HIGH)
    assert (first.created, first.due, first.done) == (date(2026, 4, 1), date(2026, 5, 1), False)
    assert (second.text, second.done, second.finished) == ("Mend the hose +garden", True, date(2026, 4, 20))
    assert (second.line, second.created) == (3, date(2026, 4, 2))
    assert (third.text, third.priority, third.start, third.recurrence) == ("Sort nails", None, date(2026, 5, 2), "1m")
    assert (fourth.text, fourth.priority) == ("(b) Look at http://example.org/a:b", None)
    assert (fifth.text, fifth.unreadable) == ("X marks nothing due:2026-02-30", ("due:2026-02-30",))
    assert last.text == "+garden"


def test_a_day_that_cannot_be_stays_in_the_text():
    first, second = parse_todo_txt("(A) 2026-13-01 order chairs\nx 2026-02-30 2026-04-02 Mend the hose\n").entries
    assert (first.text, first.created, first.unreadable) == ("2026-13-01 order chairs", None, ("2026-13-01",))
    assert (first.priority, second.done, second.finished) == (Priority.HIGH, True, None)
    assert (second.text, second.created) == ("2026-02-30 Mend the hose", date(2026, 4, 2))
    assert in_markdown("(A) 2026-13-01 order chairs") == "(A) 2026-13-01 order chairs"
    assert finished_line("(A) 2026-13-01 order", date(2026, 5, 1)) == "x 2026-05-01 2026-13-01 order pri:A"


@pytest.mark.parametrize("hour", ["T18:00", "T8:00:30"])
def test_an_hour_behind_a_day_is_none(hour):
    first, second = parse_todo_txt(f"Feed due:2026-05-01{hour} rec:1d\nBathe due:2026-02-30{hour}\n").entries
    assert (first.text, first.due, first.recurrence) == ("Feed", date(2026, 5, 1), "1d")
    assert (second.text, second.due, second.unreadable) == (
        f"Bathe due:2026-02-30{hour}", None, (f"due:2026-02-30{hour}",)
    )  # fmt: skip


def test_a_line_that_only_makes_a_project_known_is_no_task():
    document = parse_todo_txt("Count the till +shop\nDummy for the tags +shop @till h:1\nx 2026-11-02 Done h:0\n")
    assert [one.line for one in document.entries] == [1, 3]
    assert document.ignored == 1
