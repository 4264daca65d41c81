"""Rows in, rows out: the recorded cases, round trips, and rows that cannot be taken."""

import json

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.agents.conftest import NOON
from tests.support import examples
from wrapgen.agents import sql
from wrapgen.agents.databases import PostgresStore, SqliteStore
from wrapgen.agents.store import give, read_bundle, take
from wrapgen.errors import WrapgenError

ROWS = {
    "projects": [{"id": "p1", "name": "P1", "path": "/p1", "created_at": "2026-02-05 10:00:00"}],
    "sessions": [
        {"id": "s1", "project_id": "p1", "started_at": "2026-02-05 10:00:00", "ended_at": None, "status": "ended"}
    ],
    "agents": [
        {
            "id": "a1", "session_id": "s1", "agent_name": "w", "agent_type": "t", "parent_agent_id": None,
            "status": "completed", "started_at": "2026-02-05 10:00:00", "completed_at": "2026-02-05 10:01:00.500000",
            "context_summary": "done", "input_tokens": 3, "output_tokens": 4,
        }
    ],
    "context_entries": [
        {"id": 7, "session_id": "s1", "agent_id": "a1", "entry_type": "note", "content": "x", "tags": ["all", "w"],
         "created_at": "2026-02-05 10:00:00"}
    ],
    "tasks": [
        {"id": 3, "project_id": "p1", "title": "T", "description": None, "status": "pending", "assigned_to": "w",
         "tags": None, "created_at": "2026-02-05 10:00:00", "updated_at": "2026-02-05 10:00:00"}
    ],
    "task_comments": [
        {"id": 9, "task_id": 3, "author": None, "comment_type": "plan", "content": "go",
         "created_at": "2026-02-05 10:00:00"}
    ],
    "outputs": [{"id": 1, "session_id": "s1", "agent_id": "a1", "content": "all", "created_at": "2026-02-05 10:00:00"}],
    "file_changes": [
        {"id": 1, "session_id": "s1", "agent_id": "a1", "file_path": "a.ts", "change_type": "edit",
         "created_at": "2026-02-05 10:00:00"}
    ],
}  # fmt: skip


def taken(store, rows):
    return take(store, read_bundle(json.dumps(rows).encode(), "rows.json")[0], NOON)


def given_out(store):
    return json.loads(msgspec.json.encode(give(store)))


@pytest.mark.slow
def test_what_was_taken_in_is_given_out(desk):
    assert taken(desk.store, ROWS) == dict.fromkeys(ROWS, 1)
    assert given_out(desk.store) == ROWS


@pytest.mark.slow
def test_the_same_rows_twice_are_there_once(desk):
    taken(desk.store, ROWS)
    again = taken(desk.store, ROWS)
    assert {table: number for table, number in again.items() if number} == {"agents": 1}
    assert given_out(desk.store) == ROWS


@pytest.mark.slow
def test_a_number_that_another_row_has_is_exchanged(desk):
    taken(desk.store, ROWS)
    other = {
        "tasks": [{"id": 3, "title": "Other"}],
        "task_comments": [{"task_id": 3, "comment_type": "plan", "content": "it"}],
    }
    taken(desk.store, other)
    tasks = {task["title"]: task["id"] for task in given_out(desk.store)["tasks"]}
    assert tasks["T"] == 3
    assert [one["task_id"] for one in given_out(desk.store)["task_comments"]] == [3, tasks["Other"]]


@pytest.mark.slow
def test_another_id_for_a_known_folder_means_the_known_project(desk):
    taken(desk.store, ROWS)
    taken(
        desk.store,
        {"projects": [{"id": "p9", "name": "P", "path": "/p1"}], "sessions": [{"id": "s9", "project_id": "p9"}]},
    )
    assert desk.store.project_of("s9") == "p1"


@pytest.mark.slow
def test_what_rows_refer_to_need_not_be_described(desk):
    rows = {
        "sessions": [{"id": "s1", "project_id": "p"}],
        "agents": [{"id": "a", "session_id": "s2", "agent_name": "w"}],
        "context_entries": [{"session_id": "s3", "agent_id": "nobody", "entry_type": "note", "content": "x"}],
    }
    taken(desk.store, rows)
    assert desk.store.project_of("s1") == "p"
    assert [one["id"] for one in given_out(desk.store)["sessions"]] == ["s1", "s2", "s3"]
    assert given_out(desk.store)["context_entries"][0]["agent_id"] is None


def test_moments_of_any_zone_are_compared_as_what_they_are(desk):
    taken(desk.store, {"projects": [{"id": "p", "name": "p", "path": "/p", "created_at": "2026-02-05T19:00:00+09:00"}]})
    assert given_out(desk.store)["projects"][0]["created_at"] == "2026-02-05 10:00:00"


@pytest.mark.slow
def test_an_agent_is_never_emptied_by_an_import(desk):
    taken(desk.store, ROWS)
    taken(desk.store, {"agents": [{"id": "a1", "session_id": "s1", "agent_name": "w", "status": "completed"}]})
    assert given_out(desk.store)["agents"] == ROWS["agents"]


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ("[]", "not a JSON object"),
        ("null", "not a JSON object"),
        ("{", "rows.json"),
        ('{"agents": {}}', "$.agents"),
        ('{"agents": [{"id": "a"}]}', "$.agents[0]"),
        ('{"agents": [{"id": "a", "agent_name": "x", "age": 3}]}', "age"),
        ('{"context_entries": [{"entry_type": "note", "content": "x", "tags": "all"}]}', "$.context_entries[0].tags"),
        ('{"tasks": [{"title": "T", "created_at": "yesterday"}]}', "tasks[0].created_at"),
        ('{"tasks": [{"title": "T", "created_at": "0001-01-01T00:00:00+14:00"}]}', "tasks[0].created_at"),
        ('{"sessions": [{"id": "\\ud800"}]}', "rows.json"),
    ],
)
def test_rows_that_are_none_are_named(rows, named):
    with pytest.raises(WrapgenError) as caught:
        read_bundle(rows.encode(), "rows.json")
    assert named in str(caught.value)


def test_a_comment_without_a_task_takes_nothing_in(desk):
    with pytest.raises(WrapgenError, match="task 99"):
        taken(desk.store, ROWS | {"task_comments": [{"task_id": 99, "comment_type": "plan", "content": "x"}]})
    assert given_out(desk.store) == {table: [] for table in ROWS}


def test_keys_that_mean_nothing_are_named():
    assert read_bundle(b'{"schema": "x", "output": "y", "agents": null}', "x")[1] == ["output"]


NAMES = st.text(min_size=1, max_size=4)
TEXT = st.text(max_size=12)
TAGS = st.none() | st.lists(NAMES, max_size=3)
MAYBE = st.none() | NAMES
MOMENTS = st.datetimes().map(lambda moment: moment.isoformat(" "))
BUNDLES = st.fixed_dictionaries(
    {
        "sessions": st.lists(
            st.fixed_dictionaries({"id": NAMES, "project_id": MAYBE, "started_at": MOMENTS}), max_size=3
        ),
        "agents": st.lists(
            st.fixed_dictionaries(
                {"id": NAMES, "session_id": MAYBE, "agent_name": NAMES, "context_summary": st.none() | TEXT,
                 "input_tokens": st.integers(0, 2**63 - 1), "started_at": MOMENTS, "completed_at": st.none() | MOMENTS}
            ), max_size=3,
        ),
        "context_entries": st.lists(
            st.fixed_dictionaries(
                {"session_id": MAYBE, "entry_type": NAMES, "content": TEXT, "tags": TAGS,
                 "created_at": MOMENTS}
            ), max_size=3,
        ),
        "tasks": st.lists(
            st.fixed_dictionaries({"title": TEXT, "project_id": MAYBE, "tags": TAGS,
                                   "created_at": MOMENTS, "updated_at": MOMENTS}), max_size=3,
        ),
    }
)  # fmt: skip


def round_trip(first, second, rows):
    taken(first, rows)
    once = given_out(first)
    taken(second, once)
    assert given_out(second) == once
    assert len(once["context_entries"]) == len(rows["context_entries"])


@pytest.mark.slow
@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(BUNDLES)
def test_round_trip(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("stores")
    (folder / "a").mkdir()
    (folder / "b").mkdir()
    with SqliteStore(folder / "a") as first, SqliteStore(folder / "b") as second:
        round_trip(first, second, rows)


@pytest.mark.slow
@pytest.mark.xdist_group("postgres")
@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(BUNDLES)
def test_round_trip_to_a_server_and_back(tmp_path_factory, team, rows):
    """What a server gives out is what a file would, whatever rows it was given."""
    with (
        PostgresStore(team) as server,
        SqliteStore(tmp_path_factory.mktemp("a")) as first,
        SqliteStore(tmp_path_factory.mktemp("b")) as second,
    ):
        server.rows(f"TRUNCATE {', '.join(sql.ROWS)}, entry_tags RESTART IDENTITY", {})
        round_trip(first, server, rows)
        round_trip(server, second, given_out(first))
