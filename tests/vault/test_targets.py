"""The journal that a new line goes to: the day's own, or one named as the newest is."""

from datetime import date

import pytest

from wrapgen.config import Sources
from wrapgen.notes import Document, Kind, Source
from wrapgen.vault.targets import journal_of

DAY = date(2026, 5, 2)
ANYWHERE = Sources(journals=("**/*.md",))


def journals(*pairs):
    return [
        Source(path, Kind.JOURNAL_NEXT, Document(), date.fromisoformat(day) if day else None) for path, day in pairs
    ]


def test_the_last_of_the_days_own():
    known = journals(("j/2026-05-02.md", "2026-05-02"), ("j/2026-05-02b.md", "2026-05-02"))
    assert journal_of(DAY, Sources(), known) == "j/2026-05-02b.md"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("newest", "made"),
    [
        ("j/2026-04-23.md", "j/2026-05-02.md"),
        ("j/2026_04_23.md", "j/2026_05_02.md"),
        ("j/20260423.md", "j/20260502.md"),
        ("j/2026/04/2026-04-23 Thursday.md", "j/2026/05/2026-05-02.md"),
        ("j/2026-04/2026-04-23.md", "j/2026-05/2026-05-02.md"),
        ("j/2026/04-23.md", "j/2026/05-02.md"),
        ("j/2026/04/23.md", "j/2026/05/02.md"),
    ],
)
def test_it_is_named_as_the_newest_is(newest, made):
    known = journals(("old/2025-01-01.md", "2025-01-01"), (newest, "2026-04-23"), ("undated.md", None))
    assert journal_of(DAY, ANYWHERE, known) == made


@pytest.mark.parametrize("known", [[], [("undated.md", None)], [("j/Thursday.md", "2026-04-23")]])
def test_without_an_example_it_is_named_as_the_configuration_has_it(known):
    sources = Sources(journals=("diary/**/YYYY-MM-DD.md", "**/*.md"))
    assert journal_of(DAY, sources, journals(*known)) == "diary/2026/05/2026-05-02.md"


def test_a_name_that_no_pattern_would_find_again_is_not_made():
    sources = Sources(journals=("log/YYYY/MM-DD.md", "log/YYYY/MM-DD Thursday.md"))
    known = journals(("log/2026/04-23 Thursday.md", "2026-04-23"))
    assert journal_of(DAY, sources, known) == "log/2026/05-02.md"
