"""Path patterns with dates and names in them."""

from datetime import date

import pytest

from wrapgen.patterns import Pattern

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


@pytest.mark.parametrize("name", ["2026-02-30", "2025-02-29", "2026-00-10", "2026-13-10", "0000-01-01"])
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
