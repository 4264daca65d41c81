"""A server that is killed in the middle of work and started again: every row is there once, and in its order."""

import subprocess
import sys

import pytest

from tests.postgres import MISSING, PROGRAMS, Server
from tests.support import child_environment
from wrapgen.agents.databases import PostgresStore, SqliteStore
from wrapgen.agents.spool import Spool

pytestmark = [pytest.mark.xdist_group("postgres"), pytest.mark.skipif(PROGRAMS is None, reason=MISSING)]

VAULTS, WRITERS, ROUNDS = 2, 3, 16
WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from wrapgen.agents.operations import AddEntry, Start, Stop, Who
from wrapgen.agents.rows import ProjectRow
from wrapgen.agents.databases import PostgresStore
from wrapgen.agents.spool import Spool
from wrapgen.agents.databases import SqliteStore
from wrapgen.errors import UnavailableError
root, address, session, rounds = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
place = ProjectRow(id="web", name="web", path="/code/web")
spool = Spool(root, team=True)
for number in range(rounds):
    who, now = Who(f"{session}-{number}", session, "worker"), datetime.now(UTC)
    text = f"{session} {number}"
    spool.append(Start(who, place, now))
    spool.append(AddEntry(session=session, kind="note", text=text, place=place, agent=who.id, tags=(), now=now))
    spool.append(Stop(who=who, text=text, place=place, accepted=True, finished="completed", now=now))
    with SqliteStore(root) as own:
        try:
            with PostgresStore(address) as server:
                spool.drain(own, server)
        except UnavailableError as error:
            spool.drain(own, error)
    print(number, flush=True)
"""


@pytest.fixture
def own_server():
    """A server that nobody else needs."""
    made = Server()
    yield made
    made.remove()


@pytest.mark.slow
def test_what_is_written_meanwhile_is_there_once_and_in_order(own_server, tmp_path):
    address = own_server.new_database()
    PostgresStore(address).close()
    roots = [tmp_path / f"vault{number}" for number in range(VAULTS)]
    sessions = {f"s{number}": roots[number % VAULTS] for number in range(WRITERS)}
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, root, address, session, str(ROUNDS)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=child_environment(),
        ) for session, root in sessions.items()
    ]  # fmt: skip

    def until(number):
        for writer in writers:
            while int(writer.stdout.readline()) < number:
                pass

    until(ROUNDS // 4)
    own_server.stop()
    until(ROUNDS // 2)
    own_server.start()
    complaints = [writer.communicate(timeout=300)[1] for writer in writers]
    assert complaints == [b""] * WRITERS
    for root in roots:
        spool = Spool(root, team=True)
        with SqliteStore(root) as own, PostgresStore(address) as server:
            assert spool.drain(own, server).trouble is None
        assert (spool.waiting(), spool.refused()) == (0, [])
    with PostgresStore(address) as store:
        for session in sessions:
            said = [f"{session} {number}" for number in range(ROUNDS)]
            for statement in (
                "SELECT content FROM context_entries WHERE session_id = :session AND entry_type = 'note' ORDER BY id",
                "SELECT content FROM outputs WHERE session_id = :session ORDER BY id",
                "SELECT content FROM context_entries WHERE session_id = :session AND entry_type <> 'note' ORDER BY id",
            ):
                assert [text for (text,) in store.rows(statement, {"session": session})] == said
        states = store.rows("SELECT status, count(*) FROM agents GROUP BY status", {})
        assert states == [("completed", WRITERS * ROUNDS)]
