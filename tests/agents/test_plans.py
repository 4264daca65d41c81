"""How PostgreSQL answers: from an index, however many rows there are. What SQLite does is in test_asking.py."""

import pytest

from tests.agents.conftest import CONTEXT_QUERIES
from wrapgen.agents import sql
from wrapgen.agents.databases import PostgresStore

pytestmark = pytest.mark.xdist_group("postgres")


def plan_of(database, statement):
    names = ("session", "project", "name", "type", "everyone", "parent", "path", "agent", "id", "now")
    values = {**dict.fromkeys(names, "x"), "limit": 9}
    return "\n".join(row[0] for row in database.rows(f"EXPLAIN {statement}", values))


@pytest.fixture(scope="module")
def crowded(server):
    """A store with so many rows that reading all of a table does not pay."""
    database = PostgresStore(server.new_database())
    moment = "to_char(timestamp '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD HH24:MI:SS')"
    with database.writing():
        for statement in (
            "INSERT INTO projects SELECT 'p' || n, 'p' || n, '/p' || n, '2026' FROM generate_series(0, 1999) n",
            """INSERT INTO sessions SELECT 's' || n, 'p' || n % 20, '2026', NULL, 'active'
                FROM generate_series(0, 199) n""",
            f"""INSERT INTO agents SELECT 'a' || n, 's' || n % 200, 'p' || n % 20, 'w', 'worker' || n % 4, 'lead',
                'completed', {moment}, {moment}, 'done' FROM generate_series(1, 20000) n""",
            f"""INSERT INTO context_entries (session_id, project_id, agent_id, entry_type, content, created_at)
                SELECT 's' || n % 200, 'p' || n % 20, 'a' || 1 + n % 20000,
                (ARRAY['note', 'decision', 'blocker', 'handoff', 'agent_summary'])[1 + n % 5], 'words', {moment}
                FROM generate_series(1, 60000) n""",
            f"""INSERT INTO outputs (session_id, agent_id, content, created_at)
                SELECT 's' || n % 200, 'a' || n, 'words', {moment} FROM generate_series(1, 5000) n""",
            """INSERT INTO entry_tags SELECT id, session_id, 'worker' || id % 4, created_at FROM context_entries
                WHERE id % 10 = 0""",
            f"""INSERT INTO tasks (project_id, title, status, assigned_to, created_at, updated_at)
                SELECT 'p' || n % 20, 'T', 'pending', 'w' || n % 50, {moment}, {moment}
                FROM generate_series(1, 5000) n""",
            f"""INSERT INTO task_comments (task_id, comment_type, content, created_at)
                SELECT n, 'plan', 'so', {moment} FROM generate_series(1, 5000) n""",
        ):
            database.rows(statement, {})
    database.compact()
    yield database
    database.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", CONTEXT_QUERIES)
def test_every_query_reads_an_index(crowded, name):
    plan = plan_of(crowded, CONTEXT_QUERIES[name])
    assert "Index" in plan
    assert "Seq Scan" not in plan


@pytest.mark.parametrize("name", ["siblings", "same type", "recent"])
@pytest.mark.slow
def test_what_is_newest_need_not_be_sorted(crowded, name):
    assert "Sort" not in plan_of(crowded, CONTEXT_QUERIES[name])


@pytest.mark.parametrize(
    "statement", [sql.PROJECT_AT, sql.OUTPUTS_OF, sql.FORGET_SUMMARY, sql.HAS_TASK, sql.CLAIM_TASK]
)
def test_what_hooks_write_is_found_by_an_index(crowded, statement):
    assert "Seq Scan" not in plan_of(crowded, statement)


@pytest.mark.parametrize("value", [None, "x"])
@pytest.mark.parametrize("table", sql.LISTS)
def test_lists_are_understood_whatever_they_are_narrowed_to(crowded, table, value):
    values = {"session": None, "project": None, "limit": 5}
    for name in ("session", "project"):
        assert len(crowded.rows(sql.LISTS[table], values | {name: value})) <= 5
