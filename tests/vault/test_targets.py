"""The journal that a new line goes to: the day's own, or one named as the newest is."""

from datetime import date

import pytest

from wrapgen.config import Sources
from wrapgen.errors import ConfigError
from wrapgen.vault.targets import journal_of

DAY = date(2026, 5, 2)


def journals(*pairs):
    return [(date.fromisoformat(day) if day else None, path) for path, day in pairs]


def test_the_last_of_the_days_own():
    known = journals(("j/2026-05-02.md", "2026-05-02"), ("j/2026-05-02b.md", "2026-05-02"))
    assert journal_of(DAY, Sources(), known) == "j/2026-05-02b.md"


@pytest.mark.parametrize("known", [[], [("undated.md", None)], [("j/Thursday.md", "2026-04-23")]])
def test_without_an_example_it_is_named_as_the_configuration_has_it(known):
    sources = Sources(journals=("diary/**/YYYY-MM-DD.md", "**/*.md"))
    assert journal_of(DAY, sources, journals(*known)) == "diary/2026/05/2026-05-02.md"


@pytest.mark.parametrize(
    ("glob", "newest", "made"),
    [
        ("Log/DD-MM-YYYY.md", "Log/23-04-2026.md", "Log/02-05-2026.md"),
        ("Log/**/MM-DD-YYYY.md", "Log/04-23-2026.md", "Log/05-02-2026.md"),
        ("Log/**/YYYY-MM-DD ddd.md", "Log/2026-04-23 Thu.md", "Log/2026-05-02 Sat.md"),
        ("Log/**/YYYY-MM-DD-dddd.md", "Log/04-April/2026-04-23-Thursday.md", "Log/05-May/2026-05-02-Saturday.md"),
        ("Log/D MMMM YYYY.md", "Log/23 April 2026.md", "Log/2 May 2026.md"),
        ("Log/dddd, MMMM Do YYYY.md", "Log/Thursday, April 23rd 2026.md", "Log/Saturday, May 2nd 2026.md"),
        ("Log/YYYY年M月D日.md", "Log/2026年4月23日.md", "Log/2026年5月2日.md"),
        ("Log/YYMMDD.md", "Log/260423.md", "Log/260502.md"),
        ("Log/YYYY-MM-DD*.md", "Log/2026-04-23-the-parser.md", "Log/2026-05-02.md"),
        ("Log/YYYY-MM-DD*.md", "Log/2026-04-23 thu.md", "Log/2026-05-02 sat.md"),
        ("Log/*.YYYY.MM.DD.md", "Log/daily.2026.04.23.md", "Log/daily.2026.05.02.md"),
        ("YYYY/MMM/MM-DD.md", "2026/Apr/04-23.md", "2026/May/05-02.md"),
        ("**/YYYY-MM-DD*.md", "j/2026/04/2026-04-23 Thursday.md", "j/2026/05/2026-05-02 Saturday.md"),
        ("**/YYYY-MM-DD.md", "j/2026-04/2026-04-23.md", "j/2026-05/2026-05-02.md"),
        ("j/YYYY/MM/DD.md", "j/2026/04/23.md", "j/2026/05/02.md"),
    ],
)  # fmt: skip
def test_it_is_in_the_newest_notes_folder_under_the_configured_format(glob, newest, made):
    known = journals(("D/old/2025-01-01.md", "2025-01-01"), (newest, "2026-04-23"))
    assert journal_of(DAY, Sources(journals=(glob,)), known) == made


def test_a_name_that_the_format_does_not_explain_is_refused_by_the_setting():
    known = journals(("D/2026-04-23 목.md", "2026-04-23"))
    with pytest.raises(ConfigError, match=r"sources\.journals.*YYYY-MM-DD ddd.*2026-04-23 목"):
        journal_of(DAY, Sources(journals=("D/YYYY-MM-DD ddd.md",)), known)
