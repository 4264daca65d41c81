"""Whose an item is, and what is remarked about it."""

import pytest
from msgspec.structs import replace

from tests.pipeline.kit import DAY, evidence, item
from tests.support import each
from wrapgen.config import Config, Project
from wrapgen.ledger import Concern, Remark
from wrapgen.pipeline.projects import Projects
from wrapgen.pipeline.stage import Context, Decisions, StageResult
from wrapgen.pipeline.tag import tag


def tagged(*items, proofs=(), remarks=()):
    config = Config()
    projects = Projects.known(("web", "api"), {"web": Project(aliases=("frontend",))})
    before = StageResult(items, evidence=tuple(proofs), remarks=tuple(remarks), unread=("unread",))
    return tag(before, Context((), config, projects, DAY, Decisions()))


@pytest.mark.parametrize(
    ("text", "header", "folder", "expected"),
    [
        ("(web) Fix it", None, None, ("Fix it", "web", ())),
        ("(web) Fix it", "Session: api", "api", ("Fix it", "web", ())),
        ("Fix it", "Session: web", None, ("Fix it", "web", ())),
        ("Fix it", "Session: web", "api", ("Fix it", "api", ())),
        ("Fix it", "Session: web and api", None, ("Fix it", None, ("api", "web"))),
        ("Fix it", "Session: garden", None, ("Fix it", None, ())),
        ("Fix it", None, None, ("Fix it", None, ())),
        ("(optional) Fix it", None, None, ("(optional) Fix it", None, ())),
    ],
)
def test_its_own_tag_then_its_folder_then_the_heading(text, header, folder, expected):
    (found,) = tagged(item(text, header=header, project=folder)).kept
    assert (found.text, found.project, tuple(sorted(found.candidates))) == expected
    assert found.folded.text == item(found.text).folded.text


@each(
    [
        "(web) ",
        "[web] ",
        "web: ",
        "**web**: ",
        "**web:** ",
        "#web ",
        "[[web]] ",
        "[[web|The web]] ",
        "+web ",
        "(Web): ",
        "`web`: ",
        "[web] - ",
        "（web）",
        "frontend: ",
    ]
)
def test_a_mark_in_any_form_is_no_part_of_the_words(mark):
    (found,) = tagged(item(f"{mark}Fix it")).kept
    assert (found.text, found.project) == ("Fix it", "web")


@each(["[link](a.md) Fix it", "note: Fix it", "website: Fix it", "#website Fix it", "Fix the web: it", "web"])
def test_any_other_bracket_or_word_is_text(text):
    (found,) = tagged(item(text)).kept
    assert (found.text, found.project) == (text, None)


@pytest.mark.parametrize(
    ("path", "header", "expected"),
    [
        ("notes/web/plan.md", "api", "web"),
        ("docs/frontend/plan.md", None, "web"),
        ("code/shop/src/notes.md", "api", "api"),
        ("code/store/notes.md", "api", "web"),
        ("notes/plan.md", "Next\nThe api rewrite\nWeek 17 of web", "api"),
        ("notes/plan.md", "Next\nWeek 17", "home"),
        ("notes/web/api/plan.md", None, None),
        ("notes/plan.md", "web and api\nweb", None),
    ],
)
def test_folders_then_the_nearest_heading_that_names_one_then_the_vaults_own(path, header, expected):
    projects = Projects.known(("web", "api"), {"web": Project(aliases=("frontend",))}, "home", {"code/store": "web"})
    one = replace(item("Fix it", header=header), path=path)
    (found,) = tag(StageResult((one,)), Context((), Config(), projects, DAY, Decisions())).kept
    assert found.project == expected
    assert bool(found.candidates) is (expected is None)


def test_todo_txt_names_its_project_anywhere():
    (found,) = tagged(replace(item("Count the till +web @shop"), path="todo.txt")).kept
    assert (found.text, found.project) == ("Count the till @shop", "web")


def test_evidence_too():
    proofs = [evidence("(web) Fix it"), evidence("Fix it", header="Session: api"), evidence("Fix it")]
    assert [(one.text, one.project) for one in tagged(proofs=proofs).evidence] == [
        ("Fix it", "web"), ("Fix it", "api"), ("Fix it", None),
    ]  # fmt: skip


def test_what_has_no_project_is_remarked():
    result = tagged(item("(web) Fix it", 1), item("Oil it", 2))
    assert result.remarks == (Remark(Concern.UNTAGGED, result.kept[1]),)


def test_former_remarks_are_about_the_tagged_item():
    conflict = item("(web) Fix it", 1)
    gone = item("A box in a Done section", 2)
    result = tagged(conflict, remarks=[Remark(Concern.CONFLICTS, conflict), Remark(Concern.CONFLICTS, gone)])
    assert result.remarks == (Remark(Concern.CONFLICTS, result.kept[0]), Remark(Concern.CONFLICTS, gone))
    assert result.kept[0].project == "web"
    assert result.unread == ("unread",)
