"""Decisions and sessions of journals: the newest, and only those of the project."""

from datetime import date

from tests.support import each
from wrapgen.config import Config
from wrapgen.notes import Kind, Source
from wrapgen.pipeline.journals import Journals
from wrapgen.pipeline.projects import Projects
from wrapgen.vault.markdown.parse import parse

PROJECTS = Projects.known(["web", "api"], {})


def journals(*texts, project=None, kind=Kind.JOURNAL_NEXT):
    """The first is the oldest."""
    sources = [
        Source(f"journals/{number:02d}.md", kind, parse(text), day=date(2026, 4, number))
        for number, text in enumerate(texts, 1)
    ]
    return Journals(sources[::-1], Config().names, PROJECTS, project)


def decided(*items, heading="## Decisions"):
    return "\n".join([heading, "", *(f"- {item}" for item in items), ""])


def texts(found, enough):
    return [one.text for one in found.decisions(enough)]


@each(
    [
        "Decisions",
        "🧭 Key decisions:",
        "결정",
        "결정 사항",
        "주요 결정",
        "决定",
        "关键决策",
        "決定事項",
        "**Decision**",
    ]
)
def test_names_in_four_languages(name):
    assert texts(journals(decided("One", heading=f"## {name}")), 3) == ["One"]


def test_oldest_first_and_no_journal_more_than_needed():
    found = journals(decided("a", "b"), decided("c", "d"), decided("e"))
    assert texts(found, 3) == ["c", "d", "e"]
    assert texts(found, 1) == ["e"]
    assert texts(found, 9) == ["a", "b", "c", "d", "e"]


def test_headings_below_belong_to_it_and_headings_beside_do_not():
    text = decided("a") + "\n### About the cache\n\n- b\n\n## Next\n\n- c\n\nDecisions: none\n\n- d\n"
    assert texts(journals(text), 9) == ["a", "b"]


def test_where_each_stands_and_of_which_day():
    (found,) = journals(decided("a")).decisions(1)
    assert (found.day, found.source) == (date(2026, 4, 1), "journals/01.md:3")


def test_other_files_hold_none():
    assert texts(journals(decided("a"), kind=Kind.PROJECT_TODOS), 3) == []


def test_the_sessions_of_a_project_and_of_nobody_in_particular():
    text = (
        decided("for all")
        + decided("web's", heading="## Session: web\n\n### Decisions")
        + decided("api's", heading="## Session: api\n\n### Decisions")
        + decided("both", heading="## Session: web and api\n\n### Decisions")
    )
    assert texts(journals(text), 9) == ["for all", "web's", "api's", "both"]
    assert texts(journals(text, project="web"), 9) == ["for all", "web's", "both"]


def test_the_newest_session():
    old, new = "## Session: web a\n", "## Session: api b\n\n## 세션: 정리\n"
    assert journals(old, new).newest_session() == "세션: 정리"
    assert journals(old, new, project="api").newest_session() == "Session: api b"
    assert journals(old, new, project="web").newest_session() == "Session: web a"
    assert journals(new, project="web").newest_session() == "세션: 정리"
    assert journals("## Session: api b\n", project="web").newest_session() == ""
    assert journals("# Day\n", "").newest_session() == ""
    assert journals().newest_session() == ""


def test_a_session_that_says_nothing_about_itself_is_passed_over():
    assert journals("## Session: web a\n", "## Session\n").newest_session() == "Session: web a"
    assert journals("## Session\n").newest_session() == ""
