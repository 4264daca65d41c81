"""The six steps over a real store: what is chosen, and what never is."""

import pytest

from tests.agents.conftest import API, CONTEXT_QUERIES, WEB
from wrapgen.agents.operations import change_task, comment_task


@pytest.mark.slow
def test_siblings_newest_first_at_most_five(desk):
    for number in range(7):
        desk.stop(f"a{number}", f"result {number}")
    shown = desk.sections(kind=None)["Sibling Agent Results"]
    assert shown == [f"- [worker] result {number}" for number in (6, 5, 4, 3, 2)]


def test_siblings_of_another_parent_are_none(desk):
    desk.stop("a1", "result", parent="other")
    assert "Sibling Agent Results" not in desk.sections(kind=None)
    assert desk.sections(parent=None, kind=None) == {"Recent Context": ["- [agent_summary] result"]}


@pytest.mark.slow
def test_the_same_type_earlier_at_most_three_and_no_siblings(desk):
    for number in range(5):
        desk.stop(f"a{number}", f"earlier {number}", session="s0")
    desk.stop("sibling", "beside me")
    assert desk.sections() == {
        "Sibling Agent Results": ["- [worker] beside me"],
        "Previous worker Agent Results": [f"- [worker] earlier {number}" for number in (4, 3, 2)],
        "Cross-Session Context": [f"- [agent_summary by worker] earlier {number}" for number in (1, 0)],
    }


@pytest.mark.slow
@pytest.mark.parametrize("parent", ["lead", None])
def test_another_projects_rows_are_never_shown(desk, parent):
    desk.note("mine")
    desk.stop("a1", "foreign result", session="s2", place=API)
    desk.note("foreign decision", "decision", session="s2", tags=["bob", "all"], place=API)
    desk.task("foreign task", place=API)
    assert desk.sections(parent=parent) == {"Recent Context": ["- [note] mine"]}


def test_sessions_without_a_project_see_nothing_of_each_other(desk):
    desk.stop("a1", "elsewhere", session="s2", place=None)
    desk.note("decided elsewhere", "decision", session="s2", place=None)
    desk.note("mine", session="s3", place=None)
    assert desk.sections(session="s3") == {"Recent Context": ["- [note] mine"]}


def test_an_unknown_session_is_given_nothing(desk):
    desk.note("mine", "decision")
    assert desk.context(session="nobody").text == ""


def test_other_sessions_newest_five_of_four_kinds(desk):
    for number, kind in enumerate(
        ["decision", "blocker", "handoff", "note", "todo_warning", "decision", "blocker", "handoff"]
    ):
        desk.note(f"entry {number}", kind, session="s0")
    desk.store.open_session("s1", WEB, desk.later())
    assert desk.sections()["Cross-Session Context"] == [
        "- [handoff] entry 7", "- [blocker] entry 6", "- [decision] entry 5", "- [handoff] entry 2",
        "- [blocker] entry 1",
    ]  # fmt: skip


def test_what_is_relevant_by_tag_or_kind(desk):
    desk.note("for nobody")
    desk.note("by name", tags=["bob"])
    desk.note("by type", tags=["worker", "bob"])
    desk.note("for all", tags=["all"])
    desk.note("for alice", tags=["alice"])
    desk.note("decided", "decision")
    assert desk.sections()["Relevant Context"] == [
        "- [decision] decided", "- [note] for all", "- [note] by type", "- [note] by name",
    ]  # fmt: skip


def test_an_agent_without_a_type_matches_no_empty_tag(desk):
    desk.note("odd", tags=[""])
    desk.note("mine", tags=["bob"])
    assert desk.sections(kind=None)["Relevant Context"] == ["- [note] mine"]


def test_recent_notes_when_nothing_of_this_session_was_found(desk):
    for number in range(12):
        desk.note(f"note {number}")
    desk.note("decided", "decision", session="s0")
    shown = desk.sections()
    assert shown["Cross-Session Context"] == ["- [decision] decided"]
    assert shown["Recent Context"] == [f"- [note] note {number}" for number in range(11, 1, -1)]


def test_no_recent_notes_beside_relevant_ones(desk):
    desk.note("note")
    desk.note("decided", "decision")
    assert desk.sections() == {"Relevant Context": ["- [decision] decided"]}


def test_a_summary_is_shown_once_and_makes_room_for_others(desk):
    """In the original one summary stood in three sections."""
    for number in range(6):
        desk.note(f"decided {number}", "decision")
    for number in range(5):
        desk.stop(f"a{number}", f"result {number}", name="bob", kind="worker")
    shown = desk.sections(name="bob")
    assert len(shown["Sibling Agent Results"]) == 5
    assert shown["Relevant Context"] == [f"- [decision] decided {number}" for number in (5, 4, 3, 2, 1)]


def test_an_agent_is_not_told_what_it_said_itself(desk):
    desk.stop("me", "my own result", name="bob")
    desk.note("my own decision", "decision", agent="me")
    desk.note("decided", "decision")
    assert desk.sections(agent="me") == {"Relevant Context": ["- [decision] decided"]}


@pytest.mark.parametrize("text", [None, "", " \n\t"])
def test_an_agent_without_words_is_left_out(desk, text):
    desk.stop("a1", text)
    assert desk.context().text == ""


def test_tasks_in_their_order_with_plans(desk):
    numbers = {title: desk.task(title, status=status) for title, status in (
        ("later", "planned"), ("waits", "pending"), ("idea", "idea"), ("over", "completed"), ("seen", "needs_review"),
        ("begun", "in_progress"), ("waits too", "pending"))}  # fmt: skip
    desk.task("another's", who="alice")
    for title, number in numbers.items():
        comment_task(desk.store, number, "plan", f"old plan of {title}", None, desk.later())
        comment_task(desk.store, number, "plan", f"plan of {title}", None, desk.later())
        comment_task(desk.store, number, "note", "noted", None, desk.later())
    assert desk.sections() == {
        "Your Assigned Tasks": [
            "- [in_progress] begun\n  Plan: plan of begun",
            "- [pending] waits\n  Plan: plan of waits",
            "- [pending] waits too\n  Plan: plan of waits too",
            "- [planned] later\n  Plan: plan of later",
            "- [needs_review] seen",
        ]
    }


def test_tags_and_descriptions_of_tasks(desk):
    desk.task("T", tags=("ui", "p1"), description="words " * 30)
    assert desk.sections()["Your Assigned Tasks"] == [f"- [pending] T [ui, p1]: {('words ' * 30)[:100]}"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "cut"), [("x" * 99 + "😀", "x" * 99), ("😀" * 60, "😀" * 50), ("x" * 99 + "e\u0301", "x" * 99)]
)
def test_no_character_is_cut_in_half(desk, words, cut):
    desk.task("T", description=words)
    assert desk.sections()["Your Assigned Tasks"] == [f"- [pending] T: {cut}"]


def test_the_task_that_an_agent_takes_on_keeps_its_plan(desk):
    """In the original the plan was lost exactly when it was needed."""
    number = desk.task("T", who="worker")
    comment_task(desk.store, number, "plan", "begin with lists", None, desk.later())
    assert desk.start("a1") == number
    assert desk.sections(name="worker") == {"Your Assigned Tasks": ["- [in_progress] T\n  Plan: begin with lists"]}


def test_a_changed_task(desk):
    number = desk.task("T", who="alice")
    change_task(desk.store, number, desk.later(), status="planned", assigned_to="bob")
    assert desk.sections() == {"Your Assigned Tasks": ["- [planned] T"]}


@pytest.mark.parametrize("name", CONTEXT_QUERIES)
def test_every_query_reads_an_index(file_desk, name):
    values = dict.fromkeys(("session", "project", "name", "type", "everyone", "parent"), "x") | {"limit": 9}
    plan = [row[3] for row in file_desk.store.rows(f"EXPLAIN QUERY PLAN {CONTEXT_QUERIES[name]}", values)]
    touched = [step for step in plan if step.startswith(("SCAN", "SEARCH"))]
    tables = ("agents", "context_entries", "entry_tags", "tasks", "task_comments")
    assert touched
    assert [step for step in touched if step.startswith("SCAN") and step.split()[1] in tables] == []


@pytest.mark.parametrize("name", ["siblings", "same type", "recent"])
def test_what_is_newest_need_not_be_sorted(file_desk, name):
    values = dict.fromkeys(("session", "project", "name", "type", "everyone", "parent"), "x") | {"limit": 9}
    plan = file_desk.store.rows(f"EXPLAIN QUERY PLAN {CONTEXT_QUERIES[name]}", values)
    assert [row[3] for row in plan if "TEMP B-TREE" in row[3]] == []
