"""What happens to sub-agents is kept in one file at once, whoever holds the store, and done once by who comes next."""

import json
import os
import sqlite3
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.agents.conftest import NOON, WEB
from wrapgen.agents.databases import SqliteStore
from wrapgen.agents.moments import AgentEvent, EventSetting, on_start, on_stop, on_tool
from wrapgen.agents.operations import AddEntry, KeepOutput, Start, Who
from wrapgen.agents.spool import FILE, Spool
from wrapgen.config import Agents
from wrapgen.errors import UnavailableError
from wrapgen.host_reply import HookReply
from wrapgen.regular_files import take
from wrapgen.vault.state import state_file

STOP = {"session_id": "s1", "agent_id": "a1", "agent_type": "worker", "last_assistant_message": "The door is blue."}
EDIT = {"session_id": "s1", "tool_name": "Edit", "tool_input": {"file_path": "a.ts"}}
AWAY = UnavailableError("away")


def entry(text):
    return AddEntry(session="s1", kind="note", text=text, place=WEB, agent=None, tags=(), now=NOON)


@pytest.fixture
def spool(tmp_path):
    return Spool(tmp_path)


@pytest.fixture
def own(tmp_path):
    with SqliteStore(tmp_path, busy_seconds=0.05) as store:
        yield store


@pytest.fixture
def server(tmp_path):
    """Another store, in the place of a team's."""
    with SqliteStore(tmp_path / "server") as store:
        yield store


@pytest.fixture
def setting(spool, own):
    def look(asking):
        spool.drain(own)
        return own.find(asking), ""

    return EventSetting(spool.append, look, Agents(contract={"*": "warn"}), WEB, NOON)


@pytest.fixture
def writer(tmp_path, own):
    connection = sqlite3.connect(state_file(tmp_path, "agents.db"), isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    yield connection
    connection.close()


def stop(setting, **fields):
    return on_stop(AgentEvent.of(STOP | fields), setting)


def contents(store, table="context_entries"):
    return [text for (text,) in store.rows(f"SELECT content FROM {table} ORDER BY id", {})]


def test_an_answer_waits_while_the_store_is_locked_and_the_next_agent_is_given_it(setting, spool, own, writer):
    assert stop(setting).trouble == ""
    assert "The door is blue." not in on_start(AgentEvent.of({**STOP, "agent_id": "a2"}), setting).context
    assert spool.drain(own).trouble.what == "the store of sub-agents is locked by another process"
    assert spool.waiting() == 2
    writer.execute("ROLLBACK")
    assert "The door is blue." in on_start(AgentEvent.of({**STOP, "agent_id": "a3"}), setting).context
    assert spool.is_empty()
    assert contents(own, "outputs") == ["The door is blue."]


def test_files_and_long_answers_wait_too(setting, spool, own, writer):
    assert on_tool(AgentEvent.of(EDIT), setting) == HookReply()
    long = {**EDIT, "tool_name": "Task", "tool_use_id": "t", "tool_response": "word " * 3000}
    assert on_tool(AgentEvent.of(long), setting).output
    writer.execute("ROLLBACK")
    assert spool.drain(own).trouble is None
    assert contents(own, "outputs") == [("word " * 3000)]


def test_secrets_do_not_wait_with_it(setting, tmp_path):
    stop(setting, last_assistant_message="key AKIAQ3EGRZ7K2MNB4XWT")
    file = state_file(tmp_path, FILE)
    assert "AKIAQ3EGRZ7K2MNB4XWT" not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0


def test_where_nothing_can_be_kept_it_is_said_and_nothing_is_taken_away(setting, tmp_path):
    state_file(tmp_path, FILE).mkdir(parents=True)
    assert "was not kept" in stop(setting).trouble
    long = {**EDIT, "tool_name": "Task", "tool_use_id": "t", "tool_response": "word " * 3000}
    assert on_tool(AgentEvent.of(long), setting).output is None


@pytest.mark.parametrize("rubbish", ['{"id": "x", "do": {"type": "what"}}', "{", "[]", '{"id": 3}', "[" * 100_000])
def test_a_line_that_cannot_be_read_is_put_aside_and_said(spool, own, tmp_path, rubbish):
    spool.append(entry("one"))
    with state_file(tmp_path, FILE).open("a") as file:
        file.write(rubbish + "\n")
    spool.append(entry("two"))
    assert spool.drain(own).trouble is None
    assert contents(own) == ["one", "two"]
    assert ["cannot be read" in why for why in spool.refused()] == [True]
    assert spool.is_empty()


def test_a_writer_that_was_killed_takes_no_other_along(spool, own, tmp_path):
    spool.append(entry("one"))
    with state_file(tmp_path, FILE).open("a") as file:
        file.write('{"id": "torn", "do": {"ty')
    spool.append(entry("two"))
    spool.drain(own)
    assert contents(own) == ["one", "two"]


def test_one_drains_at_a_time(spool, own):
    spool.append(entry("one"))
    claim = take(str(spool.file))
    assert "another process" in spool.drain(own, patience=0.02).trouble.what
    os.close(claim)
    assert spool.drain(own).trouble is None


def test_a_drain_that_was_killed_is_gone_on_with_and_does_nothing_twice(spool, own):
    spool.append(entry("one"))
    two = spool.append(entry("two"))
    copy = spool.file.read_bytes()
    spool.drain(own)
    spool.taken.write_bytes(copy)  # it was killed before it could remove the file
    spool.append(entry("three"))
    assert two not in {key for key, result in spool.drain(own).done.items() if result}
    assert contents(own) == ["one", "two", "three"]


def test_a_writer_whose_file_is_taken_away_under_its_hands_writes_once_more(spool, own, monkeypatch):
    """The line is in both files then, and is done once."""
    real, gone = os.path.samestat, []

    def moved(*stats):
        if not gone:
            gone.append(1)
            spool.file.rename(spool.taken)
            return False
        return real(*stats)

    monkeypatch.setattr("wrapgen.agents.spool.os.path.samestat", moved)
    spool.append(entry("one"))
    assert spool.waiting() == 2
    spool.drain(own)
    assert contents(own) == ["one"]


def test_appending_while_others_drain_loses_nothing(spool, own, tmp_path):
    stopped = threading.Event()

    def drains():
        with SqliteStore(tmp_path) as store:
            while not stopped.is_set():
                spool.drain(store)

    draining = [threading.Thread(target=drains) for _ in range(2)]
    writing = [
        threading.Thread(target=lambda name=name: [spool.append(entry(f"{name} {n}")) for n in range(60)])
        for name in "abcd"
    ]
    for one in (*draining, *writing):
        one.start()
    for one in writing:
        one.join()
    stopped.set()
    for one in draining:
        one.join()
    assert spool.drain(own, patience=5).trouble is None
    found = contents(own)
    for name in "abcd":
        assert [one for one in found if one[0] == name] == [f"{name} {n}" for n in range(60)]


class TestTeam:
    @pytest.fixture
    def spool(self, tmp_path):
        return Spool(tmp_path, team=True)

    def test_while_the_server_is_away_its_lines_wait_and_are_known_here(self, spool, own, server):
        keys = [spool.append(entry(text)) for text in ("one", "two")]
        assert spool.drain(own, AWAY).done == {}
        spool.append(entry("three"))
        assert spool.drain(own, AWAY).trouble is AWAY
        assert (contents(own), spool.waiting()) == (["one", "two", "three"], 3)
        done = spool.drain(own, server).done
        assert [done[key] for key in keys] == [1, 2]
        assert (contents(server), contents(own), spool.is_empty()) == (contents(own), ["one", "two", "three"], True)

    def test_a_server_that_goes_in_the_middle(self, spool, own, server, monkeypatch):
        for text in ("one", "two", "three"):
            spool.append(entry(text))
        real, calls = server.do_once, []

        def dies(key, operation):
            calls.append(key)
            if len(calls) > 1:
                raise AWAY
            return real(key, operation)

        monkeypatch.setattr(server, "do_once", dies)
        assert spool.drain(own, server).trouble is AWAY
        assert (contents(server), contents(own), spool.waiting()) == (["one"], ["one", "two", "three"], 2)
        monkeypatch.undo()
        spool.drain(own, server)
        assert contents(server) == ["one", "two", "three"]

    def test_a_shell_that_does_not_know_of_the_server_takes_nothing_away_from_it(self, spool, own, server, tmp_path):
        spool.append(entry("one"))
        assert Spool(tmp_path).drain(own).done == {}
        assert (contents(own), spool.waiting()) == (["one"], 1)
        spool.drain(own, server)
        assert contents(server) == ["one"]

    def test_there_is_an_end_to_a_hooks_time(self, spool, own, server):
        for text in ("one", "two"):
            spool.append(entry(text))
        spool.drain(own, server, seconds=-1)
        assert (contents(own), spool.waiting()) == ([], 2)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.one_of(st.text(max_size=20).filter(str.strip).map(entry), st.sampled_from(["drain", "away", "killed"])),
        max_size=12,
    )
)
def test_whatever_happens_between_every_line_arrives_once_and_in_order(tmp_path_factory, moves):
    root = tmp_path_factory.mktemp("spool")
    spool, said = Spool(root, team=True), []
    with SqliteStore(root) as own, SqliteStore(root / "server") as server:
        for move in moves:
            if move == "killed":  # between the last line and the removal of the file
                before = spool.taken.read_bytes() if spool.taken.exists() else b""
                before += spool.file.read_bytes() if spool.file.exists() and not before else b""
                spool.drain(own, server)
                if before:
                    spool.taken.write_bytes(before)
            elif isinstance(move, str):
                spool.drain(own, server if move == "drain" else AWAY)
            else:
                spool.append(move)
                said.append(move.text)
        spool.drain(own, server)
        assert len(contents(server)) == len(contents(own)) == len(said)
        assert contents(server) == contents(own)


def test_a_start_and_its_place_survive_the_file(spool, own):
    spool.append(Start(Who("\ud800", "s\0", "이름 😀"), WEB, NOON))
    spool.append(KeepOutput("s", "a", "words\n\ud800\u2028", None, NOON))
    spool.drain(own)
    assert own.rows("SELECT agent_name FROM agents", {}) == [("이름 😀",)]
    assert contents(own, "outputs") == ["words\n\ufffd\u2028"]
    assert json.loads(json.dumps(spool.refused())) == []
