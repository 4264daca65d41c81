"""What only a server has: who may know its address, how long it is waited for, and when it refuses."""

import subprocess
import sys
import threading
from datetime import timedelta

import pytest

from tests.agents.conftest import NOON, WEB, Desk
from tests.agents.test_bundle import ROWS, given_out, taken
from tests.postgres import silent
from tests.support import child_environment
from wrapgen.agents import sql
from wrapgen.agents.databases import PostgresStore
from wrapgen.agents.operations import AddFileChange, Start, Who
from wrapgen.errors import StoreError, UnavailableError

pytestmark = pytest.mark.xdist_group("postgres")

SECRET = "s3cret-word"  # as `silent` has it


@pytest.fixture
def team_desk(team):
    made = Desk(PostgresStore(team))
    yield made
    made.store.close()


class TestTables:
    @pytest.mark.slow
    def test_are_made_once_by_whoever_comes_first(self, server):
        address = server.new_database()
        opened, failed = [], []

        def open_one():
            try:
                opened.append(PostgresStore(address))
            except StoreError as error:
                failed.append(error)

        threads = [threading.Thread(target=open_one) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []
        found = opened[0].rows("SELECT version FROM schema_version ORDER BY version", {})
        assert found == [(number,) for number in range(1, len(sql.STEPS) + 1)]
        for database in opened:
            database.close()

    @pytest.mark.slow
    def test_a_newer_store_is_left_alone(self, server, monkeypatch):
        address = server.new_database()
        with monkeypatch.context() as newer:
            newer.setattr(sql, "STEPS", (*sql.STEPS, "CREATE TABLE later (id INTEGER PRIMARY KEY)"))
            PostgresStore(address).close()
        with pytest.raises(UnavailableError, match="newer wrapgen"):
            PostgresStore(address)

    @pytest.mark.slow
    def test_a_step_that_came_later_is_made_up_for(self, server, monkeypatch):
        address = server.new_database()
        with PostgresStore(address) as store:
            AddFileChange("s1", None, "a.ts", "edit", NOON).do(store)
        monkeypatch.setattr(sql, "STEPS", (*sql.STEPS, "CREATE TABLE later (id INTEGER PRIMARY KEY)"))
        database = PostgresStore(address)
        assert database.rows("SELECT id FROM later", {}) == []
        assert database.rows("SELECT id FROM sessions", {}) == [("s1",)]
        database.close()

    def test_a_step_that_fails_leaves_nothing(self, server, monkeypatch):
        address = server.new_database()
        with monkeypatch.context() as broken:
            broken.setattr(sql, "STEPS", (*sql.STEPS, "CREATE TABLE half (id INTEGER); SELECT nonsense"))
            with pytest.raises(UnavailableError, match="nonsense"):
                PostgresStore(address)
        with PostgresStore(address) as store:
            assert store.rows("SELECT to_regclass('half')", {}) == [(None,)]

    def test_a_database_that_cannot_hold_every_text(self, server):
        with pytest.raises(UnavailableError, match="kept in LATIN1"):
            PostgresStore(server.new_database(encoding="LATIN1"))

    @pytest.mark.slow
    def test_a_user_who_may_not_make_tables(self, server, monkeypatch):
        address = server.new_database()
        with monkeypatch.context() as without_tables:
            without_tables.setattr(sql, "STEPS", ())
            admin = PostgresStore(address)
        admin.rows("DROP ROLE IF EXISTS guest", {})
        admin.rows(f"CREATE ROLE guest LOGIN PASSWORD '{SECRET}'", {})
        admin.close()
        with pytest.raises(UnavailableError, match="permission denied") as caught:
            PostgresStore(address.replace(f"tester:{server.password}", f"guest:{SECRET}"))
        assert SECRET not in str(caught.value)


class TestWriters:
    def test_a_transaction_that_fails_leaves_nothing(self, team_desk):
        def write_and_fail():
            with team_desk.store.writing():
                team_desk.store.project_at(WEB, NOON)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            write_and_fail()
        assert team_desk.one("SELECT count(*) FROM projects") == (0,)

    def test_numbers_go_on_behind_those_that_were_taken_in(self, team_desk):
        taken(team_desk.store, ROWS)
        assert team_desk.note("next") == 8
        assert team_desk.task("next") == 4
        assert {one["id"] for one in given_out(team_desk.store)["context_entries"]} == {7, 8}

    @pytest.mark.slow
    def test_no_two_of_many_take_the_same_task_on(self, team, team_desk):
        tasks = {team_desk.task(f"task {number}", "worker") for number in range(8)}
        claimed = []

        def claim(number):
            with PostgresStore(team) as store:
                claimed.append(store.do(Start(Who(f"a{number}", f"s{number}", "worker"), WEB, NOON)))

        threads = [threading.Thread(target=claim, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set(claimed) == tasks

    @pytest.mark.slow
    def test_an_import_has_the_store_for_itself_and_a_hook_does_not_wait_for_it(self, team, team_desk):
        hasty = PostgresStore(team, statement_seconds=0.3)
        with (
            team_desk.store.writing(alone=True),
            hasty as other,
            pytest.raises(UnavailableError, match="statement timeout"),
        ):
            other.do(Start(Who("a1", "s1", "worker"), WEB, NOON))
        team_desk.start("a1")

    def test_what_no_index_can_hold_is_refused(self, team_desk):
        with pytest.raises(StoreError) as caught:
            team_desk.note("x", session="".join(chr(0x4E00 + number) for number in range(9_000)))
        assert not isinstance(caught.value, UnavailableError)

    def test_old_rows_go_and_the_tables_are_told(self, team_desk):
        team_desk.note("old", "decision")
        assert team_desk.store.expire(NOON + timedelta(days=91)) == {"context_entries": 1, "sessions": 1}


@pytest.mark.slow
def test_a_server_that_does_not_answer_is_not_waited_for_for_ever():
    with silent() as address, pytest.raises(UnavailableError, match="cannot be used") as caught:
        PostgresStore(address)
    assert SECRET not in str(caught.value)


def test_a_port_where_nobody_listens():
    with pytest.raises(UnavailableError, match="cannot be used"):
        PostgresStore(f"postgresql://ann:{SECRET}@127.0.0.1:1/x")


@pytest.mark.slow
def test_a_statement_that_takes_too_long_is_given_up(team):
    database = PostgresStore(team, statement_seconds=0.2)
    with pytest.raises(UnavailableError, match="statement timeout"):
        database.rows("SELECT pg_sleep(60)", {})
    assert database.rows("SELECT 1", {}) == [(1,)]
    database.close()


@pytest.mark.slow
def test_psycopg_is_loaded_by_nobody_who_keeps_to_a_file(vault):
    code = (
        "import sys\nfrom wrapgen.cli import run\n"
        f"run(['--vault', {str(vault().root)!r}, 'agent', 'record', '--session', 's', 'word'])\n"
        "print('psycopg' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], env=child_environment(), capture_output=True, check=True)
    assert done.stdout.decode().split()[-1] == "False"
