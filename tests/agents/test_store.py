"""What the store remembers, when many write at once, and when it cannot be used."""

import os
import sqlite3
import subprocess
import sys
from datetime import timedelta

import pytest

from tests.agents.conftest import NOON, WEB
from tests.support import child_environment
from wrapgen.agents.databases import DATABASE_FILE, SqliteStore
from wrapgen.agents.operations import Usage, change_task
from wrapgen.agents.rows import stamp
from wrapgen.agents.spool import Spool
from wrapgen.agents.sql import STEPS
from wrapgen.errors import StoreError
from wrapgen.vault.state import state_file

SECRET = "ghp_" + "a1B2" * 9

WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from wrapgen.agents.moments import AgentEvent
from wrapgen.agents.moments import EventSetting, on_stop
from wrapgen.agents.rows import ProjectRow
from wrapgen.agents.spool import Spool
from wrapgen.agents.databases import SqliteStore
from wrapgen.config import Agents
where, writer, results, address = sys.argv[1:]
spool, server = Spool(Path(where), team=bool(address)), None
place = ProjectRow(id="web", name="web", path="/code/web")
setting = EventSetting(spool.append, None, Agents(), place, datetime.now(UTC))
sys.stdin.readline()
for number in range(int(results)):
    text = f"result {number} of {writer}"
    event = {"session_id": "s1", "agent_id": f"{writer}-{number}", "agent_type": "w", "last_assistant_message": text}
    reply = on_stop(AgentEvent.of(event), setting)
    assert (reply.exit_code, reply.trouble) == (0, ""), reply
    if number % 3 == 0:  # somebody with time comes by in the middle of it
        with SqliteStore(Path(where), busy_seconds=100) as own:
            if address:
                from wrapgen.agents.databases import PostgresStore
                server = server or PostgresStore(address)
            spool.drain(own, server, patience=100)
"""


WRITERS, RESULTS = 8, 4


def count(desk, table):
    return desk.one(f"SELECT count(*) FROM {table}")[0]


@pytest.mark.slow
def test_many_processes_write_several_results_each_at_once(manner, opened, tmp_path, request):
    address = "" if manner == "sqlite" else request.getfixturevalue("team")
    command = [sys.executable, "-c", WRITER, tmp_path]
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE, "env": child_environment()}
    children = [subprocess.Popen([*command, f"w{number}", str(RESULTS), address], **pipes) for number in range(WRITERS)]
    for child in children:
        child.stdin.write(b"\n")
        child.stdin.flush()
    complaints = [child.communicate(timeout=300)[1] for child in children]
    assert complaints == [b""] * WRITERS
    with opened() as store, SqliteStore(tmp_path) as own:
        assert Spool(tmp_path).drain(own, store if address else None).trouble is None
        tables = {
            table: store.rows(f"SELECT count(*) FROM {table}", {})[0][0]
            for table in ("agents", "outputs", "context_entries", "projects", "sessions")
        }
    each = dict.fromkeys(("agents", "outputs", "context_entries"), WRITERS * RESULTS)
    assert tables == {**each, "projects": 1, "sessions": 1}
    assert Spool(tmp_path).is_empty()


class TestStops:
    def test_a_stop_without_a_start(self, desk):
        desk.stop("a1", "done")
        assert desk.one("SELECT status, context_summary FROM agents") == ("completed", "done")

    @pytest.mark.parametrize("text", [None, "", "  \n"])
    def test_a_second_stop_without_words_changes_nothing(self, desk, text):
        desk.stop("a1", "done", usage=Usage(5, 7))
        desk.stop("a1", text)
        columns = "status, context_summary, input_tokens, output_tokens"
        assert desk.one(f"SELECT {columns} FROM agents") == ("completed", "done", 5, 7)
        assert count(desk, "context_entries") == count(desk, "outputs") == 1

    def test_a_second_stop_with_other_words_keeps_both(self, desk):
        desk.stop("a1", "a long report")
        desk.stop("a1", "short")
        assert desk.one("SELECT context_summary FROM agents") == ("short",)
        assert desk.one("SELECT content FROM context_entries") == ("short",)
        assert desk.store.rows("SELECT content FROM outputs ORDER BY id", {}) == [
            ("a long report",),
            ("short",),
        ]

    def test_the_same_stop_twice_is_one(self, desk):
        desk.stop("a1", "done")
        desk.stop("a1", "done")
        assert [count(desk, table) for table in ("agents", "outputs", "context_entries")] == [1, 1, 1]

    def test_a_resumed_agent_keeps_what_it_said(self, desk):
        desk.stop("a1", "done")
        desk.start("a1")
        assert desk.one("SELECT status, context_summary FROM agents") == ("active", "done")

    def test_numbers_without_bounds(self, desk):
        desk.stop("a1", "done", usage=Usage(10**30, -4))
        assert desk.one("SELECT input_tokens, output_tokens FROM agents") == (2**63 - 1, 0)

    def test_a_session_that_ended_goes_on(self, desk):
        desk.start("a1")
        desk.store.rows("UPDATE sessions SET status = 'ended', ended_at = '2026-04-24 12:01:00'", {})
        desk.start("a2")
        assert desk.one("SELECT status, ended_at FROM sessions") == ("active", None)


class TestTasks:
    @pytest.mark.slow
    def test_two_agents_of_one_name_take_two_tasks(self, desk):
        first, second = desk.task("one", "worker"), desk.task("two", "worker")
        assert [desk.start("a1"), desk.start("a2"), desk.start("a3"), desk.start("a1")] == [first, second, None, None]

    def test_an_agent_finishes_its_own_task_only(self, desk):
        """In the original any stop finished the tasks of every agent of that name."""
        first, second = desk.task("one", "worker"), desk.task("two", "worker")
        desk.start("a1")
        desk.start("a2")
        desk.stop("a1", "done")
        states = dict(desk.store.rows("SELECT id, status FROM tasks", {}))
        assert states == {first: "completed", second: "in_progress"}
        kinds = desk.store.rows("SELECT comment_type FROM task_comments WHERE task_id = :id ORDER BY id", {"id": first})
        assert kinds == [("status_change",), ("result",), ("status_change",)]

    @pytest.mark.parametrize("more", [{"text": None}, {"text": "long", "accepted": False}])
    def test_a_stop_that_says_nothing_final_finishes_none(self, desk, more):
        desk.task("one", "worker")
        desk.start("a1")
        desk.stop("a1", **more)
        assert desk.one("SELECT status FROM tasks") == ("in_progress",)

    def test_a_task_of_the_type_is_taken_on_under_the_name(self, desk):
        desk.task("one", "worker")
        desk.start("a1", name="bob")
        assert desk.one("SELECT assigned_to FROM tasks") == ("bob",)

    def test_no_such_task(self, desk):
        with pytest.raises(StoreError, match="no task 7"):
            change_task(desk.store, 7, desk.later(), status="idea", assigned_to=None)


class TestSecretsAndNames:
    def test_secrets_are_not_stored(self, desk):
        words = f"the key {SECRET} works"
        desk.stop("a1", words)
        desk.note(words, "decision")
        desk.task(words, description=words)
        assert SECRET not in desk.everything()
        assert "[redacted: " in desk.context().text

    @pytest.mark.parametrize(
        "name", ["a'); DROP TABLE agents;--", 'a "b"', "a\nb\r\u2028c", "이름 😀", "\ud800", "a\0b", "%s", ":name"]
    )
    def test_any_name_is_a_name(self, desk, name):
        desk.stop("a1", "done", name=name, kind=name, parent=name)
        assert "done" in desk.context(name=name, kind=name, parent=name).text

    def test_a_session_is_moved_to_its_project_once(self, desk):
        desk.note("early", "decision", place=None)
        desk.stop("a1", "done", place=None)
        desk.note("later", place=WEB)
        assert desk.one("SELECT project_id FROM context_entries WHERE content = 'early'") == ("web",)
        assert desk.one("SELECT project_id FROM agents") == ("web",)
        desk.note("elsewhere", place=None)
        assert desk.one("SELECT project_id FROM sessions") == ("web",)

    def test_a_folder_is_one_project_whatever_it_is_called(self, desk):
        desk.note("one", place=WEB)
        desk.note("two", session="s2", place=type(WEB)(id="/code/web", name="web", path="/code/web"))
        assert desk.store.rows("SELECT DISTINCT project_id FROM sessions", {}) == [("web",)]


class TestRetention:
    @pytest.mark.slow
    def test_what_is_old_goes_and_open_tasks_stay(self, desk):
        desk.stop("old", "old result")
        desk.note("old note", "decision")
        done, waiting = desk.task("done"), desk.task("waits")
        change_task(desk.store, done, desk.later(), status="completed", assigned_to=None)
        desk.now += timedelta(days=60)
        desk.stop("new", "new result", session="s2")
        gone = desk.store.expire(NOON + timedelta(days=91))
        assert gone == {"context_entries": 2, "outputs": 1, "agents": 1, "sessions": 1, "tasks": 1}
        assert desk.one("SELECT id FROM tasks") == (waiting,)
        assert desk.one("SELECT id FROM agents") == ("new",)
        assert desk.store.expire(NOON + timedelta(days=91)) == {}

    def test_what_is_of_the_last_day_stays(self, desk):
        desk.stop("a1", "result")
        assert desk.store.expire(desk.now + timedelta(days=90)) == {}


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_only_the_owner_may_read(tmp_path):
    before = os.umask(0)
    try:
        with SqliteStore(tmp_path) as store:
            store.open_session("s", None, NOON)
            modes = {path.stat().st_mode & 0o777 for path in state_file(tmp_path, "").iterdir()}
    finally:
        os.umask(before)
    assert modes == {0o600}
    assert state_file(tmp_path, "").stat().st_mode & 0o777 == 0o700


class TestTrouble:
    def file(self, root):
        path = state_file(root, DATABASE_FILE)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    @pytest.mark.parametrize(
        "rubbish", [b"no database at all, but longer than a header" * 9, b"SQLite format 3\0" + b"\xff" * 5_000]
    )
    def test_what_is_no_database(self, tmp_path, rubbish):
        self.file(tmp_path).write_bytes(rubbish)
        with pytest.raises(StoreError, match="not a database, or is damaged") as caught:
            SqliteStore(tmp_path)
        assert "wrap agent import" in str(caught.value)
        assert self.file(tmp_path).read_bytes() == rubbish

    def test_a_damaged_page(self, file_desk, tmp_path):
        for number in range(200):
            file_desk.note(f"note {number} " * 50)
        file_desk.store.close()
        data = bytearray(self.file(tmp_path).read_bytes())
        data[4096 * 20 :] = b"\xff" * (len(data) - 4096 * 20)
        self.file(tmp_path).write_bytes(data)
        with pytest.raises(StoreError, match="damaged"), SqliteStore(tmp_path) as store:
            store.rows("SELECT sum(length(content)) FROM context_entries", {})

    def test_an_empty_file_becomes_a_store(self, tmp_path):
        self.file(tmp_path).touch()
        with SqliteStore(tmp_path) as store:
            store.open_session("s", None, NOON)

    def test_a_newer_store_is_left_alone(self, tmp_path):
        with sqlite3.connect(self.file(tmp_path)) as connection:
            connection.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
        connection.close()
        with pytest.raises(StoreError, match="newer wrapgen"):
            SqliteStore(tmp_path)

    @pytest.mark.slow
    def test_a_locked_store(self, file_desk, tmp_path):
        holder = sqlite3.connect(self.file(tmp_path), isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked by another process"):
            file_desk.note("note")
        holder.execute("ROLLBACK")
        holder.close()
        file_desk.note("note")

    @pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
    def test_a_store_that_may_not_be_written(self, tmp_path):
        SqliteStore(tmp_path).close()
        self.file(tmp_path).chmod(0o400)
        with pytest.raises(StoreError, match="cannot be opened for writing"):
            SqliteStore(tmp_path)

    @pytest.mark.slow
    def test_who_opens_it_twice_keeps_his_locks(self, tmp_path):
        """Closing a file lets go of all locks that a process has on it: then others take away what it works on."""
        code = "import sys; from pathlib import Path; from wrapgen.agents.databases import SqliteStore as o"
        with SqliteStore(tmp_path) as first, SqliteStore(tmp_path):
            first.open_session("s1", None, NOON)
            command = [sys.executable, "-c", f"{code}; o(Path(sys.argv[1])).close()", tmp_path]
            subprocess.run(command, env=child_environment(), check=True)
            assert self.file(tmp_path).with_name(f"{DATABASE_FILE}-wal").exists()

    def test_a_folder_in_its_place(self, tmp_path):
        self.file(tmp_path).mkdir()
        with pytest.raises(StoreError, match="cannot be opened for writing"):
            SqliteStore(tmp_path)

    def test_a_transaction_that_fails_leaves_nothing(self, desk):
        def write_and_fail():
            with desk.store.writing():
                desk.store.project_at(WEB, NOON)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            write_and_fail()
        assert count(desk, "projects") == 0

    @pytest.mark.slow
    def test_a_store_of_the_first_version_is_brought_up_to_date(self, tmp_path):
        with sqlite3.connect(self.file(tmp_path)) as connection:
            connection.executescript(STEPS[0] + "PRAGMA user_version = 1;")
            connection.execute("INSERT INTO projects VALUES ('p', 'p', '/p', '2026-04-24 09:00:00')")
        connection.close()
        with SqliteStore(tmp_path) as store:
            assert store.rows("PRAGMA user_version", {}) == [(len(STEPS),)]
            assert store.rows("SELECT id FROM projects", {}) == [("p",)]

    def test_shared_folders_get_the_slower_journal(self, tmp_path):
        SqliteStore(tmp_path).close()
        with SqliteStore(tmp_path, shared=True) as store:
            assert store.rows("PRAGMA journal_mode", {}) == [("delete",)]


def test_moments_are_utc():
    assert stamp(NOON.astimezone()) == "2026-04-24 12:00:00"
