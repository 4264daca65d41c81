"""Path patterns with dates and names in them."""

from datetime import date

import pytest

from tests.support import each
from wrapgen.text.patterns import Pattern, foreign_syntax

JOURNALS = "journals/**/YYYY-MM-DD*.md"
TASKS = "projects/<project>/actives/<task>/todos.md"


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        (JOURNALS, "2026-04-24.md"),
        (JOURNALS, "journals/2026-04-24.txt"),
        (JOURNALS, "journals/2026-4-24.md"),
        (JOURNALS, "journals/x2026-04-24.md"),
        (JOURNALS, "other/journals/2026-04-24.md"),
        (JOURNALS, "journals/2026-04-24.md/x"),
        (TASKS, "projects/web/todos.md"),
        (TASKS, "projects/web/actives/todos.md"),
        (TASKS, "projects/web/actives/a/b/todos.md"),
        ("a.b/YYYYMMDD.md", "axb/20260424.md"),
    ],
)
def test_other_paths_do_not_fit(pattern, path):
    assert Pattern(pattern).match(path) is None


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        (JOURNALS, "journals/2026-04-24.md"),
        (JOURNALS, "journals/a/b/2026-04-24.md"),
        (JOURNALS, "journals/2026-04-24-slug.md"),
        ("YYYY/MM-DD.md", "2026/04-24.md"),
        ("YYYY_MM_DD.md", "2026_04_24.md"),
        ("Daily/YYMMDD.md", "Daily/260424.md"),
        ("DD-MM-YY.md", "24-04-26.md"),
        ("Diary/DD.MM.YYYY.md", "Diary/24.04.2026.md"),
        ("YYYY/MM/YYYY-MM-DD.md", "2026/04/2026-04-24.md"),
        ("log?/YYYYMMDD.md", "logs/20260424.md"),
    ],
)
def test_the_day_is_read(pattern, path):
    assert Pattern(pattern).match(path).day == date(2026, 4, 24)


def test_a_date_that_contradicts_itself_does_not_fit():
    assert Pattern("YYYY/MM/YYYY-MM-DD.md").match("2025/04/2026-04-24.md") is None


def test_names_are_read():
    place = Pattern(TASKS).match("projects/web/actives/up load/todos.md")
    assert (place.project, place.task, place.day) == ("web", "up load", None)


@each(["2026-02-30", "2025-02-29", "2026-00-10", "2026-13-10", "0000-01-01"])
def test_impossible_days(name):
    place = Pattern(JOURNALS).match(f"journals/{name}.md")
    assert (place.day, place.impossible) == (None, True)


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("notes/**", "notes/a/b.md", True),
        ("notes/**", "notes/a.md", True),
        ("a/**/**/**/x.md", "a/x.md", True),
        ("a/**/**/**/x.md", "a/b/c/x.md", True),
        ("*a*b*.md", "xaxbx.md", True),
        ("*a*b*.md", "xbxax.md", False),
        ("*-<project>-*.md", "x-web-y.md", True),
        ("*YYYY-MM-DD*.md", "log-2026-04-24-x.md", True),
        ("a**b.md", "axxb.md", True),
    ],
)
def test_wildcards(pattern, path, fits):
    assert (Pattern(pattern).match(path) is not None) is fits


def test_many_wildcards_end():
    assert Pattern("*a" * 60 + ".md").match("a" * 250) is None
    assert Pattern("**/" * 60 + "x.md").match("a/" * 200 + "y.md") is None


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("YYYY/M/D.md", "2026/4/24.md"),
        ("YYYY/MMMM/MMMM DD, YYYY.md", "2026/April/April 24, 2026.md"),
        ("*, MMM Do YYYY.md", "Fri, Apr 24th 2026.md"),
        ("DD.MM.YYYY.md", "24.04.2026.md"),
        ("YYYY/MM-MMMM/DD.md", "2026/04-April/24.md"),
        ("notes/*.journal.YYYY.MM.DD*.md", "notes/daily.journal.2026.04.24.more.md"),
    ],
)
def test_dates_as_other_tools_write_them(pattern, path):
    assert Pattern(pattern).match(path).day == date(2026, 4, 24)


@pytest.mark.parametrize("folder", ["D", "M", "To Do"])
def test_single_letters_are_a_date_only_where_nothing_else_says_it(folder):
    assert Pattern(f"{folder}/YYYY-MM-DD.md").match(f"{folder}/2026-04-24.md").day == date(2026, 4, 24)


@each(["COMMENTS.md", "ADDRESS.md", "TODO.md", "D.md", "M/Do.md"])
def test_letters_are_a_date_only_beside_a_year(name):
    assert Pattern(name).match(name) is not None
    assert all(Pattern(name).literals)


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("{TODO,ROADMAP}.md", "TODO.md", True),
        ("{TODO,ROADMAP}.md", "ROADMAP.md", True),
        ("{TODO,ROADMAP}.md", "TODO,ROADMAP.md", False),
        ("{work,home}/**/*.{md,txt}", "home/a/b.txt", True),
        ("{work,home}/**/*.{md,txt}", "play/a/b.txt", False),
        ("a{,b}.md", "a.md", True),
        ("{todo,*.todo}.txt", "work.todo.txt", True),
        ("{a/b,<project>}/*.md", "a/b/c.md", True),
    ],
)
def test_braces_are_a_choice(pattern, path, fits):
    assert (Pattern(pattern).match(path) is not None) is fits


@pytest.mark.parametrize(
    ("glob", "reason"),
    [
        ("[A-Z]*.md", "classes of characters"),
        ("!drafts/*.md", "takes nothing back"),
        ("{a,{b,c}}.md", "inside of another"),
        ("{a.md", "not closed"),
        ("<client>/todo.md", "`<client>`"),
    ],
)
def test_what_other_globs_know_is_refused_with_the_reason(glob, reason):
    assert reason in foreign_syntax(glob)


@each(["**/*.md", "a?.md", "{a,b}.md", "<project>/<task>.md", "YYYY-MM-DD !.md"])
def test_what_globs_know_is_not_refused(glob):
    assert foreign_syntax(glob) is None


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("journals/**/YYYY-MM-DD*.md", "journals/2026/04/2026-04-24.md"),
        ("*, MMM Do YYYY.md", ", Apr 24th 2026.md"),
        ("{log,diary}/YYYY/M-D.md", "log/2026/4-24.md"),
    ],
)
def test_a_pattern_with_a_day_put_in(pattern, path):
    assert Pattern(pattern).filled(date(2026, 4, 24)) == path
    assert Pattern(pattern).match(path).day == date(2026, 4, 24)
